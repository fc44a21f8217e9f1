//! The result of a merge of items: which of them come first, and what happens to the others.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::item::{ItemKey, is_sparse, key_of};
use crate::yaml::{Elements, Item, Node, Sequence};

/// The items of a merged list that come before those that keep their places.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemOrder {
    /// Every item that the patch names.
    PatchFirst,
    /// The items of the patch that are new.
    NewFirst,
}

/// The unfinished result of a merge of items.
pub(super) struct MergedItems<'p> {
    /// The items that come first.
    first: Vec<Item>,
    /// The results for the items of the old list that the patch names, by their positions.
    changes: BTreeMap<usize, OldItem>,
    /// The keys of the patch so far.
    seen: HashSet<ItemKey<'p>>,
}

impl<'p> MergedItems<'p> {
    /// Creates the result of a merge of at most `count` items, before the first of them.
    pub(super) fn new(count: usize) -> MergedItems<'p> {
        MergedItems {
            first: Vec::with_capacity(count),
            changes: BTreeMap::new(),
            seen: HashSet::with_capacity(count),
        }
    }

    /// Records that the patch names an item. Returns `false` if it has named the item before: by
    /// its key, or by another key of the same item, which is at `position`.
    pub(super) fn claim(&mut self, key: ItemKey<'p>, position: Option<usize>) -> bool {
        let is_changed = position.is_some_and(|position| self.changes.contains_key(&position));
        self.seen.insert(key) && !is_changed
    }

    /// Adds an item that the object does not have. A deletion of such an item has no value.
    pub(super) fn add_new(&mut self, value: Option<Arc<Node>>) {
        self.first
            .extend(value.map(|value| Item { start: None, value }));
    }

    /// Changes the item of the old list at `position`. Without a value it is removed.
    pub(super) fn change(
        &mut self,
        old: &Elements<Item>,
        position: usize,
        value: Option<Arc<Node>>,
        order: ItemOrder,
    ) {
        let change = match (value, order) {
            (Some(value), ItemOrder::NewFirst) => OldItem::Replaced(value),
            (Some(value), ItemOrder::PatchFirst) => {
                let start = old.at(position).and_then(|item| item.start);
                self.first.push(Item { start, value });
                OldItem::MovedOrRemoved
            }
            (None, _) => OldItem::MovedOrRemoved,
        };
        self.changes.insert(position, change);
    }

    /// Removes all other items with the key of the item at `position`. As in the API server, a
    /// deletion applies to every item with the key.
    pub(super) fn remove_duplicates(
        &mut self,
        items: &Elements<Item>,
        keys: &[&str],
        position: usize,
    ) {
        let key = items
            .at(position)
            .and_then(|item| key_of(&item.value, keys));
        let Some(first) = key.as_ref().and_then(|key| *key.first()?) else {
            return;
        };
        // The index of the list contains only the first key.
        for same_first in items.positions(keys.first().copied(), first) {
            let other = items.at(same_first);
            if other.and_then(|item| key_of(&item.value, keys)) == key {
                self.changes.insert(same_first, OldItem::MovedOrRemoved);
            }
        }
    }

    /// Returns the list `base`, whose content is `old`, after the merge: the items that come first,
    /// and then the old items after their changes.
    ///
    /// ```text
    /// old      [a, b, c]
    /// first    [c', d]
    /// changes  {1: Replaced(b'), 2: MovedOrRemoved}
    /// result   [c', d, a, b']
    /// ```
    pub(super) fn into_list(self, base: &Arc<Node>, old: &Sequence) -> Arc<Node> {
        let MergedItems { first, changes, .. } = self;
        // A few changes in a long list are made in place: a thousand patches that each change one of a
        // thousand items would otherwise copy a million.
        if !is_sparse(&old.items, first.len() + changes.len()) {
            return with_items(base, old, changed_copy(old, first, &changes));
        }
        if keeps_all_items(old, &first, &changes) {
            return Arc::clone(base);
        }
        let mut items = old.items.clone();
        // Start at the end, so that the positions before a removed item stay valid.
        for (position, change) in changes.into_iter().rev() {
            match change {
                OldItem::Replaced(value) => {
                    let start = old.items.at(position).and_then(|item| item.start);
                    items.set(position, Item { start, value });
                }
                OldItem::MovedOrRemoved => items.remove(position),
            }
        }
        for item in first.into_iter().rev() {
            items.insert(0, item);
        }
        base.with_items(items)
    }
}

/// Returns the items `first`, and then those of `old` after their changes.
fn changed_copy(old: &Sequence, first: Vec<Item>, changes: &BTreeMap<usize, OldItem>) -> Vec<Item> {
    let mut items = first;
    for (position, item) in old.items.iter().enumerate() {
        match changes.get(&position) {
            None => items.push(item.clone()),
            Some(OldItem::Replaced(value)) => items.push(Item {
                start: item.start,
                value: Arc::clone(value),
            }),
            Some(OldItem::MovedOrRemoved) => {}
        }
    }
    items
}

/// Returns whether a list has the same items in the same order after the changes. This is the case
/// if each item is replaced by itself or moved to its old place.
fn keeps_all_items(old: &Sequence, first: &[Item], changes: &BTreeMap<usize, OldItem>) -> bool {
    let is_at = |position: usize, value: &Arc<Node>| {
        let item = old.items.at(position);
        item.is_some_and(|item| Arc::ptr_eq(&item.value, value))
    };
    let mut moved = 0;
    for (position, change) in changes {
        match change {
            OldItem::Replaced(value) if is_at(*position, value) => {}
            OldItem::MovedOrRemoved if *position == moved => moved += 1,
            _ => return false,
        }
    }
    let mut items = first.iter().enumerate();
    moved == first.len() && items.all(|(position, item)| is_at(position, &item.value))
}

/// The effect of a patch on an item of the old list.
enum OldItem {
    /// The item gets another value and keeps its position.
    Replaced(Arc<Node>),
    /// The item moved to the start of the result, or was removed.
    MovedOrRemoved,
}

/// Returns a list with other items, or the list itself if nothing changed.
pub(super) fn with_items(base: &Arc<Node>, old: &Sequence, items: Vec<Item>) -> Arc<Node> {
    let is_unchanged = items.len() == old.items.len()
        && items
            .iter()
            .zip(&old.items)
            .all(|(one, other)| Arc::ptr_eq(&one.value, &other.value));
    if is_unchanged {
        Arc::clone(base)
    } else {
        base.with_items(items)
    }
}
