//! Tables of the output of kustomize v5.8.2. `tests/kustomize_output.rs` compares random documents
//! with the real program.

use super::*;
use crate::source::{Code, Source};
use crate::yaml::parse;

fn print(text: &str) -> Result<String> {
    let source = Source::new("test.yaml", text).unwrap();
    let stream = parse(&source)?;
    let mut output = String::new();
    push_sorted(&stream.documents[0].root, &mut output)?;
    Ok(output)
}

#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(print(text).unwrap(), *expected, "{text}");
    }
}

#[test]
fn prints_blocks_with_sorted_keys() {
    check(&[
        (
            "b: {z: 1, y: [a, [b, {d: 1, c: 2}]]}\na: []\nc: {}\n",
            "a: []\nb:\n  \"y\":\n  - a\n  - - b\n    - c: 2\n      d: 1\n  z: 1\nc: {}\n",
        ),
        ("a: # comment\n- ~\n-\n", "a:\n- null\n- null\n"),
        ("a: yes\nb: 'x'\n", "a: \"yes\"\nb: x\n"),
    ]);
}

#[test]
fn kustomize_quotes_some_plain_scalars_in_braces() {
    check(&[
        (
            "a: {b: 2001-12-14T1:2:3Z, c: 2001-12-14}\nd: 2001-12-14T1:2:3Z\n",
            "a:\n  b: \"2001-12-14T1:2:3Z\"\n  c: \"2001-12-14T00:00:00Z\"\nd: \"2001-12-14T01:02:03Z\"\n",
        ),
        ("a: {b}\n", "a:\n  b: \"\"\n"),
        (
            "a: {b: , c: ~, d: !!null ''}\n",
            "a:\n  b: \"\"\n  c: null\n  d: null\n",
        ),
        ("a:\n  b:\n", "a:\n  b: null\n"),
    ]);
}

#[test]
fn written_entries_come_before_merged_ones() {
    check(&[
        ("<<: {a: 1, b: 1}\na: 2\n", "a: 2\nb: 1\n"),
        ("<<: [{a: 1}, {a: 2, b: 3}]\n", "a: 1\nb: 3\n"),
        (
            "x: &x {c: 1}\ny: {<<: *x, d: *x}\n",
            "x:\n  c: 1\n\"y\":\n  c: 1\n  d:\n    c: 1\n",
        ),
        ("a: {<<: {}}\n", "a: {}\n"),
        ("\"<<\": {a: 1}\n", "<<:\n  a: 1\n"),
    ]);
}

#[test]
fn keys_of_the_document_are_text() {
    check(&[(
        "1.50: a\ntrue: b\n2020-01-01: c\n",
        "\"1.50\": a\n\"2020-01-01\": c\n\"true\": b\n",
    )]);
}

#[test]
fn folds_at_single_spaces_after_column_80() {
    let words = "word ".repeat(17);
    let words = words.trim();
    check(&[
        (
            &format!("a: {words}\n"),
            &format!("a: {}\n  word\n", &words[..words.len() - 5]),
        ),
        (
            &format!("a: {}\n", words.replace(' ', "  ")),
            &format!("a: {}\n", words.replace(' ', "  ")),
        ),
        (
            &format!("a: \"\\t{}\"\n", words.replace(' ', "  ")),
            "a: \"\\tword  word  word  word  word  word  word  word  word  word  word  word  word\n  \\ word  word  word  word\"\n",
        ),
        (
            &format!("a:\n- '# {words}'\n"),
            &format!("a:\n- '# {}\n  word'\n", &words[..words.len() - 5]),
        ),
        // Characters count, not bytes.
        (
            &format!("a: {}\n", "é ".repeat(50).trim()),
            &format!(
                "a: {}\n  {}\n",
                "é ".repeat(40).trim(),
                "é ".repeat(10).trim()
            ),
        ),
    ]);
}

#[test]
fn a_long_key_is_on_lines_of_its_own() {
    let key = "word ".repeat(30);
    let key = key.trim();
    let printed = format!(
        "? {}\n  {}\n",
        "word ".repeat(16).trim(),
        "word ".repeat(14).trim()
    );
    check(&[
        (
            &format!("? {key}\n: {{b: 1, a: 2}}\n"),
            &format!("{printed}: a: 2\n  b: 1\n"),
        ),
        (&format!("? {key}\n: x\n"), &format!("{printed}: x\n")),
        ("? \"k\\nx\"\n: [a, b]\n", "? |-\n  k\n  x\n: - a\n  - b\n"),
    ]);
}

#[test]
fn refuses_what_json_cannot_express() {
    let no_numbers = "expected a value that JSON can express, and it has no infinity and NaN";
    let no_bytes = "expected a value that JSON can express, and it has no bytes that are not UTF-8";
    let number = "expected a key that is a string, found a number";
    let table = [
        ("a: .inf\n", Code::ValueDoesNotFit, no_numbers),
        ("a: [.nan]\n", Code::ValueDoesNotFit, no_numbers),
        ("a: !!binary /w==\n", Code::ValueDoesNotFit, no_bytes),
        ("a: {1: x}\n", Code::ValueDoesNotFit, number),
        (
            "a: {2020-01-01: x}\n",
            Code::ValueDoesNotFit,
            "expected a key that is a string, found a timestamp",
        ),
        (
            "~: x\n",
            Code::ValueDoesNotFit,
            "expected a key that is a string, found null",
        ),
        (
            "[a]: x\n",
            Code::ValueDoesNotFit,
            "expected a key that is a string, found a list",
        ),
        (
            "a: 1\n'a': 2\n",
            Code::DuplicateKey,
            "key `a` is given twice in one mapping",
        ),
        (
            "a: {<<: {b: 1}, <<: {c: 1}}\n",
            Code::DuplicateKey,
            "key `<<` is given twice in one mapping",
        ),
        (
            "<<: {b: 1, b: 2}\n",
            Code::DuplicateKey,
            "key `b` is given twice in one mapping",
        ),
        (
            "<<: 1\n",
            Code::MergeKey,
            "expected a mapping to merge, found a number",
        ),
        (
            "a: !!int x\n",
            Code::Tag,
            "expected an integer, found a string",
        ),
    ];
    for (text, code, message) in table {
        let error = print(text).unwrap_err();
        assert_eq!((error.code, &*error.message), (code, message), "{text}");
        assert!(!error.labels.is_empty(), "{text}");
    }
}
