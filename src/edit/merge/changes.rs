//! Which entries of a mapping change, go and come in, and where.

use std::collections::HashMap;
use std::sync::Arc;

use crate::yaml::{Entry, Node};

/// The changes of the entries of a mapping: new values, removed entries, and new entries next to
/// their neighbours.
#[derive(Debug)]
pub struct EntryChanges<'a> {
    old: &'a [Entry],
    /// The new value of an entry, and `None` for one that goes.
    values: HashMap<usize, Option<Arc<Node>>>,
    /// New entries before an old one, which no known key precedes in the overlay.
    before: HashMap<usize, Vec<Entry>>,
    /// New entries after an old one.
    after: HashMap<usize, Vec<Entry>>,
    /// New entries that no known key precedes, as long as none has come.
    first: Vec<Entry>,
    /// The known key that the overlay gave last.
    last: Option<usize>,
}

impl<'a> EntryChanges<'a> {
    /// Creates an empty set of changes to `old`.
    pub fn of(old: &'a [Entry]) -> EntryChanges<'a> {
        let (values, before, after) = (HashMap::new(), HashMap::new(), HashMap::new());
        EntryChanges {
            old,
            values,
            before,
            after,
            first: Vec::new(),
            last: None,
        }
    }

    /// Records that the overlay has the key of the old entry `at`: new entries from here on follow
    /// it.
    pub fn pass(&mut self, at: usize) {
        if self.last.is_none() && !self.first.is_empty() {
            self.before.insert(at, std::mem::take(&mut self.first));
        }
        self.last = Some(at);
    }

    /// Adds an entry whose key is new.
    pub fn add(&mut self, entry: Entry) {
        match self.last {
            Some(at) => self.after.entry(at).or_default().push(entry),
            None => self.first.push(entry),
        }
    }

    /// Replaces the value of the old entry `at`.
    pub fn set(&mut self, at: usize, value: Arc<Node>) {
        self.values.insert(at, Some(value));
    }

    /// Removes the old entry `at`.
    pub fn remove(&mut self, at: usize) {
        self.values.insert(at, None);
    }

    /// Returns all entries in order; `None` if nothing changed.
    pub fn entries(mut self) -> Option<Vec<Entry>> {
        if self.values.is_empty()
            && self.before.is_empty()
            && self.after.is_empty()
            && self.first.is_empty()
        {
            return None;
        }
        let mut entries = Vec::with_capacity(self.old.len() + self.first.len());
        for (at, entry) in self.old.iter().enumerate() {
            entries.extend(self.before.remove(&at).unwrap_or_default());
            match self.values.remove(&at) {
                None => entries.push(entry.clone()),
                Some(Some(value)) => entries.push(Entry {
                    key: Arc::clone(&entry.key),
                    value,
                }),
                Some(None) => {}
            }
            entries.extend(self.after.remove(&at).unwrap_or_default());
        }
        // The overlay has no key of the base, so nothing shows where its entries belong: they go to
        // the end.
        entries.extend(self.first);
        Some(entries)
    }
}
