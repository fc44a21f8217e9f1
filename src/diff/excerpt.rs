//! Values on one line, for the two sides of `2 → 5` in the list of changed fields.

use std::sync::Arc;

use crate::yaml::{Content, Node, canonical_json, json_string};

/// The maximum length of a value that is printed completely, in characters.
const LENGTH: usize = 60;

/// The replacement for a value that must not be shown.
pub(super) const HIDDEN: &str = "…";

/// Returns a value on one line: a string in quotes, any other scalar as it is written, and a
/// collection as JSON. Long values are truncated.
pub(super) fn excerpt(node: &Arc<Node>) -> String {
    let whole = match &node.content {
        Content::Scalar(_) => match node.as_str() {
            Some(text) => json_string(text),
            None => node.text().unwrap_or_default().to_owned(),
        },
        // A collection that JSON cannot represent, such as one with a list as a key.
        _ => canonical_json(node).unwrap_or_else(|_| node.described().to_owned()),
    };
    let whole = if whole.is_empty() {
        "null"
    } else {
        whole.trim_end()
    };
    match whole.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &whole[..end]),
        None => whole.to_owned(),
    }
}
