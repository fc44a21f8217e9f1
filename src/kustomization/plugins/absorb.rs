//! Adds the objects that a program generates to the existing objects.
//!
//! An annotation of a generated object says how it is added. `merge` and `replace` need an existing
//! object with the same id:
//!
//! ```text
//! existing:  {metadata: {name: a, labels: {x: "1"}}, data: {k: old, l: m}, immutable: true}
//! generated: {metadata: {name: a}, data: {k: new}}
//!
//! replace -> {metadata: {name: a, labels: {x: "1"}}, data: {k: new}}
//! merge   -> {metadata: {name: a, labels: {x: "1"}}, data: {k: new, l: m}}
//! ```
//!
//! As in kustomize, the generated object gets the name, the labels and the annotations of the
//! existing object and, with `merge`, also its values. Everything else of the existing object is
//! dropped. The name gets a suffix if both objects request one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::builtin::config_error;
use crate::kubernetes::{History, Resource};
use crate::kustomization::accumulator::Accumulator;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Entry, Node};

/// How an object is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ObjectBehavior {
    /// As a new object.
    #[default]
    Create,
    /// Its values are added to those of the existing object.
    Merge,
    /// It replaces the existing object.
    Replace,
}

/// An object of a program.
pub(super) struct GeneratedObject {
    pub(super) resource: Resource,
    pub(super) behavior: ObjectBehavior,
}

/// Adds the objects of a program.
///
/// # Errors
/// Reports an object to create that already exists, and an object to merge or replace that does not
/// exist or exists several times.
pub(super) fn absorb(
    into: &mut Accumulator,
    generated: Vec<GeneratedObject>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    for GeneratedObject { resource, behavior } in generated {
        if behavior == ObjectBehavior::Create {
            diagnostics.check(into.append(vec![resource]))?;
            continue;
        }
        let index = diagnostics.check(existing(into, &resource))?;
        if let Some(old) = into.edit().get_mut(index) {
            if resource.needs_hash && !old.needs_hash {
                diagnostics.push(without_suffix(&resource));
            }
            *old = combined(old, resource, behavior);
        }
    }
    Ok(())
}

/// Returns the index of the one object that has, or has had, the id of another one.
fn existing(into: &Accumulator, resource: &Resource) -> Result<usize> {
    let id = resource.id();
    let mut found = Vec::new();
    for (index, other) in into.resources.iter().enumerate() {
        if other.ids().any(|other| other.is_same_object(id)) {
            found.push(index);
        }
    }
    match found[..] {
        [index] => Ok(index),
        [] => Err(config_error(
            format!("id {id} does not exist; cannot merge or replace"),
            resource,
        )
        .help("let the program generate it without a behavior")),
        [first, second, ..] => Err(several(into, resource, first, second)),
    }
}

fn several(
    into: &Accumulator,
    resource: &Resource,
    first: usize,
    second: usize,
) -> Box<Diagnostic> {
    let id = resource.id();
    let message = format!("found multiple objects that could accept merge of {id}");
    let place = |index: usize| into.resources.get(index).and_then(Resource::name_location);
    config_error(message, resource)
        .at(place(first), "one object")
        .at(place(second), "another object")
}

/// Returns the warning for an object that requests a suffix although the existing object has none.
fn without_suffix(resource: &Resource) -> Box<Diagnostic> {
    let message = format!(
        "`{}` gets no suffix: the object that it is merged with has none",
        resource.id().short()
    );
    Diagnostic::warning(Code::Resource, message)
        .about(resource.object_reference())
        .note("kustomize adds a suffix only if both objects ask for one")
        .help("let a generator create the object, or remove the annotation `kustomize.config.k8s.io/needs-hash`")
}

/// Returns the object that replaces `old`, built from a generated object.
fn combined(old: &Resource, new: Resource, behavior: ObjectBehavior) -> Resource {
    let mut fields = new.node.get("metadata").map_or_else(
        || Node::mapping(Vec::new()),
        |metadata| Arc::clone(metadata.resolved()),
    );
    for key in ["labels", "annotations"] {
        let path = ["metadata", key];
        fields = with_field(&fields, key, merged(&path, &old.node, &new.node));
    }
    for key in ["name", "namespace"] {
        let value = old.node.get_in(&["metadata", key]).map(Arc::clone);
        fields = with_field(&fields, key, value);
    }
    let mut node = with_field(&new.node, "metadata", Some(fields));
    if behavior == ObjectBehavior::Merge {
        for key in ["data", "binaryData"] {
            node = with_field(&node, key, merged(&[key], &old.node, &new.node));
        }
    }
    let origin = match behavior {
        ObjectBehavior::Merge => old.history.origin.clone(),
        ObjectBehavior::Create | ObjectBehavior::Replace => new.history.origin.clone(),
    };
    Resource {
        node,
        needs_hash: old.needs_hash && new.needs_hash,
        history: History {
            origin,
            // The new object was not read from the text of the old one.
            source: new.history.source.clone(),
            shared_values: Vec::new(),
            is_reprinted: false,
            ..old.history.clone()
        },
        ..new
    }
}

/// Returns a mapping with the texts of two mappings; if both have a key, the second wins. `None` if
/// there are no texts.
fn merged(path: &[&str], first: &Node, second: &Node) -> Option<Arc<Node>> {
    let mut texts = BTreeMap::new();
    for object in [first, second] {
        let mapping = object
            .get_in(path)
            .and_then(|node| node.resolved().as_mapping());
        for entry in mapping.iter().flat_map(|mapping| &mapping.entries) {
            if let (Some(key), Some(text)) = (entry.key.text(), entry.value.resolved().text()) {
                texts.insert(key, text);
            }
        }
    }
    let entries = texts
        .into_iter()
        .map(|(key, text)| Entry::new(key, Node::string(text)));
    let entries: Vec<Entry> = entries.collect();
    (!entries.is_empty()).then(|| Node::mapping(entries))
}

/// Returns a mapping with another value for a key, or without the key.
fn with_field(node: &Arc<Node>, key: &str, value: Option<Arc<Node>>) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Arc::clone(node);
    };
    let mut entries = mapping.entries.to_vec();
    entries.retain(|entry| entry.key.text() != Some(key));
    if let Some(value) = value {
        entries.push(Entry::new(key, value));
    }
    node.with_entries(entries)
}
