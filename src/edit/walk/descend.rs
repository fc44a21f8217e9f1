//! Follows segments of a JSONPath that choose among children (`[?…]`, `[0,1]`) or descend to any
//! depth (`..`).
//!
//! A segment `..` visits the node that it reaches and every collection below it. In each of them
//! its query chooses children, and the rest of the path is followed from these:
//!
//! ```text
//! path $..a.x      {a: {x: 1, a: {x: 2}}}
//!                   |         └ chosen in the inner mapping: the walk continues to its `x`
//!                   └ chosen in the outer mapping: the walk continues to its `x`
//! ```

use std::sync::Arc;

use super::children::fields;
use super::place::WalkPlace;
use super::{PathWalk, WalkMode};
use crate::edit::failure::EditResult;
use crate::edit::path::Query;
use crate::yaml::{Content, Mapping, Node};

/// A segment `..` of the path.
#[derive(Clone, Copy)]
struct Descent<'q> {
    /// The query that chooses children in each collection.
    query: &'q Query,
    /// Its index in the path.
    index: usize,
}

/// The decision of the query of a [`Descent`] about a child. The descent continues below it in any
/// case.
#[derive(Clone, Copy)]
enum Child {
    /// The rest of the path is followed from it.
    Chosen,
    /// The child is only on the way to deeper values.
    Passed,
}

impl PathWalk<'_, '_> {
    /// Follows the path from the entries of a mapping that `query` chooses.
    pub(super) fn queried_mapping(
        &mut self,
        node: &Arc<Node>,
        mapping: &Mapping,
        query: &Query,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let chosen = self.chosen_entries(mapping, query, place)?;
        if chosen.is_empty() {
            return self.miss(index, place, node, |found| {
                format!("{found} has nothing that `{query}` selects")
            });
        }
        self.children_at(node, chosen, index, place)
    }

    /// Follows the path from the values that `query` chooses among the children of `node` and of
    /// all collections below, without opening strings.
    ///
    /// Inner values are changed before the collections around them, so that the walk does not enter
    /// a value that it has just written. A walk that only reads goes from the top down, in the
    /// order of the text.
    pub(super) fn descend(
        &mut self,
        node: &Arc<Node>,
        query: &Query,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let before = self.hits;
        let changed = self.descend_into(Descent { query, index }, node, place)?;
        if self.hits == before {
            self.miss(index, place, node, |found| {
                format!("{found} has nothing that `{query}` leads to")
            })?;
        }
        Ok(changed)
    }

    /// Visits everything below a node. Returns the node with its new content, or `None` if nothing
    /// changed.
    fn descend_into(
        &mut self,
        descent: Descent<'_>,
        node: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        self.session.spend(1)?;
        self.session.enter()?;
        let target = node.resolved();
        let (children, chosen) = match &target.content {
            Content::Mapping(mapping) => (
                fields(mapping).map(|(at, _)| at).collect(),
                self.chosen_entries(mapping, descent.query, place)?,
            ),
            Content::Sequence(sequence) => (
                // `iter` builds the slice of an edited list once. Without it, each look-up of an
                // item would search the chunks of the list.
                sequence
                    .items
                    .iter()
                    .enumerate()
                    .map(|(at, _)| at)
                    .collect(),
                self.chosen_items(sequence, descent.query, place)?,
            ),
            Content::Scalar(_) | Content::Alias(_) => (Vec::new(), Vec::new()),
        };
        let mut chosen = Choice::new(chosen);
        let changed = self.visit_children(target, children, place, |walk, at, value, inner| {
            walk.child(descent, chosen.next(at), value, inner)
        })?;
        self.session.leave();
        // Keep the anchor of `node`, not of the target: an alias that changes becomes a separate
        // value.
        Ok(changed.map(|changed| changed.anchored(node.anchor())))
    }

    /// Follows the rest of the path from a child if it is chosen, and continues the descent below
    /// it.
    fn child(
        &mut self,
        descent: Descent<'_>,
        child: Child,
        value: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        match self.mode {
            WalkMode::Read => self.read_child(descent, child, value, place),
            WalkMode::Change => self.write_child(descent, child, value, place),
        }
    }

    /// Visits a child before its content, which is the order of the text.
    fn read_child(
        &mut self,
        descent: Descent<'_>,
        child: Child,
        value: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        if let Child::Chosen = child {
            self.node(value, descent.index + 1, place)?;
        }
        self.descend_into(descent, value, place)
    }

    /// Changes the content of a child before the child itself.
    ///
    /// In the opposite order, it would descend into the value that it has just written, and `$..a`
    /// with a value that contains `a` would never end.
    fn write_child(
        &mut self,
        descent: Descent<'_>,
        child: Child,
        value: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        // Of equally deep dead ends, the first in the text is reported. The content of the child
        // comes later in the text but is visited first, so its dead end is recorded at the end.
        let before = self.missing.take();
        let below = self.descend_into(descent, value, place)?;
        let inner = std::mem::replace(&mut self.missing, before);
        let here = match child {
            Child::Chosen => {
                let value = below.as_ref().unwrap_or(value);
                self.node(value, descent.index + 1, place)?
            }
            Child::Passed => None,
        };
        if let Some(inner) = inner {
            self.record(inner);
        }
        Ok(here.or(below))
    }
}

/// The children that a query chooses, queried by ascending positions.
struct Choice {
    positions: std::iter::Peekable<std::vec::IntoIter<usize>>,
}

impl Choice {
    /// Creates a choice. `positions` are those of the chosen children, in ascending order.
    fn new(positions: Vec<usize>) -> Choice {
        Choice {
            positions: positions.into_iter().peekable(),
        }
    }

    /// Returns the decision about the child at a position, which must be greater than in the
    /// previous call.
    fn next(&mut self, position: usize) -> Child {
        match self.positions.next_if_eq(&position) {
            Some(_) => Child::Chosen,
            None => Child::Passed,
        }
    }
}
