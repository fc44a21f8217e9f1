"""The toolchain: one program for each platform on which actions run."""

InlayInfo = provider(
    doc = "The program.",
    fields = {"program": "The file to run."},
)

def _inlay_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(inlay = InlayInfo(program = ctx.file.program))]

inlay_toolchain = rule(
    implementation = _inlay_toolchain_impl,
    doc = "Names a program as a toolchain. A program that the repository builds itself works too.",
    attrs = {
        "program": attr.label(
            doc = "The program for the platform that runs actions.",
            allow_single_file = True,
            mandatory = True,
            cfg = "exec",
        ),
    },
)

# A label is resolved in this repository; a string without a repository would be one of the repository that builds. It
# is given as a string because Bazel before version 5 takes no label here.
TOOLCHAIN_TYPE = str(Label("//inlay:toolchain_type"))

def _current_inlay_impl(ctx):
    program = ctx.toolchains[TOOLCHAIN_TYPE].inlay.program
    link = ctx.actions.declare_file(ctx.label.name + "_program/" + program.basename)
    ctx.actions.symlink(output = link, target_file = program, is_executable = True)
    return [DefaultInfo(executable = link, files = depset([link]))]

current_inlay = rule(
    implementation = _current_inlay_impl,
    doc = "The program of the toolchain that Bazel chose.",
    executable = True,
    toolchains = [TOOLCHAIN_TYPE],
)
