//! Identifies the items of a list by their merge keys.

use std::collections::HashMap;
use std::sync::Arc;

use crate::yaml::{Elements, Item, Node};

/// Identifies an item: the texts of its merge keys. The first key always exists. For a scalar, this
/// is its text.
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

/// Finds the items of a list by their keys.
pub(super) enum ItemLookup<'a> {
    /// The patch has about as many items as the list, so a table of all items is worth its cost.
    Table(ItemIndex<'a>),
    /// The patch is small: the list has an index that its versions share, so that a thousand
    /// patches of one list do not visit a thousand items each.
    List(&'a Elements<Item>, &'a [&'a str]),
}

/// The minimum number of items for each look-up at which the shared index of a list is used.
const ITEMS_PER_LOOK_UP: usize = 8;

impl<'a> ItemLookup<'a> {
    /// Returns the look-up of `times` keys.
    pub(super) fn new(items: &'a Elements<Item>, keys: &'a [&'a str], times: usize) -> Self {
        match is_sparse(items, times) && !keys.is_empty() {
            true => ItemLookup::List(items, keys),
            false => ItemLookup::Table(ItemIndex::new(items, keys)),
        }
    }

    /// Returns the position of the item with the key, as [`ItemIndex::find`] does.
    pub(super) fn find(&self, key: &[Option<&str>]) -> Option<usize> {
        let (items, keys) = match self {
            ItemLookup::Table(index) => return index.find(key),
            ItemLookup::List(items, keys) => (items, keys),
        };
        let (first, rest) = key.split_first()?;
        let candidates = items.positions(keys.first().copied(), (*first)?);
        let has_key = |at: &usize, wanted: &[Option<&str>]| {
            let item = items.at(*at).and_then(|item| key_of(&item.value, keys));
            item.is_some_and(|item| item == wanted)
        };
        let exact = candidates.iter().copied().find(|at| has_key(at, key));
        if exact.is_some() {
            return exact;
        }
        if rest.iter().all(|part| part.is_none()) {
            return candidates.first().copied();
        }
        let first_only = only_first(*first, key.len());
        candidates.into_iter().find(|at| has_key(at, &first_only))
    }
}

/// Returns whether only a few items of a list change, so that the list should not be copied.
pub(super) fn is_sparse(items: &Elements<Item>, changes: usize) -> bool {
    changes * ITEMS_PER_LOOK_UP <= items.len()
}

/// Returns a key that contains only its first part.
fn only_first(first: Option<&str>, parts: usize) -> ItemKey<'_> {
    let mut key = vec![None; parts];
    key[0] = first;
    key
}

/// The items of a list by their keys. If several items have the same key, the first one is used.
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
    /// If there is none, an item with the same first key is found, provided that one of the two has
    /// only the first key: a port without a protocol matches the port with any protocol.
    pub(super) fn find(&self, key: &[Option<&str>]) -> Option<usize> {
        if let Some(&position) = self.by_key.get(key) {
            return Some(position);
        }
        let (first, rest) = key.split_first()?;
        if rest.iter().all(|part| part.is_none()) {
            return self.by_first_key.get((*first)?).copied();
        }
        self.by_key.get(&only_first(*first, key.len())).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    #[test]
    fn both_look_ups_find_the_same_items() {
        let mut text = String::new();
        for number in 0..80 {
            let protocol = ["", ", protocol: TCP", ", protocol: UDP"][number % 3];
            text.push_str(&format!("- {{port: {}{protocol}}}\n", number / 2));
        }
        text.push_str("- {protocol: TCP}\n- 1\n");
        let stream = parse(&Source::new("t.yml", text).unwrap()).unwrap();
        let list = stream.documents[0].root.as_sequence().unwrap();
        let keys = ["port", "protocol"];
        let table = ItemIndex::new(&list.items, &keys);
        let few = ItemLookup::new(&list.items, &keys, 1);
        assert!(matches!(few, ItemLookup::List(..)));
        let mut found = 0;
        for port in (0..45).map(|port| port.to_string()) {
            for protocol in [None, Some("TCP"), Some("UDP"), Some("SCTP")] {
                let key = [Some(&*port), protocol];
                found += usize::from(few.find(&key).is_some());
                assert_eq!(few.find(&key), table.find(&key), "{key:?}");
            }
        }
        assert!(found > 80, "{found}");
    }
}
