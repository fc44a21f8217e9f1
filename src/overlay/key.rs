//! Finds entries by their keys.
//!
//! Keys are equal by type and value: the number 1, the number 1.0 and the text "1" are three keys.

use std::collections::HashMap;
use std::sync::Arc;

use crate::script::fragments::PartKey;
use crate::yaml::{Mapping, Node, is_merge};

/// Fewer look-ups than this scan the entries; more build an index.
pub(super) const HASHED_FROM: usize = 8;

/// Returns whether two keys are equal. A collection as a key equals none.
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
    /// Returns a look-up that will be used about `times` times.
    pub(super) fn new(mapping: &'a Mapping, times: usize) -> KeyLookup<'a> {
        if times < HASHED_FROM || mapping.entries.len() < HASHED_FROM {
            return KeyLookup::Scan(mapping);
        }
        let mut hashed = HashMap::with_capacity(mapping.entries.len());
        collect(mapping, &mut hashed);
        KeyLookup::Hashed(hashed)
    }

    /// Returns the value of `key`. If a key is repeated, the last one is used, and merge keys
    /// contain what they merge.
    pub(super) fn get(&self, key: &Node) -> Option<&'a Arc<Node>> {
        match self {
            KeyLookup::Scan(mapping) => scan(mapping, key),
            KeyLookup::Hashed(hashed) => hashed.get(&PartKey::of(key)?).copied(),
        }
    }
}

fn scan<'a>(mapping: &'a Mapping, key: &Node) -> Option<&'a Arc<Node>> {
    // Backwards, because the last of several equal keys is used. A merge key is searched where it
    // is written; an entry below it overrides what it merges.
    mapping.entries.iter().rev().find_map(|entry| {
        if is_merge(&entry.key) {
            scan(entry.value.resolved().as_mapping()?, key)
        } else {
            same_key(&entry.key, key).then_some(&entry.value)
        }
    })
}

fn collect<'a>(mapping: &'a Mapping, hashed: &mut HashMap<PartKey, &'a Arc<Node>>) {
    // Forwards, so that later insertions overwrite earlier ones: the same result as `scan`.
    for entry in &mapping.entries {
        if !is_merge(&entry.key) {
            hashed.extend(PartKey::of(&entry.key).map(|key| (key, &entry.value)));
        } else if let Some(merged) = entry.value.resolved().as_mapping() {
            collect(merged, hashed);
        }
    }
}
