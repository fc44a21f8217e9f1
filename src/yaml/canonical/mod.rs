//! Canonical printing: the bytes that ytt prints for a value, independent of how the value was
//! written.
//!
//! Block style only, two spaces of indentation, sequences not indented under their key, no line
//! folded, no comment, anchor or tag. The style of a scalar follows from its value alone. Readers
//! that know only the value (`true` or `yes`, an alias or what it stands for) see no difference;
//! the point is that two equal values have equal bytes.
//!
//! What a string with a line separator (U+2028, U+2029) looks like is a deliberate difference: it
//! is double-quoted here, because readers of YAML 1.1 and YAML 1.2 do not agree on what it is in
//! any other style.

pub(in crate::yaml) mod entries;
mod printer;
pub(in crate::yaml) mod scalar;
pub(in crate::yaml) mod string;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::node::{Content, Node};
use super::value::Value;
use crate::source::Result;
use crate::source::limits::check_output;
use printer::CanonicalPrinter;

/// Prints documents, each but the first after `---`. Empty documents (null, `{}`, `[]`) are left
/// out.
///
/// # Errors
/// See [`canonical_node`].
pub fn canonical(documents: &[Arc<Node>]) -> Result<String> {
    let mut result = String::new();
    for document in documents
        .iter()
        .filter(|document| !is_empty(document.resolved()))
    {
        if !result.is_empty() {
            result.push_str("---\n");
        }
        let text = canonical_node(document)?;
        check_output(result.len() + text.len())?;
        result.push_str(&text);
    }
    Ok(result)
}

/// Prints one value as a document of its own, with a line break at its end.
///
/// Aliases are written out, merge keys expanded, and of entries with equal keys the last is printed
/// in the place of the first.
///
/// # Errors
/// Aliases that stand for too much, nesting deeper than [`NESTING_LIMIT`](super::NESTING_LIMIT)
/// with aliases written out, a tag that does not fit its text, and a merge key whose value is not a
/// mapping.
pub fn canonical_node(node: &Arc<Node>) -> Result<String> {
    CanonicalPrinter::default().document(node)
}

/// Returns true if a document is empty (null, `{}`, `[]`), so that it is not printed.
pub fn is_empty(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.is_empty(),
        Content::Sequence(sequence) => sequence.items.is_empty(),
        _ => matches!(node.value(), Some(Value::Null)),
    }
}
