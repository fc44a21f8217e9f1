//! Places for values that code made.
//!
//! A message about a value shows where it comes from. What code made has no place of its own, but the node that it was
//! put into has one: the line with the code.

use std::sync::Arc;

use super::Built;
use crate::source::{Location, Span};
use crate::yaml::{Content, Entry, Item, Node, Origin};

/// The root of a document in which every value has a place, but for those that have annotations of their own and none
/// of their own place. Not for a tree that is printed faithfully: a made value is no text of its source.
pub fn located(document: &Built) -> Arc<Node> {
    within(&document.root, document.place.as_ref())
}

fn within(node: &Arc<Node>, around: Option<&Location>) -> Arc<Node> {
    if let Content::Alias(_) = node.content {
        return Arc::clone(node);
    }
    let own = node.location();
    let around = own.as_ref().map(inside).or_else(|| around.cloned());
    let content = match &node.content {
        Content::Mapping(mapping) => {
            let entries = mapping.entries.iter().map(|entry| {
                let key = entry.key.location().as_ref().map(inside);
                let value = within(&entry.value, key.as_ref().or(around.as_ref()));
                Entry {
                    key: Arc::clone(&entry.key),
                    value,
                }
            });
            let entries: Vec<Entry> = entries.collect();
            let is_same = mapping
                .entries
                .iter()
                .zip(&entries)
                .all(|(old, new)| Arc::ptr_eq(&old.value, &new.value));
            (!is_same).then(|| node.with_entries(entries))
        }
        Content::Sequence(sequence) => {
            let items = sequence.items.iter();
            let items = items.map(|item| {
                let dash = dash(node, item);
                Item {
                    start: item.start,
                    value: within(&item.value, dash.as_ref().or(around.as_ref())),
                }
            });
            let items: Vec<Item> = items.collect();
            let is_same = sequence
                .items
                .iter()
                .zip(&items)
                .all(|(old, new)| Arc::ptr_eq(&old.value, &new.value));
            (!is_same).then(|| node.with_items(items))
        }
        Content::Scalar(_) | Content::Alias(_) => None,
    };
    let node = content.unwrap_or_else(|| Arc::clone(node));
    match (own, around) {
        (None, Some(place)) => Arc::new(Node {
            origin: Some(Origin {
                source: Arc::clone(&place.source),
                span: place.span,
            }),
            properties: node.properties.clone(),
            content: node.content.clone(),
        }),
        _ => node,
    }
}

/// The place behind the dash of an item. An item that came from another list may have its dash in another source.
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

/// A place on the first line of `place`, behind its first character: what stands there is not the first on its line.
fn inside(place: &Location) -> Location {
    let first = place
        .source
        .slice(place.span)
        .chars()
        .next()
        .map_or(0, char::len_utf8);
    Location::new(&place.source, Span::at(place.span.start() + first))
}
