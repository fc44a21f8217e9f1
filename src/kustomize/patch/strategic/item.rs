//! Which item of a list is which, by the keys that tell them apart.

use std::collections::HashMap;
use std::sync::Arc;

use crate::yaml::{Item, Node};

/// What tells an item from the others: the texts under its keys, the first of which is there. Of a scalar, the text alone.
pub(super) type Key<'a> = Vec<Option<&'a str>>;

/// The key of an item; `None` for an item without the first one. Without `keys` the items are scalars.
pub(super) fn key_of<'a>(item: &'a Arc<Node>, keys: &[&str]) -> Option<Key<'a>> {
    let item = item.resolved();
    if keys.is_empty() {
        return item.text().map(|text| vec![Some(text)]);
    }
    let text = |key: &&str| item.get(key).and_then(|node| node.resolved().text());
    let key: Key<'a> = keys.iter().map(text).collect();
    key.first()
        .is_some_and(|first| first.is_some())
        .then_some(key)
}

/// The items of a list by their keys. Of items with the same key it is the first that counts.
pub(super) struct Items<'a> {
    by_key: HashMap<Key<'a>, usize>,
    by_first: HashMap<&'a str, usize>,
}

impl<'a> Items<'a> {
    pub(super) fn of(items: &'a [Item], keys: &[&str]) -> Items<'a> {
        let (mut by_key, mut by_first) = (HashMap::new(), HashMap::new());
        for (at, item) in items.iter().enumerate() {
            let Some(key) = key_of(&item.value, keys) else {
                continue;
            };
            if let Some(&Some(first)) = key.first() {
                by_first.entry(first).or_insert(at);
            }
            by_key.entry(key).or_insert(at);
        }
        Items { by_key, by_first }
    }

    /// The item with the key: the very same, or else one with the same first part of which, or of which key, the rest is
    /// not given: a port without a protocol is that port, whatever its protocol.
    pub(super) fn find(&self, key: &[Option<&str>]) -> Option<usize> {
        if let Some(&at) = self.by_key.get(key) {
            return Some(at);
        }
        let (first, rest) = key.split_first()?;
        if rest.iter().all(|part| part.is_none()) {
            return self.by_first.get((*first)?).copied();
        }
        let mut general: Key<'_> = vec![None; key.len()];
        *general.first_mut()? = *first;
        self.by_key.get(&general).copied()
    }
}
