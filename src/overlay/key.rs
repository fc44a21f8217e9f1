//! Finds entries by their keys.
//!
//! Keys are equal by type and value: the number 1, the number 1.0 and the text "1" are three
//! different keys.

use std::collections::HashMap;
use std::sync::Arc;

use crate::script::fragments::PartKey;
use crate::yaml::{Mapping, Node, is_merge};

/// The number of look-ups from which an index is built. Fewer look-ups scan the entries.
pub(super) const HASHED_FROM: usize = 8;

/// Returns whether two keys are equal. A collection used as a key equals no other key.
pub(super) fn same_key(one: &Node, other: &Node) -> bool {
    match (one.value(), other.value()) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// The entries of a mapping by their keys.
pub(super) enum KeyLookup<'a> {
    Scan(&'a Mapping),
    Hashed(HashMap<PartKey, &'a Arc<Node>>),
}

impl<'a> KeyLookup<'a> {
    /// Creates a look-up that will be used about `times` times.
    pub(super) fn new(mapping: &'a Mapping, times: usize) -> KeyLookup<'a> {
        if times < HASHED_FROM || mapping.entries.len() < HASHED_FROM {
            return KeyLookup::Scan(mapping);
        }
        let mut hashed = HashMap::with_capacity(mapping.entries.len());
        collect(mapping, &mut hashed);
        KeyLookup::Hashed(hashed)
    }

    /// Returns the value of `key`. If the key is repeated, the last entry wins. Entries of merge
    /// keys are included.
    pub(super) fn get(&self, key: &Node) -> Option<&'a Arc<Node>> {
        match self {
            KeyLookup::Scan(mapping) => scan(mapping, key),
            KeyLookup::Hashed(hashed) => hashed.get(&PartKey::of(key)?).copied(),
        }
    }
}

fn scan<'a>(mapping: &'a Mapping, key: &Node) -> Option<&'a Arc<Node>> {
    // Search backwards, because the last of several equal keys wins. A merge key is searched at its
    // position; an entry below it overrides the entries that it merges.
    mapping.entries.iter().rev().find_map(|entry| {
        if is_merge(&entry.key) {
            scan(entry.value.resolved().as_mapping()?, key)
        } else {
            same_key(&entry.key, key).then_some(&entry.value)
        }
    })
}

fn collect<'a>(mapping: &'a Mapping, hashed: &mut HashMap<PartKey, &'a Arc<Node>>) {
    // Insert forwards, so that later entries overwrite earlier ones: the same result as `scan`.
    for entry in &mapping.entries {
        if !is_merge(&entry.key) {
            hashed.extend(PartKey::of(&entry.key).map(|key| (key, &entry.value)));
        } else if let Some(merged) = entry.value.resolved().as_mapping() {
            collect(merged, hashed);
        }
    }
}
