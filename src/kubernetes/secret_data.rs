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
        let pairs = old.items.iter().zip(&new.items);
        return pairs
            .flat_map(|(old, new)| plain_secret_values(old.value.resolved(), new.value.resolved()))
            .collect();
    }
    let text = |key| after.get(key).and_then(|node| node.resolved().text());
    // Without `apiVersion` it is a part of an object: a patch, or a file that is not complete yet.
    if text("kind") != Some("Secret") || text("apiVersion").is_some_and(|version| version != "v1") {
        return warnings;
    }
    let old = before.get("data");
    let Some(data) = after.get("data") else {
        return warnings;
    };
    if old.is_some_and(|old| Arc::ptr_eq(old, data)) {
        return warnings;
    }
    let Some(mapping) = data.resolved().as_mapping() else {
        return warnings;
    };
    for entry in &mapping.entries {
        let (Some(key), Some(text)) =
            (entry.key.resolved().text(), entry.value.resolved().as_str())
        else {
            continue;
        };
        let old = old.and_then(|old| old.resolved().get(key));
        let is_new = old.is_none_or(|old| old.resolved().text() != Some(text));
        if is_new && !is_base64(text) {
            warnings.push(not_base64(key));
        }
    }
    warnings
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
