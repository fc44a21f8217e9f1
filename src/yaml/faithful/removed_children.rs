//! The children that an edit removes from their collections, among which those that moved are found.
//!
//! A removed child and a new one are the same if they have the same value. A value keeps its place
//! in the text in all its versions, so edited values are recognized too.

use std::collections::HashMap;
use std::sync::Arc;

use super::align::{AlignStep, align, children};
use super::compare::is_edited_version;
use super::lines::SourceLines;
use super::printer::FaithfulPrinter;
use crate::source::Span;
use crate::yaml::node::Node;

/// A child that was removed from its collection.
#[derive(Clone)]
pub(super) struct RemovedChild {
    pub(super) collection: Arc<Node>,
    pub(super) place: usize,
}

/// The children that were removed from the collections of a document, by the places of their
/// values.
#[derive(Default)]
pub(super) struct RemovedChildren(HashMap<Span, RemovedChild>);

impl RemovedChildren {
    /// Compares two versions of a document. Values without bytes are left out, because there is
    /// nothing to move.
    pub(super) fn of(before: &Arc<Node>, after: &Arc<Node>, text: &SourceLines<'_>) -> Self {
        let mut removed = RemovedChildren::default();
        removed.collect(before, after, text);
        removed
    }

    fn collect(&mut self, before: &Arc<Node>, after: &Arc<Node>, text: &SourceLines<'_>) {
        if Arc::ptr_eq(before, after) || !is_edited_version(before, after) {
            return;
        }
        let (Some(old), Some(new)) = (children(before, text), children(after, text)) else {
            return;
        };
        let (old, new) = (old.children, new.children);
        for step in align(&old, &new) {
            match step {
                AlignStep::Keep {
                    old: before,
                    new: after,
                } => {
                    self.collect(old[before].value, new[after].value, text);
                }
                AlignStep::Remove { old: place } => {
                    let span = full_span(old[place].value);
                    if !span.is_empty() {
                        let collection = Arc::clone(before);
                        self.0.insert(span, RemovedChild { collection, place });
                    }
                }
                AlignStep::Insert { .. } => {}
            }
        }
    }
}

impl FaithfulPrinter<'_> {
    /// Returns the removed child that has the value of a new child. Each is returned once, so a
    /// value that is copied several times keeps its comments once.
    pub(super) fn take_removed(&mut self, value: &Node) -> Option<RemovedChild> {
        if self.is_foreign(value) {
            return None;
        }
        if self.removed.is_none() {
            let (before, after) = self.versions.as_ref()?;
            self.removed = Some(RemovedChildren::of(before, after, &self.text));
        }
        self.removed.as_mut()?.0.remove(&full_span(value))
    }
}

fn full_span(value: &Node) -> Span {
    Span::new(value.full_start(), value.full_end())
}
