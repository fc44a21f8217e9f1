//! The items of a list as elements of the left.

use std::sync::Arc;

use super::left::{Insertion, LeftElements, TargetFile, inserted, moved, next_version, without};
use crate::overlay::element_kind::ElementKind;
use crate::overlay::matcher::{ElementIndex, ElementMatcher};
use crate::overlay::part::{OverlayPart, item_place};
use crate::script::Caller;
use crate::source::{Location, Result};
use crate::yaml::{Elements, Item, Node, Sequence};

/// The maximum number of items to insert or remove one by one. For more, the list is rebuilt.
const FEW: usize = 32;

/// The items of a list, and whether they were changed.
///
/// The items are a version of the list's own elements, not a copy. A thousand overlays that each
/// change one item of a large list therefore do not copy it a thousand times.
pub(in crate::overlay) struct LeftItems {
    list: Arc<Node>,
    items: Elements<Item>,
    changed: bool,
}

impl LeftItems {
    /// Creates the collection of the items of `list`, whose content is `sequence`.
    pub(in crate::overlay) fn new(list: &Arc<Node>, sequence: &Sequence) -> LeftItems {
        LeftItems {
            list: Arc::clone(list),
            items: sequence.items.clone(),
            changed: false,
        }
    }

    /// Returns the list with the changes applied, or the same node if nothing changed.
    pub(in crate::overlay) fn finish(self) -> Arc<Node> {
        if self.changed {
            self.list.with_items(self.items)
        } else {
            self.list
        }
    }

    fn item(&self, at: usize) -> &Item {
        // Invariant: positions come from `positions` or `candidates`, and are valid.
        self.items.existing(at)
    }

    fn set_value(&mut self, at: usize, value: Arc<Node>) {
        let start = self.item(at).start;
        self.items.set(at, Item { start, value });
        self.changed = true;
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

    fn candidates(
        &mut self,
        matcher: &ElementMatcher<'_>,
        right: &Arc<Node>,
    ) -> Option<Vec<usize>> {
        match matcher {
            ElementMatcher::Key(key) => self.items.candidates(key, right),
            _ => None,
        }
    }

    fn value(&self, at: usize) -> &Arc<Node> {
        self.item(at).value.resolved()
    }

    fn index<'v>(&self, at: usize) -> ElementIndex<'_, 'v> {
        ElementIndex::Number(at)
    }

    fn place(&self, at: usize) -> Option<Location> {
        item_place(&self.list, self.item(at))
    }

    fn set(&mut self, at: usize, value: Arc<Node>, caller: &Caller<'_, '_>) -> Result<()> {
        let old = &self.item(at).value;
        // The annotations of an item are attached to its value, so a new value would lose them.
        let value = caller.carry_annotations(old, &next_version(old, value))?;
        self.set_value(at, value);
        Ok(())
    }

    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        let value = caller.annotated_item(&value, part.other_annotations())?;
        self.set_value(at, value);
        Ok(())
    }

    fn take_place(&mut self, at: usize, place: &Location) {
        let value = &self.item(at).value;
        // Dashes inside a value are stored as offsets in the value's source. A value from another
        // source therefore keeps its place.
        let is_own = value
            .location()
            .is_none_or(|own| Arc::ptr_eq(&own.source, &place.source));
        let value = match is_own {
            true => moved(value, place),
            false => Arc::clone(value),
        };
        self.items.set(at, Item { start: None, value });
        self.changed = true;
    }

    fn remove(&mut self, positions: &[usize]) {
        self.changed |= !positions.is_empty();
        if positions.len() > FEW {
            self.items = without(self.items.to_vec(), positions).into();
            return;
        }
        // Remove from the end, so that earlier positions stay valid.
        for &at in positions.iter().rev() {
            self.items.remove(at);
        }
    }

    fn insert(
        &mut self,
        values: Vec<Insertion>,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        self.changed |= !values.is_empty();
        let item = |insertion: &Insertion| {
            let value = caller.annotated_item(&insertion.value, part.other_annotations())?;
            // The value was not parsed at a dash of this list, so it has no start here. A copied
            // start would be a position in the overlay's file.
            Ok(Item { start: None, value })
        };
        if values.len() > FEW {
            let items = self.items.to_vec();
            self.items = inserted(items, values, |insertion, _| item(insertion))?.into();
            return Ok(());
        }
        // Insert from the end, so that earlier positions stay valid.
        for insertion in values.iter().rev() {
            if insertion.sides.after {
                self.items.insert(insertion.at + 1, item(insertion)?);
            }
            if insertion.sides.before {
                self.items.insert(insertion.at, item(insertion)?);
            }
        }
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
