//! The style of every kind of string. The rules are those of go-yaml v2 as ytt uses it.

use crate::yaml::{Node, canonical_node};

fn printed(text: &str) -> String {
    canonical_node(&Node::string(text)).unwrap()
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<_> = rows
        .iter()
        .filter_map(|(text, expected)| {
            let found = printed(text);
            (found != format!("{expected}\n"))
                .then(|| format!("{text:?}: expected {expected}, found {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_string_without_another_meaning_is_plain() {
    check(&[
        ("a", "a"),
        ("hello world", "hello world"),
        ("two  spaces", "two  spaces"),
        ("nginx:1.19", "nginx:1.19"),
        ("http://x.y/z?a=b#c", "http://x.y/z?a=b#c"),
        ("a,b", "a,b"),
        ("a[0]", "a[0]"),
        ("{{ x }}y", "'{{ x }}y'"),
        ("it's", "it's"),
        ("say \"hi\"", "say \"hi\""),
        ("a\\b", "a\\b"),
        ("$(x)", "$(x)"),
        ("^a$", "^a$"),
        ("(a)", "(a)"),
        ("<a>", "<a>"),
        ("/a/b", "/a/b"),
        ("a#b", "a#b"),
        ("a=b", "a=b"),
        ("é", "é"),
        ("日本", "日本"),
        ("\u{a0}", "\u{a0}"),
        ("\u{e000}", "\u{e000}"),
        ("\u{fffd}", "\u{fffd}"),
    ]);
}

#[test]
fn a_string_with_another_meaning_when_plain_is_double_quoted() {
    check(&[
        // Null.
        ("", r#""""#),
        ("~", r#""~""#),
        ("null", r#""null""#),
        ("Null", r#""Null""#),
        ("NULL", r#""NULL""#),
        // Booleans, also the short ones of YAML 1.1.
        ("true", r#""true""#),
        ("False", r#""False""#),
        ("yes", r#""yes""#),
        ("No", r#""No""#),
        ("on", r#""on""#),
        ("OFF", r#""OFF""#),
        ("y", r#""y""#),
        ("N", r#""N""#),
        // Integers in every base.
        ("0", r#""0""#),
        ("12", r#""12""#),
        ("-3", r#""-3""#),
        ("+3", r#""+3""#),
        ("017", r#""017""#),
        ("0o17", r#""0o17""#),
        ("0x1F", r#""0x1F""#),
        ("0b11", r#""0b11""#),
        ("0b-1", r#""0b-1""#),
        ("1_000", r#""1_000""#),
        ("18446744073709551615", r#""18446744073709551615""#),
        // Floats.
        ("1.0", r#""1.0""#),
        ("1.", r#""1.""#),
        (".5", r#"".5""#),
        (".5_0", r#"".5_0""#),
        ("-.5", r#""-.5""#),
        ("1e3", r#""1e3""#),
        ("74e3", r#""74e3""#),
        ("08", r#""08""#),
        ("18446744073709551616", r#""18446744073709551616""#),
        (".inf", r#"".inf""#),
        ("-.INF", r#""-.INF""#),
        (".nan", r#"".nan""#),
        // Timestamps stay strings, but only in quotes for every reader.
        ("2001-01-01", r#""2001-01-01""#),
        ("2001-1-1", r#""2001-1-1""#),
        ("2001-01-01T10:00:00Z", r#""2001-01-01T10:00:00Z""#),
        (
            "2001-01-01t10:00:00.25+01:00",
            r#""2001-01-01t10:00:00.25+01:00""#,
        ),
        ("2001-01-01 10:00:00", r#""2001-01-01 10:00:00""#),
        // Base 60, a number to strict readers of YAML 1.1.
        ("12:30:45", r#""12:30:45""#),
        ("8:00", r#""8:00""#),
        ("-1:5.5_", r#""-1:5.5_""#),
    ]);
}

#[test]
fn a_string_that_nearly_has_another_meaning_is_plain() {
    check(&[
        ("nULL", "nULL"),
        ("tRUE", "tRUE"),
        ("yEs", "yEs"),
        ("none", "none"),
        ("0x", "0x"),
        ("0xg", "0xg"),
        ("0b2", "0b2"),
        ("0o8", "0o8"),
        ("--3", "--3"),
        ("1e", "1e"),
        ("1.2.3", "1.2.3"),
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("1e400", "1e400"),
        (".", "."),
        ("..", ".."),
        (".5__0", ".5__0"),
        ("._5", "._5"),
        ("+.nan", "+.nan"),
        ("100m", "100m"),
        ("2001-02-30", "2001-02-30"),
        ("2001-01-01T10:00:00", "2001-01-01T10:00:00"),
        ("2001-01-01 10:00:00 +1", "2001-01-01 10:00:00 +1"),
        ("2001-01", "2001-01"),
        ("12:60", "12:60"),
        ("12:30:", "'12:30:'"),
        // Keys with a special meaning in YAML 1.1, which ytt prints without quotes.
        ("=", "="),
        ("<<", "<<"),
    ]);
}

#[test]
fn a_string_that_a_plain_scalar_cannot_express_is_single_quoted() {
    check(&[
        // Indicators at the start.
        ("#a", "'#a'"),
        (",a", "',a'"),
        ("[a", "'[a'"),
        ("]a", "']a'"),
        ("{a", "'{a'"),
        ("}a", "'}a'"),
        ("&a", "'&a'"),
        ("*a", "'*a'"),
        ("!a", "'!a'"),
        ("|a", "'|a'"),
        (">a", "'>a'"),
        ("'a", "'''a'"),
        ("\"a", "'\"a'"),
        ("%a", "'%a'"),
        ("@a", "'@a'"),
        ("`a", "'`a'"),
        // `-`, `?` and `:` only before a blank or the end.
        ("-", "'-'"),
        ("- a", "'- a'"),
        ("-a", "-a"),
        ("?", "'?'"),
        ("? a", "'? a'"),
        ("?a", "?a"),
        (":", "':'"),
        (": a", "': a'"),
        (":a", ":a"),
        // What would be a mapping or a comment.
        ("a: b", "'a: b'"),
        ("a:", "'a:'"),
        ("a::b", "a::b"),
        ("a :b", "a :b"),
        ("a #b", "'a #b'"),
        ("a# b", "a# b"),
        // Document markers, even with more after them.
        ("---", "'---'"),
        ("--- a", "'--- a'"),
        ("---a", "'---a'"),
        ("...", "'...'"),
        ("...a", "'...a'"),
        ("--", "--"),
        // Spaces at the ends.
        (" a", "' a'"),
        ("a ", "'a '"),
        (" ", "' '"),
        // A quote is doubled.
        ("- it's", "'- it''s'"),
        // A string with spaces around is not a number.
        (" 1", "' 1'"),
        ("true ", "'true '"),
    ]);
}

#[test]
fn a_string_with_special_characters_is_double_quoted() {
    check(&[
        ("a\tb", r#""a\tb""#),
        ("\t", r#""\t""#),
        ("a\rb", r#""a\rb""#),
        ("\0", r#""\0""#),
        ("\u{7}\u{8}\u{b}\u{c}\u{1b}", r#""\a\b\v\f\e""#),
        ("\u{1}", r#""\x01""#),
        ("\u{1f}", r#""\x1F""#),
        ("\u{7f}", r#""\x7F""#),
        ("\u{80}", r#""\x80""#),
        ("\u{85}", r#""\N""#),
        ("\u{9f}", r#""\x9F""#),
        ("\u{fffe}", r#""\uFFFE""#),
        ("\u{ffff}", r#""\uFFFF""#),
        ("a\u{feff}", r#""a\uFEFF""#),
        // Everything above U+FFFF.
        ("😀", r#""\U0001F600""#),
        ("a 😀 b", r#""a \U0001F600 b""#),
        // Only quotes and backslashes are escaped with them.
        ("\t'\"\\", r#""\t'\"\\""#),
        ("\té\u{a0}", "\"\\té\u{a0}\""),
        // After a byte order mark everything is escaped.
        ("\u{feff}a é\u{a0}", r#""\uFEFF\x61\x20\xE9\_""#),
        // Deliberately different from ytt, whose form readers of YAML 1.2 misread.
        ("a\u{2028}b", r#""a\Lb""#),
        ("a\u{2029}\nb", r#""a\P\nb""#),
    ]);
}

#[test]
fn a_string_with_line_breaks_is_literal() {
    check(&[
        // None, one, or more line breaks at the end.
        ("a\nb", "|-\n  a\n  b"),
        ("a\n", "|\n  a"),
        ("a\nb\n", "|\n  a\n  b"),
        ("a\n\n", "|+\n  a\n"),
        ("a\n\n\n", "|+\n  a\n\n"),
        // Nothing but line breaks.
        ("\n", "|2+\n"),
        ("\n\n", "|2+\n\n"),
        // A first line that does not show the indentation.
        (" a\nb", "|2-\n   a\n  b"),
        ("\na", "|2-\n\n  a"),
        ("\n a\n", "|2\n\n   a"),
        // Empty lines are not indented, indented ones are kept.
        ("a\n\nb", "|-\n  a\n\n  b"),
        ("a\n  b", "|-\n  a\n    b"),
        // Nothing in a literal needs quotes.
        ("# a: 'b'\n", "|\n  # a: 'b'"),
        ("---\n", "|\n  ---"),
        ("1\n", "|\n  1"),
        ("é\n", "|\n  é"),
    ]);
}

#[test]
fn a_string_that_a_literal_cannot_express_is_double_quoted() {
    check(&[
        // A space before a line break or at the very end.
        ("a \nb", r#""a \nb""#),
        (" \n", r#"" \n""#),
        ("a\n ", r#""a\n ""#),
        ("a\n  \nb", r#""a\n  \nb""#),
        // One tab anywhere.
        ("a:\n\tb\n", r#""a:\n\tb\n""#),
        ("a\r\nb", r#""a\r\nb""#),
        ("😀\n", r#""\U0001F600\n""#),
        ("\u{feff}\n", r#""\uFEFF\n""#),
    ]);
}
