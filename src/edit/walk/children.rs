//! Continues a walk from several children of one collection, and writes the results back into it.
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
use super::removal::with_values;
use crate::edit::failure::EditResult;
use crate::edit::path::PathStep;
use crate::yaml::{Content, Entry, Item, Mapping, Node, is_merge};

impl PathWalk<'_, '_> {
    /// Follows the segment after `index` from the children of a collection at `positions`. Returns
    /// the collection with their new values, or `None` if no child changed.
    pub(super) fn children_at(
        &mut self,
        node: &Node,
        positions: Vec<usize>,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        self.visit_children(node, positions, place, |walk, _, value, inner| {
            walk.node(value, index + 1, inner)
        })
    }

    /// Calls `visit` with the position, value and place of each child of a collection at
    /// `positions`, which are in ascending order. Returns the collection with the values that
    /// `visit` returns, or `None` if it returns none.
    pub(super) fn visit_children(
        &mut self,
        node: &Node,
        positions: Vec<usize>,
        place: &WalkPlace<'_>,
        mut visit: impl FnMut(
            &mut Self,
            usize,
            &Arc<Node>,
            &WalkPlace<'_>,
        ) -> EditResult<Option<Arc<Node>>>,
    ) -> EditResult<Option<Arc<Node>>> {
        let mut values = Vec::new();
        for at in positions {
            let Some(member) = Member::at(at, node) else {
                continue;
            };
            let inner = member.place(place);
            let new = self.step(
                || member.step(),
                |walk| visit(walk, at, member.value(), &inner),
            )?;
            values.extend(new.map(|new| (at, new)));
        }
        Ok(with_values(node, values))
    }
}

/// An entry of a mapping, or an item of a list with its index.
#[derive(Clone, Copy)]
enum Member<'n> {
    Entry(&'n Entry),
    Item(usize, &'n Item),
}

impl<'n> Member<'n> {
    /// Returns the member of `node` at a position; `None` if there is none.
    fn at(position: usize, node: &'n Node) -> Option<Member<'n>> {
        match &node.content {
            Content::Mapping(mapping) => mapping.entries.at(position).map(Member::Entry),
            Content::Sequence(sequence) => {
                let item = sequence.items.at(position)?;
                Some(Member::Item(position, item))
            }
            Content::Scalar(_) | Content::Alias(_) => None,
        }
    }

    fn value(self) -> &'n Arc<Node> {
        match self {
            Member::Entry(entry) => &entry.value,
            Member::Item(_, item) => &item.value,
        }
    }

    /// Returns the place of the value. `outer` is the place of the collection.
    fn place<'p>(self, outer: &'p WalkPlace<'_>) -> WalkPlace<'p>
    where
        'n: 'p,
    {
        match self {
            Member::Entry(entry) => outer.below(entry.key.resolved().text(), Some(&entry.key)),
            Member::Item(_, item) => outer.below_item(&item.value),
        }
    }

    /// Returns the step from the collection to the value.
    fn step(self) -> PathStep {
        match self {
            Member::Entry(entry) => PathStep::of_key(&entry.key),
            Member::Item(index, _) => PathStep::Index(index),
        }
    }
}

/// Returns the entries of a mapping that a path can address, with their positions. Merge keys
/// (`<<`) are left out, because they are not fields.
pub(super) fn fields(mapping: &Mapping) -> impl Iterator<Item = (usize, &Entry)> {
    let entries = mapping.entries.iter().enumerate();
    entries.filter(|(_, entry)| !is_merge(&entry.key))
}
