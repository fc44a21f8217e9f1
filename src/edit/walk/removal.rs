//! Removing what a path leads to.
//!
//! The visitor of such a walk returns one node that means "removed". Code that would put it into a
//! collection removes the entry or the item instead:
//!
//! ```text
//! path `spec.*`      {x: 1, y: 2}   ->   {x: REMOVED, y: REMOVED}   ->   {}
//! ```

use std::sync::{Arc, LazyLock};

use crate::source::{Code, Diagnostic};
use crate::yaml::{Entry, Item, Mapping, Node, Sequence};

/// The node that means "removed". It is recognized by its address.
static REMOVED: LazyLock<Arc<Node>> = LazyLock::new(|| Node::plain("null"));

/// Returns the node with which a visitor removes a value.
pub(in crate::edit) fn removed() -> Arc<Node> {
    Arc::clone(&REMOVED)
}

/// Returns whether a new value means that the old one is removed.
pub(in crate::edit) fn is_removed(node: &Arc<Node>) -> bool {
    Arc::ptr_eq(node, &REMOVED)
}

/// Returns the error for a path that leads to a whole document, which nothing contains.
pub(in crate::edit) fn whole_document(node: &Node) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::ValueDoesNotFit,
        "unable to remove the whole document: the path has to lead into it",
    )
    .at(node.location(), "the whole document")
}

/// Returns the error for a value that a merge key gives: its place is another mapping.
pub(super) fn merged_value(node: &Node) -> Box<Diagnostic> {
    let message = "unable to remove a value that comes from a merge key";
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(node.location(), "the value that is merged")
        .help("remove it from the mapping that is merged, or remove the merge key `<<`")
}

/// Returns a mapping with some of its values replaced, or removed with their keys.
pub(super) fn with_values(
    node: &Node,
    mapping: &Mapping,
    values: Vec<(usize, Arc<Node>)>,
) -> Option<Arc<Node>> {
    let mut new = Vec::with_capacity(values.len());
    let mut gone = Vec::new();
    for (at, value) in values {
        match mapping.entries.at(at) {
            Some(_) if is_removed(&value) => gone.push(at),
            Some(old) => {
                let key = Arc::clone(&old.key);
                new.push((at, Entry { key, value }));
            }
            None => {}
        }
    }
    if new.is_empty() && gone.is_empty() {
        return None;
    }
    let entries = mapping.entries.replaced(new);
    if gone.is_empty() {
        return Some(node.with_entries(entries));
    }
    Some(node.with_entries(without(&entries, &gone)))
}

/// Returns a list with some of its items replaced or removed.
pub(super) fn with_items(
    node: &Node,
    sequence: &Sequence,
    values: Vec<(usize, Item)>,
) -> Option<Arc<Node>> {
    if values.is_empty() {
        return None;
    }
    let gone: Vec<usize> = values
        .iter()
        .filter(|(_, item)| is_removed(&item.value))
        .map(|(at, _)| *at)
        .collect();
    let items = sequence.items.replaced(values);
    if gone.is_empty() {
        return Some(node.with_items(items));
    }
    Some(node.with_items(without(&items, &gone)))
}

/// Returns the elements that are not at the places `gone`, which are sorted.
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
