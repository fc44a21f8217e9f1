//! Annotations by which kpt and kustomize know a resource, which outlive whatever is done to it.

use std::sync::Arc;

use crate::yaml::{Entry, Node};

/// Annotations by which orchestrators know a resource: all that start with the first, and the others.
const KEPT_PREFIX: &str = "internal.config.kubernetes.io/";
const KEPT: [&str; 4] = [
    "config.kubernetes.io/path",
    "config.kubernetes.io/index",
    "config.k8s.io/id",
    "kustomize.config.k8s.io/id",
];

/// `new` with those annotations of `old` by which orchestrators know it, unless it gives them itself.
pub fn with_kept_annotations(new: &Arc<Node>, old: &Arc<Node>) -> Arc<Node> {
    let entries = |node: &Arc<Node>| -> Vec<Entry> {
        let metadata = node.resolved().get("metadata").map(Node::resolved);
        let annotations = metadata
            .and_then(|metadata| metadata.get("annotations"))
            .map(Node::resolved);
        annotations
            .and_then(|node| node.as_mapping())
            .map_or_else(Vec::new, |mapping| mapping.entries.to_vec())
    };
    let mut annotations = entries(new);
    let given = annotations.len();
    for entry in entries(old) {
        let Some(key) = entry.key.resolved().text() else {
            continue;
        };
        let is_kept = key.starts_with(KEPT_PREFIX) || KEPT.contains(&key);
        if is_kept
            && !annotations
                .iter()
                .take(given)
                .any(|own| own.key.text() == Some(key))
        {
            annotations.push(entry);
        }
    }
    if annotations.len() == given {
        return Arc::clone(new);
    }
    let new = new.resolved();
    let metadata = new.get("metadata").map_or_else(
        || Node::mapping(Vec::new()),
        |node| Arc::clone(node.resolved()),
    );
    let held = metadata
        .get("annotations")
        .map(Node::resolved)
        .filter(|node| node.as_mapping().is_some());
    let annotations = match held {
        Some(held) => held.with_entries(annotations),
        None => Node::mapping(annotations),
    };
    with_entry(
        new,
        "metadata",
        with_entry(&metadata, "annotations", annotations),
    )
}

/// A mapping with another value under a key.
fn with_entry(node: &Arc<Node>, key: &str, value: Arc<Node>) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Node::mapping(vec![Entry::new(key, value)]);
    };
    let mut entries = mapping.entries.to_vec();
    match mapping
        .position(key)
        .and_then(|place| entries.get_mut(place))
    {
        Some(entry) => entry.value = value,
        None => entries.push(Entry::new(key, value)),
    }
    node.with_entries(entries)
}
