//! Pairs the children of an edited collection with those of the version before.
//!
//! ```text
//! before   [a, b, c]    after   [a, x, c]      keep a, remove b, insert x after b, keep c
//! ```
//!
//! The other files write the result: `block` and `flow` insert and remove children, `compare`
//! descends into the children that stay.

use std::collections::HashMap;
use std::sync::Arc;

use super::lines::SourceLines;
use crate::yaml::character;
use crate::yaml::node::{CollectionStyle, Content, Entry, Item, Node};

/// An entry or an item, and its place in the text.
///
/// ```text
/// - key: value     item:  `start` at the dash, `end` after the value
///   key: value     entry: `start` at the key, `value_start` after the colon, `end` after the value
///   key:           an empty value: `value_start` and `end` are both after the colon
/// ```
///
/// Offsets have a meaning only for a child that was in the text: every child of the old version,
/// and every child of the new version that stays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<'a> {
    /// The start of the child: its key with tag and anchor, its `?`, or its dash.
    pub(super) start: usize,
    /// The end of the child: after its value, or after its colon or dash if the value is empty.
    pub(super) end: usize,
    /// The key; `None` for an item of a sequence.
    pub(super) key: Option<&'a Arc<Node>>,
    /// The offset after the colon, if there is one.
    pub(super) value_start: Option<usize>,
    /// The value.
    pub(super) value: &'a Arc<Node>,
    /// Equal in all versions of one child: an entry keeps its key node, an item its start.
    identity: Option<usize>,
}

impl Child<'_> {
    /// Returns the identity, which is equal in all versions of one child. `None` for a new item.
    pub(super) fn identity(&self) -> Option<usize> {
        self.identity
    }
}

impl<'a> Child<'a> {
    /// Returns the node whose text ends the child: its value, or the key if the value is omitted.
    pub(super) fn end_node(&self) -> &'a Arc<Node> {
        match self.key {
            Some(key) => end_node(key, self.value),
            None => self.value,
        }
    }
}

/// Returns the node whose text ends an entry. An explicit key without a colon has no text after it:
///
/// ```text
/// ? |
///   text     <- the end of the entry, although its value is null
/// ```
pub(super) fn end_node<'n>(key: &'n Arc<Node>, value: &'n Arc<Node>) -> &'n Arc<Node> {
    let origin = value.origin.as_ref();
    let is_omitted =
        origin.is_some_and(|origin| origin.span.is_empty()) && value.full_end() == key.full_end();
    if is_omitted { key } else { value }
}

/// The children of a collection.
pub(super) struct ChildList<'a> {
    pub(super) style: CollectionStyle,
    pub(super) children: Vec<Child<'a>>,
}

/// One step from the old children to the new ones. Steps are in the order of the new collection.
#[derive(Clone, Copy, Debug)]
pub(super) enum AlignStep {
    /// An old child stays, possibly with another value.
    Keep { old: usize, new: usize },
    /// An old child is removed.
    Remove { old: usize },
    /// A new child is inserted after the old child `after`, which is kept or removed. With `None`,
    /// it is inserted before the first.
    Insert { new: usize, after: Option<usize> },
}

impl AlignStep {
    pub(super) fn is_keep(&self) -> bool {
        matches!(self, AlignStep::Keep { .. })
    }

    pub(super) fn is_insert(&self) -> bool {
        matches!(self, AlignStep::Insert { .. })
    }

    pub(super) fn is_remove(&self) -> bool {
        matches!(self, AlignStep::Remove { .. })
    }
}

/// Returns the children of a collection; `None` for anything else.
pub(super) fn children<'a>(node: &'a Node, text: &SourceLines<'_>) -> Option<ChildList<'a>> {
    match &node.content {
        Content::Mapping(mapping) => Some(ChildList {
            style: mapping.style,
            children: mapping
                .entries
                .iter()
                .map(|entry| entry_child(entry, text))
                .collect(),
        }),
        Content::Sequence(sequence) => {
            let style = sequence.style;
            Some(ChildList {
                style,
                children: sequence
                    .items
                    .iter()
                    .map(|item| item_child(item, style))
                    .collect(),
            })
        }
        Content::Scalar(_) | Content::Alias(_) => None,
    }
}

fn entry_child<'a>(entry: &'a Entry, text: &SourceLines<'_>) -> Child<'a> {
    let key_end = entry.key.full_end();
    let value_start = character::colon(text.text(), key_end).map(|colon| colon + 1);
    Child {
        start: entry_start(&entry.key, text),
        end: entry.value.full_end().max(value_start.unwrap_or(key_end)),
        key: Some(&entry.key),
        value_start,
        value: &entry.value,
        identity: Some(Arc::as_ptr(&entry.key) as usize),
    }
}

fn item_child(item: &Item, style: CollectionStyle) -> Child<'_> {
    let start = item.start.map(|start| start as usize);
    let dash = usize::from(style == CollectionStyle::Block);
    Child {
        start: start.unwrap_or(0),
        end: item.value.full_end().max(start.unwrap_or(0) + dash),
        key: None,
        value_start: None,
        value: &item.value,
        identity: start,
    }
}

/// Returns the start of an entry: the start of its key, or of the `?` before it. The key may be
/// below the `?`, and below comments:
///
/// ```text
/// ? # note
///   key
/// : value
/// ```
fn entry_start(key: &Node, text: &SourceLines<'_>) -> usize {
    let start = key.full_start();
    // A long line can contain many entries, so the start of the line is not searched here.
    let before = text.slice(0, start).trim_end_matches([' ', '\t']);
    if before.ends_with('?') {
        return before.len() - 1;
    }
    // Only a key that is alone on its line, and indented, can be below its `?`.
    let is_indented = before.ends_with('\n') && before.len() < start;
    if !is_indented {
        return start;
    }
    mark_above(text, before.len()).map_or(start, |mark| {
        let is_deeper = text.column(mark) < text.column(start);
        if is_deeper { mark } else { start }
    })
}

/// Returns the offset of the `?` that is alone on the nearest line above `line`, apart from
/// indentation, dashes, a byte order mark and a comment. Blank lines and comments may be between the two.
fn mark_above(text: &SourceLines<'_>, mut line: usize) -> Option<usize> {
    while line > 0 {
        let above = text.line_start(line - 1);
        let found = text.slice(above, line).trim_ascii();
        if !found.is_empty() && !found.starts_with('#') {
            let marker = found.trim_start_matches(['\u{feff}', '-', ' ', '\t']);
            let after = marker.strip_prefix('?')?;
            let comment = after.trim_start_matches([' ', '\t']);
            let is_alone = after.is_empty() || comment != after && comment.starts_with('#');
            let indent = text.slice(above, line).find('?')?;
            return is_alone.then_some(above + indent);
        }
        line = above;
    }
    None
}

/// Finds the steps from the old children to the new ones. As many children as possible stay in
/// their places. The others are removed from their old place and inserted at their new one:
///
/// ```text
/// old   a b c d      Keep a, Insert d, Keep b, Insert x, Remove c, Remove d
/// new   a d b x
/// ```
pub(super) fn align(old: &[Child<'_>], new: &[Child<'_>]) -> Vec<AlignStep> {
    let mut old_places = HashMap::with_capacity(old.len());
    for (place, child) in old.iter().enumerate() {
        // Duplicate keys are different nodes, so they have different identities although their
        // texts are equal.
        if let Some(identity) = child.identity {
            old_places.insert(identity, place);
        }
    }
    let places: Vec<Option<usize>> = new
        .iter()
        .map(|child| old_places.get(&child.identity?).copied())
        .collect();

    // Walk through the new children. Each child that stays moves `next_old` past its old place. The
    // old children that are skipped on the way are removed.
    let mut steps = Vec::with_capacity(new.len());
    let mut next_old = 0;
    for (index, place) in longest_rising(&places).into_iter().enumerate() {
        match place {
            Some(place) => {
                steps.extend((next_old..place).map(|old| AlignStep::Remove { old }));
                steps.push(AlignStep::Keep {
                    old: place,
                    new: index,
                });
                next_old = place + 1;
            }
            None => steps.push(AlignStep::Insert {
                new: index,
                after: next_old.checked_sub(1),
            }),
        }
    }
    steps.extend((next_old..old.len()).map(|old| AlignStep::Remove { old }));
    steps
}

/// Returns the places without those that are out of order. It drops as few as possible, so the
/// result is the longest increasing subsequence.
///
/// This is patience sorting, in n·log n steps. For each length it remembers the increasing sequence
/// of that length with the smallest end, because that sequence is the easiest to continue:
///
/// ```text
/// places       0  3  1  2
/// length 1     0  0  0  0
/// length 2        3  1  1     1 replaces 3: more places can follow 1
/// length 3              2     so the result is 0 _ 1 2
/// ```
fn longest_rising(places: &[Option<usize>]) -> Vec<Option<usize>> {
    // `ends[n]` is the index of the last place of the sequence of length n + 1. `previous` links
    // each index to the index before it in its sequence.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous = vec![None; places.len()];
    for (index, place) in places.iter().enumerate() {
        let Some(place) = *place else { continue };
        // The places at `ends` increase with the length, so a binary search finds the longest
        // sequence that this place can continue.
        let length = ends.partition_point(|&end| places[end].is_some_and(|other| other < place));
        previous[index] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    // Follow the links back from the end of the longest sequence.
    let mut rising = vec![None; places.len()];
    let mut next = ends.last().copied();
    while let Some(index) = next {
        rising[index] = places[index];
        next = previous[index];
    }
    rising
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_as_many_places_in_order_as_possible() {
        let kept = |places: &[usize]| -> Vec<usize> {
            let places: Vec<_> = places.iter().copied().map(Some).collect();
            longest_rising(&places).into_iter().flatten().collect()
        };
        assert_eq!(kept(&[0, 1, 2]), [0, 1, 2]);
        assert_eq!(kept(&[0, 3, 1, 2]), [0, 1, 2]);
        assert_eq!(kept(&[2, 3, 0, 1, 4]), [0, 1, 4]);
        assert_eq!(kept(&[3, 2, 1]), [1]);
        assert_eq!(
            longest_rising(&[None, Some(0), None]),
            [None, Some(0), None]
        );
    }
}
