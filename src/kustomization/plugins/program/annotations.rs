//! The annotations by which kustomize and a program identify and describe objects.

use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::kustomization::plugins::absorb::ObjectBehavior;
use crate::kustomization::plugins::builtin::config_error;
use crate::source::Result;
use crate::yaml::{Entry, Node};

/// The annotation that identifies an object in the output of a program.
const ID: &str = "kustomize.config.k8s.io/id";

/// The annotations with which a generator specifies how an object is added.
const NEEDS_HASH: &str = "kustomize.config.k8s.io/needs-hash";

const BEHAVIOR: &str = "kustomize.config.k8s.io/behavior";

/// The texts that Go reads as true.
const GO_TRUE: [&str; 6] = ["1", "t", "T", "true", "TRUE", "True"];

/// Reads the annotations by which a generator says how kustomize adds an object, and removes them.
pub(super) fn take_generator_annotations(resource: &mut Resource) -> Result<ObjectBehavior> {
    let text = |name: &str| {
        let value = resource.node.get_in(&["metadata", "annotations", name]);
        value.and_then(|value| value.resolved().text())
    };
    let behavior = match text(BEHAVIOR) {
        None | Some("" | "create") => ObjectBehavior::Create,
        Some("merge") => ObjectBehavior::Merge,
        Some("replace") => ObjectBehavior::Replace,
        Some(unknown) => {
            let message = format!("a program generates an object with the behavior `{unknown}`");
            return Err(
                config_error(message, resource).help("there are `create`, `merge` and `replace`")
            );
        }
    };
    let needs_hash = text(NEEDS_HASH);
    resource.needs_hash = needs_hash.is_some_and(|text| GO_TRUE.contains(&text));
    resource.node = without_annotations(&resource.node, &[NEEDS_HASH, BEHAVIOR]);
    Ok(behavior)
}

/// Adds the id of an object that is sent to a program: its index.
pub(super) fn with_id(object: &Arc<Node>, index: usize) -> Arc<Node> {
    edit_annotations(object, &[ID], |annotations| {
        annotations.push(Entry::new(ID, Node::string(index.to_string())));
    })
}

/// Removes the id of an object that a program printed.
pub(super) fn without_id(object: &Arc<Node>) -> Arc<Node> {
    without_annotations(object, &[ID])
}

fn without_annotations(object: &Arc<Node>, names: &[&str]) -> Arc<Node> {
    edit_annotations(object, names, |_| {})
}

/// Returns the id of an object that a program printed, if it has one.
pub(super) fn id_of(object: &Arc<Node>) -> Option<usize> {
    object
        .get_in(&["metadata", "annotations", ID])?
        .text()?
        .parse()
        .ok()
}

/// Removes annotations of an object, and changes the others. An empty mapping is removed.
fn edit_annotations(
    object: &Arc<Node>,
    removed: &[&str],
    edit: impl FnOnce(&mut Vec<Entry>),
) -> Arc<Node> {
    let Some(mapping) = object.as_mapping() else {
        return Arc::clone(object);
    };
    let entries_at = |keys: &[&str]| {
        let found = object
            .get_in(keys)
            .and_then(|node| node.resolved().as_mapping());
        found.map_or_else(Vec::new, |mapping| mapping.entries.to_vec())
    };
    let mut annotations = entries_at(&["metadata", "annotations"]);
    annotations.retain(|entry| !entry.key.text().is_some_and(|key| removed.contains(&key)));
    edit(&mut annotations);
    let mut metadata = entries_at(&["metadata"]);
    metadata.retain(|entry| entry.key.text() != Some("annotations"));
    if !annotations.is_empty() {
        metadata.push(Entry::new("annotations", Node::mapping(annotations)));
    }
    let mut fields = mapping.entries.to_vec();
    for field in &mut fields {
        if field.key.text() == Some("metadata") {
            field.value = Node::mapping(metadata.clone());
        }
    }
    object.with_entries(fields)
}
