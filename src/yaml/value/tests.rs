//! Tables of scalars and the values that they are read as.

use super::Value::{Bool, Float, Int, Null, String, UInt};
use super::tag::TagMismatch;
use super::*;

#[track_caller]
fn check(rows: &[(&str, Value<'_>)]) {
    for (text, expected) in rows {
        assert_eq!(resolve(text, true, None), *expected, "of plain {text:?}");
        assert_eq!(
            resolve(text, false, None),
            String(text),
            "of quoted {text:?}"
        );
    }
}

#[track_caller]
fn check_strings(texts: &[&str]) {
    for text in texts {
        assert_eq!(resolve(text, true, None), String(text));
    }
}

#[test]
fn null_and_booleans_have_three_spellings() {
    for text in ["", "~", "null", "Null", "NULL"] {
        assert_eq!(resolve(text, true, None), Null);
    }
    for text in [
        "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON",
    ] {
        assert_eq!(resolve(text, true, None), Bool(true));
    }
    for text in [
        "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF",
    ] {
        assert_eq!(resolve(text, true, None), Bool(false));
    }
    check_strings(&[
        "nULL", "nil", "none", "yEs", "tRUE", "oN", "~~", "null ", " true", "yes!",
    ]);
}

#[test]
fn integers_have_four_bases() {
    check(&[
        ("0", Int(0)),
        ("-0", Int(0)),
        ("12", Int(12)),
        ("+12", Int(12)),
        ("-12", Int(-12)),
        ("0x1F", Int(31)),
        ("0X1f", Int(31)),
        ("-0xff", Int(-255)),
        ("0o17", Int(15)),
        ("0O17", Int(15)),
        ("017", Int(15)),
        ("-017", Int(-15)),
        ("00", Int(0)),
        ("0b101", Int(5)),
        ("0B101", Int(5)),
        ("-0b101", Int(-5)),
        ("+0b11", Int(3)),
        // The sign after `0b`.
        ("0b-1", Int(-1)),
        ("0b+1", Int(1)),
    ]);
    check_strings(&[
        "0x", "0xg", "0b", "0b2", "0o", "0o8", "-", "+", "--1", "+-1", "-0b-1", "-0b+1", "0x-1",
        "1a",
    ]);
}

#[test]
fn underscores_may_be_anywhere_after_the_first_character_of_a_number() {
    check(&[
        ("1_000", Int(1000)),
        ("1__0_", Int(10)),
        ("-_1", Int(-1)),
        ("0_x_1F", Int(31)),
        ("1_000.5_0", Float(1000.5)),
        ("1e_3", Float(1000.0)),
    ]);
    check_strings(&["_1", "-_", "+_"]);
}

#[test]
fn integers_have_sixty_four_bits_and_are_floats_beyond() {
    check(&[
        ("9223372036854775807", Int(i64::MAX)),
        ("-9223372036854775808", Int(i64::MIN)),
        ("9223372036854775808", UInt(1 << 63)),
        ("18446744073709551615", UInt(u64::MAX)),
        ("0xFFFFFFFFFFFFFFFF", UInt(u64::MAX)),
        ("18446744073709551616", Float(18446744073709551616.0)),
        ("-9223372036854775809", Float(-9223372036854775809.0)),
        // A sign asks for a signed integer.
        ("+9223372036854775807", Int(i64::MAX)),
        ("+9223372036854775808", Float(9223372036854775808.0)),
        // Too large in octal: read again as a decimal float.
        ("07777777777777777777777", Float(7777777777777777777777.0)),
    ]);
    check_strings(&["0x10000000000000000"]);
}

#[test]
fn floats_have_a_point_or_an_exponent() {
    check(&[
        ("1.5", Float(1.5)),
        ("-1.5", Float(-1.5)),
        ("+1.5", Float(1.5)),
        ("1.", Float(1.0)),
        ("1.e2", Float(100.0)),
        (".5", Float(0.5)),
        (".5e3", Float(500.0)),
        ("-.5", Float(-0.5)),
        ("1e3", Float(1000.0)),
        ("1E+3", Float(1000.0)),
        ("1e-3", Float(0.001)),
        // No octal digits.
        ("08", Float(8.0)),
        ("-09.5", Float(-9.5)),
        // Too small.
        ("1e-400", Float(0.0)),
        // Between digits, an underscore is also allowed after a leading point.
        (".5_0", Float(0.5)),
        (".inf", Float(f64::INFINITY)),
        (".Inf", Float(f64::INFINITY)),
        ("+.INF", Float(f64::INFINITY)),
        ("-.inf", Float(f64::NEG_INFINITY)),
    ]);
    for text in [".nan", ".NaN", ".NAN"] {
        assert!(matches!(resolve(text, true, None), Float(number) if number.is_nan()));
    }
    check_strings(&[
        ".", "..", "...", "-.", "1e", "1e+", "e3", ".e3", "1.2.3", "1,5", "1e400", "-1e400",
        ".5e400", "7e39872", ".5_", "._5", ".5__0", ".5_e3", ".iNF", "-.nan", "+.nan", "inf",
        "NaN", "0x1.8p1", "1f",
    ]);
}

#[test]
fn timestamps_and_base_60_are_strings() {
    check_strings(&[
        "2001-01-01",
        "2001-12-14t21:59:43.10-05:00",
        "2001-12-14 21:59:43",
        "12:30",
        "190:20:30.15",
        "=",
        "<<",
    ]);
}

#[test]
fn timestamps_are_dates_that_exist() {
    for text in [
        "2001-01-01",
        "2001-1-1",
        "2004-02-29",
        "2000-2-29",
        "2001-01-01T10:00:00Z",
        "2001-1-1t1:2:3Z",
        "2001-01-01T10:00:00.123456789012+01:30",
        "2001-01-01T10:00:00,5-24:60",
        "2001-01-01 10:00:00",
        "2001-01-01   1:2:3.4",
    ] {
        assert!(timestamp::is_timestamp(text), "{text}");
    }
    for text in [
        "2001",
        "2001-01",
        "201-01-01",
        "20011-01-01",
        "2001-13-01",
        "2001-00-01",
        "2001-01-00",
        "2001-01-32",
        "2001-04-31",
        "2001-02-29",
        "1900-02-29",
        "2001-001-01",
        "2001-01-01 ",
        "2001-01-01T10:00:00",
        "2001-01-01T10:00Z",
        "2001-01-01T24:00:00Z",
        "2001-01-01T10:60:00Z",
        "2001-01-01T10:00:60Z",
        "2001-01-01T10:00:00z",
        "2001-01-01T10:00:00+25:00",
        "2001-01-01T10:00:00+1:00",
        "2001-01-01T10:00:00.Z",
        "2001-01-01 10:00:00Z",
        "2001-01-01 10:00:00 +1",
        "2001-01-01T 10:00:00Z",
        "2001/01/01",
    ] {
        assert!(!timestamp::is_timestamp(text), "{text}");
    }
}

#[test]
fn base_60_has_a_colon_and_numbers_below_sixty() {
    for text in [
        "1:2",
        "12:30:45",
        "-12:30",
        "+190:20:30.15",
        "1_0:59",
        "1:2.",
        "1:2.3_",
    ] {
        assert!(plain::is_sexagesimal(text), "{text}");
    }
    for text in [
        "", "1", "1.5", ":1", "1:", "_1:2", "1:60", "1:123", "1:2:", "1:2.3.4", "1:2.3:4", "a:1",
        "--1:2",
    ] {
        assert!(!plain::is_sexagesimal(text), "{text}");
    }
}

#[test]
fn versions_of_yaml_differ_in_words_and_in_notations_of_numbers() {
    for text in [
        "yes",
        "No",
        "ON",
        "off",
        "y",
        "N",
        "012",
        "-012",
        "08",
        "1_000",
        "1_0.5",
        "0b1",
        "0o17",
        "-0x1F",
        "1:30",
        "+12:30:45.5",
    ] {
        assert!(differs_by_version(text), "{text}");
    }
    for text in [
        "",
        "~",
        "null",
        "true",
        "False",
        "0",
        "-1",
        "+5",
        "10",
        "0x1F",
        "0.5",
        "012.5",
        ".5",
        "1.",
        "1e3",
        "-1.5E+3",
        ".inf",
        "-.INF",
        ".nan",
        "word",
        "2001-01-01",
        "1:99",
        "nope",
    ] {
        assert!(!differs_by_version(text), "{text}");
    }
}

/// The full name of a tag of YAML.
fn yaml(name: &str) -> std::string::String {
    format!("tag:yaml.org,2002:{name}")
}

#[test]
fn a_tag_that_fits_decides_the_value_quoted_or_not() {
    for (tag, text, expected) in [
        ("str", "5", String("5")),
        ("str", "", String("")),
        ("str", "null", String("null")),
        ("int", "5", Int(5)),
        ("int", "0x1F", Int(31)),
        ("int", "18446744073709551615", UInt(u64::MAX)),
        ("float", "5", Float(5.0)),
        ("float", "5.5", Float(5.5)),
        ("float", "-.inf", Float(f64::NEG_INFINITY)),
        ("bool", "yes", Bool(true)),
        ("null", "", Null),
        ("null", "~", Null),
        ("timestamp", "2001-01-01", String("2001-01-01")),
        ("binary", "aGk=", String("aGk=")),
        ("binary", "", String("")),
        ("set", "x", String("x")),
    ] {
        let tag = yaml(tag);
        for plain in [true, false] {
            assert_eq!(
                resolve(text, plain, Some(&tag)),
                expected,
                "of {tag} {text:?}"
            );
        }
        assert_eq!(tag_mismatch(text, &tag), None, "of {tag} {text:?}");
    }
}

#[test]
fn a_tag_that_is_not_of_yaml_makes_a_string() {
    for tag in ["!local", "!", "tag:example.com,2000:int"] {
        assert_eq!(resolve("5", true, Some(tag)), String("5"));
        assert_eq!(tag_mismatch("5", tag), None);
    }
}

#[test]
fn a_tag_that_does_not_fit_leaves_a_string_and_is_detected() {
    for (tag, text, expected, found) in [
        ("int", "x", "an integer", "a string"),
        ("int", "5.0", "an integer", "a float"),
        ("int", "", "an integer", "null"),
        ("float", "x", "a float", "a string"),
        (
            "float",
            "18446744073709551615",
            "a float",
            "an integer above 9223372036854775807",
        ),
        ("bool", "1", "a boolean", "an integer"),
        ("null", "x", "null", "a string"),
        ("null", "no", "null", "a boolean"),
        ("timestamp", "x", "a timestamp", "a string"),
        ("binary", "x", "base64", "text that is not base64"),
    ] {
        let tag = yaml(tag);
        assert_eq!(resolve(text, true, Some(&tag)), String(text));
        assert_eq!(
            tag_mismatch(text, &tag),
            Some(TagMismatch { expected, found }),
            "of {tag} {text:?}"
        );
    }
}

#[test]
fn a_merge_key_is_plain_or_has_the_tag_of_one() {
    assert!(is_merge_key("<<", true, None));
    assert!(is_merge_key("<<", false, Some(&yaml("merge"))));
    assert!(!is_merge_key("<<", false, None));
    assert!(!is_merge_key("<<", true, Some(&yaml("str"))));
    assert!(!is_merge_key("<", true, None));
}

#[test]
fn a_plain_string_reads_back_as_itself() {
    for text in [
        "a",
        "a b",
        "a:b",
        "http://x/y?z#w",
        "-a",
        "--",
        ":a",
        "a#b",
        "it's",
        "$(x)",
        "é",
        "😀",
        "100m",
        "1.2.3",
        "10.0.0.0/8",
        "nginx:1.19",
        "a,b",
        "a[0]",
        "a?",
        "?a",
        "2001-02-30",
        "12:60",
        "1e",
        "1e4x",
        "0xg",
        "0b2",
        ".e5",
        "12e",
        "0x",
        "0x1p5",
    ] {
        assert!(is_plain_string(text, PlainContext::Block), "{text}");
    }
    for text in [
        "",
        "=",
        "<<",
        "~",
        "null",
        "yes",
        "n",
        "12",
        "0x1F",
        "1.0",
        ".5",
        "1e3",
        // Numbers that are text for ytt and kustomize, because they are too large.
        "1e400",
        "-1E999",
        "+1.5e400",
        "-.5e400",
        "1.e400",
        "012e400",
        "1e4_00",
        "1.7976931348623159e308",
        "0x1FFFFFFFFFFFFFFFF",
        "-0xFFFFFFFFFFFFFFFF",
        "0X1FFFFFFFFFFFFFFFF",
        "0o7777777777777777777777777",
        "0b11111111111111111111111111111111111111111111111111111111111111111",
        ".inf",
        "2001-01-01",
        "12:30",
        "<<",
        " a",
        "a ",
        "a: b",
        "a:",
        "a #b",
        "a\t#b",
        "a:\tb",
        "#a",
        "- a",
        "-",
        "? a",
        "?",
        ":",
        "[a",
        "]a",
        "{a",
        "}",
        ",a",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "'a",
        "\"a",
        "%a",
        "@a",
        "`a",
        "---",
        "--- a",
        "...",
        "a\nb",
        "a\n",
        "a\tb",
        "a\rb",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "\0",
        "\u{7f}",
    ] {
        assert!(!is_plain_string(text, PlainContext::Block), "{text:?}");
        assert!(!is_plain_string(text, PlainContext::Flow), "{text:?}");
    }
}

#[test]
fn flow_context_takes_fewer_plain_strings() {
    for text in [
        "a",
        "a b",
        "a:b",
        "nginx:1.19",
        "http://x/y",
        "-a",
        "a#b",
        "it's",
        "😀",
    ] {
        assert!(is_plain_string(text, PlainContext::Flow), "{text}");
    }
    for text in ["a,b", "a[0]", "{{x}}", "a}", "?a", "a?", ":a", "a]"] {
        assert!(!is_plain_string(text, PlainContext::Flow), "{text}");
    }
}

#[test]
fn binary_is_base64_with_padding_over_any_number_of_lines() {
    assert_eq!(decode_binary("aGVsbG8=").as_deref(), Some(&b"hello"[..]));
    assert_eq!(
        decode_binary("aGVs\r\nbG8=\n").as_deref(),
        Some(&b"hello"[..])
    );
    assert_eq!(decode_binary("").as_deref(), Some(&b""[..]));
    // Bits left over in the last character.
    assert_eq!(decode_binary("aGVsbG9=").as_deref(), Some(&b"hello"[..]));
    for text in ["aGVsbG8", "aGVs bG8=", "aGVsbG8==", "a-_=", "x", "é"] {
        assert_eq!(decode_binary(text), None, "{text}");
    }
    for bytes in [
        &b""[..],
        b"a",
        b"ab",
        &[0, 255],
        &[7; 51],
        &[7; 52],
        &[7; 105],
        &[7; 1000],
    ] {
        let encoded = encode_binary(bytes);
        assert_eq!(decode_binary(&encoded).as_deref(), Some(bytes));
        assert!(encoded.lines().all(|line| line.len() <= 70));
        assert_eq!(encoded.ends_with('\n'), encoded.len() >= 70);
    }
}
