//! What kustomize remembers of an object beside its fields, and what a patch does to it.

use std::sync::Arc;

use super::merge_tree::without_metadata;
use super::model::{Patch, PatchContent};
use super::reprint::reprinted;
use crate::kubernetes::{History, Resource};
use crate::kustomize::EditRules;
use crate::kustomize::shared_values;
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::{Node, Value};

/// Returns whether a patch removes all annotations of its object, also those in which kustomize
/// keeps its earlier names.
pub(super) fn forgets_history(patch: &Patch, tree: &Arc<Node>) -> bool {
    if patch.settings.rules == EditRules::Inlay {
        return false;
    }
    let counts_null = !patch.settings.text_metadata().contains(&"annotations");
    for field in [&["metadata"][..], &["metadata", "annotations"]] {
        let Some(value) = tree.get_in(field) else {
            continue;
        };
        let is_null = matches!(value.value(), Some(Value::Null));
        let strategy = value.get("$patch").and_then(|strategy| strategy.text());
        if counts_null && is_null || matches!(strategy, Some("replace" | "delete")) {
            return true;
        }
    }
    false
}

/// Removes the data that kustomize keeps in annotations from a resource, and warns if another step
/// needs it.
pub(super) fn forget_history(
    resource: &mut Resource,
    patch: &Patch,
    diagnostics: &mut Diagnostics,
) {
    let has_names = !resource.history.previous_ids.is_empty();
    if has_names || resource.needs_hash {
        let message = "references to the object and its suffix are lost with its annotations";
        diagnostics.push(
            Diagnostic::warning(Code::Patch, message)
                .at(
                    patch.settings.location.clone(),
                    "the patch removes all annotations",
                )
                .about(resource.object_reference())
                .note("kustomize keeps earlier names and the need of a suffix in annotations")
                .help("remove the annotations one by one: `annotations: {name: null}`"),
        );
    }
    resource.needs_hash = false;
    resource.history = History {
        source: resource.history.source.take(),
        variables: std::mem::take(&mut resource.history.variables),
        shared_values: std::mem::take(&mut resource.history.shared_values),
        is_reprinted: resource.history.is_reprinted,
        ..History::default()
    };
}

/// Changes the values that kustomize shares between several places of an object. After a JSON patch
/// no values are shared.
pub(super) fn follow_shared_values(
    patch: &Patch,
    resource: &mut Resource,
    before: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) {
    if let PatchContent::Json(_) = patch.content {
        resource.history.shared_values.clear();
        let is_again = std::mem::replace(&mut resource.history.is_reprinted, true);
        if let Some(node) = reprinted(&resource.node, is_again) {
            resource.node = node;
        }
        resource.node = without_empty_annotations(&resource.node);
        return;
    }
    for key in shared_values::follow(resource, before) {
        let warning = shared_values::changed_everywhere(&key, resource);
        diagnostics.push(warning.at(patch.settings.location.clone(), "the patch"));
    }
}

/// Removes annotations that are null or empty: kustomize sets the annotations again after a JSON
/// patch. A later step can create them.
fn without_empty_annotations(object: &Arc<Node>) -> Arc<Node> {
    let annotations = object
        .get_in(&["metadata", "annotations"])
        .map(Node::resolved);
    let is_nothing =
        |node: &Arc<Node>| matches!(node.value(), Some(Value::Null)) || node.is_empty_collection();
    match annotations.is_some_and(is_nothing) {
        true => without_metadata(object, "annotations"),
        false => Arc::clone(object),
    }
}
