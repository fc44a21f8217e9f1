//! The journal, and the handle with which the steps of a build write to it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::record::{
    Hole, JournalStep, NodeCopy, OverlayMatch, OverlayMerge, Records, StepKind, ValuesRecord,
};
use crate::source::Location;
use crate::yaml::Node;

/// The records of one build.
///
/// Templates run on a separate thread, so a lock protects the records. Steps run one after another,
/// so no thread ever waits for the lock.
#[derive(Debug, Default)]
pub struct Journal {
    records: Mutex<Records>,
    /// Whether it contains only the matches of overlays. Other journals do not contain matches.
    is_of_matches: bool,
}

/// The maximum number of matches, and of merges, in a journal. An editor shows one file.
const MOST_MATCHES: usize = 50_000;

impl Journal {
    /// Creates a journal of overlay matches, for editors. It contains no steps.
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

    /// Returns all records, in the order in which they were made.
    pub fn into_records(self) -> Records {
        self.records
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    // If a thread panics between two records, the existing ones are complete.
    fn lock(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes to a journal, or does nothing if there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recorder<'j>(Option<&'j Journal>);

impl<'j> Recorder<'j> {
    /// Returns a recorder without a journal.
    pub fn off() -> Recorder<'static> {
        Recorder(None)
    }

    /// Returns whether steps are recorded.
    pub fn is_on(self) -> bool {
        self.of_steps().is_some()
    }

    /// Returns whether overlay matches are recorded.
    pub fn takes_matches(self) -> bool {
        self.of_matches().is_some()
    }

    fn of_steps(self) -> Option<&'j Journal> {
        self.0.filter(|journal| !journal.is_of_matches)
    }

    fn of_matches(self) -> Option<&'j Journal> {
        self.0.filter(|journal| journal.is_of_matches)
    }

    /// Records a step. `step` is called only if there is a journal.
    pub fn step(self, step: impl FnOnce() -> JournalStep) {
        if let Some(journal) = self.of_steps() {
            let step = step();
            journal.lock().steps.push(step);
        }
    }

    /// Records that another tree replaces the tree of an object.
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

    /// Records nodes that expressions created, and copies of them.
    pub fn evaluated(self, holes: Vec<Hole>, copies: Vec<NodeCopy>) {
        if let Some(journal) = self.of_steps() {
            let mut records = journal.lock();
            records.holes.extend(holes);
            records.copies.extend(copies);
        }
    }

    /// Records the data values of a library. `values` is called only if there is a journal.
    pub fn values(self, values: impl FnOnce() -> ValuesRecord) {
        if let Some(journal) = self.of_steps() {
            let values = values();
            journal.lock().values.push(values);
        }
    }

    /// Records the matches of an overlay part. `found` is called only if matches are recorded.
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

    /// Records the collection that an overlay part is merged into.
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
