//! Prepares open maps for an overlay that adds keys to them.
//!
//! In an overlay, a key that does not exist is an error. In an open map
//! (`@schema/additional-keys`), every key is declared, so the keys of an overlay are added with the
//! value null before it is applied.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::types::{TypeKind, ValueType};
use crate::script::fragments::PartKey;
use crate::yaml::{Content, Entry, Mapping, Node};

/// Adds each key that only `document` has to the open maps of `values`, with the value null.
///
/// ```text
/// values        document        opened
///
/// hosts:        hosts:          hosts:
///   a: 1          b: 2            a: 1
///                                 b: null
/// ```
pub(super) fn opened(expected: &ValueType, values: &Arc<Node>, document: &Arc<Node>) -> Arc<Node> {
    let (Content::Mapping(left), Content::Mapping(right)) =
        (&values.resolved().content, &document.resolved().content)
    else {
        return Arc::clone(values);
    };
    let given = values_by_key(right);
    let mut changed = false;
    let mut entries = Vec::with_capacity(left.entries.len());
    for entry in &left.entries {
        let document = PartKey::of(entry.key.resolved()).and_then(|key| given.get(&key));
        let value = match (document, type_under(expected, &entry.key)) {
            (Some(document), Some(inner)) => opened(inner, &entry.value, document),
            _ => Arc::clone(&entry.value),
        };
        changed |= !Arc::ptr_eq(&value, &entry.value);
        entries.push(Entry {
            key: Arc::clone(&entry.key),
            value,
        });
    }
    if matches!(expected.kind, TypeKind::OpenMap(_)) {
        let new = new_entries(left, right);
        changed |= !new.is_empty();
        entries.extend(new);
    }
    if changed {
        values.resolved().with_entries(entries)
    } else {
        Arc::clone(values)
    }
}

/// Returns the values of a mapping by key. An index is needed because maps of data values can be
/// large on both sides.
fn values_by_key(mapping: &Mapping) -> HashMap<PartKey, &Arc<Node>> {
    let mut values = HashMap::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        if let Some(key) = PartKey::of(entry.key.resolved()) {
            values.insert(key, &entry.value);
        }
    }
    values
}

/// Returns an entry with the value null for each key that only `document` has.
///
/// The value is null because an overlay may merge any value into null. Then the key exists, so the
/// overlay needs no `missing_ok`.
fn new_entries(values: &Mapping, document: &Mapping) -> Vec<Entry> {
    let mut known = HashSet::with_capacity(values.entries.len());
    for entry in &values.entries {
        known.extend(PartKey::of(entry.key.resolved()));
    }
    let mut new = Vec::new();
    for entry in &document.entries {
        // `known.insert` also skips a repeated key of the document.
        let is_new = PartKey::of(entry.key.resolved()).is_some_and(|key| known.insert(key));
        if is_new {
            new.push(Entry {
                key: Arc::clone(&entry.key),
                value: Node::plain("null"),
            });
        }
    }
    new
}

/// Returns the type of the value of a key.
fn type_under<'a>(expected: &'a ValueType, key: &Arc<Node>) -> Option<&'a ValueType> {
    match &expected.kind {
        TypeKind::Map(fields) => fields.of(key),
        TypeKind::OpenMap(inner) => Some(inner),
        _ => None,
    }
}
