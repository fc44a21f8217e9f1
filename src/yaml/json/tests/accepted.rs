//! Texts that the parser accepts.

use super::contents;
use crate::yaml::parse_json;

/// Texts that RFC 8259 allows. Their values are compared with those of `serde_json`.
const STRICT: &[(&str, &str)] = &[
    ("an empty object", "{}"),
    ("an empty array", "[]"),
    ("an empty object with blanks", "{ \t\r\n}"),
    ("an empty array with blanks", "[ \t\r\n]"),
    ("an empty key", r#"{"": 0}"#),
    ("an empty string", r#"[""]"#),
    ("a key with escapes", r#"{"a\n\u0062": 1}"#),
    ("a key with a NUL escape", r#"{"a\u0000b": 1}"#),
    ("a nested object", r#"{"a": {"b": {"c": []}}}"#),
    ("a nested array", "[[[[]]], [], [[]]]"),
    ("several kinds in one array", r#"[null, 1, "1", {}, []]"#),
    ("several nulls", "[1,null,null,2]"),
    (
        "blanks around every token",
        " { \"a\" : [ 1 , 2 ] , \"b\" : null } ",
    ),
    (
        "carriage returns",
        "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n",
    ),
    ("tabs for indentation", "{\n\t\"a\": [\n\t\t1\n\t]\n}"),
    ("a number alone", "42"),
    ("a negative number alone", "-0.1"),
    ("a string alone", r#""asd""#),
    ("true alone", "true"),
    ("false alone", "false"),
    ("null alone", "null"),
    ("blanks before and after a value alone", "\n null \n"),
    ("zero", "[0]"),
    ("minus zero", "[-0]"),
    ("a fraction", "[123.456789]"),
    ("a fraction of zero", "[0.0, -0.0, 0.5]"),
    ("an exponent", "[0e1, 1e2, 1E22]"),
    ("an exponent with plus", "[0e+1, 1E+2]"),
    ("an exponent with minus", "[1e-2, 1E-2]"),
    ("an exponent with leading zeros", "[1e007]"),
    ("a fraction with an exponent", "[123.456e78, -123.456E-78]"),
    (
        "a fraction of many digits",
        "[0.30000000000000004440892098500626]",
    ),
    (
        "the largest signed number",
        "[9223372036854775807, -9223372036854775808]",
    ),
    ("the largest unsigned number", "[18446744073709551615]"),
    (
        "a number close to zero",
        "[-0.000000000000000000000000000000000000000000000000000000000000000000000000001]",
    ),
    ("every short escape", r#"["\"\\\/\b\f\n\r\t"]"#),
    ("an escaped letter", r#"["\u0061\u30af\u30EA\u30b9"]"#),
    ("a surrogate pair", r#"["\uD83d\uDe39"]"#),
    ("two surrogate pairs", r#"["\ud83d\ude39\ud83d\udc8d"]"#),
    ("the last code point", r#"["\uDBFF\uDFFF"]"#),
    (
        "the first code point beyond the basic plane",
        r#"["\ud800\udc00"]"#,
    ),
    (
        "characters that are not characters",
        r#"["\uFFFE\uffff\uFDD0"]"#,
    ),
    ("an escaped backslash before a letter u", r#"["\\u0061"]"#),
    ("escaped backslashes at the end", r#"["\\\\"]"#),
    ("an escape between raw text", r#"["a\nb", "\nb", "a\n"]"#),
    ("escaped control characters", r#"["\u0000\u001f\u007f"]"#),
    ("a raw DEL", "[\"a\u{7f}a\"]"),
    ("raw text of two, three and four bytes", "[\"é€😀\"]"),
    ("raw text outside of the basic plane", "[\"𝄞\u{10ffff}\"]"),
    ("a raw no-break space", "[\"\u{a0}\u{2028}\u{2029}\"]"),
    ("a raw byte order mark in a string", "[\"\u{feff}\"]"),
    (
        "comment marks in a string",
        r##"["// a", "/* b */", "# c"]"##,
    ),
    ("brackets in a string", r#"["[{]}", ",:"]"#),
    ("words in a string", r#"["true", "null", "1"]"#),
    (
        "an embedded document",
        r#"{"a": "{\"b\": \"{\\\"c\\\": 1}\"}"}"#,
    ),
];

/// Texts beyond RFC 8259, and the documents that they contain.
const LENIENT: &[(&str, &str, &str)] = &[
    ("no text", "", "[]"),
    ("blanks alone", " \t\r\n", "[]"),
    ("a byte order mark alone", "\u{feff}", "[]"),
    ("comments alone", "// a\n/* b */", "[]"),
    ("a byte order mark", "\u{feff}{}", "[{}]"),
    ("a trailing comma in an array", "[1, 2,]", "[[1, 2]]"),
    (
        "a trailing comma in an object",
        "{\"a\": 1,\n}",
        "[{\"a\": 1}]",
    ),
    ("a comment after a trailing comma", "[1, // one\n]", "[[1]]"),
    (
        "line comments",
        "// a\n{ // b\r\n\"a\": // c\n1 }// d",
        "[{\"a\": 1}]",
    ),
    (
        "block comments",
        "/**/[/* a */1/*\n*/,/* , */2/* ] */]/***/",
        "[[1, 2]]",
    ),
    (
        "a block comment with stars and slashes",
        "/* / * // **/1",
        "[1]",
    ),
    ("a line comment that ends with the text", "1 //", "[1]"),
    (
        "a line comment that ends with a carriage return",
        "1 // a\r2",
        "[1, 2]",
    ),
    ("a comment right after a number", "[1// one\n]", "[[1]]"),
    ("a raw tab in a string", "\"a\tb\"", "[\"a\\tb\"]"),
    (
        "a value a line",
        "{\"a\": 1}\n{\"a\": 2}\n\n[3]\n",
        "[{\"a\": 1}, {\"a\": 2}, [3]]",
    ),
    ("values on one line", "1 \"a\" null", "[1, \"a\", null]"),
    ("values parted by a comment", "{}/**/{}", "[{}, {}]"),
    (
        "a key that is given twice",
        "{\"a\": 1, \"a\": 2}",
        "[{\"a\": 2}]",
    ),
];

#[test]
fn a_text_of_rfc_8259_means_what_serde_json_reads() {
    for (name, text) in STRICT {
        let expected: serde_json::Value =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(contents(text), [expected], "{name}");
    }
}

#[test]
fn extensions_of_rfc_8259_in_configuration_files_are_accepted() {
    for (name, text, expected) in LENIENT {
        let expected: Vec<serde_json::Value> = serde_json::from_str(expected).unwrap();
        assert_eq!(contents(text), expected, "{name}");
    }
}

#[test]
fn numbers_of_any_size_are_accepted() {
    for text in [
        "1e400",
        "-1e-400",
        &"9".repeat(1000),
        &format!("0.{}1", "0".repeat(1000)),
    ] {
        let stream = super::parsed(text);
        assert_eq!(stream.documents[0].root.text(), Some(text));
    }
}

#[test]
fn nesting_is_accepted_to_255_levels() {
    let text = format!("{}{}", "[".repeat(255), "]".repeat(255));
    assert!(parse_json(&super::source(&text)).is_ok());
    let text = format!("{}1{}", "{\"a\":".repeat(255), "}".repeat(255));
    assert!(parse_json(&super::source(&text)).is_ok());
}
