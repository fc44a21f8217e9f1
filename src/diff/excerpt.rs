//! Values on one line, for the two sides of `2 → 5` in the list of changed fields.

use std::sync::Arc;

use crate::yaml::{Content, Node, canonical_json, json_string};

/// The longest value that is printed whole, in characters.
const LENGTH: usize = 60;

/// What is printed for a value that must not be shown.
pub(super) const HIDDEN: &str = "…";

/// Returns a value on one line: a string in quotes, another scalar as it is written, a collection
/// as JSON. What is long is cut.
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
