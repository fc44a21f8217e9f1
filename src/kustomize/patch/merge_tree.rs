//! Merges the tree of a patch into one object.
//!
//! kustomize sets the name, the namespace and the kind of an object again after a patch, so these
//! fields get special treatment: most patches contain them only to name their object.

use std::sync::Arc;

use super::config::PatchOptions;
use super::merge_patch;
use super::model::{Patch, PatchContent};
use super::strategic::{self, StrategicRules};
use crate::kubernetes::{OpenApiSchema, Resource};
use crate::kustomize::EditRules;
use crate::kustomize::field_spec::untyped_text;
use crate::kustomize::shared_values::with_value;
use crate::source::{Diagnostic, Diagnostics, Result};
use crate::yaml::{Entry, Node, Properties, ScalarStyle, relink};

/// Returns the object with a tree merged into it, or `None` if that deletes it.
///
/// # Errors
/// Fails if a directive is wrong or the values do not fit.
pub(super) fn merge_tree(
    patch: &Patch,
    tree: &Arc<Node>,
    resource: &Resource,
    schema: Option<&OpenApiSchema>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Arc<Node>>> {
    let tree = without_identity(tree, &patch.settings.options);
    let options = patch.settings.edit_options(resource);
    let mut warn = |warning: Box<Diagnostic>| {
        let warning = warning.at(patch.settings.location.clone(), "the patch");
        diagnostics.push(warning.about(resource.object_reference()));
    };
    let rules = StrategicRules {
        edit_rules: patch.settings.rules,
        schema,
        is_reprinted: resource.history.is_reprinted,
    };
    let merged = match &patch.content {
        PatchContent::Merge(_) => Some(merge_patch::merge(&resource.node, &tree, &options)?),
        _ => strategic::merge(&resource.node, &tree, rules, &options, &mut warn)?,
    };
    let merged = match (merged, patch.settings.rules) {
        (Some(merged), EditRules::Kustomize) => Some(as_kustomize_writes(
            &merged, patch, resource, schema, &mut warn,
        )),
        (merged, _) => merged,
    };
    Ok(match merged {
        Some(merged) if resource.has_aliases => Some(relink(&merged)),
        merged => merged,
    })
}

/// Changes a patched object as kustomize does when it writes the object again after a patch.
fn as_kustomize_writes(
    merged: &Arc<Node>,
    patch: &Patch,
    resource: &Resource,
    schema: Option<&OpenApiSchema>,
    warn: &mut dyn FnMut(Box<Diagnostic>),
) -> Arc<Node> {
    let merge_rules = strategic::rules_of_object(merged, schema);
    let is_reprinted = resource.history.is_reprinted;
    let merged = strategic::with_settled_values(merged, merge_rules, is_reprinted, warn);
    let merged = without_empty_namespace(&merged);
    match patch.settings.options.allows_name_change() {
        true => with_changed_name(&merged, patch, resource),
        false => with_untyped_name(&merged, &resource.node),
    }
}

/// Keeps the spelling of a name that the patch repeats: if a later prefix turns it into the text of
/// a number, it must still be plain. A changed name has no type if the patch has a target, because
/// kustomize sets the name in the patch first.
fn with_changed_name(object: &Arc<Node>, patch: &Patch, resource: &Resource) -> Arc<Node> {
    let path = ["metadata", "name"];
    let own = |node: &Arc<Node>| node.get_in(&path).map(|name| Arc::clone(name.resolved()));
    let (Some(before), Some(written)) = (own(&resource.node), own(object)) else {
        return Arc::clone(object);
    };
    let has_target = patch.settings.target.is_some();
    let is_quoted = strategic::is_quoted(&before, resource.history.is_reprinted);
    let name = match written.text() {
        text if text == before.text() => before,
        Some(text) if has_target && !is_quoted => untyped_text(text).unwrap_or(written),
        Some(text) if !is_quoted => plain_string(text).unwrap_or(written),
        _ => written,
    };
    with_value(object, "metadata", |metadata| {
        with_value(metadata, "name", |_| name)
    })
}

/// Returns a string without quotes, or `None` if the text needs them. It is printed as a string,
/// but a later prefix may turn it into the text of a number.
fn plain_string(text: &str) -> Option<Arc<Node>> {
    let plain = untyped_text(text)?;
    let tag = Some(Box::from(STRING_TAG));
    let properties = Properties {
        tag,
        ..Properties::default()
    };
    Some(Arc::new(Node {
        origin: None,
        properties: Some(Box::new(properties)),
        content: plain.content.clone(),
    }))
}

/// The tag `!!str`.
const STRING_TAG: &str = "tag:yaml.org,2002:str";

/// Writes a name without quotes again, as kustomize does after a patch: then the text decides its
/// type.
fn with_untyped_name(object: &Arc<Node>, before: &Arc<Node>) -> Arc<Node> {
    let name = before.get_in(&["metadata", "name"]).map(Node::resolved);
    let plain = |name: &&Arc<Node>| {
        let scalar = name.as_scalar();
        scalar.is_some_and(|scalar| scalar.style == ScalarStyle::Plain) && name.as_str().is_none()
    };
    let Some(text) = name.filter(plain).and_then(|name| name.text()) else {
        return Arc::clone(object);
    };
    with_value(object, "metadata", |metadata| {
        with_value(metadata, "name", |_| Node::untyped(text))
    })
}

/// Removes an empty namespace, because kustomize sets the namespace again after a patch.
fn without_empty_namespace(object: &Arc<Node>) -> Arc<Node> {
    let namespace = object.get_in(&["metadata", "namespace"]);
    match namespace.is_some_and(|namespace| namespace.resolved().as_str() == Some("")) {
        true => without_metadata(object, "namespace"),
        false => Arc::clone(object),
    }
}

/// Removes the fields of a tree that only identify its object.
///
/// As in kustomize, an object keeps its name and kind unless the options allow a change, and always
/// keeps its version and namespace.
fn without_identity(tree: &Arc<Node>, options: &PatchOptions) -> Arc<Node> {
    let Some(mapping) = tree.as_mapping() else {
        return Arc::clone(tree);
    };
    let mut kept = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        let mut entry = entry.clone();
        match entry.key.text() {
            Some("apiVersion") => continue,
            Some("kind") if !options.allows_kind_change() => continue,
            Some("metadata") => entry.value = without_name(&entry.value, options),
            _ => {}
        }
        kept.push(entry);
    }
    tree.with_entries(kept)
}

/// Removes the namespace of a patch, and its name unless the patch may change the name.
fn without_name(metadata: &Arc<Node>, options: &PatchOptions) -> Arc<Node> {
    let Some(mapping) = metadata.as_mapping() else {
        return Arc::clone(metadata);
    };
    let mut kept: Vec<Entry> = mapping.entries.to_vec();
    kept.retain(|entry| match entry.key.text() {
        Some("namespace") => false,
        Some("name") => options.allows_name_change(),
        _ => true,
    });
    metadata.with_entries(kept)
}

/// Returns an object without a field of its metadata.
pub(super) fn without_metadata(object: &Arc<Node>, key: &str) -> Arc<Node> {
    with_value(object, "metadata", |metadata| {
        let Some(mapping) = metadata.resolved().as_mapping() else {
            return Arc::clone(metadata);
        };
        let mut fields = mapping.entries.to_vec();
        fields.retain(|field| field.key.text() != Some(key));
        metadata.resolved().with_entries(fields)
    })
}
