//! The journal, and the handle by which the steps of a build write to it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::record::{
    Hole, JournalStep, NodeCopy, OverlayMatch, OverlayMerge, Records, StepKind, ValuesRecord,
};
use crate::source::Location;
use crate::yaml::Node;

/// The records of one build.
///
/// Templates run on a separate thread, so a lock protects the records. Steps run one after
/// the other, and nobody ever waits for it.
#[derive(Debug, Default)]
pub struct Journal {
    records: Mutex<Records>,
    /// Whether it contains only the matches of overlays, which no other journal does.
    is_of_matches: bool,
}

/// The most matches, and the most merges, that a journal contains. An editor shows one file.
const MOST_MATCHES: usize = 50_000;

impl Journal {
    /// Creates a journal of what overlays match, for editors. It has no steps.
    pub fn of_matches() -> Journal {
        Journal {
            is_of_matches: true,
            ..Journal::default()
        }
    }

    /// Returns the handle that writes to this journal.
    pub fn recorder(&self) -> Recorder<'_> {
        Recorder(Some(self))
    }

    /// Returns everything that was recorded, in the order in which it happened.
    pub fn into_records(self) -> Records {
        self.records
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    // A thread that panics between two records leaves complete ones.
    fn lock(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes to a journal, or does nothing without one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recorder<'j>(Option<&'j Journal>);

impl<'j> Recorder<'j> {
    /// Returns a recorder without a journal.
    pub fn off() -> Recorder<'static> {
        Recorder(None)
    }

    /// Returns whether there is a journal of steps.
    pub fn is_on(self) -> bool {
        self.of_steps().is_some()
    }

    /// Returns whether there is a journal of what overlays match.
    pub fn takes_matches(self) -> bool {
        self.of_matches().is_some()
    }

    fn of_steps(self) -> Option<&'j Journal> {
        self.0.filter(|journal| !journal.is_of_matches)
    }

    fn of_matches(self) -> Option<&'j Journal> {
        self.0.filter(|journal| journal.is_of_matches)
    }

    /// Records a step. `step` runs only if there is a journal.
    pub fn step(self, step: impl FnOnce() -> JournalStep) {
        if let Some(journal) = self.of_steps() {
            let step = step();
            journal.lock().steps.push(step);
        }
    }

    /// Records that an object continues as another tree.
    pub fn rewritten(self, before: &Arc<Node>, after: &Arc<Node>) {
        if !Arc::ptr_eq(before, after) {
            self.step(|| JournalStep {
                kind: StepKind::Rewritten,
                place: None,
                before: Some(Arc::clone(before)),
                after: Some(Arc::clone(after)),
                written: None,
                edits: Vec::new(),
                reads: Vec::new(),
            });
        }
    }

    /// Records nodes that expressions made, and their copies.
    pub fn evaluated(self, holes: Vec<Hole>, copies: Vec<NodeCopy>) {
        if let Some(journal) = self.of_steps() {
            let mut records = journal.lock();
            records.holes.extend(holes);
            records.copies.extend(copies);
        }
    }

    /// Records the data values of a library. `values` runs only if there is a journal.
    pub fn values(self, values: impl FnOnce() -> ValuesRecord) {
        if let Some(journal) = self.of_steps() {
            let values = values();
            journal.lock().values.push(values);
        }
    }

    /// Records what a part of an overlay matched. `found` runs only if there is a journal of that.
    pub fn matched(self, found: impl FnOnce() -> Option<OverlayMatch>) {
        if let Some(journal) = self.of_matches()
            && let Some(found) = found()
        {
            let matches = &mut journal.lock().matches;
            if matches.len() < MOST_MATCHES {
                matches.push(found);
            }
        }
    }

    /// Records what a part of an overlay is merged into.
    pub fn merging(self, part: Option<&Location>, left: &Arc<Node>) {
        if let (Some(journal), Some(part)) = (self.of_matches(), part) {
            let merges = &mut journal.lock().merges;
            if merges.len() < MOST_MATCHES {
                merges.push(OverlayMerge {
                    part: part.clone(),
                    left: Arc::clone(left),
                });
            }
        }
    }
}
