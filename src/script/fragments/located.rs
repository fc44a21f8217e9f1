//! Places for values that code creates.
//!
//! A message about a value shows the origin of the value. A value that code creates has no place
//! itself, but the node that contains it has one: the line with the code.
//!
//! ```text
//! ports: #@ default_ports()      # the items of `ports` get the place of this line
//! ```

use std::sync::Arc;

use super::Built;
use crate::script::reads;
use crate::source::{Location, Span};
use crate::yaml::{Content, Entry, Item, Mapping, Node, Sequence};

/// Returns the root of a document in which every value has a place. Values with annotations are
/// excepted, because they are shared with the table of annotations.
///
/// The result must not be printed faithfully: the text at the place of a value that code created is
/// not the text of the value.
pub fn located(document: &Built) -> Arc<Node> {
    within(&document.root, document.place.as_ref())
}

/// Returns a node in which every value has a place. `around` is the place of the closest key, dash
/// or collection around the node; values without a place of their own get it.
fn within(node: &Arc<Node>, around: Option<&Location>) -> Arc<Node> {
    // An item with annotations is an alias that the table of annotations owns. A new node that
    // replaces it would have no annotations.
    if let Content::Alias(_) = node.content {
        return Arc::clone(node);
    }
    let own = node.location();
    // Inner values get a place *within* this one, so that they do not count as the start of a line.
    let around = own.as_ref().map(inside).or_else(|| around.cloned());
    let copy = match &node.content {
        Content::Mapping(mapping) => {
            let entries = located_entries(mapping, around.as_ref());
            let mut pairs = mapping.entries.iter().zip(&entries);
            match pairs.all(|(old, new)| Arc::ptr_eq(&old.value, &new.value)) {
                true => Arc::clone(node),
                false => node.with_entries(entries),
            }
        }
        Content::Sequence(sequence) => {
            let items = located_items(node, sequence, around.as_ref());
            let mut pairs = sequence.items.iter().zip(&items);
            match pairs.all(|(old, new)| Arc::ptr_eq(&old.value, &new.value)) {
                true => Arc::clone(node),
                false => node.with_items(items),
            }
        }
        Content::Scalar(_) | Content::Alias(_) => Arc::clone(node),
    };
    let copy = match (own, around) {
        (None, Some(place)) => copy.at_place(&place),
        _ => copy,
    };
    if !Arc::ptr_eq(&copy, node) {
        reads::copy(&copy, node);
    }
    copy
}

fn located_entries(mapping: &Mapping, around: Option<&Location>) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        // The key is closer to the value than the mapping around both.
        let key = entry.key.location().as_ref().map(inside);
        entries.push(Entry {
            key: Arc::clone(&entry.key),
            value: within(&entry.value, key.as_ref().or(around)),
        });
    }
    entries
}

fn located_items(node: &Arc<Node>, sequence: &Sequence, around: Option<&Location>) -> Vec<Item> {
    let mut items = Vec::with_capacity(sequence.items.len());
    for item in &sequence.items {
        let dash = dash(node, item);
        items.push(Item {
            start: item.start,
            value: within(&item.value, dash.as_ref().or(around)),
        });
    }
    items
}

/// Returns the place after an item's dash. The item may come from a list in another source, so its
/// offset is used only if the source of this list has a dash there.
fn dash(sequence: &Arc<Node>, item: &Item) -> Option<Location> {
    let list = sequence.location()?;
    let dash = item.start? as usize;
    let is_within = list.span.start() <= dash && dash < list.span.end();
    let is_dash = is_within
        && list
            .source
            .slice(Span::new(dash, list.span.end()))
            .starts_with('-');
    is_dash.then(|| {
        inside(&Location::new(
            &list.source,
            Span::new(dash, list.span.end()),
        ))
    })
}

/// Returns a place on the first line of `place`, after its first character. A node at such a place
/// is never the first one on its line.
fn inside(place: &Location) -> Location {
    let first = place
        .source
        .slice(place.span)
        .chars()
        .next()
        .map_or(0, char::len_utf8);
    Location::new(&place.source, Span::at(place.span.start() + first))
}
