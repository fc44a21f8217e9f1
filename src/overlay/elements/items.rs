//! The items of a list.

use std::sync::Arc;

use super::left::{Insertion, LeftElements, TargetFile, inserted, next_version, without};
use crate::overlay::element_kind::ElementKind;
use crate::overlay::matcher::ElementIndex;
use crate::overlay::part::{OverlayPart, item_place};
use crate::script::Caller;
use crate::source::{Location, Result};
use crate::yaml::{Item, Node, Sequence};

/// LeftItems, and whether they are still those of the list they came from.
pub(in crate::overlay) struct LeftItems {
    list: Arc<Node>,
    items: Vec<Item>,
    changed: bool,
}

impl LeftItems {
    /// Returns the items of `list`, whose content is `sequence`.
    pub(in crate::overlay) fn new(list: &Arc<Node>, sequence: &Sequence) -> LeftItems {
        LeftItems {
            list: Arc::clone(list),
            items: sequence.items.to_vec(),
            changed: false,
        }
    }

    /// Returns the list with its changes; itself if there are none.
    pub(in crate::overlay) fn finish(self) -> Arc<Node> {
        if self.changed {
            self.list.with_items(self.items)
        } else {
            self.list
        }
    }
}

impl LeftElements for LeftItems {
    const KIND: ElementKind = ElementKind::Item;

    fn whole(&self) -> Option<Location> {
        self.list.location()
    }

    fn positions(&self) -> Vec<usize> {
        (0..self.items.len()).collect()
    }

    fn count(&self) -> usize {
        self.items.len()
    }

    fn value(&self, at: usize) -> &Arc<Node> {
        self.items[at].value.resolved()
    }

    fn index<'v>(&self, at: usize) -> ElementIndex<'_, 'v> {
        ElementIndex::Number(at)
    }

    fn place(&self, at: usize) -> Option<Location> {
        item_place(&self.list, &self.items[at])
    }

    fn set(&mut self, at: usize, value: Arc<Node>, caller: &Caller<'_, '_>) -> Result<()> {
        let item = &mut self.items[at];
        // Annotations of an item are attached to its value, so a new value would lose them.
        item.value = caller.carry_annotations(&item.value, &next_version(&item.value, value))?;
        self.changed = true;
        Ok(())
    }

    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        self.items[at].value = caller.annotated_item(&value, part.other_annotations())?;
        self.changed = true;
        Ok(())
    }

    fn remove(&mut self, positions: &[usize]) {
        self.changed |= !positions.is_empty();
        self.items = without(std::mem::take(&mut self.items), positions);
    }

    fn insert(
        &mut self,
        values: Vec<Insertion>,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        self.changed |= !values.is_empty();
        let items = std::mem::take(&mut self.items);
        self.items = inserted(items, values, |insertion, _| {
            let value = caller.annotated_item(&insertion.value, part.other_annotations())?;
            // The value was not read at a dash of this list, so it has no start here. A copied
            // start would be a position in the overlay's file.
            Ok(Item { start: None, value })
        })?;
        Ok(())
    }

    fn add(
        &mut self,
        value: Arc<Node>,
        _: TargetFile,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        let value = caller.annotated_item(&value, part.other_annotations())?;
        self.items.push(Item { start: None, value });
        self.changed = true;
        Ok(())
    }
}
