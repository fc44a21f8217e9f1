//! Segments of a JSONPath that choose among children, and that go to any depth.

use std::sync::Arc;

use super::PathWalk;
use super::place::WalkPlace;
use super::removal::{with_items, with_values};
use crate::edit::failure::EditResult;
use crate::edit::path::{PathStep, Query};
use crate::yaml::{Content, Item, Mapping, Node, is_merge};

impl PathWalk<'_, '_> {
    /// Goes on from the entries of a mapping that `query` chooses.
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
        let mut values = Vec::with_capacity(chosen.len());
        for at in chosen {
            let entry = &mapping.entries[at];
            let inner = place.below(entry.key.resolved().text(), Some(&entry.key));
            let value = self.step(
                || PathStep::of_key(&entry.key),
                |walk| walk.node(&entry.value, index + 1, &inner),
            )?;
            values.extend(value.map(|value| (at, value)));
        }
        Ok(with_values(node, mapping, values))
    }

    /// Goes on from what `query` chooses among the children of `node` and of all that is below,
    /// strings not opened.
    ///
    /// What is below is changed before its parent, so that the walk does not enter what it has just
    /// written. A walk that only reads goes top down, in the order of the text.
    pub(super) fn descend(
        &mut self,
        node: &Arc<Node>,
        query: &Query,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let before = self.hits;
        let changed = self.descend_into(node, query, index, place)?;
        if self.hits == before {
            self.miss(index, place, node, |found| {
                format!("{found} has nothing that `{query}` leads to")
            })?;
        }
        Ok(changed)
    }

    fn descend_into(
        &mut self,
        node: &Arc<Node>,
        query: &Query,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        self.session.spend(1)?;
        self.session.enter()?;
        let target = node.resolved();
        let changed = match &target.content {
            Content::Mapping(mapping) => {
                let mut chosen = self
                    .chosen_entries(mapping, query, place)?
                    .into_iter()
                    .peekable();
                let mut values = Vec::new();
                for (at, entry) in mapping
                    .entries
                    .iter()
                    .enumerate()
                    .filter(|(_, entry)| !is_merge(&entry.key))
                {
                    let inner = place.below(entry.key.resolved().text(), Some(&entry.key));
                    let is_chosen = chosen.next_if_eq(&at).is_some();
                    let value = self.step(
                        || PathStep::of_key(&entry.key),
                        |walk| walk.child(&entry.value, query, index, &inner, is_chosen),
                    )?;
                    values.extend(value.map(|value| (at, value)));
                }
                with_values(target, mapping, values)
            }
            Content::Sequence(sequence) => {
                let mut chosen = self
                    .chosen_items(sequence, query, place)?
                    .into_iter()
                    .peekable();
                let mut items = Vec::new();
                for (at, item) in sequence.items.iter().enumerate() {
                    let inner = place.below_item(&item.value);
                    let is_chosen = chosen.next_if_eq(&at).is_some();
                    let value = self.step(
                        || PathStep::Index(at),
                        |walk| walk.child(&item.value, query, index, &inner, is_chosen),
                    )?;
                    if let Some(value) = value {
                        items.push((
                            at,
                            Item {
                                start: item.start,
                                value,
                            },
                        ));
                    }
                }
                with_items(target, sequence, items)
            }
            Content::Scalar(_) | Content::Alias(_) => None,
        };
        self.session.leave();
        Ok(changed.map(|changed| changed.anchored(node.anchor())))
    }

    /// Follows the path from a child of a collection if it `is_chosen`, and descends into it.
    fn child(
        &mut self,
        value: &Arc<Node>,
        query: &Query,
        index: usize,
        place: &WalkPlace<'_>,
        is_chosen: bool,
    ) -> EditResult<Option<Arc<Node>>> {
        // A reader sees a value before what is in it.
        if self.reads {
            if is_chosen {
                self.node(value, index + 1, place)?;
            }
            return self.descend_into(value, query, index, place);
        }
        // A writer changes the inside first. The other way round it would descend into the value it
        // has just written, and `$..a` with a value that contains `a` would never end.
        // Of equally deep dead ends the first in the text is reported, so the inner ones come last.
        let before = self.missing.take();
        let below = self.descend_into(value, query, index, place)?;
        let inner = std::mem::replace(&mut self.missing, before);
        let here = match is_chosen {
            true => self.node(below.as_ref().unwrap_or(value), index + 1, place)?,
            false => None,
        };
        if let Some(inner) = inner {
            self.record(inner);
        }
        Ok(here.or(below))
    }
}
