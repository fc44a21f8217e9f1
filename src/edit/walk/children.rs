//! Walking on from several children of one collection, and putting the results back into it.
//!
//! ```text
//! path `ports.*.number`, at `*`
//!
//! before   ports: [{number: 1}, {number: 2}]     the walk continues from each item with `number`
//! after    ports: [{number: 1}, {number: 9}]     only the second has a new value: the new list
//!                                                shares the first item with the old one
//! ```

use std::sync::Arc;

use super::PathWalk;
use super::place::WalkPlace;
use super::removal::{with_items, with_values};
use crate::edit::failure::EditResult;
use crate::edit::path::PathStep;
use crate::yaml::{Entry, Item, Mapping, Node, Sequence, is_merge};

impl PathWalk<'_, '_> {
    /// Follows the segment after `index` from the values of the entries at `positions`. Returns the
    /// mapping with their new values, or `None` if none of them changed.
    pub(super) fn entries_at(
        &mut self,
        node: &Node,
        mapping: &Mapping,
        positions: Vec<usize>,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let mut values = Vec::with_capacity(positions.len());
        for at in positions {
            let Some(entry) = mapping.entries.at(at) else {
                continue;
            };
            let value = self.at_entry(entry, place, |walk, inner| {
                walk.node(&entry.value, index + 1, inner)
            })?;
            values.extend(value.map(|value| (at, value)));
        }
        Ok(with_values(node, mapping, values))
    }

    /// Follows the segment after `index` from the items at `positions`. Returns the list with their
    /// new values, or `None` if none of them changed.
    pub(super) fn items_at(
        &mut self,
        node: &Node,
        sequence: &Sequence,
        positions: Vec<usize>,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let mut items = Vec::new();
        for at in positions {
            let Some(item) = sequence.items.at(at) else {
                continue;
            };
            let value = self.at_item(at, item, place, |walk, inner| {
                walk.node(&item.value, index + 1, inner)
            })?;
            items.extend(value.map(|value| (at, with_value(item, value))));
        }
        Ok(with_items(node, sequence, items))
    }

    /// Calls `walk` at the value of an entry of the mapping at `place`.
    pub(super) fn at_entry<T>(
        &mut self,
        entry: &Entry,
        place: &WalkPlace<'_>,
        walk: impl FnOnce(&mut Self, &WalkPlace<'_>) -> EditResult<T>,
    ) -> EditResult<T> {
        let inner = place.below(entry.key.resolved().text(), Some(&entry.key));
        self.step(|| PathStep::of_key(&entry.key), |this| walk(this, &inner))
    }

    /// Calls `walk` at the item number `at` of the list at `place`.
    pub(super) fn at_item<T>(
        &mut self,
        at: usize,
        item: &Item,
        place: &WalkPlace<'_>,
        walk: impl FnOnce(&mut Self, &WalkPlace<'_>) -> EditResult<T>,
    ) -> EditResult<T> {
        let inner = place.below_item(&item.value);
        self.step(|| PathStep::Index(at), |this| walk(this, &inner))
    }
}

/// Returns the entries of a mapping that a path can address, with their positions: all but its
/// merge keys (`<<`), which are not fields.
pub(super) fn fields(mapping: &Mapping) -> impl Iterator<Item = (usize, &Entry)> {
    let entries = mapping.entries.iter().enumerate();
    entries.filter(|(_, entry)| !is_merge(&entry.key))
}

/// Returns an item with another value. It stays at its dash, so its spelling is kept.
pub(super) fn with_value(item: &Item, value: Arc<Node>) -> Item {
    Item {
        start: item.start,
        value,
    }
}
