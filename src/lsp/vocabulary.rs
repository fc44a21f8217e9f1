//! The words of ytt's language with a sentence each, for completion and hover.
//!
//! A test compares the names with what the language has, so that a new annotation or function gets its sentence.

/// An annotation or a function, and its arguments.
pub(super) struct Word {
    /// The name: `overlay/match`, or `map_key` of a module.
    pub(super) name: &'static str,
    /// The arguments as they are written; empty for a value.
    pub(super) signature: &'static str,
    pub(super) summary: &'static str,
    /// The keyword arguments of an annotation.
    pub(super) arguments: &'static [Argument],
}

/// A keyword argument of an annotation.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
}

/// A module that programs load as `@ytt:name`.
pub(super) struct Module {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) members: &'static [Word],
}

const fn word(name: &'static str, signature: &'static str, summary: &'static str) -> Word {
    Word {
        name,
        signature,
        summary,
        arguments: &[],
    }
}

const fn annotation(
    name: &'static str,
    summary: &'static str,
    arguments: &'static [Argument],
) -> Word {
    Word {
        name,
        signature: "",
        summary,
        arguments,
    }
}

const fn argument(name: &'static str, summary: &'static str) -> Argument {
    Argument { name, summary }
}

const EXPECTS: Argument = argument(
    "expects",
    "How many elements have to match: a number, `\"1+\"`, a list of these, or a function of the number. 1 by default.",
);
const MISSING_OK: Argument = argument(
    "missing_ok",
    "With `True`, 0 or 1 elements may match; without a match, a map item is added.",
);
const WHEN_COUNT: Argument = argument(
    "when",
    "As `expects`, but with any other number of matches this part is skipped.",
);
const VIA: Argument = argument(
    "via",
    "A function of the left and the right value that returns the new value.",
);
const RULES: [Argument; 8] = [
    argument("min", "The smallest value."),
    argument("max", "The largest value."),
    argument("min_len", "The shortest length of a string, array or map."),
    argument("max_len", "The greatest length of a string, array or map."),
    argument("not_null", "With `True`, null is not a valid value."),
    argument(
        "one_not_null",
        "With `True`, exactly one item of the map is not null; with a list of keys, exactly one of these.",
    ),
    argument("one_of", "The values that are valid."),
    argument(
        "when",
        "A function of the value (and a context with `parent` and `root`); the rules count if it returns True.",
    ),
];

/// The annotations, in the order in which they are offered.
pub(super) const ANNOTATIONS: [Word; 27] = [
    annotation(
        "overlay/match",
        "Selects the elements of the left side that this part of the overlay changes.",
        &[
            argument(
                "by",
                "A matcher such as `overlay.all`, a function of index or key, left and right, or the name of a key whose value is compared.",
            ),
            EXPECTS,
            MISSING_OK,
            WHEN_COUNT,
        ],
    ),
    annotation(
        "overlay/match-child-defaults",
        "Sets how many elements have to match for everything below, to any depth.",
        &[EXPECTS, MISSING_OK, WHEN_COUNT],
    ),
    annotation(
        "overlay/merge",
        "Changes what the right side contains and keeps everything else. This is the default.",
        &[],
    ),
    annotation("overlay/remove", "Removes what matches.", &[]),
    annotation(
        "overlay/replace",
        "Replaces what matches by the right side, or by what a function returns.",
        &[
            VIA,
            argument(
                "or_add",
                "With `True`, the right side is added if nothing matches.",
            ),
        ],
    ),
    annotation(
        "overlay/insert",
        "Inserts a document or array item beside what matches.",
        &[
            argument("before", "With `True`, before it."),
            argument("after", "With `True`, after it."),
            VIA,
        ],
    ),
    annotation(
        "overlay/append",
        "Adds a document or array item behind all others.",
        &[],
    ),
    annotation(
        "overlay/assert",
        "Fails unless the left side contains the right side, or unless a function accepts it.",
        &[VIA],
    ),
    annotation(
        "overlay/structured",
        "The left side is a string that contains a document; the overlay is applied to that document.",
        &[argument(
            "format",
            "The language of the string, if it is not recognized.",
        )],
    ),
    annotation(
        "schema/type",
        "Sets the type of the value.",
        &[argument(
            "any",
            "With `True`, any value is valid, and nothing below it is checked.",
        )],
    ),
    annotation(
        "schema/nullable",
        "The value may be null, and is null by default.",
        &[],
    ),
    annotation(
        "schema/default",
        "The default of the value, in place of the example below.",
        &[],
    ),
    annotation("schema/title", "A title for people.", &[]),
    annotation("schema/desc", "A description for people.", &[]),
    annotation(
        "schema/examples",
        "Examples: pairs of a description and a value.",
        &[],
    ),
    annotation(
        "schema/deprecated",
        "The value should not be used any more, and what to use instead.",
        &[],
    ),
    annotation(
        "schema/validation",
        "Rules for the value: pairs of a text and a function, and keyword arguments.",
        &RULES,
    ),
    annotation(
        "schema/additional-keys",
        "The map accepts any key; the value below is the type of each.",
        &[],
    ),
    annotation(
        "data/values",
        "The document contains data values, which templates read as `data.values`.",
        &[argument(
            "after_library_module",
            "With `True`, the values of a library win over those that its user sets in code.",
        )],
    ),
    annotation(
        "data/values-schema",
        "The document is a schema: the names, types and defaults of data values.",
        &[],
    ),
    annotation(
        "library/ref",
        "The data values or the schema are for a private library: `@library/ref \"@name\"`.",
        &[],
    ),
    annotation(
        "assert/validate",
        "Rules for this data value, beside those of the schema.",
        &RULES,
    ),
    annotation(
        "yaml/map-key-override",
        "The map item replaces an earlier one with the same key.",
        &[],
    ),
    annotation(
        "yaml/text-templated-strings",
        "Strings below may contain code in `(@ … @)`.",
        &[],
    ),
    annotation(
        "template/code",
        "A line of code; `#@ ` is the short form.",
        &[],
    ),
    annotation(
        "template/value",
        "The value of the node on this line; `#@ ` is the short form.",
        &[],
    ),
    annotation("comment", "A comment; `#!` is the short form.", &[]),
];

/// The modules, in alphabetical order.
pub(super) const MODULES: [Module; 17] = [
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
                "Applies overlays to a value, one after the other, and returns the result.",
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
            "Puts the items or documents of `value` in place of the node whose value it is.",
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

/// The words that begin and end blocks of code.
pub(super) const KEYWORDS: [&str; 17] = [
    "and", "break", "continue", "def", "elif", "else", "end", "for", "if", "if/end", "in",
    "lambda", "load", "not", "or", "pass", "return",
];

/// Returns the annotation with a name.
pub(super) fn find_annotation(name: &str) -> Option<&'static Word> {
    ANNOTATIONS
        .iter()
        .find(|annotation| annotation.name == name)
}

/// Returns the module with a name, which may have `@ytt:` before it.
pub(super) fn find_module(name: &str) -> Option<&'static Module> {
    let name = name.strip_prefix("@ytt:").unwrap_or(name);
    MODULES.iter().find(|module| module.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::script::NativeModule;

    #[test]
    fn has_every_annotation() {
        let mut known: BTreeSet<String> = crate::template::annotation_names().collect();
        known.insert("comment".to_owned());
        let described = ANNOTATIONS
            .iter()
            .map(|annotation| annotation.name.to_owned());
        assert_eq!(described.collect::<BTreeSet<String>>(), known);
    }

    #[test]
    fn has_every_module_and_member() {
        let mut modules: Vec<NativeModule> = crate::modules::MODULES.to_vec();
        modules.push(crate::overlay::module());
        for module in modules {
            let functions = module.functions.iter().map(|(name, _)| *name);
            let constants = module.constants.iter().map(|(name, _)| *name);
            let mut known = BTreeSet::new();
            for name in functions.chain(constants) {
                known.insert(name.rsplit('.').next().unwrap_or(name));
            }
            let described = find_module(module.name).unwrap().members;
            let described: BTreeSet<&str> = described.iter().map(|member| member.name).collect();
            assert_eq!(described, known, "@ytt:{}", module.name);
        }
    }
}
