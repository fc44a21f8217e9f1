//! The `@ytt:` modules with their functions, in alphabetical order.

use super::{Module, Word};

const fn word(name: &'static str, signature: &'static str, summary: &'static str) -> Word {
    Word {
        name,
        signature,
        summary,
        arguments: &[],
    }
}

/// The modules, in alphabetical order.
pub(in crate::lsp) const MODULES: [Module; 18] = [
    Module {
        name: "assert",
        summary: "Checks that end a build with a message.",
        members: &[
            word(
                "equals",
                "(expected, actual)",
                "Fails unless both values print the same YAML.",
            ),
            word("fail", "(message)", "Ends the build with a message."),
            word(
                "try_to",
                "(function)",
                "Calls a function, and returns its value and None, or None and the text of its error.",
            ),
            word("min", "(value)", "An assertion: at least `value`."),
            word("max", "(value)", "An assertion: at most `value`."),
            word("min_len", "(length)", "An assertion: at least this long."),
            word("max_len", "(length)", "An assertion: at most this long."),
            word(
                "not_null",
                "(value)",
                "Fails for None; without a value, an assertion.",
            ),
            word(
                "one_not_null",
                "(keys)",
                "An assertion: exactly one item of a map is not null.",
            ),
            word("one_of", "(values)", "An assertion: one of these values."),
        ],
    },
    Module {
        name: "base64",
        summary: "Base64, as Go encodes it.",
        members: &[
            word(
                "encode",
                "(text, url=False, raw=False)",
                "Encodes the bytes of a text.",
            ),
            word(
                "decode",
                "(text, url=False, raw=False)",
                "Decodes to a text.",
            ),
        ],
    },
    Module {
        name: "data",
        summary: "The data values and the files of the build.",
        members: &[
            word("values", "", "The data values."),
            word("list", "(path)", "The paths of the files of this library."),
            word("read", "(path)", "The content of a file of this library."),
        ],
    },
    Module {
        name: "ip",
        summary: "IP addresses and networks.",
        members: &[
            word(
                "parse_addr",
                "(text)",
                "An address, with `is_ipv4`, `is_ipv6` and `string`.",
            ),
            word("parse_cidr", "(text)", "An address and its network."),
        ],
    },
    Module {
        name: "json",
        summary: "JSON.",
        members: &[
            word(
                "encode",
                "(value, indent=0, escape_html=True)",
                "Prints JSON with sorted keys.",
            ),
            word("decode", "(text)", "Reads JSON."),
        ],
    },
    Module {
        name: "library",
        summary: "Private libraries, below `_ytt_lib`.",
        members: &[word(
            "get",
            "(path, alias=None)",
            "A library, with `with_data_values`, `with_data_values_schema`, `eval`, `export` and `data_values`.",
        )],
    },
    Module {
        name: "math",
        summary: "Mathematics, as Go's `math`.",
        members: &[
            word("ceil", "(x)", "The smallest integer that is not smaller."),
            word("floor", "(x)", "The largest integer that is not larger."),
            word(
                "round",
                "(x)",
                "The nearest integer, halves away from zero.",
            ),
            word("fabs", "(x)", "The absolute value."),
            word("copysign", "(x, y)", "`x` with the sign of `y`."),
            word(
                "mod",
                "(x, y)",
                "The rest of a division, with the sign of `x`.",
            ),
            word(
                "remainder",
                "(x, y)",
                "The rest of a division to the nearest integer.",
            ),
            word("pow", "(x, y)", "`x` to the power of `y`."),
            word("exp", "(x)", "e to the power of `x`."),
            word("log", "(x, base=e)", "The logarithm."),
            word("sqrt", "(x)", "The square root."),
            word("gamma", "(x)", "The gamma function."),
            word("hypot", "(x, y)", "The distance from the origin."),
            word("sin", "(x)", "The sine of radians."),
            word("cos", "(x)", "The cosine of radians."),
            word("tan", "(x)", "The tangent of radians."),
            word("asin", "(x)", "The arc sine."),
            word("acos", "(x)", "The arc cosine."),
            word("atan", "(x)", "The arc tangent."),
            word("atan2", "(y, x)", "The angle of a point, in radians."),
            word("sinh", "(x)", "The hyperbolic sine."),
            word("cosh", "(x)", "The hyperbolic cosine."),
            word("tanh", "(x)", "The hyperbolic tangent."),
            word("asinh", "(x)", "The inverse hyperbolic sine."),
            word("acosh", "(x)", "The inverse hyperbolic cosine."),
            word("atanh", "(x)", "The inverse hyperbolic tangent."),
            word("degrees", "(x)", "Radians in degrees."),
            word("radians", "(x)", "Degrees in radians."),
            word("e", "", "Euler's number."),
            word(
                "pi",
                "",
                "The ratio of a circle's circumference to its diameter.",
            ),
        ],
    },
    Module {
        name: "md5",
        summary: "MD5 digests.",
        members: &[word("sum", "(text)", "The digest in hexadecimal digits.")],
    },
    Module {
        name: "module",
        summary: "Modules: named values with members.",
        members: &[word(
            "make",
            "(name, member=value…)",
            "A module with these members.",
        )],
    },
    Module {
        name: "overlay",
        summary: "Overlays and their matchers.",
        members: &[
            word("all", "", "A matcher: everything."),
            word(
                "subset",
                "(value)",
                "A matcher: elements that contain `value`. Maps may have more keys, lists more items.",
            ),
            word(
                "map_key",
                "(name)",
                "A matcher: elements with the same value under this key as the overlay's.",
            ),
            word(
                "index",
                "(number)",
                "A matcher: the element with this index.",
            ),
            word(
                "and_op",
                "(matchers…)",
                "A matcher: what all of them accept.",
            ),
            word(
                "or_op",
                "(matchers…)",
                "A matcher: what any of them accepts.",
            ),
            word("not_op", "(matcher)", "A matcher: what it rejects."),
            word(
                "apply",
                "(left, rights…)",
                "Applies overlays to a value, one after the other, and returns the result. A scalar or `None` as an overlay has no effect, and gives a warning.",
            ),
        ],
    },
    Module {
        name: "regexp",
        summary: "Go's regular expressions.",
        members: &[
            word(
                "match",
                "(pattern, text)",
                "Whether the pattern is found in the text.",
            ),
            word(
                "replace",
                "(pattern, text, replacement)",
                "The text with every match replaced by a text (`$1` is a group) or by what a function returns.",
            ),
        ],
    },
    Module {
        name: "sha256",
        summary: "SHA-256 digests.",
        members: &[word("sum", "(text)", "The digest in hexadecimal digits.")],
    },
    Module {
        name: "struct",
        summary: "Structs: values with attributes.",
        members: &[
            word("make", "(name=value…)", "A struct with these attributes."),
            word(
                "make_and_bind",
                "(object, name=function…)",
                "A struct whose functions get `object` as first argument.",
            ),
            word(
                "bind",
                "(function, object)",
                "The function with `object` as first argument.",
            ),
            word(
                "encode",
                "(value)",
                "Dictionaries as structs, at every depth.",
            ),
            word(
                "decode",
                "(value)",
                "Structs as dictionaries, at every depth.",
            ),
        ],
    },
    Module {
        name: "template",
        summary: "Templates.",
        members: &[word(
            "replace",
            "(value)",
            "Puts the entries, items or documents of `value` in place of the node whose value it is. \
             As a line of code, it replaces the innermost node that was written last: below `a: {b: \
             1, c: 2}`, it replaces `c: 2`.",
        )],
    },
    Module {
        name: "toml",
        summary: "TOML.",
        members: &[
            word(
                "encode",
                "(value, indent=2)",
                "Prints TOML with sorted keys.",
            ),
            word("decode", "(text)", "Reads TOML."),
        ],
    },
    Module {
        name: "url",
        summary: "URLs and their parts.",
        members: &[
            word(
                "path_segment_encode",
                "(text)",
                "Escapes a segment of a path.",
            ),
            word(
                "path_segment_decode",
                "(text)",
                "Reverses `path_segment_encode`.",
            ),
            word(
                "query_param_value_encode",
                "(text)",
                "Escapes a value of a query.",
            ),
            word(
                "query_param_value_decode",
                "(text)",
                "Reverses `query_param_value_encode`.",
            ),
            word(
                "query_params_encode",
                "(dict)",
                "A query from lists of values by name.",
            ),
            word(
                "query_params_decode",
                "(text)",
                "Reverses `query_params_encode`.",
            ),
            word(
                "parse",
                "(text)",
                "A URL, with `user`, `without_user`, `string` and `hostname`.",
            ),
        ],
    },
    Module {
        name: "version",
        summary: "The version of the language.",
        members: &[word(
            "require_at_least",
            "(version)",
            "Fails if the program speaks an older version of ytt's language.",
        )],
    },
    Module {
        name: "yaml",
        summary: "YAML.",
        members: &[
            word("encode", "(value)", "Prints YAML."),
            word("decode", "(text)", "Reads one document."),
        ],
    },
];
