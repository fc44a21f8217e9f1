//! Identifies the items of a list by their merge keys.

use std::collections::HashMap;
use std::sync::Arc;

use crate::yaml::{Item, Node};

/// Identifies an item: the texts of its merge keys, the first of which exists. For a scalar, its
/// text.
pub(super) type ItemKey<'a> = Vec<Option<&'a str>>;

/// Returns the key of an item, or `None` for an item without the first merge key. Without `keys`
/// the items are scalars.
pub(super) fn key_of<'a>(item: &'a Arc<Node>, keys: &[&str]) -> Option<ItemKey<'a>> {
    let item = item.resolved();
    if keys.is_empty() {
        return item.text().map(|text| vec![Some(text)]);
    }
    let mut item_key = Vec::with_capacity(keys.len());
    for key in keys {
        item_key.push(item.get(key).and_then(|node| node.resolved().text()));
    }
    // Only the first key is required: a port has a `containerPort`, and often no `protocol`.
    if item_key[0].is_some() {
        Some(item_key)
    } else {
        None
    }
}

/// The items of a list by their keys. Of items with the same key, the first one counts.
pub(super) struct ItemIndex<'a> {
    by_key: HashMap<ItemKey<'a>, usize>,
    by_first_key: HashMap<&'a str, usize>,
}

impl<'a> ItemIndex<'a> {
    pub(super) fn new(items: &'a [Item], keys: &[&str]) -> ItemIndex<'a> {
        let mut by_key = HashMap::new();
        let mut by_first_key = HashMap::new();
        for (position, item) in items.iter().enumerate() {
            let Some(key) = key_of(&item.value, keys) else {
                continue;
            };
            if let Some(&Some(first)) = key.first() {
                by_first_key.entry(first).or_insert(position);
            }
            by_key.entry(key).or_insert(position);
        }
        ItemIndex {
            by_key,
            by_first_key,
        }
    }

    /// Returns the position of the item with the key.
    ///
    /// If there is none, an item with the same first key is found if one of the two gives nothing
    /// but the first key: a port without a protocol is that port, with any protocol.
    pub(super) fn find(&self, key: &[Option<&str>]) -> Option<usize> {
        if let Some(&position) = self.by_key.get(key) {
            return Some(position);
        }
        let (first, rest) = key.split_first()?;
        if rest.iter().all(|part| part.is_none()) {
            return self.by_first_key.get((*first)?).copied();
        }
        let mut first_only: ItemKey<'_> = vec![None; key.len()];
        first_only[0] = *first;
        self.by_key.get(&first_only).copied()
    }
}
