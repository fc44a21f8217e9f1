//! Finds an entry by its key, and an item by its text or by a scalar in it.
//!
//! [`Elements`] keeps tables of these texts and scalars, so that a thousand look-ups in a
//! collection do not read all of it a thousand times.

use std::collections::HashSet;
use std::sync::Arc;

use super::elements::{Element, Elements};
use super::node::{Content, Entry, Item, Node};
use super::value::Value;

impl Elements<Item> {
    /// Returns the indices of the items that may have the same scalar as `like` under a key, in
    /// order. Items without this scalar can be among them, but none that has it is missing. Returns
    /// `None` unless `like` and every item is a mapping that has the key once, with a scalar, and
    /// no merge keys.
    pub fn candidates(&self, key: &str, like: &Arc<Node>) -> Option<Vec<usize>> {
        self.candidates_below(&[key], only_value(like, key)?)
    }

    /// Returns the indices of the items that may have the scalar `wanted` at the end of a chain of
    /// keys, as [`candidates`](Self::candidates) does for one key.
    pub fn candidates_below(&self, keys: &[&str], wanted: &Arc<Node>) -> Option<Vec<usize>> {
        if keys.iter().any(|key| key.contains(KEY_SEPARATOR)) {
            return None;
        }
        let path = keys.join(KEY_SEPARATOR);
        self.only_candidates(&path, scalar_hash(wanted.resolved())?)
    }
}

/// Separates the keys of a chain in the name of a table. A chain with a key that contains it has no
/// table.
const KEY_SEPARATOR: &str = "\0";

/// Returns the value of a key in a mapping. `None` if a key is repeated or is not a string.
fn only_value<'a>(node: &'a Arc<Node>, key: &str) -> Option<&'a Arc<Node>> {
    let mapping = node.resolved().as_mapping()?;
    let mut keys = HashSet::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        if !entry.has_string_key() || !keys.insert(entry.key.as_str()) {
            return None;
        }
    }
    Some(mapping.get(key)?.resolved())
}

/// Returns the hash of a scalar. `None` if it has a tag, such as `!!binary`, which changes the
/// meaning of its text.
fn scalar_hash(node: &Arc<Node>) -> Option<u64> {
    match node.tag() {
        Some(_) => None,
        None => node.value().map(Value::identity),
    }
}

/// Entries are found by the text of their key.
impl Element for Entry {
    #[inline]
    fn text(&self, _: Option<&str>) -> Option<&str> {
        self.key.resolved().text()
    }

    fn is_found_as(&self, other: &Entry) -> bool {
        Arc::ptr_eq(&self.key, &other.key)
    }

    fn has_string_key(&self) -> bool {
        // `<<` is a merge key or a string, depending on its quotes and its tag.
        let is_alias = matches!(self.key.content, Content::Alias(_));
        !is_alias && self.key.as_str().is_some_and(|text| text != "<<")
    }
}

/// Items are found by the text of their entry `field`, or by their own.
impl Element for Item {
    fn text(&self, field: Option<&str>) -> Option<&str> {
        let value = self.value.resolved();
        match field {
            Some(field) => value.get(field)?.resolved().text(),
            None => value.text(),
        }
    }

    fn only_hash(&self, path: &str) -> Option<u64> {
        let mut value = &self.value;
        for key in path.split(KEY_SEPARATOR) {
            value = only_value(value, key)?;
        }
        scalar_hash(value)
    }

    // Any edit can change the text that an item is found by.
    fn is_found_as(&self, _: &Item) -> bool {
        false
    }
}
