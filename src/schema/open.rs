//! New keys in open maps.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::types::{Kind, Type};
use crate::script::fragments::PartKey;
use crate::yaml::{Content, Entry, Node};

/// See [`Schema::opened`](super::Schema::opened).
pub(super) fn opened(expected: &Type, values: &Arc<Node>, document: &Arc<Node>) -> Arc<Node> {
    let (Content::Mapping(left), Content::Mapping(right)) =
        (&values.resolved().content, &document.resolved().content)
    else {
        return Arc::clone(values);
    };
    let inner = |key: &Arc<Node>| match &expected.kind {
        Kind::Map(fields) => fields.of(key),
        Kind::OpenMap(inner) => Some(&**inner),
        _ => None,
    };
    let mut changed = false;
    let mut entries = Vec::with_capacity(left.entries.len());
    let given: HashMap<PartKey, &Arc<Node>> = right
        .entries
        .iter()
        .filter_map(|entry| Some((PartKey::of(entry.key.resolved())?, &entry.value)))
        .collect();
    let mut known = HashSet::with_capacity(left.entries.len());
    for entry in &left.entries {
        let says = PartKey::of(entry.key.resolved());
        let document = says.as_ref().and_then(|says| given.get(says));
        let value = match (document, inner(&entry.key)) {
            (Some(document), Some(inner)) => opened(inner, &entry.value, document),
            _ => Arc::clone(&entry.value),
        };
        changed |= !Arc::ptr_eq(&value, &entry.value);
        known.extend(says);
        entries.push(Entry {
            key: Arc::clone(&entry.key),
            value,
        });
    }
    if matches!(expected.kind, Kind::OpenMap(_)) {
        let is_new = |entry: &&Entry| {
            PartKey::of(entry.key.resolved()).is_some_and(|says| known.insert(says))
        };
        for entry in right.entries.iter().filter(is_new) {
            entries.push(Entry {
                key: Arc::clone(&entry.key),
                value: Node::plain("null"),
            });
            changed = true;
        }
    }
    if changed {
        values.resolved().with_entries(entries)
    } else {
        Arc::clone(values)
    }
}
