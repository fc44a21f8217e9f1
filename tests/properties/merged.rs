//! Merges: the printed text has the values of both documents, and existing keys keep their order.

use std::sync::Arc;

use inlay::edit::{KindMismatch, MergeOptions, Nulls, merge};
use inlay::yaml::{Syntax, faithful};
use proptest::prelude::*;

use crate::choices::Choices;
use crate::document::{Sample, choices, configuration, values, written};
use crate::value::{self, Value};

/// Generates two documents in the same language that have keys in common.
fn pair() -> impl Strategy<Value = (Sample, Sample)> {
    let syntax = prop_oneof![Just(Syntax::Yaml), Just(Syntax::Json)];
    (
        value::collection(),
        value::collection(),
        syntax,
        choices(),
        choices(),
    )
        .prop_map(|(base, other, syntax, mut choices, mut more)| {
            let overlay = mixed(&base, &other, &mut choices);
            (
                written(vec![base], syntax, &mut choices),
                written(vec![overlay], syntax, &mut more),
            )
        })
}

/// Returns a part of `base` in which some values differ and some keys are new.
fn mixed(base: &Value, other: &Value, choices: &mut Choices) -> Value {
    let Value::Map(entries) = base else {
        return other.clone();
    };
    let mut mixed: Vec<(String, Value)> = Vec::new();
    for (index, (key, value)) in entries.iter().enumerate() {
        match choices.pick(5) {
            0 => mixed.push((format!("new {index}"), other.clone())),
            1 => mixed.push((key.clone(), other.clone())),
            2 => mixed.push((key.clone(), mixed_children(value, other, choices))),
            3 => mixed.push((key.clone(), value.clone())),
            _ => {}
        }
    }
    mixed.push(("last of all".to_owned(), other.clone()));
    Value::Map(mixed)
}

fn mixed_children(value: &Value, other: &Value, choices: &mut Choices) -> Value {
    match value {
        Value::Map(_) => mixed(value, other, choices),
        other => other.clone(),
    }
}

/// Merges two values by the simplest rules; a new key goes to the end.
fn merged(base: &Value, overlay: &Value, nulls: Nulls) -> Value {
    let is_null = |value: &Value| nulls == Nulls::Delete && *value == Value::Word(String::new());
    let Value::Map(new) = overlay else {
        return overlay.clone();
    };
    let mut entries = match base {
        Value::Map(old) => old.clone(),
        _ => Vec::new(),
    };
    for (key, value) in new {
        match (
            entries.iter().position(|(known, _)| known == key),
            is_null(value),
        ) {
            (Some(at), true) => drop(entries.remove(at)),
            (None, true) => {}
            (Some(at), false) => entries[at].1 = merged(&entries[at].1, value, nulls),
            (None, false) => {
                entries.push((key.clone(), merged(&Value::Map(Vec::new()), value, nulls)))
            }
        }
    }
    Value::Map(entries)
}

/// Returns the value with the keys of its mappings sorted.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Map(entries) => {
            let mut entries: Vec<_> = entries
                .iter()
                .map(|(key, value)| (key.clone(), sorted(value)))
                .collect();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Map(entries)
        }
        Value::List(items) => Value::List(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

/// Returns whether the keys of `base` have the same order in `merged`.
fn keeps_order(base: &Value, merged: &Value) -> bool {
    let (Value::Map(old), Value::Map(new)) = (base, merged) else {
        return true;
    };
    let known = new
        .iter()
        .filter_map(|(key, _)| old.iter().position(|(old, _)| old == key));
    let pairs = old
        .iter()
        .filter_map(|(key, value)| Some((value, &new.iter().find(|(new, _)| new == key)?.1)));
    known.is_sorted() && pairs.into_iter().all(|(old, new)| keeps_order(old, new))
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn a_merge_has_the_values_of_both(
        (base, overlay) in pair(),
        nulls in prop_oneof![Just(Nulls::Set), Just(Nulls::Delete)],
    ) {
        let (before, new) = (base.parse(), overlay.parse());
        prop_assume!(!before.has_aliases && !new.has_aliases);
        let options = MergeOptions { nulls, kind_mismatch: KindMismatch::Replace, ..MergeOptions::default() };
        let root = &before.documents[0].root;
        let merged_root = merge(root, &new.documents[0].root, &options).expect("documents that can be merged");
        let text = faithful::print(&before, &[Arc::clone(&merged_root)]);
        let found = values(&text, base.syntax);
        prop_assert_eq!(found.len(), 1, "\n{}\n---- became ----\n{}", base.text, text);
        let expected = merged(&Value::of(root), &Value::of(&new.documents[0].root), nulls);
        let texts = format!("\n{}\n---- with ----\n{}\n---- became ----\n{}", base.text, overlay.text, text);
        prop_assert_eq!(sorted(&found[0]), sorted(&expected), "{}", texts);
        prop_assert!(keeps_order(&Value::of(root), &found[0]), "{}", texts);
        let again = merge(&merged_root, &new.documents[0].root, &options).expect("documents that can be merged");
        prop_assert_eq!(Value::of(&again), Value::of(&merged_root), "merging twice changes nothing{}", texts);
    }

    #[test]
    fn a_merge_of_a_part_changes_no_byte((base, _) in pair()) {
        let before = base.parse();
        prop_assume!(!before.has_aliases);
        let root = &before.documents[0].root;
        // The overlay is read from the text, because a block scalar at the end of the text loses
        // its final line break.
        let same = written(vec![Value::of(root)], base.syntax, &mut Choices::new(Vec::new())).parse();
        let merged = merge(root, &same.documents[0].root, &MergeOptions::default()).expect("the same document");
        prop_assert!(Arc::ptr_eq(root, &merged), "\n{}", base.text);
    }
}
