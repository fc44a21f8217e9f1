//! The messages of the errors.

use super::refused;

/// A text in which `‹ ›` enclose the place of the error, the message, and the remedy if there is
/// one.
const FAULTS: &[(&str, &str, &str)] = &[
    (
        "[‹'›a']",
        "expected a value or `]`, found `'`",
        "write strings and keys in double quotes",
    ),
    (
        "{‹'›a': 1}",
        "expected a key in double quotes or `}`, found `'`",
        "write strings and keys in double quotes",
    ),
    (
        "[‹“›a”]",
        "expected a value or `]`, found `“`",
        "write strings in straight double quotes `\"`",
    ),
    (
        "{‹a›: 1}",
        "expected a key in double quotes or `}`, found `a`",
        "put the key in double quotes: `\"a\"`",
    ),
    (
        "{‹1›: 1}",
        "expected a key in double quotes or `}`, found `1`",
        "put the key in double quotes: `\"1\"`",
    ),
    (
        "{‹[›]: 1}",
        "expected a key in double quotes or `}`, found `[`",
        "",
    ),
    (
        "{\"a\": 1,‹,›}",
        "expected a key in double quotes or `}`, found `,`",
        "remove the extra `,`",
    ),
    (
        "{\"a\": ‹NaN›}",
        "expected a value, found `NaN`",
        "JSON has no NaN and no infinity: write `null` or a string",
    ),
    (
        "‹-Infinity›",
        "expected a value or the end of the text, found `-Infinity`",
        "JSON has no NaN and no infinity: write `null` or a string",
    ),
    (
        "{\"a\": ‹True›}",
        "expected a value, found `True`",
        "write `true`",
    ),
    (
        "{\"a\": ‹off›}",
        "expected a value, found `off`",
        "write `false`",
    ),
    (
        "{\"a\": ‹None›}",
        "expected a value, found `None`",
        "write `null`",
    ),
    (
        "{\"a\": ‹01›}",
        "expected a value, found `01`",
        "write the number without leading zeros",
    ),
    (
        "{\"a\": ‹nginx›}",
        "expected a value, found `nginx`",
        "put text in double quotes: `\"nginx\"`",
    ),
    (
        "{\"a\": ‹}›",
        "expected a value, found `}`",
        "write `null` where there is no value",
    ),
    (
        "[‹#› a\n1]",
        "expected a value or `]`, found `#`",
        "start a comment with `//`",
    ),
    (
        "[1,‹\u{a0}›2]",
        "expected a value or `]`, found U+00A0",
        "write ordinary spaces between values",
    ),
    (
        "[1‹\u{202e}›]",
        "expected `,` or `]` after a value, found U+202E",
        "",
    ),
    (
        "{‹\\›\"a\\\": 1}",
        "expected a key in double quotes or `}`, found `\\`",
        "write escapes inside of strings only; the text may be escaped once too often",
    ),
    (
        "{\"a\"‹=›1}",
        "expected `:` after a key, found `=`",
        "write `:` between a key and its value",
    ),
    (
        "{\"a\" ‹1›}",
        "expected `:` after a key, found `1`",
        "put a `:` between the key and its value",
    ),
    (
        "{\"a\"‹,› \"b\"}",
        "expected `:` after a key, found `,`",
        "give the key a value, or write a list of values in `[ ]`",
    ),
    (
        "{\"a\": 1 ‹\"b\"›: 2}",
        "expected `,` or `}` after a value, found `\"b\"`",
        "put a `,` after the value before it",
    ),
    (
        "[1 ‹2›]",
        "expected `,` or `]` after a value, found `2`",
        "put a `,` after the value before it",
    ),
    (
        "[1‹;› 2]",
        "expected `,` or `]` after a value, found `;`",
        "write `,` between values",
    ),
    (
        "[\"a\"‹:› 1]",
        "expected `,` or `]` after a value, found `:`",
        "write keys and values in `{ }`",
    ),
    (
        "[1‹}›",
        "expected `,` or `]` after a value, found `}`",
        "close the `[` with `]`",
    ),
    (
        "{\"a\": 1‹]›",
        "expected `,` or `}` after a value, found `]`",
        "close the `{` with `}`",
    ),
    (
        "{\"a\": 1‹›",
        "expected `,` or `}` after a value, found the end of the text",
        "close the `{` with `}`",
    ),
    (
        "[{\"a\": ‹›",
        "expected a value, found the end of the text",
        "close the `{` with `}`",
    ),
    (
        "[1, ‹›",
        "expected a value or `]`, found the end of the text",
        "close the `[` with `]`",
    ),
    (
        "{}‹}›",
        "expected white space or the end of the text after a value, found `}`",
        "remove it, or open it before",
    ),
    (
        "{} ‹}›",
        "expected a value or the end of the text, found `}`",
        "remove it, or open it before",
    ),
    (
        "{}‹,› {}",
        "expected white space or the end of the text after a value, found `,`",
        "write each value on a separate line, or all of them in `[ ]`",
    ),
    (
        "{}‹{›}",
        "expected white space or the end of the text after a value, found `{`",
        "put a line break between the two values",
    ),
    (
        "{}‹x›",
        "expected white space or the end of the text after a value, found `x`",
        "remove what follows the value",
    ),
    (
        "{\"a\": ‹\"b c›\n}",
        "expected `\"` at the end of the string, found the end of the line",
        "close the string with `\"`; write a line break inside it as `\\n`",
    ),
    (
        "[‹\"a]›",
        "expected `\"` at the end of the string, found the end of the text",
        "close the string with `\"`; write a line break inside it as `\\n`",
    ),
    (
        "\"a‹\u{1}›b\"",
        "expected an escape for a control character, found U+0001 itself",
        "write it as `\\u0001`",
    ),
    (
        "\"a‹\\d›\"",
        "expected one of `\"\\/bfnrtu` after `\\`, found `d`",
        "write a backslash itself as `\\\\`",
    ),
    (
        "\"‹\\'›\"",
        "expected one of `\"\\/bfnrtu` after `\\`, found `'`",
        "write `'` without a `\\`",
    ),
    (
        "\"‹\\x›41\"",
        "expected one of `\"\\/bfnrtu` after `\\`, found `x`",
        "write a character by its code as `\\u00XX`",
    ),
    (
        "\"‹\\\n›a\"",
        "expected one of `\"\\/bfnrtu` after `\\`, found the end of the line",
        "write a line break as `\\n`; a JSON string is on one line",
    ),
    (
        "\"‹\\u12›x4\"",
        "expected four hexadecimal digits after `\\u`, found `x` after 2",
        "write a character by its code as `\\u00e9`, or a backslash itself as `\\\\`",
    ),
    (
        "\"a‹\\uD83D›b\"",
        "expected the second half of a surrogate pair after `\\uD83D`, found none",
        "write the character itself, or both halves, such as `\\ud83d\\ude00`",
    ),
    (
        "\"a‹\\ude00›b\"",
        "expected the first half of a surrogate pair before `\\ude00`, found none",
        "write the character itself, or both halves, such as `\\ud83d\\ude00`",
    ),
    (
        "{} ‹/*› a",
        "expected `*/` at the end of the comment, found the end of the text",
        "close the comment with `*/`",
    ),
    (
        "[‹/› a]",
        "expected a value or `]`, found `/`",
        "start a comment with `//`",
    ),
];

#[test]
fn an_error_says_what_was_expected_what_was_found_and_what_to_do() {
    for (marked, message, help) in FAULTS {
        let start = marked.find('‹').unwrap();
        let end = marked.find('›').unwrap() - '‹'.len_utf8();
        let diagnostic = refused(&marked.replace(['‹', '›'], ""));
        assert_eq!(diagnostic.message, *message, "{marked}");
        assert_eq!(diagnostic.help.join("\n"), *help, "{marked}");
        assert_eq!(
            diagnostic.labels[0].location.span.range(),
            start..end,
            "{marked}"
        );
    }
}

#[test]
fn an_unclosed_collection_shows_where_it_was_opened() {
    for text in ["[{\"a\": 1", "[{\"a\": ", "[{\"a\": 1]", "[{"] {
        let diagnostic = refused(text);
        let opened = &diagnostic.labels[1];
        assert_eq!(
            (opened.location.span.range(), opened.text.as_str()),
            (1..2, "opened here"),
            "{text}"
        );
    }
    assert_eq!(refused("[1 2]").labels.len(), 1);
}

#[test]
fn a_long_word_is_shortened_in_the_message_and_whole_in_the_place() {
    let diagnostic = refused(&"é".repeat(100));
    let excerpt = format!("{}…", "é".repeat(32));
    assert_eq!(
        diagnostic.message,
        format!("expected a value or the end of the text, found `{excerpt}`")
    );
    assert_eq!(diagnostic.labels[0].location.span.range(), 0..200);
}
