//! Annotations by which kpt and kustomize recognize a resource. Every edit keeps them.

use std::sync::Arc;

use crate::yaml::{Entry, Node};

/// All annotations with this prefix are kept, and those of [`KEPT`].
const KEPT_PREFIX: &str = "internal.config.kubernetes.io/";
const KEPT: [&str; 4] = [
    "config.kubernetes.io/path",
    "config.kubernetes.io/index",
    "config.k8s.io/id",
    "kustomize.config.k8s.io/id",
];

/// Returns `new` with the orchestrators' annotations of `old`, unless it gives them itself.
pub fn with_kept_annotations(new: &Arc<Node>, old: &Arc<Node>) -> Arc<Node> {
    let given = annotation_entries(new);
    let mut annotations = given.clone();
    for entry in annotation_entries(old) {
        let Some(key) = entry.key.resolved().text() else {
            continue;
        };
        let is_kept = key.starts_with(KEPT_PREFIX) || KEPT.contains(&key);
        let is_given = given.iter().any(|own| own.key.text() == Some(key));
        if is_kept && !is_given {
            annotations.push(entry);
        }
    }
    if annotations.len() == given.len() {
        return Arc::clone(new);
    }
    let new = new.resolved();
    let metadata = match new.get("metadata") {
        Some(metadata) => Arc::clone(metadata.resolved()),
        None => Node::mapping(Vec::new()),
    };
    // An existing mapping keeps its style and comments.
    let annotations = match metadata.get("annotations").map(Node::resolved) {
        Some(existing) if existing.as_mapping().is_some() => existing.with_entries(annotations),
        _ => Node::mapping(annotations),
    };
    let metadata = with_entry(&metadata, "annotations", annotations);
    with_entry(new, "metadata", metadata)
}

fn annotation_entries(object: &Arc<Node>) -> Vec<Entry> {
    let metadata = object.resolved().get("metadata").map(Node::resolved);
    let annotations = metadata.and_then(|metadata| metadata.get("annotations"));
    match annotations.and_then(|annotations| annotations.resolved().as_mapping()) {
        Some(mapping) => mapping.entries.to_vec(),
        None => Vec::new(),
    }
}

/// Returns a mapping with another value for a key, which is added if it is missing.
fn with_entry(node: &Arc<Node>, key: &str, value: Arc<Node>) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Node::mapping(vec![Entry::new(key, value)]);
    };
    let mut entries = mapping.entries.to_vec();
    match mapping.position(key) {
        Some(position) => entries[position].value = value,
        None => entries.push(Entry::new(key, value)),
    }
    node.with_entries(entries)
}
