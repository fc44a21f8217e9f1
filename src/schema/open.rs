//! Prepares open maps for an overlay that adds keys to them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::types::{TypeKind, ValueType};
use crate::script::fragments::PartKey;
use crate::yaml::{Content, Entry, Node};

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
    // An index, because maps of data values can be large on both sides.
    let mut given: HashMap<PartKey, &Arc<Node>> = HashMap::with_capacity(right.entries.len());
    for entry in &right.entries {
        if let Some(key) = PartKey::of(entry.key.resolved()) {
            given.insert(key, &entry.value);
        }
    }
    let mut changed = false;
    let mut entries = Vec::with_capacity(left.entries.len());
    let mut known = HashSet::with_capacity(left.entries.len());
    for entry in &left.entries {
        let key = PartKey::of(entry.key.resolved());
        let document = key.as_ref().and_then(|key| given.get(key));
        let value = match (document, type_under(expected, &entry.key)) {
            (Some(document), Some(inner)) => opened(inner, &entry.value, document),
            _ => Arc::clone(&entry.value),
        };
        changed |= !Arc::ptr_eq(&value, &entry.value);
        known.extend(key);
        entries.push(Entry {
            key: Arc::clone(&entry.key),
            value,
        });
    }
    // Null, because an overlay merges any value into null without a question. The key exists now,
    // so it needs no `missing_ok`.
    if matches!(expected.kind, TypeKind::OpenMap(_)) {
        for entry in &right.entries {
            // `known.insert` also skips a key that the document gives twice.
            let is_new = PartKey::of(entry.key.resolved()).is_some_and(|key| known.insert(key));
            if is_new {
                entries.push(Entry {
                    key: Arc::clone(&entry.key),
                    value: Node::plain("null"),
                });
                changed = true;
            }
        }
    }
    if changed {
        values.resolved().with_entries(entries)
    } else {
        Arc::clone(values)
    }
}

/// Returns the type of the value under a key.
fn type_under<'a>(expected: &'a ValueType, key: &Arc<Node>) -> Option<&'a ValueType> {
    match &expected.kind {
        TypeKind::Map(fields) => fields.of(key),
        TypeKind::OpenMap(inner) => Some(inner),
        _ => None,
    }
}
