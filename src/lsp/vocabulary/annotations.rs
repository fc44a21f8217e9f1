//! The annotations with their arguments, in the order in which they are offered.

use super::{Argument, Word};

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
const RULES: [Argument; 10] = [
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
        "pattern",
        "A regular expression of Go that matches somewhere in the string.",
    ),
    argument(
        "format",
        "The format of the string, such as `date-time`, `go-duration`, `ipv4` or `uri`.",
    ),
    argument(
        "when",
        "A function of the value (and a context with `parent` and `root`); the rules count if it returns True.",
    ),
];

/// The annotations, in the order in which they are offered.
pub(in crate::lsp) const ANNOTATIONS: [Word; 27] = [
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
        "Adds a document or array item after all others.",
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
