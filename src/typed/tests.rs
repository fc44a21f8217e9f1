//! What a configuration may look like, and what is said when it does not.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::*;
use crate::source::{Diagnostic, Source, Span};
use crate::yaml::{Entry, parse};

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Target {
    select: BTreeMap<String, String>,
    field_paths: Option<Vec<String>>,
    index: Option<u8>,
    create: Option<bool>,
    format: Option<Format>,
    ratio: Option<f64>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Format {
    Json,
    Yaml,
    Lines(u32),
    Table { separator: String },
}

#[derive(Debug, Deserialize, PartialEq)]
struct Name(String);

fn root(text: &str) -> Arc<Node> {
    let source = Source::new("config.yaml", text).unwrap();
    Arc::clone(&parse(&source).unwrap().documents[0].root)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    from_node(&root(text))
}

/// The places, message, notes and help of an error, a line each.
fn report(error: &Diagnostic) -> String {
    let mut lines = Vec::new();
    for label in &error.labels {
        let place = label.location.line_column();
        let text = label
            .location
            .source
            .slice(label.location.span)
            .lines()
            .next()
            .unwrap_or("");
        lines.push(
            format!("{}:{} {text} {}", place.line, place.column, label.text)
                .trim_end()
                .to_string(),
        );
    }
    lines.push(error.message.clone());
    lines.extend(error.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(error.help.iter().map(|help| format!("help: {help}")));
    lines.join("\n")
}

#[track_caller]
fn assert_error<T: DeserializeOwned + std::fmt::Debug>(text: &str, expected: &[&str]) {
    let error = read::<T>(text).unwrap_err();
    assert_eq!(error.code, crate::source::Code::Config);
    assert_eq!(report(&error), expected.join("\n"));
}

#[test]
fn every_kind_of_value_is_read() {
    let text = "select: {kind: Deployment}\nfieldPaths: [a.b]\nindex: 3\ncreate: yes\nformat: json\nratio: 2\n";
    let expected = Target {
        select: BTreeMap::from([("kind".into(), "Deployment".into())]),
        field_paths: Some(vec!["a.b".into()]),
        index: Some(3),
        create: Some(true),
        format: Some(Format::Json),
        ratio: Some(2.0),
    };
    assert_eq!(read::<Target>(text).unwrap(), expected);
}

#[test]
fn null_is_an_absent_value() {
    let target = read::<Target>("select: {}\nfieldPaths:\nindex: null\ncreate: ~\n").unwrap();
    assert_eq!(
        (target.field_paths, target.index, target.create),
        (None, None, None)
    );
}

#[test]
fn aliases_are_followed() {
    let texts = read::<Vec<Name>>("[&a x, *a]").unwrap();
    assert_eq!(texts, [Name("x".into()), Name("x".into())]);
}

#[test]
fn a_variant_with_a_value_is_a_mapping_with_one_key() {
    assert_eq!(read::<Format>("{lines: 3}").unwrap(), Format::Lines(3));
    assert_eq!(
        read::<Format>("table: {separator: ';'}").unwrap(),
        Format::Table {
            separator: ";".into()
        }
    );
}

#[test]
fn an_unknown_field_is_shown_at_its_key() {
    assert_error::<Vec<Target>>(
        "- select: {}\n  fieldPath: [a]\n",
        &[
            "2:3 fieldPath",
            "unknown field `fieldPath`",
            "note: expected `select`, `fieldPaths`, `index`, `create`, `format` or `ratio`",
            "note: in `[0]`",
            "help: did you mean `fieldPaths`?",
        ],
    );
}

#[test]
fn a_missing_field_is_shown_at_the_mapping() {
    assert_error::<BTreeMap<String, Target>>(
        "a:\n  index: 1\n",
        &["2:3 index: 1", "missing field `select`", "note: in `a`"],
    );
}

#[test]
fn a_number_for_a_string_is_told_to_be_quoted() {
    assert_error::<Target>(
        "select:\n  name: 8080\n",
        &[
            "2:9 8080",
            "expected a string, found a number",
            "note: in `select.name`",
            "help: write it in quotes: \"8080\"",
        ],
    );
    assert_error::<Vec<String>>(
        "- y\n",
        &[
            "1:3 y",
            "expected a string, found a boolean",
            "note: in `[0]`",
            "help: write it in quotes: \"y\"",
        ],
    );
}

#[test]
fn a_quoted_number_for_a_number_is_told_to_be_unquoted() {
    assert_error::<u8>(
        "'12'",
        &[
            "1:1 '12'",
            "expected a whole number, found a string",
            "help: write it without quotes: 12",
        ],
    );
    assert_error::<bool>(
        "\"true\"",
        &[
            "1:1 \"true\"",
            "expected a boolean, found a string",
            "help: write it without quotes: true",
        ],
    );
    assert_error::<bool>("12", &["1:1 12", "expected a boolean, found a number"]);
}

#[test]
fn a_value_of_another_shape_is_shown_at_the_value() {
    let cases: [(&str, &[&str]); 4] = [
        (
            "select: [a]",
            &[
                "1:9 [a]",
                "expected a mapping, found a list",
                "note: in `select`",
            ],
        ),
        (
            "{select: {}, fieldPaths: a}",
            &[
                "1:26 a",
                "expected a list, found a string",
                "note: in `fieldPaths`",
            ],
        ),
        (
            "{select: {a.b: {}}}",
            &[
                "1:16 {}",
                "expected a string, found a mapping",
                "note: in `select[a.b]`",
            ],
        ),
        ("text", &["1:1 text", "expected a mapping, found a string"]),
    ];
    for (text, expected) in cases {
        assert_error::<Target>(text, expected);
    }
}

#[test]
fn a_number_that_does_not_fit_names_the_range() {
    assert_error::<u8>(
        "300",
        &[
            "1:1 300",
            "expected a whole number from 0 to 255, found 300",
        ],
    );
    assert_error::<i64>(
        "18446744073709551615",
        &[
            "1:1 18446744073709551615",
            "expected a whole number from -9223372036854775808 to 9223372036854775807, found 18446744073709551615",
        ],
    );
    assert_error::<u8>(
        "2.5",
        &["1:1 2.5", "expected a whole number, found a number"],
    );
}

#[test]
fn an_unknown_word_names_the_words_that_are_known() {
    assert_error::<Target>(
        "{select: {}, format: jsn}",
        &[
            "1:22 jsn",
            "expected `json`, `yaml`, `lines` or `table`, found `jsn`",
            "note: in `format`",
            "help: did you mean `json`?",
        ],
    );
    assert_error::<Format>(
        "lines",
        &[
            "1:1 lines",
            "expected a value for `lines`, found the word alone",
        ],
    );
    assert_error::<Format>(
        "table: {separator: 1}",
        &[
            "1:20 1",
            "expected a string, found a number",
            "note: in `table.separator`",
            "help: write it in quotes: \"1\"",
        ],
    );
}

#[test]
fn a_field_given_twice_shows_both_places() {
    assert_error::<Target>(
        "select: {}\nindex: 1\nselect: {a: b}\n",
        &[
            "3:1 select given again here",
            "1:1 select given first here",
            "field `select` is given twice",
        ],
    );
}

#[test]
fn a_key_that_is_no_scalar_is_refused() {
    assert_error::<Target>(
        "{[a]: b}",
        &["1:2 [a]", "expected a name as key, found a list"],
    );
}

#[test]
fn too_many_items_are_refused() {
    assert_error::<(u8, u8)>(
        "[1, 2, 3]",
        &["1:8 3", "expected a list of 2, found more items"],
    );
    assert_error::<(u8, u8)>("[1]", &["1:1 [1]", "expected a tuple of size 2, found 1"]);
}

#[test]
fn a_raw_node_is_the_node_itself() {
    let root = root("a: &x {b: 1}\nc: *x\n");
    let read: BTreeMap<String, RawNode> = from_node(&root).unwrap();
    assert!(Arc::ptr_eq(&read["a"].0, root.get("a").unwrap()));
    assert!(Arc::ptr_eq(&read["c"].0, root.get("a").unwrap()));
}

#[test]
fn a_raw_node_needs_a_tree() {
    assert!(serde_json::from_str::<RawNode>("1").is_err());
    assert_eq!(
        serde_json::from_str::<Spanned<u8>>("1").unwrap().location,
        None
    );
}

#[test]
fn a_spanned_value_knows_its_place() {
    let value: BTreeMap<String, Option<Spanned<Vec<Spanned<String>>>>> =
        read("a: [x, 'yz']\nb:\n").unwrap();
    let list = value["a"].as_ref().unwrap();
    assert_eq!(list.location.as_ref().unwrap().span, Span::new(3, 12));
    assert_eq!(
        list.value[1].location.as_ref().unwrap().span,
        Span::new(7, 11)
    );
    assert_eq!(
        list.value[1].location_of(Span::new(1, 2)).unwrap().span,
        Span::new(9, 10)
    );
    assert!(value["b"].is_none());
}

#[test]
fn a_part_of_an_escaped_text_is_shown_as_the_whole() {
    let text: Spanned<String> = read(r#""a\tb""#).unwrap();
    assert_eq!(
        text.location_of(Span::new(2, 3)).unwrap().span,
        Span::new(0, 6)
    );
}

#[test]
fn a_made_tree_is_read_like_a_parsed_one() {
    let node = Node::mapping(vec![
        Entry::new("select", Node::mapping(Vec::new())),
        Entry::new("index", Node::plain("7")),
    ]);
    assert_eq!(from_node::<Target>(&node).unwrap().index, Some(7));
}

#[test]
fn aliases_do_not_nest_deeper_than_the_text_may() {
    let mut text = "- &a0 ".to_string() + &"[".repeat(200) + &"]".repeat(200) + "\n";
    text += &format!("- {}*a0{}\n", "[".repeat(200), "]".repeat(200));
    let error = read::<serde_json::Value>(&text).unwrap_err();
    assert_eq!(error.code, crate::source::Code::Limit);
}
