//! The entries of a mapping in canonical form: merge keys expanded, duplicate keys removed.
//!
//! ```yaml
//! a: 1              # printed:
//! <<: {b: 2, a: 3}  # a: 3
//! c: 4              # b: 2
//!                   # c: 4
//! ```
//!
//! The entries of a merged mapping take the place of its merge key. Of entries with equal keys the
//! last wins, at the place of the first. Keys are equal if they are printed equally, except that a
//! float never equals an integer.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::sync::Arc;

use super::printer::CanonicalPrinter;
use super::scalar::{self, MAX_SIMPLE_KEY};
use super::string::is_ordinary;
use crate::source::Result;
use crate::yaml::expand::is_as_written;
use crate::yaml::merge_key::is_merge;
use crate::yaml::node::{Content, Entry, Mapping, Node};

/// An entry to print.
pub(super) struct PrintedEntry<'a> {
    pub(super) key: PrintedKey<'a>,
    pub(super) value: &'a Arc<Node>,
    /// Whether it was merged through an alias.
    pub(super) aliased: bool,
}

/// A printed key.
pub(super) struct PrintedKey<'a> {
    /// The text. For a key that is not simple, the text that follows its `?`.
    pub(super) text: Cow<'a, str>,
    /// Whether the key is on one line with its value.
    pub(super) is_simple: bool,
    is_float: bool,
}

impl CanonicalPrinter {
    /// Returns the entries of a mapping whose keys are at `indent`.
    pub(super) fn pairs<'a>(
        &mut self,
        mapping: &'a Mapping,
        indent: usize,
    ) -> Result<Vec<PrintedEntry<'a>>> {
        let mut pairs = Vec::with_capacity(mapping.entries.len());
        self.collect(mapping, indent, false, &mut pairs)?;
        let count = pairs.len();
        let kept = last_of_equals(pairs);
        self.has_repeated_keys |= kept.len() < count;
        Ok(kept)
    }

    fn collect<'a>(
        &mut self,
        mapping: &'a Mapping,
        indent: usize,
        aliased: bool,
        pairs: &mut Vec<PrintedEntry<'a>>,
    ) -> Result<()> {
        for entry in &mapping.entries {
            if is_merge(&entry.key) {
                self.merge(&entry.value, indent, aliased, pairs)?;
            } else {
                let key = self.key(&entry.key, indent)?;
                pairs.push(PrintedEntry {
                    key,
                    value: &entry.value,
                    aliased,
                });
            }
        }
        Ok(())
    }

    fn merge<'a>(
        &mut self,
        value: &'a Arc<Node>,
        indent: usize,
        aliased: bool,
        pairs: &mut Vec<PrintedEntry<'a>>,
    ) -> Result<()> {
        let merged = self.budget.enter_merged(value)?;
        self.collect(merged.mapping, indent, aliased || merged.is_alias, pairs)?;
        self.budget.leave_merged(&merged);
        Ok(())
    }

    fn key<'a>(&mut self, key: &'a Arc<Node>, indent: usize) -> Result<PrintedKey<'a>> {
        let target = key.resolved();
        if let Content::Scalar(_) = &target.content {
            let spelling = scalar::scalar(target, indent)?;
            self.spend(key, spelling.text.len())?;
            return Ok(PrintedKey {
                text: spelling.text,
                is_simple: spelling.is_simple_key,
                is_float: spelling.is_float,
            });
        }
        let text = self.aside(key, indent)?;
        Ok(match text.strip_suffix('\n') {
            Some(empty @ ("{}" | "[]")) => PrintedKey {
                text: Cow::Owned(empty.to_owned()),
                is_simple: true,
                is_float: false,
            },
            _ => PrintedKey {
                text: Cow::Owned(text),
                is_simple: false,
                is_float: false,
            },
        })
    }
}

/// Returns the entries whose keys are printed like the key of an earlier entry, each after that
/// entry. Canonical printing leaves out the values of the earlier ones. Entries of merge keys do
/// not count.
pub fn repeated_keys(mapping: &Mapping) -> Vec<(&Entry, &Entry)> {
    let mut repeated = Vec::new();
    // The quick checks avoid the table for nearly every mapping.
    if has_ordinary_keys(mapping) || is_as_written(mapping) {
        return repeated;
    }
    let mut seen: HashMap<(Cow<'_, str>, bool), &Entry> = HashMap::new();
    for entry in &mapping.entries {
        let key = entry.key.resolved();
        if is_merge(&entry.key) || !matches!(key.content, Content::Scalar(_)) {
            continue;
        }
        // A tag that does not fit its text is reported when the key is printed.
        let Ok(spelling) = scalar::scalar(key, 0) else {
            continue;
        };
        if let Some(first) = seen.insert((spelling.text, spelling.is_float), entry) {
            repeated.push((first, entry));
        }
    }
    repeated
}

/// Returns whether all keys of a mapping are different, and each is printed as its text on the line
/// of its value. This is true of nearly every mapping, and the check needs no table.
pub(super) fn has_ordinary_keys(mapping: &Mapping) -> bool {
    if mapping.entries.len() > MAX_COMPARED {
        return false;
    }
    // One bit for each key, chosen by its text: keys with different bits differ.
    let mut seen = 0_u64;
    for (index, entry) in mapping.entries.iter().enumerate() {
        let Some(text) = ordinary_text(&entry.key) else {
            return false;
        };
        let bit = 1 << fingerprint(text);
        let has_text = |earlier: &Entry| earlier.key.text() == Some(text);
        if seen & bit != 0 && mapping.entries[..index].iter().any(has_text) {
            return false;
        }
        seen |= bit;
    }
    true
}

/// The maximum number of keys that are compared without a table.
const MAX_COMPARED: usize = 32;

/// Returns the text of a scalar that is printed as its text, also as a key.
fn ordinary_text(key: &Node) -> Option<&str> {
    if key.properties.is_some() {
        return None;
    }
    key.text()
        .filter(|text| text.len() <= MAX_SIMPLE_KEY && is_ordinary(text))
}

/// Returns a number below 64 that depends on the length and some bytes of a text.
fn fingerprint(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).map_or(0, |byte| u32::from(*byte));
    let last = bytes.len().saturating_sub(1);
    (byte(0) * 5 + byte(last / 2) * 3 + byte(last) * 11 + bytes.len() as u32) % 64
}

/// Keeps the last of equal keys, at the place of the first.
fn last_of_equals(pairs: Vec<PrintedEntry<'_>>) -> Vec<PrintedEntry<'_>> {
    if pairs.len() < 2 {
        return pairs;
    }
    let mut places = HashMap::with_capacity(pairs.len());
    let mut order = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        match places.entry((&*pair.key.text, pair.key.is_float)) {
            Slot::Vacant(slot) => {
                slot.insert(order.len());
                order.push(index);
            }
            Slot::Occupied(slot) => order[*slot.get()] = index,
        }
    }
    if order.len() == pairs.len() {
        return pairs;
    }
    let mut pairs: Vec<Option<PrintedEntry<'_>>> = pairs.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|index| pairs.get_mut(index)?.take())
        .collect()
}
