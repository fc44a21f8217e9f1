# The published image: the static program and nothing else. `tools/build-static` makes the program; see docs/releasing.md.
#
#   tools/build-static
#   install -D target/static/inlay dist/amd64/inlay
#   docker build --build-arg TARGETARCH=amd64 .
FROM scratch
ARG TARGETARCH
ARG VERSION=unknown
ARG REVISION=unknown

# kpt and kustomize start functions with `--user nobody`, a name that the image itself has to define.
COPY --chmod=0644 packaging/container/passwd packaging/container/group /etc/
COPY --chmod=0755 dist/${TARGETARCH}/inlay /usr/local/bin/inlay
# The release generates the licenses of the crates; the pattern lets an image without them be built.
COPY --chmod=0644 LICENSE dist/THIRD-PARTY-LICENSE[S] /usr/share/licenses/inlay/

LABEL org.opencontainers.image.title="inlay" \
      org.opencontainers.image.description="Builds Kubernetes configuration, and edits the documents inside its strings" \
      org.opencontainers.image.source="https://github.com/inlay-dev/inlay" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

ENV PATH=/usr/local/bin
# A number, since Kubernetes cannot check that a name is not root.
USER 65534:65534
# Without arguments Inlay is a KRM function, which is how kpt and kustomize call an image.
ENTRYPOINT ["inlay"]
