//! Labels and annotations that are one value at several places of an object.
//!
//! `labels`, `commonLabels` and `commonAnnotations` of kustomize add the same node at several
//! places of an object. A later step that changes it at one place changes it at all of them:
//!
//! ```text
//! base: commonLabels: {app: web}              overlay: a patch of `metadata.labels.app`
//!
//! metadata: {labels: {app: web}}              metadata: {labels: {app: api}}
//! spec:                                       spec:
//!   selector: {matchLabels: {app: web}}         selector: {matchLabels: {app: api}}
//! ```
//!
//! A value that already existed is never shared. JSON patches replace the whole object by a new
//! one, so they separate all of its values.

use std::collections::HashMap;
use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::source::{Code, Diagnostic};
use crate::yaml::{Content, Entry, Mapping, Node};

/// Records the values that a step has added at several places of an object.
pub(super) fn share<'n>(resource: &mut Resource, added: impl Iterator<Item = &'n Arc<Node>>) {
    for value in added {
        // The caller has one pointer to the value. With at most one other pointer, it is at one
        // place, so it is not shared.
        if Arc::strong_count(value) > 2 {
            resource.history.shared_values.push(Arc::clone(value));
        }
    }
}

/// Changes the shared values of an object at all of their places, after a step has changed some of
/// them. `before` is the object before that step. Returns the keys that changed at a place where
/// the step did not change them.
pub(super) fn follow(resource: &mut Resource, before: &Arc<Node>) -> Vec<String> {
    let shared = &mut resource.history.shared_values;
    if shared.is_empty() || Arc::ptr_eq(before, &resource.node) {
        return Vec::new();
    }
    let mut changes = SharedChanges::of(shared);
    changes.collect(before, &resource.node);
    let mut replaced = ReplacedNodes::default();
    for value in shared {
        let new = changes.new.remove(&Arc::as_ptr(value)).unwrap_or_default();
        let Some(last) = new.last() else {
            continue;
        };
        // Create a new node: the step's node may also be at places that do not belong to the value.
        let next = last.with_content(last.content.clone());
        for node in &new {
            replaced
                .changed
                .insert(Arc::as_ptr(node), Arc::clone(&next));
        }
        replaced
            .unchanged
            .insert(Arc::as_ptr(value), Arc::clone(&next));
        replaced.old.push(std::mem::replace(value, next));
    }
    if replaced.old.is_empty() {
        return Vec::new();
    }
    if let Some(node) = replaced.node(&resource.node) {
        resource.node = node;
    }
    replaced.keys.sort();
    replaced.keys.dedup();
    replaced.keys
}

/// Separates the annotations of an object from other values, because kustomize writes the mapping
/// of annotations again.
pub fn separate_annotations(resource: &mut Resource) {
    if resource.history.shared_values.is_empty() {
        return;
    }
    let mut separated = ReplacedNodes::default();
    for value in &resource.history.shared_values {
        let own = value.with_content(value.content.clone());
        separated.changed.insert(Arc::as_ptr(value), own);
    }
    let metadata = resource.node.get("metadata");
    let annotations = metadata.and_then(|metadata| metadata.get("annotations"));
    let Some(annotations) = annotations.and_then(|annotations| separated.node(annotations)) else {
        return;
    };
    let annotations = |_: &Arc<Node>| annotations;
    resource.node = with_value(&resource.node, "metadata", |metadata| {
        with_value(metadata, "annotations", annotations)
    });
}

/// Returns a mapping with the value of one key replaced.
pub(super) fn with_value(
    node: &Arc<Node>,
    key: &str,
    replace: impl FnOnce(&Arc<Node>) -> Arc<Node>,
) -> Arc<Node> {
    let Some(entries) = node.as_mapping().map(|mapping| &mapping.entries) else {
        return Arc::clone(node);
    };
    let found = entries.position(None, key);
    let Some((position, entry)) = found.and_then(|at| Some((at, entries.at(at)?))) else {
        return Arc::clone(node);
    };
    let entry = Entry {
        key: Arc::clone(&entry.key),
        value: replace(&entry.value),
    };
    node.with_entries(entries.replaced(vec![(position, entry)]))
}

/// Returns the warning about a value that changed at more places than those that the step names.
pub(super) fn changed_everywhere(key: &str, resource: &Resource) -> Box<Diagnostic> {
    let name = resource.id().short();
    let message = format!("`{key}` changes at all places of `{name}` that it was added to");
    Diagnostic::warning(Code::Resource, message)
        .about(resource.object_reference())
        .note("kustomize adds a label or annotation as one value to all places")
        .help("to change one place alone, use a JSON patch")
}

/// The changes of shared values.
struct SharedChanges {
    /// The new values, by the address of the shared value, in the order in which kustomize visits
    /// their places.
    new: HashMap<*const Node, Vec<Arc<Node>>>,
}

impl SharedChanges {
    fn of(shared: &[Arc<Node>]) -> SharedChanges {
        let addresses = shared.iter().map(Arc::as_ptr);
        SharedChanges {
            new: addresses.map(|address| (address, Vec::new())).collect(),
        }
    }

    /// Compares two versions of a node. It recurses once per level, whose number the parser limits.
    fn collect(&mut self, before: &Arc<Node>, after: &Arc<Node>) {
        if Arc::ptr_eq(before, after) {
            return;
        }
        match (&before.resolved().content, &after.resolved().content) {
            (Content::Mapping(old), Content::Mapping(new)) => self.collect_entries(old, new),
            (Content::Sequence(old), Content::Sequence(new)) => {
                for (old, new) in old.items.iter().zip(&new.items) {
                    self.collect(&old.value, &new.value);
                }
            }
            _ => {}
        }
    }

    fn collect_entries(&mut self, old: &Mapping, new: &Mapping) {
        let mut entries: Vec<(&str, &Entry)> = Vec::with_capacity(old.entries.len());
        for entry in &old.entries {
            if let Some(key) = entry.key.text() {
                entries.push((key, entry));
            }
        }
        entries.sort_by_key(|(key, _)| *key);
        for (key, entry) in entries {
            let Some(position) = new.entries.position(None, key) else {
                continue;
            };
            let Some(after) = new.entries.at(position) else {
                continue;
            };
            // A mapping that was replaced instead of edited has other key nodes.
            if !Arc::ptr_eq(&entry.key, &after.key) {
                continue;
            }
            match self.new.get_mut(&Arc::as_ptr(&entry.value)) {
                Some(new) if !Arc::ptr_eq(&entry.value, &after.value) => {
                    new.push(Arc::clone(&after.value));
                }
                _ => self.collect(&entry.value, &after.value),
            }
        }
    }
}

/// The nodes that are replaced wherever they are, by their address.
#[derive(Default)]
struct ReplacedNodes {
    /// The nodes that the step has written.
    changed: HashMap<*const Node, Arc<Node>>,
    /// Shared values at places where the step did not change them.
    unchanged: HashMap<*const Node, Arc<Node>>,
    /// The keys of the values in `unchanged` that were replaced.
    keys: Vec<String>,
    /// The shared values before. While they exist, no other node gets their address.
    old: Vec<Arc<Node>>,
}

impl ReplacedNodes {
    /// Returns a node with the nodes in it replaced, or `None` if there are none. It recurses once
    /// per level, whose number the parser limits.
    fn node(&mut self, node: &Arc<Node>) -> Option<Arc<Node>> {
        match &node.content {
            Content::Scalar(_) | Content::Alias(_) => None,
            Content::Sequence(_) => node.map_values(|item| self.node(item)),
            Content::Mapping(mapping) => {
                let mut values = Vec::new();
                for (position, entry) in mapping.entries.iter().enumerate() {
                    values.extend(self.value(entry).map(|value| (position, value)));
                }
                node.with_values(values)
            }
        }
    }

    fn value(&mut self, entry: &Entry) -> Option<Arc<Node>> {
        let address = Arc::as_ptr(&entry.value);
        if let Some(next) = self.changed.get(&address) {
            return Some(Arc::clone(next));
        }
        let Some(next) = self.unchanged.get(&address) else {
            return self.node(&entry.value);
        };
        let key = entry.key.text().unwrap_or_default();
        self.keys.push(key.to_owned());
        Some(Arc::clone(next))
    }
}
