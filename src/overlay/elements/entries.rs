//! The entries of a mapping.
//!
//! Merge keys show the entries that they merge, and of entries with equal keys only the last is shown. As long as no
//! merged entry changes, the merge key stays as it is written.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Elements, End, Insertion, next_version};
use crate::overlay::instruction::error;
use crate::overlay::key::{HASHED_FROM, same_key};
use crate::overlay::matcher::Index;
use crate::overlay::part::{Kind, Part};
use crate::overlay::trail::shown_key;
use crate::script::Caller;
use crate::script::fragments::PartKey;
use crate::source::{Location, Result};
use crate::yaml::{Entry, Mapping, Node, effective_entries, is_merge};

/// Entries, and whether they are still those of the mapping they came from.
pub(in crate::overlay) struct Entries {
    mapping: Arc<Node>,
    slots: Vec<Slot>,
    /// Where each key stands, made when many keys are looked up.
    index: Option<HashMap<PartKey, usize>>,
    look_ups: usize,
    /// Whether the mapping has merge keys or equal keys, so that its own entries are not those that it shows.
    is_veiled: bool,
    changed: bool,
}

/// An entry that is shown.
struct Slot {
    entry: Entry,
    changed: bool,
    removed: bool,
    added: bool,
}

impl Entries {
    /// The entries of `node`, which is `mapping`.
    pub(in crate::overlay) fn new(node: &Arc<Node>, mapping: &Mapping) -> Result<Entries> {
        let shown = effective_entries(mapping)?;
        let slot = |entry: &Entry| Slot {
            entry: entry.clone(),
            changed: false,
            removed: false,
            added: false,
        };
        Ok(Entries {
            mapping: Arc::clone(node),
            slots: shown.iter().map(slot).collect(),
            index: None,
            look_ups: 0,
            is_veiled: matches!(shown, std::borrow::Cow::Owned(_)),
            changed: false,
        })
    }

    /// The mapping with the entries as they are now.
    pub(in crate::overlay) fn finish(self) -> Arc<Node> {
        if !self.changed {
            return self.mapping;
        }
        let own = self.is_veiled.then(|| self.own_entries()).flatten();
        let entries = own.unwrap_or_else(|| {
            let kept = self.slots.into_iter().filter(|slot| !slot.removed);
            // What was merged leaves its anchor behind.
            let entry = |Slot {
                             entry: Entry { key, value },
                             ..
                         }: Slot| match self.is_veiled {
                true => Entry {
                    key,
                    value: value.anchored(None),
                },
                false => Entry { key, value },
            };
            kept.map(entry).collect()
        });
        self.mapping.with_entries(entries)
    }

    /// The entries as they are written, with the changes, where only entries of the mapping itself have changed.
    fn own_entries(&self) -> Option<Vec<Entry>> {
        let written = &self.mapping.as_mapping()?.entries;
        let own: HashSet<*const Node> = written
            .iter()
            .map(|entry| Arc::as_ptr(&entry.key))
            .collect();
        let is_own = |slot: &Slot| own.contains(&Arc::as_ptr(&slot.entry.key));
        let old = self
            .slots
            .iter()
            .filter(|slot| (slot.changed || slot.removed) && !slot.added);
        if old.clone().any(|slot| !is_own(slot) || slot.removed) {
            return None;
        }
        let changed: HashMap<*const Node, &Entry> = old
            .map(|slot| (Arc::as_ptr(&slot.entry.key), &slot.entry))
            .collect();
        let entries = written
            .iter()
            .map(|entry| match changed.get(&Arc::as_ptr(&entry.key)) {
                Some(changed) if !is_merge(&entry.key) => (*changed).clone(),
                _ => entry.clone(),
            });
        let added = self
            .slots
            .iter()
            .filter(|slot| slot.added && !slot.removed)
            .map(|slot| slot.entry.clone());
        Some(entries.chain(added).collect())
    }

    fn slot(&mut self, at: usize) -> &mut Slot {
        self.changed = true;
        let slot = &mut self.slots[at];
        slot.changed = true;
        slot
    }
}

impl Elements for Entries {
    const KIND: Kind = Kind::Entry;

    fn whole(&self) -> Option<Location> {
        self.mapping.location()
    }

    fn positions(&self) -> Vec<usize> {
        let slots = self.slots.iter().enumerate();
        slots
            .filter(|(_, slot)| !slot.removed)
            .map(|(at, _)| at)
            .collect()
    }

    fn count(&self) -> usize {
        self.slots.iter().filter(|slot| !slot.removed).count()
    }

    fn with_key(&mut self, key: &Node) -> Vec<usize> {
        self.look_ups += 1;
        if self.look_ups > HASHED_FROM && self.index.is_none() {
            let slots = self
                .slots
                .iter()
                .enumerate()
                .filter(|(_, slot)| !slot.removed);
            self.index = Some(
                slots
                    .filter_map(|(at, slot)| Some((PartKey::of(&slot.entry.key)?, at)))
                    .collect(),
            );
        }
        let found = match &self.index {
            Some(index) => PartKey::of(key).and_then(|key| index.get(&key).copied()),
            None => self
                .slots
                .iter()
                .position(|slot| !slot.removed && same_key(&slot.entry.key, key)),
        };
        found.into_iter().collect()
    }

    fn value(&self, at: usize) -> &Arc<Node> {
        self.slots[at].entry.value.resolved()
    }

    fn index<'v>(&self, at: usize) -> Index<'_, 'v> {
        Index::Key(&self.slots[at].entry.key)
    }

    fn place(&self, at: usize) -> Option<Location> {
        self.slots[at].entry.key.location()
    }

    fn set(&mut self, at: usize, value: Arc<Node>, _: &Caller<'_, '_>) -> Result<()> {
        let slot = self.slot(at);
        slot.entry.value = next_version(&slot.entry.value, value);
        Ok(())
    }

    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &Part<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        let entry = &mut self.slot(at).entry;
        let annotations = part.other_annotations();
        let had = caller.with_annotations(|all| all.of(&entry.key).is_some())?;
        if had || !annotations.is_empty() {
            entry.key = caller.annotated_key(&entry.key, annotations)?;
        }
        entry.value = value;
        Ok(())
    }

    fn rename(&mut self, at: usize, part: &Part<'_>, caller: &Caller<'_, '_>) -> Result<()> {
        let key = part.clean_key(caller)?;
        if !self.with_key(&key).is_empty() {
            return Ok(());
        }
        if let Some(index) = &mut self.index {
            PartKey::of(&self.slots[at].entry.key).and_then(|old| index.remove(&old));
            index.extend(PartKey::of(&key).map(|key| (key, at)));
        }
        self.slot(at).entry.key = key;
        Ok(())
    }

    fn remove(&mut self, positions: &[usize]) {
        for &at in positions {
            let slot = self.slot(at);
            slot.removed = true;
            let key = PartKey::of(&slot.entry.key);
            if let (Some(index), Some(key)) = (&mut self.index, key) {
                index.remove(&key);
            }
        }
    }

    /// No part inserts entries.
    fn insert(&mut self, _: Vec<Insertion>, _: &Part<'_>, _: &Caller<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn add(
        &mut self,
        value: Arc<Node>,
        _: End,
        part: &Part<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        let key = part.clean_key(caller)?;
        if let Some(&at) = self.with_key(&key).first() {
            let message = format!(
                "expected a new key to add, found `{}` again",
                shown_key(&key)
            );
            return Err(error(message)
                .at(self.place(at), "stands here already")
                .help("match the map item that is there, or give the new one another key"));
        }
        if let (Some(index), Some(key)) = (&mut self.index, PartKey::of(&key)) {
            index.insert(key, self.slots.len());
        }
        self.slots.push(Slot {
            entry: Entry { key, value },
            changed: true,
            removed: false,
            added: true,
        });
        self.changed = true;
        Ok(())
    }
}
