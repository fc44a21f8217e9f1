//! Collects the changes to the entries of a mapping: new values, removals and insertions.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::yaml::{Elements, Entry, Node};

/// The minimum number of entries for each change at which a mapping is edited instead of rebuilt: a
/// thousand merges that each change one entry would copy it a thousand times.
const ENTRIES_PER_CHANGE: usize = 8;

/// The changes of the entries of a mapping: new values, removed entries, and new entries next to
/// their neighbours.
#[derive(Debug)]
pub struct EntryChanges<'a> {
    old: &'a Elements<Entry>,
    /// The new value of an entry; `None` if it is removed.
    values: BTreeMap<usize, Option<Arc<Node>>>,
    /// New entries before an old one. No known key comes before them in the overlay.
    before: BTreeMap<usize, Vec<Entry>>,
    /// New entries after an old one.
    after: BTreeMap<usize, Vec<Entry>>,
    /// New entries that no known key of the overlay has preceded so far.
    first: Vec<Entry>,
    /// The known key that came last in the overlay.
    last: Option<usize>,
}

impl<'a> EntryChanges<'a> {
    /// Creates an empty set of changes to `old`.
    pub fn of(old: &'a Elements<Entry>) -> EntryChanges<'a> {
        let (values, before, after) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        EntryChanges {
            old,
            values,
            before,
            after,
            first: Vec::new(),
            last: None,
        }
    }

    /// Records that the overlay has the key of the old entry `at`. Following new entries come after
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
    pub fn entries(self) -> Option<Elements<Entry>> {
        let count = self.values.len() + self.before.len() + self.after.len() + self.first.len();
        match count {
            0 => None,
            _ if count * ENTRIES_PER_CHANGE <= self.old.len() => Some(self.version()),
            _ => Some(self.rebuilt()),
        }
    }

    /// Returns a version of the old entries with the changes. It shares the unchanged entries.
    fn version(mut self) -> Elements<Entry> {
        let mut entries = self.old.clone();
        let places = self.values.keys().chain(self.before.keys());
        let mut places: Vec<usize> = places.chain(self.after.keys()).copied().collect();
        places.sort_unstable();
        places.dedup();
        // From the end, so that earlier positions stay valid.
        for at in places.into_iter().rev() {
            for entry in self.after.remove(&at).unwrap_or_default().into_iter().rev() {
                entries.insert(at + 1, entry);
            }
            match (self.values.remove(&at), self.old.at(at)) {
                (Some(Some(value)), Some(old)) => {
                    let key = Arc::clone(&old.key);
                    entries.set(at, Entry { key, value });
                }
                (Some(None), _) => entries.remove(at),
                _ => {}
            }
            for entry in self
                .before
                .remove(&at)
                .unwrap_or_default()
                .into_iter()
                .rev()
            {
                entries.insert(at, entry);
            }
        }
        for entry in self.first {
            entries.push(entry);
        }
        entries
    }

    fn rebuilt(mut self) -> Elements<Entry> {
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
        // The overlay has no key of the base, so nothing shows where its entries belong. They are
        // added at the end.
        entries.extend(self.first);
        entries.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str) -> Entry {
        Entry::new(key, Node::plain("1"))
    }

    fn keys(entries: &Elements<Entry>) -> Vec<&str> {
        let entries = entries.iter();
        entries
            .map(|entry| entry.key.text().unwrap_or("?"))
            .collect()
    }

    #[test]
    fn a_few_changes_of_many_entries_give_what_a_rebuilt_mapping_has() {
        let old: Vec<Entry> = (0..100)
            .map(|number| entry(&format!("k{number}")))
            .collect();
        let old: Elements<Entry> = old.into();
        let changes = || {
            let mut changes = EntryChanges::of(&old);
            changes.add(entry("before"));
            changes.pass(3);
            changes.add(entry("after"));
            changes.add(entry("after2"));
            changes.pass(7);
            changes.remove(7);
            changes.add(entry("in the place of k7"));
            changes.set(9, Node::plain("2"));
            changes
        };
        assert!(changes().values.len() * ENTRIES_PER_CHANGE <= old.len());
        let (version, rebuilt) = (changes().version(), changes().rebuilt());
        assert_eq!(
            keys(&rebuilt)[2..12],
            [
                "k2",
                "before",
                "k3",
                "after",
                "after2",
                "k4",
                "k5",
                "k6",
                "in the place of k7",
                "k8"
            ]
        );
        assert_eq!(keys(&version), keys(&rebuilt));
        assert_eq!(version.at(12).unwrap().value.text(), Some("2"));
    }
}
