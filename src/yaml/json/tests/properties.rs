//! Properties that hold for every text.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::Value;

use super::{content, contents, parsed, source};
use crate::yaml::{Content, Node, Stream, canonical_json, parse_json};

fn any_value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\\PC\"\\\\\n\t\u{1}\u{1f600}]{0,8}".prop_map(Value::from),
    ];
    scalar.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Value::from),
            btree_map(any::<String>(), inner, 0..8)
                .prop_map(|entries| entries.into_iter().collect()),
        ]
    })
}

/// Generates a text of values, with every extension of JSON that the parser accepts.
fn any_text() -> impl Strategy<Value = String> {
    let blank = "([ \t\n]|\r\n|// [a-z{\"]*\n|/\\*[a-z\n*\\[]*\\*/){0,3}";
    let part = (any_value(), any::<bool>(), blank);
    vec(part, 0..4).prop_map(|parts| {
        let print = |(value, pretty, blank): &(Value, bool, String)| {
            let text = if *pretty {
                serde_json::to_string_pretty(value)
            } else {
                serde_json::to_string(value)
            };
            format!("{}\n{blank}", text.unwrap())
        };
        parts.iter().map(print).collect()
    })
}

/// Parses a text that may be invalid. The spans of the result, documents or an error, must be
/// inside the text.
fn check_bounds(text: &str) -> Result<(), TestCaseError> {
    match parse_json(&source(text)) {
        Ok(stream) => check_tiling(&stream),
        Err(diagnostic) => {
            prop_assert!(!diagnostic.labels.is_empty());
            for label in &diagnostic.labels {
                prop_assert!(
                    text.get(label.location.span.range()).is_some(),
                    "{:?}",
                    label.location.span
                );
            }
            Ok(())
        }
    }
}

fn check_tiling(stream: &Stream) -> Result<(), TestCaseError> {
    let mut end = 0;
    for document in &stream.documents {
        let (outer, inner) = (
            document.span.range(),
            document.root.origin.as_ref().unwrap().span.range(),
        );
        prop_assert_eq!(outer.start, end);
        prop_assert!(outer.start <= inner.start && inner.end <= outer.end);
        end = outer.end;
    }
    prop_assert!(stream.documents.is_empty() || end == stream.source.text().len());
    Ok(())
}

fn check_slices(stream: &Stream, node: &Node) -> Result<(), TestCaseError> {
    let text = stream.source.slice(node.origin.as_ref().unwrap().span);
    prop_assert_eq!(contents(text), [content(node)]);
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.iter().try_for_each(|entry| {
            check_slices(stream, &entry.key)?;
            check_slices(stream, &entry.value)
        }),
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .try_for_each(|item| check_slices(stream, &item.value)),
        _ => Ok(()),
    }
}

proptest! {
    #[test]
    fn a_text_that_serde_json_wrote_means_what_serde_json_reads(value in any_value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert_eq!(contents(&text), [serde_json::from_str::<Value>(&text).unwrap()]);
    }

    #[test]
    fn a_text_that_serde_json_reads_as_one_value_is_accepted(text in "[\\[\\]{}:,\"\\\\a0-9eE.+ntu\\-]{0,12}") {
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            prop_assert_eq!(contents(&text), [value]);
        }
    }

    #[test]
    fn the_span_of_every_node_spells_its_content(text in any_text()) {
        let stream = parsed(&text);
        for document in &stream.documents {
            check_slices(&stream, &document.root)?;
        }
    }

    #[test]
    fn every_prefix_is_accepted_or_refused_with_a_place_in_it(text in any_text()) {
        for (end, _) in text.char_indices() {
            check_bounds(&text[..end])?;
        }
    }

    #[test]
    fn every_mutation_is_accepted_or_refused_with_a_place_in_it(
        text in any_text(),
        mutations in vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = text.into_bytes();
        bytes.push(b' ');
        for (index, byte) in mutations {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        check_bounds(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn any_text_is_accepted_or_refused_with_a_place_in_it(text in any::<String>()) {
        check_bounds(&text)?;
    }

    #[test]
    fn canonical_json_keeps_the_content_and_is_its_own_canonical_form(value in any_value()) {
        let canonical = canonical_json(&parsed(&value.to_string()).documents[0].root).unwrap();
        prop_assert_eq!(contents(&canonical), contents(&value.to_string()));
        prop_assert_eq!(canonical_json(&parsed(&canonical).documents[0].root).unwrap(), canonical);
    }
}
