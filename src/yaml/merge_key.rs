//! The merge key `<<` of YAML 1.1, whose value is a mapping with further entries, or a list of such
//! mappings.

use std::sync::Arc;

use super::node::{Node, ScalarStyle};
use super::value::is_merge_key;
use crate::source::{Code, Diagnostic};

/// Returns whether a key is the merge key `<<`.
pub fn is_merge(key: &Node) -> bool {
    let Some(scalar) = key.as_scalar() else {
        return false;
    };
    let is_plain = scalar.style == ScalarStyle::Plain;
    is_merge_key(key.text().unwrap_or_default(), is_plain, key.tag())
}

/// Returns the error for a merge key whose `value` is not a mapping.
pub fn no_mapping_to_merge(value: &Arc<Node>) -> Box<Diagnostic> {
    let message = format!(
        "expected a mapping to merge, found {}",
        value.resolved().described()
    );
    Diagnostic::error(Code::MergeKey, message)
        .at(value.location(), "the value of `<<`")
        .help("write a separate entry `<<` for each mapping to merge")
}
