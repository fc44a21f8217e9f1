//! A part that is added: its value, without annotations of overlays.
//!
//! What its children say is carried out as on an empty collection, without asking how many elements they match: what
//! only takes away is not added, a function makes its value of nothing, and what depends on a match that cannot be is
//! passed over.

use std::sync::Arc;

use super::apply::{Outcome, Overlaying};
use super::instruction::{Count, Defaults, Operation, Target, error};
use super::part::Children;
use super::trail::Trail;
use crate::source::Result;
use crate::yaml::{Entry, Item, Node};

impl<'v> Overlaying<'_, '_, 'v> {
    /// The value that the last part of `trail` has where it is added.
    pub(super) fn made(
        &mut self,
        trail: &Trail<'_, 'v>,
        defaults: Defaults<'v>,
    ) -> Outcome<Arc<Node>> {
        let part = trail.part;
        if let Some(made) = part.made.get() {
            return Ok(Arc::clone(made));
        }
        let strings = self.new_strings;
        let children = part
            .children(defaults, self.caller)
            .map_err(|error| vec![trail.locate(error)])?;
        let made = match children {
            Children::None => Arc::clone(&part.value),
            Children::Entries(parts) => {
                let mut entries = Vec::with_capacity(parts.len());
                for child in parts {
                    let trail = trail.child(child);
                    if let Some(value) = self.added(&trail)? {
                        let key = child
                            .clean_key(self.caller)
                            .map_err(|error| vec![trail.locate(error)])?;
                        entries.push(Entry { key, value });
                    }
                }
                with_entries(&part.value, entries)
            }
            Children::Items(parts) => {
                let mut items = Vec::with_capacity(parts.len());
                for child in parts {
                    let trail = trail.child(child);
                    if let Some(value) = self.added(&trail)? {
                        let value = self
                            .caller
                            .annotated_item(&value, child.other_annotations());
                        items.push(value.map_err(|error| vec![trail.locate(error)])?);
                    }
                }
                with_items(&part.value, items)
            }
        };
        if self.new_strings > strings {
            return Ok(made);
        }
        Ok(Arc::clone(part.made.get_or_init(|| made)))
    }

    /// The value of a part inside of one that is added; `None` where nothing comes of it.
    fn added(&mut self, trail: &Trail<'_, 'v>) -> Outcome<Option<Arc<Node>>> {
        let located = |error| vec![trail.locate(error)];
        let instruction = trail.part.instruction(self.caller).map_err(located)?;
        let count = match &instruction.target {
            Target::None => None,
            Target::Key(count) | Target::By(_, count) => Some(count),
        };
        if count.is_some_and(|count| count.skips) && !self.accepts_none(count).map_err(located)? {
            return Ok(None);
        }
        match instruction.operation {
            Operation::Merge | Operation::Append => {
                self.added_value(None, trail, instruction).map(Some)
            }
            Operation::Replace { via, .. } | Operation::Insert { via, .. } => {
                self.added_value(via, trail, instruction).map(Some)
            }
            Operation::Remove => Ok(None),
            Operation::Assert { .. } if self.accepts_none(count).map_err(located)? => Ok(None),
            Operation::Assert { .. } => {
                let (one, _) = trail.part.kind.words();
                let error = error(format!("expected 1 matching {one} to assert, found 0"))
                    .note("the part around it is new here, so there is nothing to look at");
                Err(located(error))
            }
        }
    }

    fn accepts_none(&mut self, count: Option<&Count<'v>>) -> Result<bool> {
        count.map_or(Ok(true), |count| count.accepts(0, self.caller))
    }
}

/// The mapping with other entries, or itself where they are the same.
pub(super) fn with_entries(node: &Arc<Node>, entries: Vec<Entry>) -> Arc<Node> {
    let same = |(new, old): (&Entry, &Entry)| {
        Arc::ptr_eq(&new.key, &old.key) && Arc::ptr_eq(&new.value, &old.value)
    };
    let own = node.as_mapping().map(|mapping| &mapping.entries);
    let unchanged =
        own.is_some_and(|own| own.len() == entries.len() && entries.iter().zip(own).all(same));
    if unchanged {
        Arc::clone(node)
    } else {
        node.with_entries(entries)
    }
}

/// The list with other values, or itself where they are the same.
pub(super) fn with_items(node: &Arc<Node>, values: Vec<Arc<Node>>) -> Arc<Node> {
    let own = node.as_sequence().map(|sequence| &sequence.items);
    let unchanged = own.is_some_and(|own| {
        own.len() == values.len()
            && values
                .iter()
                .zip(own)
                .all(|(new, old)| Arc::ptr_eq(new, &old.value))
    });
    if unchanged {
        return Arc::clone(node);
    }
    node.with_items(
        values
            .into_iter()
            .map(|value| Item { start: None, value })
            .collect::<Vec<_>>(),
    )
}
