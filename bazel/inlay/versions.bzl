"""The checksums of the releases, by version and target.

tools/pack-bazel-rules adds the entry of a release, {"0.2.0": {"x86_64-unknown-linux-musl": "…"}}, to the archive of
the rules that the release publishes.
"""

VERSIONS = {}
