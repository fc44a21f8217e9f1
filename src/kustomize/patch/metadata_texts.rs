//! Labels and annotations in a merge patch with a target, or in `patchesStrategicMerge`, as
//! kustomize reads them.
//!
//! Before kustomize merges the patch, it writes its labels and annotations again as texts. So a
//! null there does not remove anything:
//!
//! ```text
//! object: {labels: {a: b}}    patch: {labels: {a: null}}    ->    {labels: {a: "null"}}
//! ```

use std::sync::Arc;

use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::{Entry, Node, Value};

/// Returns a patch in which the fields `written` of its metadata contain texts. A null in them is a
/// warning.
pub(super) fn with_metadata_texts(
    patch: &Arc<Node>,
    written: &[&str],
    diagnostics: &mut Diagnostics,
) -> Arc<Node> {
    let Some(root) = patch.as_mapping().filter(|_| !written.is_empty()) else {
        return Arc::clone(patch);
    };
    let mut fields = root.entries.to_vec();
    for field in &mut fields {
        let metadata = field.value.as_mapping();
        let Some(metadata) = metadata.filter(|_| field.key.text() == Some("metadata")) else {
            continue;
        };
        let mut entries = Vec::with_capacity(metadata.entries.len());
        for entry in &metadata.entries {
            match entry.key.text() {
                Some(key) if written.contains(&key) => entries.extend(texts(entry, diagnostics)),
                _ => entries.push(entry.clone()),
            }
        }
        field.value = field.value.with_entries(entries);
    }
    patch.with_entries(fields)
}

/// Returns `labels` or `annotations` with texts, or `None` if there are none.
fn texts(field: &Entry, diagnostics: &mut Diagnostics) -> Option<Entry> {
    if is_null(&field.value) {
        diagnostics.push(removes_nothing(field));
    }
    let mapping = field.value.as_mapping()?;
    let mut entries = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        if is_null(&entry.value) {
            diagnostics.push(removes_nothing(entry));
        }
        let value = match (entry.value.as_str(), entry.value.text()) {
            (None, Some(text)) => Node::string(text),
            _ => Arc::clone(&entry.value),
        };
        let key = Arc::clone(&entry.key);
        entries.push(Entry { key, value });
    }
    (!entries.is_empty()).then(|| Entry {
        key: Arc::clone(&field.key),
        value: field.value.with_entries(entries),
    })
}

fn is_null(node: &Arc<Node>) -> bool {
    matches!(node.value(), Some(Value::Null))
}

fn removes_nothing(entry: &Entry) -> Box<Diagnostic> {
    let key = entry.key.text().unwrap_or_default();
    let message = format!("null does not remove `{key}` in this kind of patch");
    Diagnostic::warning(Code::Patch, message)
        .at(entry.key.location(), "")
        .note("kustomize reads labels and annotations as texts in a patch with a `target`, and in `patchesStrategicMerge`")
        .help("use an entry of `patches` that names its object, or a JSON patch")
}
