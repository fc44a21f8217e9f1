//! A mapping that is built entry by entry and contains each key once. A template that writes a key
//! twice is an error, unless an annotation allows it.

use std::collections::HashMap;

use crate::script::failure::Failure;
use crate::script::value::ScalarKey;
use crate::yaml::Entry;

/// The number of entries from which keys are looked up in a table. For fewer entries, comparing
/// them one by one is faster than hashing.
const LOOKUP_FROM: usize = 12;

/// The entries of a mapping so far.
#[derive(Debug, Default)]
pub(super) struct MappingBuilder {
    /// The key of each entry; `None` for a collection, and for an entry that was overridden.
    keys: Vec<Option<ScalarKey>>,
    /// The entries. An overridden one becomes `None`: it leaves a gap, so that the positions of the
    /// others stay valid, and its replacement comes last, as in ytt.
    entries: Vec<Option<Entry>>,
    /// The position of each key, from [`LOOKUP_FROM`] entries on.
    positions: HashMap<ScalarKey, usize>,
}

impl MappingBuilder {
    /// Creates a builder with room for a number of entries.
    pub(super) fn with_capacity(entries: usize) -> MappingBuilder {
        MappingBuilder {
            keys: Vec::with_capacity(entries),
            entries: Vec::with_capacity(entries),
            positions: HashMap::new(),
        }
    }

    /// Checks that an entry with the key may be added. With `overrides`, an earlier entry is
    /// removed.
    ///
    /// # Errors
    /// Fails if the key is present and the entry may not override it.
    pub(super) fn claim(
        &mut self,
        key: Option<&ScalarKey>,
        overrides: bool,
    ) -> Result<(), Failure> {
        let Some(key) = key else { return Ok(()) };
        let Some(place) = self.position(key) else {
            return Ok(());
        };
        if !overrides {
            return Err(Failure::new(format!(
                "expected each key once, found key {} again",
                spelled(key)
            ))
            .help(
                "to replace the entry before it, annotate this one with `#@yaml/map-key-override`",
            ));
        }
        // Leave a gap: a removal would shift the positions of all later entries.
        self.keys[place] = None;
        self.entries[place] = None;
        self.positions.remove(key);
        Ok(())
    }

    /// Adds an entry whose key was claimed.
    pub(super) fn push(&mut self, key: Option<ScalarKey>, entry: Entry) {
        // The table is built once, when the mapping has grown large enough.
        if self.keys.len() == LOOKUP_FROM {
            let known = self.keys.iter().enumerate();
            self.positions = known
                .filter_map(|(place, key)| Some((key.clone()?, place)))
                .collect();
        }
        if self.keys.len() >= LOOKUP_FROM
            && let Some(key) = &key
        {
            self.positions.insert(key.clone(), self.keys.len());
        }
        self.keys.push(key);
        self.entries.push(Some(entry));
    }

    /// Returns the entry that was added last.
    pub(super) fn last_mut(&mut self) -> Option<&mut Entry> {
        self.entries.last_mut()?.as_mut()
    }

    /// Removes the entry that was added last.
    pub(super) fn pop(&mut self) {
        self.entries.pop();
        if let Some(Some(key)) = self.keys.pop() {
            self.positions.remove(&key);
        }
    }

    fn position(&self, key: &ScalarKey) -> Option<usize> {
        if self.keys.len() > LOOKUP_FROM {
            return self.positions.get(key).copied();
        }
        self.keys.iter().position(|own| own.as_ref() == Some(key))
    }

    /// Returns the remaining entries, in order.
    pub(super) fn finish(self) -> Vec<Entry> {
        self.entries.into_iter().flatten().collect()
    }
}

fn spelled(key: &ScalarKey) -> String {
    match key {
        ScalarKey::Null => "null".to_owned(),
        ScalarKey::Bool(bool) => bool.to_string(),
        ScalarKey::Int(int) => int.to_string(),
        ScalarKey::Float(bits) => f64::from_bits(*bits).to_string(),
        ScalarKey::String(text) => format!("'{text}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Node;

    fn entry(key: &str, value: &str) -> (ScalarKey, Entry) {
        (
            ScalarKey::String(key.into()),
            Entry::new(key, Node::string(value)),
        )
    }

    #[test]
    fn puts_an_entry_that_overrides_last() {
        for size in [3, 40] {
            let mut mapping = MappingBuilder::default();
            for index in 0..size {
                let (key, entry) = entry(&format!("key-{index}"), "old");
                mapping.claim(Some(&key), false).unwrap();
                mapping.push(Some(key), entry);
            }
            let (key, entry) = entry("key-1", "new");
            assert!(mapping.claim(Some(&key), false).is_err(), "{size}");
            mapping.claim(Some(&key), true).unwrap();
            mapping.push(Some(key.clone()), entry);
            assert!(mapping.claim(Some(&key), false).is_err(), "{size}");
            let entries = mapping.finish();
            assert_eq!(entries.len(), size);
            assert_eq!(
                entries.last().and_then(|entry| entry.value.text()),
                Some("new")
            );
        }
    }

    #[test]
    fn treats_a_number_and_its_text_as_two_keys() {
        let mut mapping = MappingBuilder::default();
        mapping.push(
            Some(ScalarKey::Int(1)),
            Entry {
                key: Node::plain("1"),
                value: Node::string("a"),
            },
        );
        assert!(
            mapping
                .claim(Some(&ScalarKey::String("1".into())), false)
                .is_ok()
        );
        assert!(mapping.claim(Some(&ScalarKey::Int(1)), false).is_err());
    }
}
