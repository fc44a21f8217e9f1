"""Downloads a release for each platform, and registers one toolchain each."""

load(":versions.bzl", "VERSIONS")

_RELEASES = "https://github.com/inlay-dev/inlay/releases"

# The target of a release, and the constraints of the machines that can run it.
_PLATFORMS = {
    "aarch64-apple-darwin": ["@platforms//os:macos", "@platforms//cpu:aarch64"],
    "aarch64-unknown-linux-musl": ["@platforms//os:linux", "@platforms//cpu:aarch64"],
    "x86_64-apple-darwin": ["@platforms//os:macos", "@platforms//cpu:x86_64"],
    "x86_64-unknown-linux-musl": ["@platforms//os:linux", "@platforms//cpu:x86_64"],
}

_PROGRAM_BUILD = """\
load("@rules_inlay//inlay:toolchain.bzl", "inlay_toolchain")

inlay_toolchain(
    name = "toolchain",
    program = "inlay",
    visibility = ["//visibility:public"],
)
"""

_TOOLCHAIN = """\
toolchain(
    name = "{target}",
    # The program runs in the build, so what counts is the machine of the action, not that of the result.
    exec_compatible_with = {constraints},
    toolchain = "@inlay_{name}//:toolchain",
    toolchain_type = "@rules_inlay//inlay:toolchain_type",
)
"""

def _name(target):
    return target.replace("-", "_")

def _program_impl(ctx):
    checksums = VERSIONS.get(ctx.attr.version)
    if checksums == None or ctx.attr.target not in checksums:
        fail("no checksum of Inlay {} for {}; known versions: {}".format(
            ctx.attr.version,
            ctx.attr.target,
            ", ".join(VERSIONS.keys()) or "none",
        ))
    stem = "inlay-v{}-{}".format(ctx.attr.version, ctx.attr.target)
    ctx.download_and_extract(
        url = "{}/download/v{}/{}.tar.gz".format(ctx.attr.base_url, ctx.attr.version, stem),
        sha256 = checksums[ctx.attr.target],
        stripPrefix = stem,
    )
    ctx.file("BUILD.bazel", _PROGRAM_BUILD)

_program = repository_rule(
    implementation = _program_impl,
    attrs = {
        "base_url": attr.string(mandatory = True),
        "target": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
    },
)

def _toolchains_impl(ctx):
    ctx.file("BUILD.bazel", "\n".join([
        _TOOLCHAIN.format(target = target, name = _name(target), constraints = constraints)
        for target, constraints in _PLATFORMS.items()
        if target in ctx.attr.targets
    ]))

_toolchains = repository_rule(
    implementation = _toolchains_impl,
    attrs = {"targets": attr.string_list(doc = "The targets with a program.")},
)

def _inlay_impl(module_ctx):
    version = None
    base_url = _RELEASES
    for module in module_ctx.modules:
        for tag in module.tags.toolchain:
            # The root module decides, as for every toolchain.
            if version == None or module.is_root:
                version = tag.version
                base_url = tag.base_url or _RELEASES
    targets = _PLATFORMS.keys() if version != None else []
    for target in targets:
        _program(
            name = "inlay_" + _name(target),
            target = target,
            version = version,
            base_url = base_url,
        )

    # MODULE.bazel registers it in any case: without a version it is empty, and a toolchain of the build is used.
    _toolchains(name = "inlay_toolchains", targets = targets)

inlay = module_extension(
    implementation = _inlay_impl,
    tag_classes = {
        "toolchain": tag_class(attrs = {
            "base_url": attr.string(doc = "The address of the releases, for a mirror."),
            "version": attr.string(mandatory = True, doc = "The release, such as 0.2.0."),
        }),
    },
)
