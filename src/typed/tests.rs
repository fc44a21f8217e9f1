//! Configurations that are accepted, and the errors for those that are refused.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::*;
use crate::source::{Diagnostic, Diagnostics, Source, Span};
use crate::yaml::{Entry, parse};

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Sample {
    select: BTreeMap<String, String>,
    field_paths: Option<Vec<String>>,
    index: Option<u8>,
    create: Option<bool>,
    format: Option<Language>,
    ratio: Option<f64>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Language {
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

/// Returns the places, message, notes and help of an error, one per line.
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
fn reads_every_kind_of_value() {
    let text = "select: {kind: Deployment}\nfieldPaths: [a.b]\nindex: 3\ncreate: yes\nformat: json\nratio: 2\n";
    let expected = Sample {
        select: BTreeMap::from([("kind".into(), "Deployment".into())]),
        field_paths: Some(vec!["a.b".into()]),
        index: Some(3),
        create: Some(true),
        format: Some(Language::Json),
        ratio: Some(2.0),
    };
    assert_eq!(read::<Sample>(text).unwrap(), expected);
}

#[test]
fn treats_null_as_absent() {
    let target = read::<Sample>("select: {}\nfieldPaths:\nindex: null\ncreate: ~\n").unwrap();
    assert_eq!(
        (target.field_paths, target.index, target.create),
        (None, None, None)
    );
}

#[test]
fn follows_aliases() {
    let texts = read::<Vec<Name>>("[&a x, *a]").unwrap();
    assert_eq!(texts, [Name("x".into()), Name("x".into())]);
}

#[test]
fn reads_a_variant_with_a_value_from_a_mapping_with_one_key() {
    assert_eq!(read::<Language>("{lines: 3}").unwrap(), Language::Lines(3));
    assert_eq!(
        read::<Language>("table: {separator: ';'}").unwrap(),
        Language::Table {
            separator: ";".into()
        }
    );
}

#[test]
fn shows_an_unknown_field_at_its_key() {
    assert_error::<Vec<Sample>>(
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
fn shows_a_missing_field_at_the_mapping() {
    assert_error::<BTreeMap<String, Sample>>(
        "a:\n  index: 1\n",
        &["2:3 index: 1", "missing field `select`", "note: in `a`"],
    );
}

#[test]
fn suggests_quotes_for_a_number_where_a_string_is_expected() {
    assert_error::<Sample>(
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
fn suggests_no_quotes_where_a_number_is_expected() {
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
fn shows_a_value_of_the_wrong_type_at_the_value() {
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
        assert_error::<Sample>(text, expected);
    }
}

#[test]
fn names_the_range_of_a_number() {
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
fn names_the_known_variants() {
    assert_error::<Sample>(
        "{select: {}, format: jsn}",
        &[
            "1:22 jsn",
            "expected `json`, `yaml`, `lines` or `table`, found `jsn`",
            "note: in `format`",
            "help: did you mean `json`?",
        ],
    );
    assert_error::<Language>(
        "lines",
        &[
            "1:1 lines",
            "expected a value for `lines`, found only the name",
        ],
    );
    assert_error::<Language>(
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
fn shows_both_places_of_a_duplicate_field() {
    assert_error::<Sample>(
        "select: {}\nindex: 1\nselect: {a: b}\n",
        &[
            "3:1 select given again here",
            "1:1 select given first here",
            "field `select` is given twice",
        ],
    );
}

#[test]
fn refuses_a_key_that_is_not_a_scalar() {
    assert_error::<Sample>(
        "{[a]: b}",
        &["1:2 [a]", "expected a scalar as key, found a list"],
    );
}

#[test]
fn refuses_more_items_than_expected() {
    assert_error::<(u8, u8)>(
        "[1, 2, 3]",
        &["1:8 3", "expected a list of 2, found more items"],
    );
    assert_error::<(u8, u8)>("[1]", &["1:1 [1]", "expected a tuple of size 2, found 1"]);
}

#[test]
fn keeps_the_node_itself_as_a_raw_node() {
    let root = root("a: &x {b: 1}\nc: *x\n");
    let read: BTreeMap<String, RawNode> = from_node(&root).unwrap();
    assert!(Arc::ptr_eq(&read["a"].0, root.get("a").unwrap()));
    assert!(Arc::ptr_eq(&read["c"].0, root.get("a").unwrap()));
}

#[test]
fn refuses_a_raw_node_from_another_deserializer() {
    assert!(serde_json::from_str::<RawNode>("1").is_err());
    assert_eq!(
        serde_json::from_str::<Spanned<u8>>("1").unwrap().location,
        None
    );
}

#[test]
fn keeps_the_place_of_a_spanned_value() {
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
fn shows_the_whole_string_for_a_part_of_an_escaped_one() {
    let text: Spanned<String> = read(r#""a\tb""#).unwrap();
    assert_eq!(
        text.location_of(Span::new(2, 3)).unwrap().span,
        Span::new(0, 6)
    );
}

#[test]
fn reads_a_tree_that_was_not_parsed() {
    let node = Node::mapping(vec![
        Entry::new("select", Node::mapping(Vec::new())),
        Entry::new("index", Node::plain("7")),
    ]);
    assert_eq!(from_node::<Sample>(&node).unwrap().index, Some(7));
}

#[test]
fn limits_nesting_through_aliases() {
    let mut text = "- &a0 ".to_string() + &"[".repeat(200) + &"]".repeat(200) + "\n";
    text += &format!("- {}*a0{}\n", "[".repeat(200), "]".repeat(200));
    let error = read::<serde_json::Value>(&text).unwrap_err();
    assert_eq!(error.code, crate::source::Code::Limit);
}

#[test]
fn reads_the_names_of_fields_in_any_letters_if_asked() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    struct Outer {
        name_prefix: String,
        pairs: BTreeMap<String, String>,
    }
    let read_any_case = |text: &str| {
        let source = Source::new("config.yaml", text).unwrap();
        let stream = parse(&source).unwrap();
        let mut diagnostics = Diagnostics::default();
        super::read_any_case::<Outer>(&stream.documents[0].root, &mut diagnostics)
            .map_err(|_| diagnostics.as_slice()[0].message.clone())
    };
    let outer = read_any_case("NAMEPREFIX: p\nPairs: {App: a, app: b}\n").unwrap();
    assert_eq!((&*outer.name_prefix, outer.pairs.len()), ("p", 2));
    let error = read_any_case("namePrefixes: p\nPairs: {}\n").unwrap_err();
    assert!(error.contains("unknown field `namePrefixes`"), "{error}");
    assert!(
        from_node::<Outer>(&Node::mapping(vec![Entry::new("Pairs", Node::plain("1"))])).is_err()
    );
}
