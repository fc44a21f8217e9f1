//! The entries of a mapping.
//!
//! Parts see the *effective* entries: a merge key is replaced by the entries that it merges, and
//! only the last of several equal keys is included. The mapping keeps its written form as long as
//! possible:
//!
//! ```text
//! written            effective     set b to 3           remove a
//!
//! <<: {a: 1}         a: 1          <<: {a: 1}           b: 2
//! b: 2               b: 2          b: 3                 (the merge key has to go)
//! ```

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::left::{LeftElements, TargetFile, moved, next_version};
use crate::overlay::element_kind::ElementKind;
use crate::overlay::error::overlay_error;
use crate::overlay::key::{HASHED_FROM, same_key};
use crate::overlay::matcher::ElementIndex;
use crate::overlay::part::OverlayPart;
use crate::overlay::trail::shown_key;
use crate::script::Caller;
use crate::script::fragments::PartKey;
use crate::source::{Diagnostic, Location, Result};
use crate::yaml::{
    Elements, Entry, Mapping, Node, effective_entries, effective_text_entries, is_merge,
};

/// The effective entries of a mapping, with their changes.
pub(in crate::overlay) struct LeftEntries {
    mapping: Arc<Node>,
    slots: Vec<EntrySlot>,
    /// The position of each key. It is built after so many look-ups that it saves time.
    index: Option<HashMap<PartKey, usize>>,
    look_ups: usize,
    /// Whether keys are compared by their spelling; see `text_keys`.
    has_text_keys: bool,
    /// Whether the effective entries differ from the written ones: the mapping has merge keys or
    /// equal keys.
    is_expanded: bool,
    changed: bool,
}

/// An effective entry.
struct EntrySlot {
    entry: Entry,
    state: SlotState,
}

/// The effect of the parts applied so far on an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SlotState {
    Unchanged,
    Changed,
    Removed,
    Added,
    /// Added by one part and removed by a later one. The written mapping never contained it.
    AddedAndRemoved,
}

impl EntrySlot {
    fn is_present(&self) -> bool {
        !matches!(self.state, SlotState::Removed | SlotState::AddedAndRemoved)
    }

    /// Marks the entry as changed. An added entry stays added.
    fn mark_changed(&mut self) {
        if self.state == SlotState::Unchanged {
            self.state = SlotState::Changed;
        }
    }

    fn mark_removed(&mut self) {
        self.state = match self.state {
            SlotState::Added | SlotState::AddedAndRemoved => SlotState::AddedAndRemoved,
            SlotState::Unchanged | SlotState::Changed | SlotState::Removed => SlotState::Removed,
        };
    }

    /// Returns the entry for a mapping whose merge keys are expanded. The value loses its anchor,
    /// because an entry that comes from a merge key must not define its anchor a second time.
    fn into_expanded_entry(self) -> Entry {
        Entry {
            key: self.entry.key,
            value: self.entry.value.anchored(None),
        }
    }
}

impl LeftEntries {
    /// Creates the collection of the effective entries of `node`, whose content is `mapping`.
    ///
    /// # Errors
    /// Fails if the value of a merge key is not a mapping.
    pub(in crate::overlay) fn new(
        node: &Arc<Node>,
        mapping: &Mapping,
        has_text_keys: bool,
    ) -> Result<LeftEntries> {
        let shown = if has_text_keys {
            effective_text_entries(mapping)
        } else {
            effective_entries(mapping)?
        };
        let mut slots = Vec::with_capacity(shown.len());
        for entry in shown.iter() {
            slots.push(EntrySlot {
                entry: entry.clone(),
                state: SlotState::Unchanged,
            });
        }
        Ok(LeftEntries {
            mapping: Arc::clone(node),
            slots,
            index: None,
            look_ups: 0,
            has_text_keys,
            is_expanded: matches!(shown, Cow::Owned(_)),
            changed: false,
        })
    }

    /// Returns the mapping with the changes applied, or the same node if nothing changed.
    pub(in crate::overlay) fn finish(self) -> Arc<Node> {
        if !self.changed {
            return self.mapping;
        }
        // Prefer the written form: it keeps the merge keys and the bytes around them. It can only
        // express changes to entries that the mapping itself contains.
        if self.is_expanded
            && let Some(written) = self.written_entries()
        {
            return self.mapping.with_entries(written);
        }
        let mut entries = Vec::with_capacity(self.slots.len());
        for slot in self.slots {
            if !slot.is_present() {
                continue;
            }
            entries.push(if self.is_expanded {
                slot.into_expanded_entry()
            } else {
                slot.entry
            });
        }
        self.mapping.with_entries(entries)
    }

    /// Returns the written entries with the changes applied.
    ///
    /// Returns `None` if the written form cannot express the changes: an entry was removed, which
    /// may reveal an earlier one with the same key, or an entry that comes from a merge key was
    /// changed.
    fn written_entries(&self) -> Option<Vec<Entry>> {
        let written = &self.mapping.as_mapping()?.entries;
        let changed = self.changed_entries(written)?;
        let mut entries = Vec::with_capacity(written.len());
        for entry in written {
            match changed.get(&Arc::as_ptr(&entry.key)) {
                // A merge key (`<<`) is never an effective entry itself, so it is always copied.
                Some(changed) if !is_merge(&entry.key) => entries.push((*changed).clone()),
                _ => entries.push(entry.clone()),
            }
        }
        for slot in &self.slots {
            if slot.state == SlotState::Added {
                entries.push(slot.entry.clone());
            }
        }
        Some(entries)
    }

    /// Returns the changed entries, by the node of their key.
    ///
    /// Returns `None` if `written`, the entries of the mapping, cannot express the changes.
    fn changed_entries(&self, written: &Elements<Entry>) -> Option<HashMap<*const Node, &Entry>> {
        // Entries are identified by the node of their key, not by its text: of two equal keys in
        // the file, only the last is an effective entry, and only that one may change.
        let own_keys: HashSet<*const Node> = written
            .iter()
            .map(|entry| Arc::as_ptr(&entry.key))
            .collect();
        let mut changed = HashMap::new();
        for slot in &self.slots {
            match slot.state {
                // The caller appends the added entries.
                SlotState::Unchanged | SlotState::Added | SlotState::AddedAndRemoved => {}
                SlotState::Removed => return None,
                SlotState::Changed => {
                    let key = Arc::as_ptr(&slot.entry.key);
                    if !own_keys.contains(&key) {
                        return None;
                    }
                    changed.insert(key, &slot.entry);
                }
            }
        }
        Some(changed)
    }

    fn is_same(&self, one: &Node, other: &Node) -> bool {
        if !self.has_text_keys {
            return same_key(one, other);
        }
        let text = one.text();
        text.is_some() && text == other.text()
    }

    /// Returns the entry at `at` for modification, and marks it as changed.
    fn changed_entry(&mut self, at: usize) -> &mut Entry {
        self.changed = true;
        let slot = &mut self.slots[at];
        slot.mark_changed();
        &mut slot.entry
    }

    fn present_slots(&self) -> impl Iterator<Item = (usize, &EntrySlot)> {
        let slots = self.slots.iter().enumerate();
        slots.filter(|(_, slot)| slot.is_present())
    }

    fn build_index(&self) -> HashMap<PartKey, usize> {
        let mut index = HashMap::with_capacity(self.slots.len());
        for (at, slot) in self.present_slots() {
            if let Some(key) = hashed(&slot.entry.key, self.has_text_keys) {
                index.insert(key, at);
            }
        }
        index
    }
}

impl LeftElements for LeftEntries {
    const KIND: ElementKind = ElementKind::Entry;

    fn whole(&self) -> Option<Location> {
        self.mapping.location()
    }

    fn positions(&self) -> Vec<usize> {
        self.present_slots().map(|(at, _)| at).collect()
    }

    fn count(&self) -> usize {
        self.present_slots().count()
    }

    fn with_key(&mut self, key: &Node) -> Vec<usize> {
        // An overlay usually looks up a few keys, so a scan is faster than hashing every key.
        // Without the index, an overlay with thousands of entries would take quadratic time.
        self.look_ups += 1;
        if self.look_ups > HASHED_FROM && self.index.is_none() {
            self.index = Some(self.build_index());
        }
        let found = match &self.index {
            Some(index) => hashed(key, self.has_text_keys).and_then(|key| index.get(&key).copied()),
            None => self
                .slots
                .iter()
                .position(|slot| slot.is_present() && self.is_same(&slot.entry.key, key)),
        };
        found.into_iter().collect()
    }

    fn value(&self, at: usize) -> &Arc<Node> {
        self.slots[at].entry.value.resolved()
    }

    fn index<'v>(&self, at: usize) -> ElementIndex<'_, 'v> {
        ElementIndex::Key(&self.slots[at].entry.key)
    }

    fn place(&self, at: usize) -> Option<Location> {
        self.slots[at].entry.key.location()
    }

    fn set(&mut self, at: usize, value: Arc<Node>, _: &Caller<'_, '_>) -> Result<()> {
        let entry = self.changed_entry(at);
        entry.value = next_version(&entry.value, value);
        Ok(())
    }

    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        let entry = self.changed_entry(at);
        entry.key = new_key_of(&entry.key, part, caller)?;
        entry.value = value;
        Ok(())
    }

    fn rename(&mut self, at: usize, part: &OverlayPart<'_>, caller: &Caller<'_, '_>) -> Result<()> {
        let key = part.clean_key(caller)?;
        // Two entries with the same key would make the mapping invalid (ytt panics), so the left
        // keeps its key if the new one is already used.
        if !self.with_key(&key).is_empty() {
            return Ok(());
        }
        // Invariant: the index, if there is one, contains exactly the keys of the present slots.
        if let Some(index) = &mut self.index {
            if let Some(old) = hashed(&self.slots[at].entry.key, self.has_text_keys) {
                index.remove(&old);
            }
            if let Some(new) = hashed(&key, self.has_text_keys) {
                index.insert(new, at);
            }
        }
        self.changed_entry(at).key = key;
        Ok(())
    }

    fn take_place(&mut self, at: usize, place: &Location) {
        let entry = self.changed_entry(at);
        entry.key = moved(&entry.key, place);
    }

    fn remove(&mut self, positions: &[usize]) {
        self.changed |= !positions.is_empty();
        for &at in positions {
            let slot = &mut self.slots[at];
            slot.mark_removed();
            let key = hashed(&slot.entry.key, self.has_text_keys);
            if let (Some(index), Some(key)) = (&mut self.index, key) {
                index.remove(&key);
            }
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
        if let (Some(index), Some(key)) = (&mut self.index, hashed(&key, self.has_text_keys)) {
            index.insert(key, self.slots.len());
        }
        // Slots are only appended and never taken out, so the positions that a part has collected
        // stay valid while it changes them.
        self.slots.push(EntrySlot {
            entry: Entry { key, value },
            state: SlotState::Added,
        });
        self.changed = true;
        Ok(())
    }
}

/// Returns the key of an entry whose value and annotations are replaced by those of `part`.
pub(super) fn new_key_of(
    key: &Arc<Node>,
    part: &OverlayPart<'_>,
    caller: &Caller<'_, '_>,
) -> Result<Arc<Node>> {
    let annotations = part.other_annotations();
    // The annotations of an entry are attached to its key. If neither side has any, the key keeps
    // its node.
    let is_annotated = caller.with_annotations(|all| all.of(key).is_some())?;
    if is_annotated || !annotations.is_empty() {
        return caller.annotated_key(key, annotations);
    }
    Ok(Arc::clone(key))
}

/// Returns the error for a new entry whose key already belongs to another entry, which is at
/// `place`.
pub(super) fn key_again(key: &Arc<Node>, place: Option<Location>) -> Box<Diagnostic> {
    let message = format!(
        "expected a new key to add, found `{}` again",
        shown_key(key)
    );
    overlay_error(message)
        .at(place, "already here")
        .help("match the map item that is there, or give the new one another key")
}

/// Returns a key for an index of entries; `None` for a key that cannot be hashed.
fn hashed(key: &Node, has_text_keys: bool) -> Option<PartKey> {
    if has_text_keys && key.as_str().is_none() {
        return PartKey::of(&Node::string(key.text()?));
    }
    PartKey::of(key)
}
