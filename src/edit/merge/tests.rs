//! Tables of the rules of [`merge`](super::merge).

use std::sync::Arc;

use super::{KindMismatch, Lists, MergeOptions, Nulls, merge};
use crate::source::{Code, Result, Source};
use crate::yaml::{Node, Stream, canonical_node, faithful, parse_data, parse_json, relink};

fn stream(text: &str) -> Stream {
    let source = Source::new("test", text).unwrap();
    parse_json(&source)
        .or_else(|_| parse_data(&source))
        .unwrap()
}

fn root(stream: &Stream) -> Arc<Node> {
    Arc::clone(&stream.documents[0].root)
}

/// Returns the text of `base` after `overlay` was merged into it.
fn merged(base: &str, overlay: &str, options: &MergeOptions) -> Result<String> {
    let (base, overlay) = (stream(base), stream(overlay));
    let merged = merge(&root(&base), &root(&overlay), options)?;
    let merged = if base.has_aliases {
        relink(&merged)
    } else {
        merged
    };
    Ok(faithful::print(&base, &[merged]))
}

fn plain(base: &str, overlay: &str) -> String {
    merged(base, overlay, &MergeOptions::default()).unwrap()
}

#[test]
fn merges_mappings_to_any_depth_and_replaces_other_values() {
    let table = [
        ("a: 1\nb: {c: 2}\n", "b: {c: 3}", "a: 1\nb: {c: 3}\n"),
        (
            "a:\n  b:\n    c: 1 # one\n    d: 2\n",
            "a: {b: {d: 3}}",
            "a:\n  b:\n    c: 1 # one\n    d: 3\n",
        ),
        ("a: [1, 2] # list\n", "a: [3]", "a: [3] # list\n"),
        ("a: {b: 1}\n", "a: null", "a: null\n"),
        ("a:\n", "a: {b: 1}", "a: {b: 1}\n"),
        ("a: 'x'\n", "a: z", "a: 'z'\n"),
        (
            "a: \"x\"\nb: \"1\"\n",
            "{a: 'it''s', b: 2}",
            "a: \"it's\"\nb: 2\n",
        ),
        ("a: x\n", "a: '3'", "a: '3'\n"),
        ("a: x\n", "{\"a\": \"w\", \"b\": \"z\"}", "a: w\nb: \"z\"\n"),
        ("a: x\n", "a: 3", "a: 3\n"),
    ];
    for (base, overlay, expected) in table {
        assert_eq!(plain(base, overlay), expected, "{base} with {overlay}");
    }
}

#[test]
fn inserts_a_new_key_next_to_its_neighbour_in_the_overlay() {
    let table = [
        ("a: 1\nb: 2\n", "b: 2\nc: 3\n", "a: 1\nb: 2\nc: 3\n"),
        ("a: 1\nb: 2\n", "a: 1\nc: 3\n", "a: 1\nc: 3\nb: 2\n"),
        ("a: 1\nb: 2\n", "c: 3\nb: 2\n", "a: 1\nc: 3\nb: 2\n"),
        ("a: 1\nb: 2\n", "c: 3\n", "a: 1\nb: 2\nc: 3\n"),
        (
            "a: 1\nb: 2\n",
            "c: 3\nd: 4\nb: 2\ne: 5\na: 1\nf: 6\n",
            "a: 1\nf: 6\nc: 3\nd: 4\nb: 2\ne: 5\n",
        ),
        ("a: {}\n", "a:\n  c: 3\n", "a:\n  c: 3\n"),
    ];
    for (base, overlay, expected) in table {
        assert_eq!(plain(base, overlay), expected, "{base} with {overlay}");
    }
}

#[test]
fn keeps_the_layout_of_json() {
    let base = "{\n  \"config\": {\n    \"level\": 1.0,\n    \"parameter\": {\n      \"foo\": \"bar\"\n    }\n  }\n}";
    let overlay = "{\"config\": {\"host\": \"www\", \"parameter\": {\"baz\": [1, {\"x\": null}]}}}";
    let expected = "{\n  \"config\": {\n    \"level\": 1.0,\n    \"host\": \"www\",\n    \"parameter\": {\n      \
                    \"foo\": \"bar\",\n      \"baz\": [1, {\"x\": null}]\n    }\n  }\n}";
    let merged = plain(base, overlay);
    let without_blanks = |text: &str| text.replace([' ', '\n'], "");
    assert_eq!(without_blanks(&merged), without_blanks(expected));
    assert!(merged.starts_with(
        "{\n  \"config\": {\n    \"level\": 1.0,\n    \"host\": \"www\",\n    \"parameter\""
    ));
}

#[test]
fn keeps_the_line_breaks_of_a_flow_list() {
    let base = "{\n  \"a\": [\"x\", \"y\"],\n  \"b\": [\n    1\n  ]\n}";
    assert_eq!(
        plain(base, "{\"a\": [\"z\"], \"b\": [2, 3]}"),
        "{\n  \"a\": [\"z\"],\n  \"b\": [\n    2,\n    3\n  ]\n}"
    );
}

#[test]
fn equal_values_change_nothing() {
    let base = stream("a: 'x' # one\nb:\n# two\n- 1\n-   2\nc: {d:   [e]}\n");
    let overlay = stream("c: {d: [e]}\nb: [1, 2]\na: \"x\"\n");
    assert!(Arc::ptr_eq(
        &root(&base),
        &merge(&root(&base), &root(&overlay), &MergeOptions::default()).unwrap()
    ));
}

#[test]
fn appends_to_lists() {
    let options = MergeOptions {
        lists: Lists::Append,
        ..MergeOptions::default()
    };
    assert_eq!(
        merged("a:\n- 1 # one\n- 2\nb: 3\n", "a: [2, 4]", &options).unwrap(),
        "a:\n- 1 # one\n- 2\n- 2\n- 4\nb: 3\n"
    );
    assert_eq!(merged("[1, 2]", "[3]", &options).unwrap(), "[1, 2, 3]");
}

#[test]
fn merges_lists_by_a_key() {
    let options = MergeOptions {
        lists: Lists::MergeBy("name".into()),
        ..MergeOptions::default()
    };
    let base =
        "jobs:\n- name: a # first\n  every: 1\n- every: 9\n- name: b\n  every: 2\nplain: [1, 2]\n";
    let overlay = "jobs:\n- {name: b, every: 3, args: [x]}\n- name: c\nplain: [3]\n";
    let expected = "jobs:\n- name: a # first\n  every: 1\n- every: 9\n- name: b\n  every: 3\n  args: [x]\n- name: c\nplain: [3]\n";
    assert_eq!(merged(base, overlay, &options).unwrap(), expected);
    for overlay in [
        "jobs: [{name: a}, x]",
        "jobs: [{name: a}, {every: 1}]",
        "jobs: [{name: a}, {name: a}]",
    ] {
        assert_eq!(
            merged(base, overlay, &options).unwrap_err().code,
            Code::ValueDoesNotFit,
            "{overlay}"
        );
    }
    assert_eq!(
        merged("[{name: a}, {name: a}]", "[{name: a}]", &options)
            .unwrap_err()
            .labels
            .len(),
        2
    );
}

#[test]
fn merge_patches_follow_rfc_7396() {
    // The table of its appendix A.
    let table = [
        (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"a":null}"#, r"{}"),
        (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
        (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
        (
            r#"{"a":{"b":"c"}}"#,
            r#"{"a":{"b":"d","c":null}}"#,
            r#"{"a":{"b":"d"}}"#,
        ),
        (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
        (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
        (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
        (r#"{"a":"foo"}"#, r"null", r"null"),
        (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
        (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
        (r"[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
        (r"{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
    ];
    for (base, patch, expected) in table {
        let merged = merged(base, patch, &MergeOptions::MERGE_PATCH).unwrap();
        assert_eq!(merged.replace(' ', ""), expected, "{base} with {patch}");
    }
    let nulls = merged(
        r"{}",
        r#"{"a":[null,{"b":null}]}"#,
        &MergeOptions::MERGE_PATCH,
    )
    .unwrap();
    assert_eq!(
        nulls.replace(' ', ""),
        r#"{"a":[null,{"b":null}]}"#,
        "nulls within a list are values"
    );
}

#[test]
fn shows_values_of_different_kinds_at_both_places() {
    let table = [
        (
            "a: {b: 1}",
            "a: 1",
            "expected a mapping to merge for `a`, found a number",
        ),
        (
            "a: 1",
            "a: {b: 1}",
            "expected a number to merge for `a`, found a mapping",
        ),
        (
            "a: [1]",
            "a: {b: 1}",
            "expected a list to merge for `a`, found a mapping",
        ),
        (
            "a: {b: 1}",
            "a: []",
            "expected a mapping to merge for `a`, found a list",
        ),
        ("{a: 1}", "[a]", "expected a mapping to merge, found a list"),
    ];
    for (base, overlay, expected) in table {
        let error = merged(base, overlay, &MergeOptions::default()).unwrap_err();
        assert_eq!(
            (error.code, &*error.message, error.labels.len()),
            (Code::ValueDoesNotFit, expected, 2)
        );
        let options = MergeOptions {
            kind_mismatch: KindMismatch::Replace,
            ..MergeOptions::default()
        };
        assert!(
            merged(base, overlay, &options).is_ok(),
            "{base} with {overlay}"
        );
    }
}

#[test]
fn refuses_a_duplicate_key_on_either_side() {
    for (base, overlay) in [
        ("a: 1\na: 2\n", "b: 3\n"),
        ("a: 1\n", "b: 3\nb: 4\n"),
        ("a: 1\n", "c: [{b: 3, b: 4}]\n"),
    ] {
        let error = merged(base, overlay, &MergeOptions::default()).unwrap_err();
        assert_eq!(error.code, Code::DuplicateKey, "{base} with {overlay}");
    }
}

#[test]
fn relinks_aliases_of_the_base_and_expands_those_of_the_overlay() {
    assert_eq!(
        plain("a: &x {b: 1}\nc: *x\n", "a: {b: 2}"),
        "a: &x {b: 2}\nc: *x\n"
    );
    assert_eq!(
        plain("a: &x {b: 1}\nc: *x\n", "c: {b: 2}"),
        "a: &x {b: 1}\nc: {b: 2}\n"
    );
    assert_eq!(
        plain("d: 1\n", "a: &x {b: 1}\nc: {<<: *x, d: *x}\n"),
        "d: 1\na: {b: 1}\nc: {b: 1, d: {b: 1}}\n"
    );
}

#[test]
fn changes_a_value_from_a_merge_key_in_its_mapping_only() {
    let base = "a: &x {b: {c: 1, d: 2}}\ne:\n  <<: *x\n";
    let merged = plain(base, "e: {b: {c: 3}}\n");
    assert!(merged.starts_with(base), "{merged}");
    assert_eq!(
        canonical_node(root(&stream(&merged)).get_in(&["e", "b"]).unwrap()).unwrap(),
        "c: 3\nd: 2\n"
    );
}

#[test]
fn ignores_the_deletion_of_a_missing_key() {
    let options = MergeOptions {
        nulls: Nulls::Delete,
        ..MergeOptions::default()
    };
    assert_eq!(
        merged("a: 1 # one\nb: 2\n", "{b: null, c: null}", &options).unwrap(),
        "a: 1 # one\n"
    );
}
