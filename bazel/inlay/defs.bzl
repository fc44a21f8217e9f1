"""inlay_build renders configuration.

Inlay reads only what it is given, and its output depends on nothing else: results can be cached, and made on remote
machines.
"""

load(":toolchain.bzl", "TOOLCHAIN_TYPE")

def _run(ctx, arguments, inputs):
    program = ctx.toolchains[TOOLCHAIN_TYPE].inlay.program
    output = ctx.actions.declare_file(ctx.attr.out or ctx.label.name + ".yaml")
    arguments.add("--output-file", output)

    # Bazel prints what actions say, and a build that succeeds has nothing to say.
    arguments.add("--quiet")

    # Inputs are links into the workspace or the cache; Bazel has decided what they lead to.
    arguments.add("--dangerous-allow-all-symlink-destinations")
    ctx.actions.run(
        executable = program,
        arguments = [arguments],
        inputs = inputs,
        outputs = [output],
        env = {},
        mnemonic = "Inlay",
        progress_message = "Rendering %{output}",
    )
    return [DefaultInfo(files = depset([output]))]

def _name(file, package):
    """The path that templates and libraries see: in the package, and not in the sandbox."""
    path = file.short_path

    # A file of another repository.
    if path.startswith("../"):
        return path[len("../"):]
    if path.startswith(package + "/"):
        return path[len(package + "/"):]
    return path

def _inlay_build_impl(ctx):
    arguments = ctx.actions.args()
    arguments.add("build")
    for file in ctx.files.srcs:
        arguments.add("--file", "%s=%s" % (_name(file, ctx.label.package), file.path))
    arguments.add_all(ctx.files.values, before_each = "--data-values-file")
    for key, value in ctx.attr.data_values.items():
        arguments.add("--data-value", "%s=%s" % (key, value))
    return _run(ctx, arguments, ctx.files.srcs + ctx.files.values)

inlay_build = rule(
    implementation = _inlay_build_impl,
    doc = "Renders templates, data values and overlays into one file.",
    attrs = {
        "data_values": attr.string_dict(doc = "Data values, as strings."),
        "out": attr.string(doc = "The name of the output; NAME.yaml by default."),
        "srcs": attr.label_list(
            doc = "Templates, schemas, overlays and plain YAML, in the order in which overlays apply.",
            allow_files = True,
            mandatory = True,
        ),
        "values": attr.label_list(
            doc = "Data values files; a later one wins.",
            allow_files = [".yml", ".yaml"],
        ),
    },
    toolchains = [TOOLCHAIN_TYPE],
)
