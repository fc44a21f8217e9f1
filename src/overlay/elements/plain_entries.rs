//! The entries of a large mapping in which an overlay changes only a few.
//!
//! [`LeftEntries`](super::LeftEntries) first lists all effective entries of a mapping. That is
//! cheap for one overlay with many parts, and expensive for many overlays with one part each:
//!
//! ```text
//! left                right 1      right 2           right 1000
//!
//! a0: 1 … a999: 1     a0: 2        a1: 2        …    a999: 2        1000 lists of 1000 entries
//! ```
//!
//! If a mapping has no merge keys and its keys are different strings, its effective entries are the
//! written ones. The changes can then be made in a new version of the mapping's elements, which
//! shares all unchanged entries.

use std::borrow::Cow;
use std::sync::Arc;

use super::entries::{key_again, new_key_of};
use super::left::{LeftElements, TargetFile, moved, next_version};
use crate::overlay::element_kind::ElementKind;
use crate::overlay::matcher::ElementIndex;
use crate::overlay::part::OverlayPart;
use crate::script::Caller;
use crate::source::{Location, Result};
use crate::yaml::{Elements, Entry, Mapping, Node, effective_text_entries, has_plain_keys};

/// The minimum number of entries per part. With more parts, one list of all entries is cheaper.
const ENTRIES_PER_PART: usize = 8;

/// The entries of a mapping, and whether they were changed.
pub(in crate::overlay) struct PlainEntries {
    mapping: Arc<Node>,
    entries: Elements<Entry>,
    changed: bool,
}

impl PlainEntries {
    /// Creates the collection of the entries of `node`, whose content is `mapping`, to which
    /// `parts` are applied. Returns `None` if the mapping is small, or if the keys of either side
    /// are not all different strings.
    ///
    /// With `has_text_keys`, keys are compared by their spelling; see `text_keys`.
    pub(in crate::overlay) fn new(
        node: &Arc<Node>,
        mapping: &Mapping,
        parts: &[OverlayPart<'_>],
        has_text_keys: bool,
    ) -> Option<PlainEntries> {
        let is_sparse = parts.len() * ENTRIES_PER_PART <= mapping.entries.len();
        let are_strings = |part: &OverlayPart<'_>| part.key.as_deref().is_some_and(is_string_key);
        if !is_sparse || !parts.iter().all(are_strings) {
            return None;
        }
        let is_plain = match has_text_keys {
            true => matches!(effective_text_entries(mapping), Cow::Borrowed(_)),
            false => has_plain_keys(mapping),
        };
        is_plain.then(|| PlainEntries {
            mapping: Arc::clone(node),
            entries: mapping.entries.clone(),
            changed: false,
        })
    }

    /// Returns the mapping with the changes applied, or the same node if nothing changed.
    pub(in crate::overlay) fn finish(self) -> Arc<Node> {
        if self.changed {
            self.mapping.with_entries(self.entries)
        } else {
            self.mapping
        }
    }

    fn entry(&self, at: usize) -> &Entry {
        // Invariant: positions come from `positions` or `with_key`, and are valid.
        self.entries.existing(at)
    }

    fn set_entry(&mut self, at: usize, entry: Entry) {
        self.entries.set(at, entry);
        self.changed = true;
    }
}

/// Returns whether a key is a string that is not spelled like a merge key.
fn is_string_key(key: &Node) -> bool {
    key.as_str().is_some_and(|text| text != "<<")
}

impl LeftElements for PlainEntries {
    const KIND: ElementKind = ElementKind::Entry;

    fn whole(&self) -> Option<Location> {
        self.mapping.location()
    }

    fn positions(&self) -> Vec<usize> {
        (0..self.entries.len()).collect()
    }

    fn count(&self) -> usize {
        self.entries.len()
    }

    fn with_key(&mut self, key: &Node) -> Vec<usize> {
        let at = key
            .text()
            .and_then(|text| self.entries.position(None, text));
        at.into_iter().collect()
    }

    fn value(&self, at: usize) -> &Arc<Node> {
        self.entry(at).value.resolved()
    }

    fn index<'v>(&self, at: usize) -> ElementIndex<'_, 'v> {
        ElementIndex::Key(&self.entry(at).key)
    }

    fn place(&self, at: usize) -> Option<Location> {
        self.entry(at).key.location()
    }

    fn set(&mut self, at: usize, value: Arc<Node>, _: &Caller<'_, '_>) -> Result<()> {
        let old = self.entry(at);
        let value = next_version(&old.value, value);
        let key = Arc::clone(&old.key);
        self.set_entry(at, Entry { key, value });
        Ok(())
    }

    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        let key = new_key_of(&self.entry(at).key, part, caller)?;
        self.set_entry(at, Entry { key, value });
        Ok(())
    }

    fn rename(&mut self, at: usize, part: &OverlayPart<'_>, caller: &Caller<'_, '_>) -> Result<()> {
        let key = part.clean_key(caller)?;
        // Two entries with the same key would make the mapping invalid, so the left keeps its key
        // if the new one is already used.
        if self.with_key(&key).is_empty() {
            let value = Arc::clone(&self.entry(at).value);
            self.set_entry(at, Entry { key, value });
        }
        Ok(())
    }

    fn take_place(&mut self, at: usize, place: &Location) {
        let entry = self.entry(at);
        let (key, value) = (moved(&entry.key, place), Arc::clone(&entry.value));
        self.set_entry(at, Entry { key, value });
    }

    fn remove(&mut self, positions: &[usize]) {
        self.changed |= !positions.is_empty();
        // Remove from the end, so that earlier positions stay valid.
        for &at in positions.iter().rev() {
            self.entries.remove(at);
        }
    }

    fn add(
        &mut self,
        value: Arc<Node>,
        _: TargetFile,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        let key = part.clean_key(caller)?;
        if let Some(&at) = self.with_key(&key).first() {
            return Err(key_again(&key, self.place(at)));
        }
        self.entries.push(Entry { key, value });
        self.changed = true;
        Ok(())
    }
}
