//! Removes the values that a path leads to.
//!
//! The visitor of such a walk returns a special node that means "removed". Instead of adding this
//! node to a collection, the walk removes the entry or the item:
//!
//! ```text
//! path `spec.*`      {x: 1, y: 2}   ->   {x: REMOVED, y: REMOVED}   ->   {}
//! ```

use std::sync::{Arc, LazyLock};

use crate::source::{Code, Diagnostic};
use crate::yaml::{Content, Node};

/// The node that means "removed". It is recognized by its address.
static REMOVED: LazyLock<Arc<Node>> = LazyLock::new(|| Node::plain("null"));

/// Returns the node that a visitor returns to remove a value.
pub(in crate::edit) fn removed() -> Arc<Node> {
    Arc::clone(&REMOVED)
}

/// Returns whether a new value means that the old one is removed.
pub(in crate::edit) fn is_removed(node: &Arc<Node>) -> bool {
    Arc::ptr_eq(node, &REMOVED)
}

/// Returns the error for a path that leads to a whole document, which no collection contains.
pub(in crate::edit) fn whole_document(node: &Node) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::ValueDoesNotFit,
        "unable to remove the whole document: the path has to lead into it",
    )
    .at(node.location(), "the whole document")
}

/// Returns the error for a value from a merge key, which belongs to another mapping.
pub(super) fn merged_value(node: &Node) -> Box<Diagnostic> {
    let message = "unable to remove a value that comes from a merge key";
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(node.location(), "the value that is merged")
        .help("remove it from the mapping that is merged, or remove the merge key `<<`")
}

/// Returns a mapping or list with the values of some children replaced. A removed value is removed
/// with its key or dash. `None` if `values` is empty.
///
/// `values` are in the order of their positions.
pub(super) fn with_values(node: &Node, values: Vec<(usize, Arc<Node>)>) -> Option<Arc<Node>> {
    let mut gone = Vec::new();
    let mut new = Vec::with_capacity(values.len());
    for (at, value) in values {
        if is_removed(&value) {
            gone.push(at);
        } else {
            new.push((at, value));
        }
    }
    let changed = node.with_values(new);
    if gone.is_empty() {
        return changed;
    }
    let changed = changed.as_deref().unwrap_or(node);
    match &changed.content {
        Content::Mapping(mapping) => Some(changed.with_entries(without(&mapping.entries, &gone))),
        Content::Sequence(sequence) => Some(changed.with_items(without(&sequence.items, &gone))),
        Content::Scalar(_) | Content::Alias(_) => None,
    }
}

/// Returns the elements that are not at the positions `gone`, which are in ascending order.
fn without<T: Clone>(elements: &[T], gone: &[usize]) -> Vec<T> {
    let mut gone = gone.iter().peekable();
    let mut kept = Vec::with_capacity(elements.len());
    for (at, element) in elements.iter().enumerate() {
        if gone.next_if_eq(&&at).is_none() {
            kept.push(element.clone());
        }
    }
    kept
}
