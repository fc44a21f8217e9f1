//! Pairs the items of two lists.
//!
//! ```text
//! [name: a, name: b]   [name: b, name: c]    by name: b with b; a is removed, c is added
//! [1, 2, 3]            [1, 9, 3]             by place, between the equal items at both ends
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::path::Step;
use crate::yaml::{Item, Node, is_equal};

/// An item on both sides, or on only one.
pub(super) struct ItemPair<'n> {
    pub(super) step: Step,
    pub(super) before: Option<&'n Arc<Node>>,
    pub(super) after: Option<&'n Arc<Node>>,
}

/// The paired items of two lists.
pub(super) struct PairedItems<'n> {
    pub(super) pairs: Vec<ItemPair<'n>>,
    /// Whether items that are on both sides are in a different order.
    pub(super) is_reordered: bool,
}

/// Pairs the items of two lists: by name if every item has a unique one, and otherwise by place.
pub(super) fn pair<'n>(before: &'n [Item], after: &'n [Item]) -> PairedItems<'n> {
    match (names(before), names(after)) {
        (Some(old), Some(new)) if !old.is_empty() && !new.is_empty() => {
            by_name(before, &old, after, &new)
        }
        _ => by_place(before, after),
    }
}

/// Returns the names of all items; `None` if an item has no name, or if two have the same.
fn names(items: &[Item]) -> Option<Vec<&str>> {
    let mut names = Vec::with_capacity(items.len());
    for item in items {
        names.push(item.value.get("name")?.text()?);
    }
    let distinct: HashSet<&str> = names.iter().copied().collect();
    (distinct.len() == names.len()).then_some(names)
}

fn by_name<'n>(
    before: &'n [Item],
    old: &[&'n str],
    after: &'n [Item],
    new: &[&'n str],
) -> PairedItems<'n> {
    let mut left: HashMap<&str, usize> = HashMap::with_capacity(old.len());
    for (index, name) in old.iter().enumerate() {
        left.insert(name, index);
    }
    let mut pairs = Vec::new();
    let mut is_reordered = false;
    let mut last = None;
    for (item, name) in after.iter().zip(new) {
        let index = left.remove(name);
        if let Some(index) = index {
            is_reordered |= last.is_some_and(|last| index < last);
            last = Some(index);
        }
        pairs.push(ItemPair {
            step: Step::Named((*name).to_owned()),
            before: index.map(|index| &before[index].value),
            after: Some(&item.value),
        });
    }
    for (item, name) in before.iter().zip(old) {
        if left.contains_key(name) {
            pairs.push(ItemPair {
                step: Step::Named((*name).to_owned()),
                before: Some(&item.value),
                after: None,
            });
        }
    }
    PairedItems {
        pairs,
        is_reordered,
    }
}

fn by_place<'n>(before: &'n [Item], after: &'n [Item]) -> PairedItems<'n> {
    let equal = |(one, other): &(&Item, &Item)| is_equal(&one.value, &other.value);
    let start = before.iter().zip(after).take_while(equal).count();
    let (before_rest, after_rest) = (&before[start..], &after[start..]);
    let end = before_rest
        .iter()
        .rev()
        .zip(after_rest.iter().rev())
        .take_while(equal)
        .count();
    let before_rest = &before_rest[..before_rest.len() - end];
    let after_rest = &after_rest[..after_rest.len() - end];
    let mut pairs = Vec::new();
    for index in 0..before_rest.len().max(after_rest.len()) {
        pairs.push(ItemPair {
            step: Step::Index(start + index),
            before: before_rest.get(index).map(|item| &item.value),
            after: after_rest.get(index).map(|item| &item.value),
        });
    }
    PairedItems {
        pairs,
        is_reordered: false,
    }
}
