//! Which entry of an edited collection is which entry of the one before.

use std::collections::HashMap;
use std::sync::Arc;

use super::lines::Lines;
use crate::yaml::character;
use crate::yaml::node::{CollectionStyle, Content, Node};

/// An entry or an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// Where it starts: its key with tag and anchor, its `?`, or its dash. 0 for one that was added.
    pub(super) start: usize,
    /// Where it ends: after its value, or after its colon where the value is empty.
    pub(super) end: usize,
    /// The key; `None` for an item of a sequence.
    pub(super) key: Option<&'a Arc<Node>>,
    /// The offset after the colon, if there is one.
    pub(super) value_start: Option<usize>,
    /// The value.
    pub(super) value: &'a Arc<Node>,
    identity: Option<usize>,
}

/// What becomes of the parts, in the order of the new collection.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// An old part stays, with perhaps another value.
    Keep { old: usize, new: usize },
    /// An old part goes.
    Remove { old: usize },
    /// A new part comes in after the old part `after` (kept or removed), or before the first.
    Insert { new: usize, after: Option<usize> },
}

/// The parts of a collection and its style; `None` for anything but a collection.
pub(super) fn parts<'a>(
    node: &'a Node,
    text: &Lines<'_>,
) -> Option<(CollectionStyle, Vec<Part<'a>>)> {
    match &node.content {
        Content::Mapping(mapping) => {
            let parts = mapping.entries.iter().map(|entry| {
                let key_end = entry.key.full_end();
                let value_start = character::colon(text.text(), key_end).map(|colon| colon + 1);
                Part {
                    start: key_start(&entry.key, text),
                    end: entry.value.full_end().max(value_start.unwrap_or(key_end)),
                    key: Some(&entry.key),
                    value_start,
                    value: &entry.value,
                    identity: Some(Arc::as_ptr(&entry.key) as usize),
                }
            });
            Some((mapping.style, parts.collect()))
        }
        Content::Sequence(sequence) => {
            let parts = sequence.items.iter().map(|item| {
                let start = item.start.map_or(0, |start| start as usize);
                let block = usize::from(sequence.style == CollectionStyle::Block);
                let end = item.value.full_end().max(start + block);
                let identity = item.start.map(|start| start as usize);
                Part {
                    start,
                    end,
                    key: None,
                    value_start: None,
                    value: &item.value,
                    identity,
                }
            });
            Some((sequence.style, parts.collect()))
        }
        _ => None,
    }
}

/// How the old parts become the new ones. As many as can be stay where they are; a part that changes places with one that
/// stays goes and comes in anew.
pub(super) fn align(old: &[Part<'_>], new: &[Part<'_>]) -> Vec<Step> {
    let known: HashMap<usize, usize> = old
        .iter()
        .enumerate()
        .filter_map(|(index, part)| Some((part.identity?, index)))
        .collect();
    let places: Vec<Option<usize>> = new
        .iter()
        .map(|part| {
            part.identity
                .and_then(|identity| known.get(&identity))
                .copied()
        })
        .collect();
    let mut steps = Vec::with_capacity(new.len());
    let mut next = 0;
    for (index, place) in in_order(&places).into_iter().enumerate() {
        match place {
            Some(at) => {
                steps.extend((next..at).map(|old| Step::Remove { old }));
                steps.push(Step::Keep {
                    old: at,
                    new: index,
                });
                next = at + 1;
            }
            None => steps.push(Step::Insert {
                new: index,
                after: next.checked_sub(1),
            }),
        }
    }
    steps.extend((next..old.len()).map(|old| Step::Remove { old }));
    steps
}

/// The places without those that are out of order: the longest rising sequence of them, found as a player of patience
/// lays out cards.
fn in_order(places: &[Option<usize>]) -> Vec<Option<usize>> {
    // For each length, where the sequence of that length ends that ends lowest; and for each place, the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; places.len()];
    for (index, place) in places.iter().enumerate() {
        let Some(place) = *place else { continue };
        let length = ends.partition_point(|&end| places[end].is_some_and(|other| other < place));
        before[index] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut kept = vec![None; places.len()];
    let mut next = ends.last().copied();
    while let Some(index) = next {
        kept[index] = places[index];
        next = before[index];
    }
    kept
}

/// The start of an entry: that of its key, or of the `?` before it.
fn key_start(key: &Node, text: &Lines<'_>) -> usize {
    let start = key.full_start();
    let before = text.slice(0, start).trim_end_matches([' ', '\t']);
    if before.ends_with('?') {
        before.len() - 1
    } else {
        start
    }
}
