//! Plain text in `data` of a Secret, which the API server accepts only as base64.

use std::sync::Arc;

use crate::edit::is_base64;
use crate::source::{Code, Diagnostic};
use crate::yaml::{Node, Sequence};

/// Returns a warning for each value in `data` of a Secret that an edit wrote and that is not
/// base64. `before` is the object before the edit: values that were already wrong are not reported.
/// A list of objects may contain Secrets.
pub fn plain_secret_values(before: &Arc<Node>, after: &Arc<Node>) -> Vec<Box<Diagnostic>> {
    let mut warnings = Vec::new();
    if Arc::ptr_eq(before, after) {
        return warnings;
    }
    if let Some((old, new)) = items_of_lists(before, after) {
        for (old, new) in old.items.iter().zip(&new.items) {
            let (old, new) = (old.value.resolved(), new.value.resolved());
            warnings.extend(plain_secret_values(old, new));
        }
        return warnings;
    }
    if is_secret(after)
        && let Some(data) = after.get("data")
    {
        for key in new_plain_texts(before.get("data"), data) {
            warnings.push(not_base64(key));
        }
    }
    warnings
}

/// Returns whether an object is a Secret. Without `apiVersion` it is a part of an object: a patch,
/// or a file that is not complete yet.
fn is_secret(object: &Node) -> bool {
    let text = |key| object.get(key).and_then(|node| node.resolved().text());
    text("kind") == Some("Secret") && matches!(text("apiVersion"), None | Some("v1"))
}

/// Returns the keys of new values in `data` that are not base64. `old` is `data` before the edit.
fn new_plain_texts<'n>(old: Option<&Arc<Node>>, data: &'n Arc<Node>) -> Vec<&'n str> {
    let mut keys = Vec::new();
    if old.is_some_and(|old| Arc::ptr_eq(old, data)) {
        return keys;
    }
    let Some(mapping) = data.resolved().as_mapping() else {
        return keys;
    };
    for entry in &mapping.entries {
        let (key, value) = (entry.key.resolved().text(), entry.value.resolved().as_str());
        let (Some(key), Some(text)) = (key, value) else {
            continue;
        };
        let old = old.and_then(|old| old.resolved().get(key));
        let is_new = old.is_none_or(|old| old.resolved().text() != Some(text));
        if is_new && !is_base64(text) {
            keys.push(key);
        }
    }
    keys
}

/// Returns the warning for a key of `data` whose value is not base64.
fn not_base64(key: &str) -> Box<Diagnostic> {
    let message =
        format!("plain text is written to `data.{key}` of a Secret, which accepts only base64");
    Diagnostic::warning(Code::ValueDoesNotFit, message)
        .help(format!(
            "write it to `stringData.{key}`, or encode it with `encoding: base64`"
        ))
        .in_field(format!("data.{key}"))
}

/// Returns the items of two versions of a list of objects.
fn items_of_lists<'n>(before: &'n Node, after: &'n Node) -> Option<(&'n Sequence, &'n Sequence)> {
    let is_list = after.get("kind")?.resolved().text()?.ends_with("List");
    let items = |node: &'n Node| node.get("items")?.resolved().as_sequence();
    is_list.then_some((items(before)?, items(after)?))
}
