//! Finds the children of a collection that stay when another one replaces it.
//!
//! A merge patch replaces a list as a whole, and so do other edits. A child that is in both
//! versions was not edited, so it keeps its bytes and its comments:
//!
//! ```text
//! args:                    args:
//! - "a"  # first           - "a"  # first       an equal item stays
//! - b  # second            - c                  `b` is gone, with its comment
//! containers:              containers:
//! - name: web  # main  ->  - name: web  # main  a mapping with the same entries is a new version,
//!   image: web:1           - image: web:2       and is compared entry by entry
//! ```
//!
//! The result is a version of the old collection, so the same code writes it as after an edit of
//! single children. Children in another order move with their bytes.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::compare::is_same_scalar;
use super::printer::FaithfulPrinter;
use crate::yaml::merge_key::is_merge;
use crate::yaml::node::{Content, Entry, Item, Mapping, Node, Sequence, Syntax};

/// The maximum number of old items that are compared with a changed one. Each comparison reads
/// whole mappings, so comparing all of them would take quadratic time.
const NEAREST: usize = 8;

impl FaithfulPrinter<'_> {
    /// Returns `before` with the children of `after`, a collection from elsewhere. Equal children
    /// keep their old nodes. Returns `None` if `after` has children but none of `before` stays, or
    /// if a kept child could change its meaning because of an anchor, a tag, or a key that is not
    /// simple.
    pub(super) fn with_kept_children(
        &self,
        before: &Arc<Node>,
        after: &Arc<Node>,
    ) -> Option<Arc<Node>> {
        if before.properties.is_some() || after.properties.is_some() {
            return None;
        }
        // An alias refers to the last node above it with its name, which may be another node now.
        if self.has_aliases && has_anchor(before) {
            return None;
        }
        // A collection that is too long for brackets is written as a block.
        let is_bracketed_yaml = before.is_flow() && self.syntax == Syntax::Yaml;
        if is_bracketed_yaml && !self.in_shape_of(after, Some(before)).is_flow() {
            return None;
        }
        match (&before.content, &after.content) {
            (Content::Sequence(old), Content::Sequence(new)) => {
                kept_items(old, new).map(|items| before.with_items(items))
            }
            (Content::Mapping(old), Content::Mapping(new)) => self
                .kept_entries(old, new)
                .map(|entries| before.with_entries(entries)),
            _ => None,
        }
    }

    /// Returns the entries of `new` with the keys of `old`, and its values where they are equal.
    fn kept_entries(&self, old: &Mapping, new: &Mapping) -> Option<Vec<Entry>> {
        let old_entries = entries_by_key(old)?;
        // If a key is repeated, or merges other entries, it is not clear which entries correspond.
        entries_by_key(new)?;
        // A mapping that loses all its entries contains nothing new.
        let mut is_any_kept = new.entries.is_empty();
        let mut entries = Vec::with_capacity(new.entries.len());
        for entry in &new.entries {
            let known = entry.key.text().and_then(|key| old_entries.get(key));
            entries.push(match known {
                Some(known) if self.is_same_key(&known.key, &entry.key) => {
                    is_any_kept = true;
                    Entry {
                        key: Arc::clone(&known.key),
                        value: kept_value(&known.value, &entry.value),
                    }
                }
                _ => entry.clone(),
            });
        }
        is_any_kept.then_some(entries)
    }

    /// Returns whether two keys with one text are the same. All keys of JSON are text.
    fn is_same_key(&self, old: &Node, new: &Node) -> bool {
        self.syntax == Syntax::Json || is_same_scalar(old, new)
    }
}

/// Returns the items of `new`. Each one that equals an old item, or is a version of it, gets its
/// place. Returns `None` if all items are new.
fn kept_items(old: &Sequence, new: &Sequence) -> Option<Vec<Item>> {
    let mut places = equal_places(old, new);
    add_changed_places(old, new, &mut places);
    if !places.is_empty() && places.iter().all(Option::is_none) {
        return None;
    }
    let mut items = Vec::with_capacity(new.items.len());
    for (item, place) in new.items.iter().zip(places) {
        let known = place.and_then(|place| old.items.at(place));
        items.push(match known {
            Some(known) => Item {
                start: known.start,
                value: kept_value(&known.value, &item.value),
            },
            None => Item {
                start: None,
                value: Arc::clone(&item.value),
            },
        });
    }
    Some(items)
}

/// Returns the place of an equal old item for each new item. No two new items share an old one.
///
/// ```text
/// old   a a b a c        the ends are paired first, so that a list that grows or shrinks at one
/// new   a b a c x c      place keeps the items around it; then equal items in their order
/// ```
fn equal_places(old: &Sequence, new: &Sequence) -> Vec<Option<usize>> {
    let (old, new) = (&old.items, &new.items);
    let mut places = vec![None; new.len()];
    let shorter = old.len().min(new.len());
    let mut first = 0;
    while first < shorter && is_equal_item(old.at(first), new.at(first)) {
        places[first] = Some(first);
        first += 1;
    }
    let (mut old_end, mut new_end) = (old.len(), new.len());
    while old_end > first
        && new_end > first
        && is_equal_item(old.at(old_end - 1), new.at(new_end - 1))
    {
        old_end -= 1;
        new_end -= 1;
        places[new_end] = Some(old_end);
    }

    // The remaining items are paired by hash, in linear time.
    let mut by_hash: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for (place, item) in old.iter().enumerate().take(old_end).skip(first) {
        let same = by_hash.entry(hash_of(&item.value)).or_default();
        same.push_back(place);
    }
    for (place, item) in new.iter().enumerate().take(new_end).skip(first) {
        let Some(same) = by_hash.get_mut(&hash_of(&item.value)) else {
            continue;
        };
        // Different values can have the same hash. Then the new item is written from scratch.
        let known = same.front().copied();
        if let Some(known) = known
            && is_equal_item(old.at(known), Some(item))
        {
            same.pop_front();
            places[place] = Some(known);
        }
    }
    places
}

fn is_equal_item(old: Option<&Item>, new: Option<&Item>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => is_equal(&old.value, &new.value),
        _ => false,
    }
}

/// Adds the places of old mappings that were changed. The search starts after the old place of the
/// previous item, and only then turns to mappings that moved:
///
/// ```text
/// old   a  {name: b, port: 1}  c
/// new   a  {name: b, port: 2}  c      after `a`
/// ```
fn add_changed_places(old: &Sequence, new: &Sequence, places: &mut [Option<usize>]) {
    let taken: HashSet<usize> = places.iter().flatten().copied().collect();
    let is_free = |(place, item): (usize, &Item)| {
        let is_free = item.value.as_mapping().is_some() && !taken.contains(&place);
        is_free.then_some(place)
    };
    let mut free: BTreeSet<usize> = old.items.iter().enumerate().filter_map(is_free).collect();
    let mut next = 0;
    for (place, item) in places.iter_mut().zip(&new.items) {
        if place.is_none() {
            *place = changed_place(old, &item.value, &free, next);
        }
        if let Some(place) = *place {
            free.remove(&place);
            next = place + 1;
        }
    }
}

/// Returns the place in `free` of the mapping that `new` is a version of. The search visits places
/// near `next` first.
fn changed_place(old: &Sequence, new: &Node, free: &BTreeSet<usize>, next: usize) -> Option<usize> {
    let similarity = |place: &usize| {
        let item = old.items.at(*place);
        item.map_or(Similarity::Other, |item| similarity(&item.value, new))
    };
    let mut after = free.range(next..).take(NEAREST);
    if let Some(&place) = after.find(|place| similarity(place) != Similarity::Other) {
        return Some(place);
    }
    let mut before = free.range(..next).rev().take(NEAREST);
    before
        .find(|place| similarity(place) == Similarity::Most)
        .copied()
}

/// The share of the smaller mapping's entries that occur in both mappings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Similarity {
    /// More than half.
    Most,
    /// Exactly half: for example, `name` is the same and `value` has changed.
    Half,
    /// Less than half, or unknown. The mappings are unrelated.
    Other,
}

fn similarity(old: &Node, new: &Node) -> Similarity {
    let (Some(old), Some(new)) = (old.as_mapping(), new.as_mapping()) else {
        return Similarity::Other;
    };
    let Some(old_entries) = entries_by_key(old) else {
        return Similarity::Other;
    };
    let is_in_both = |entry: &&Entry| {
        let known = entry.key.text().and_then(|key| old_entries.get(key));
        known.is_some_and(|known| is_equal(&known.value, &entry.value))
    };
    let in_both = new.entries.iter().filter(is_in_both).count();
    let smaller = old.entries.len().min(new.entries.len());
    match (2 * in_both).cmp(&smaller) {
        Ordering::Greater => Similarity::Most,
        Ordering::Equal if in_both > 0 => Similarity::Half,
        _ => Similarity::Other,
    }
}

/// Returns the old value if the new one is equal to it, and otherwise the new one.
fn kept_value(old: &Arc<Node>, new: &Arc<Node>) -> Arc<Node> {
    Arc::clone(if is_equal(old, new) { old } else { new })
}

/// Returns the entries of a mapping by the texts of their keys. `None` if a key is repeated, is not
/// simple, or is a merge key.
fn entries_by_key(mapping: &Mapping) -> Option<HashMap<&str, &Entry>> {
    let mut entries = HashMap::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        if is_merge(&entry.key) || entries.insert(entry.key.text()?, entry).is_some() {
            return None;
        }
    }
    Some(entries)
}

/// Returns whether two values are equal, including the spelling of numbers and the order of keys.
fn is_equal(old: &Node, new: &Node) -> bool {
    if old.as_scalar().is_none() && old.tag() != new.tag() {
        return false;
    }
    match (&old.content, &new.content) {
        (Content::Scalar(_), Content::Scalar(_)) => is_same_scalar(old, new),
        (Content::Sequence(old), Content::Sequence(new)) => {
            let mut pairs = old.items.iter().zip(&new.items);
            old.items.len() == new.items.len()
                && pairs.all(|(old, new)| is_equal(&old.value, &new.value))
        }
        (Content::Mapping(old), Content::Mapping(new)) => {
            let mut pairs = old.entries.iter().zip(&new.entries);
            old.entries.len() == new.entries.len()
                && pairs.all(|(old, new)| {
                    is_equal(&old.key, &new.key) && is_equal(&old.value, &new.value)
                })
        }
        _ => false,
    }
}

/// Returns a hash that is the same for equal values.
fn hash_of(value: &Node) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash_into(value, &mut hasher);
    hasher.finish()
}

fn hash_into(value: &Node, hasher: &mut DefaultHasher) {
    match &value.content {
        Content::Scalar(_) => {
            let kind = value.kind();
            kind.hash(hasher);
            // All spellings of null are equal.
            if kind != "null" {
                value.text().hash(hasher);
            }
        }
        Content::Sequence(sequence) => {
            "list".hash(hasher);
            sequence.items.len().hash(hasher);
            for item in &sequence.items {
                hash_into(&item.value, hasher);
            }
        }
        Content::Mapping(mapping) => {
            "mapping".hash(hasher);
            mapping.entries.len().hash(hasher);
            for entry in &mapping.entries {
                hash_into(&entry.key, hasher);
                hash_into(&entry.value, hasher);
            }
        }
        // Aliases are equal to nothing.
        Content::Alias(_) => "alias".hash(hasher),
    }
}

/// Returns whether a node or a node in it has an anchor.
fn has_anchor(node: &Node) -> bool {
    if node.anchor().is_some() {
        return true;
    }
    match &node.content {
        Content::Scalar(_) | Content::Alias(_) => false,
        Content::Sequence(sequence) => sequence.items.iter().any(|item| has_anchor(&item.value)),
        Content::Mapping(mapping) => mapping
            .entries
            .iter()
            .any(|entry| has_anchor(&entry.key) || has_anchor(&entry.value)),
    }
}
