//! The texts that the parser refuses. [`super::faults`] checks the messages.

use super::refused;
use crate::source::Code;

const REFUSED: &[(&str, &str)] = &[
    ("a comma alone", ","),
    ("a colon alone", ":"),
    ("a word alone", "yes"),
    ("a character alone", "é"),
    ("an array that is not closed", "[1"),
    ("an array that is not closed after a comma", "[1,"),
    ("an array of nothing that is not closed", "["),
    ("an array closed by a brace", "[1}"),
    ("an array closed twice", "[1]]"),
    ("an array of a comma", "[,]"),
    ("an array that starts with a comma", "[,1]"),
    ("two commas in an array", "[1,,2]"),
    ("two trailing commas in an array", "[1,,]"),
    ("no comma in an array", "[1 2]"),
    ("no comma between strings", r#"["a" "b"]"#),
    ("no comma between arrays", "[[][]]"),
    ("a colon in an array", r#"["a": 1]"#),
    ("a semicolon in an array", "[1;2]"),
    ("an ellipsis in an array", "[1, ...]"),
    ("a star", "[*]"),
    ("a closing bracket alone", "]"),
    ("an object that is not closed", "{"),
    ("an object that is not closed after a key", r#"{"a""#),
    ("an object that is not closed after a colon", r#"{"a":"#),
    ("an object that is not closed after a value", r#"{"a":1"#),
    ("an object that is not closed after a comma", r#"{"a":1,"#),
    ("an object closed by a bracket", r#"{"a":1]"#),
    ("an object closed twice", "{}}"),
    ("an object of a comma", "{,}"),
    ("two commas in an object", r#"{"a":1,,"b":2}"#),
    ("two trailing commas in an object", r#"{"a":1,,}"#),
    ("a key without a colon", r#"{"a" 1}"#),
    ("a key without a value", r#"{"a":}"#),
    ("a key alone", r#"{"a"}"#),
    ("a key before a comma", r#"{"a", "b"}"#),
    ("two colons", r#"{"a"::1}"#),
    ("an equals sign for a colon", r#"{"a"=1}"#),
    ("a comma for a colon", r#"{"a",1}"#),
    ("a key in single quotes", "{'a': 1}"),
    ("a key without quotes", "{a: 1}"),
    ("a key of letters beyond ASCII without quotes", "{ключ: 1}"),
    ("a number for a key", "{1: 1}"),
    ("null for a key", "{null: 1}"),
    ("an array for a key", "{[]: 1}"),
    ("an object for a key", "{{}: 1}"),
    ("no comma in an object", r#"{"a":1 "b":2}"#),
    ("a string in single quotes", "['a']"),
    ("a string in typographic quotes", "[“a”]"),
    ("a string in backticks", "[`a`]"),
    ("a string that is not closed", "\"a"),
    ("a quote alone", "\""),
    ("a string that ends with a backslash", "\"a\\"),
    ("a string that ends with an escaped quote", r#""a\""#),
    ("a string over two lines", "\"a\nb\""),
    ("a string over two lines of carriage returns", "\"a\r\nb\""),
    ("a raw NUL", "\"a\0b\""),
    ("a raw control character", "\"\u{1f}\""),
    ("a raw form feed", "\"\u{c}\""),
    ("an escape of an ordinary letter", r#""\a""#),
    ("an escape of a capital letter", r#""\N""#),
    ("an escape of x", r#""\x41""#),
    ("an escape of a single quote", r#""\'""#),
    ("an escape of zero", r#""\0""#),
    ("an escape of a letter beyond ASCII", r#""\é""#),
    ("an escape of a line break", "\"a\\\nb\""),
    ("a code of no digits", r#""\u""#),
    ("a code of three digits", r#""\u00e""#),
    ("a code of other letters", r#""\u00g0""#),
    ("a code with a sign", r#""\u+123""#),
    ("a code in braces", r#""\u{1f600}""#),
    ("a code with a letter beyond ASCII", r#""\u00é0""#),
    ("a code cut by the end of the text", "\"\\u00"),
    ("a capital U", r#""\U0001F600""#),
    ("a first half alone", r#""\ud800""#),
    ("a first half before a letter", r#""\ud800a""#),
    ("a first half before an escape", r#""\ud800\n""#),
    ("a first half before a letter's code", r#""\ud800\u0041""#),
    ("a first half twice", r#""\ud800\ud800\udc00""#),
    ("a first half before a broken code", r#""\ud800\u00""#),
    ("a second half alone", r#""\udc00""#),
    ("two halves in the wrong order", r#""\udc00\ud800""#),
    ("a plus sign", "+1"),
    ("a minus sign alone", "-"),
    ("two minus signs", "--1"),
    ("a minus sign apart", "- 1"),
    ("a leading zero", "01"),
    ("a leading zero after a minus sign", "-012"),
    ("two zeros", "00"),
    ("no digit before the point", ".5"),
    ("no digit after the point", "1."),
    ("no digit after the point of an exponent", "1.e1"),
    ("two points", "1.2.3"),
    ("no digit in the exponent", "1e"),
    ("no digit after the sign of the exponent", "1e+"),
    ("two exponents", "1e2e3"),
    ("a point in the exponent", "1e2.5"),
    ("a hexadecimal number", "0x1F"),
    ("underscores in a number", "1_000"),
    ("a number with a unit", "10Mi"),
    ("digits beyond ASCII", "١"),
    ("NaN", "NaN"),
    ("Infinity", "Infinity"),
    ("minus Infinity", "-Infinity"),
    ("True", "True"),
    ("NULL", "NULL"),
    ("undefined", "undefined"),
    ("a word that starts as null", "nulls"),
    ("a word that starts as true", "[tru]"),
    ("a YAML mapping", "a: 1"),
    ("a YAML list", "- 1"),
    ("a YAML comment", "# a\n{}"),
    ("a document marker", "---\n{}"),
    ("a word after a value", "{} a"),
    ("a comma after a value", "{},"),
    ("a value right after an object", "{}{}"),
    ("a value right after a string", r#""a""b""#),
    ("a value right after a number", r#"1"a""#),
    ("a second value that is wrong", "{}\n{"),
    ("a no-break space", "[1,\u{a0}2]"),
    ("a form feed between values", "[1,\u{c}2]"),
    ("a NUL after a value", "1\0"),
    ("a byte order mark in the middle", "[\u{feff}]"),
    ("two byte order marks", "\u{feff}\u{feff}1"),
    ("a slash alone", "/"),
    ("a slash before a value", "/ 1"),
    ("a block comment that is not closed", "1 /* a"),
    ("a block comment that is a star short", "1 /*/"),
    ("an escaped document", r#"{\"a\": 1}"#),
    ("a template", "{{ .Values.a }}"),
];

#[test]
fn every_one_of_them_is_a_syntax_error_with_a_place_in_the_text() {
    for (name, text) in REFUSED {
        let diagnostic = refused(text);
        assert_eq!(diagnostic.code, Code::JsonSyntax, "{name}");
        assert!(
            diagnostic.message.starts_with("expected "),
            "{name}: {}",
            diagnostic.message
        );
        assert!(
            diagnostic.message.contains(", found "),
            "{name}: {}",
            diagnostic.message
        );
        assert!(!diagnostic.labels.is_empty(), "{name}");
        for label in &diagnostic.labels {
            assert!(
                text.get(label.location.span.range()).is_some(),
                "{name}: {:?}",
                label.location.span
            );
        }
    }
}

#[test]
fn serde_json_accepts_none_of_them() {
    for (name, text) in REFUSED {
        assert!(
            serde_json::from_str::<serde_json::Value>(text).is_err(),
            "{name}"
        );
    }
}

#[test]
fn every_cut_of_an_object_before_its_end_is_refused() {
    let text = "{\"a\": [1, true, \"\\u00e9\\ud83d\\ude00\"], \"é\": {\"b\": -1.5e+3} /* c */ }";
    for (end, _) in text.char_indices().skip(1) {
        refused(&text[..end]);
    }
}

#[test]
fn nesting_that_is_too_deep_is_refused_at_the_first_bracket_beyond_the_limit() {
    for text in ["[".repeat(1_000_000), "{\"a\":".repeat(1_000_000)] {
        let diagnostic = refused(&text);
        assert_eq!(diagnostic.code, Code::Limit);
        assert_eq!(
            diagnostic.message,
            "expected at most 255 levels of nesting, found more"
        );
        let bracket = text
            .char_indices()
            .filter(|(_, character)| "[{".contains(*character))
            .nth(255)
            .unwrap()
            .0;
        assert_eq!(
            diagnostic.labels[0].location.span.range(),
            bracket..bracket + 1
        );
    }
}
