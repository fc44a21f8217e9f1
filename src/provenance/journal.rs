//! The journal, and the handle by which the steps of a build write to it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::record::{Hole, JournalStep, NodeCopy, Records, StepKind, ValuesRecord};
use crate::yaml::Node;

/// The records of one build.
///
/// Templates run on a thread of their own, so the records are behind a lock. Steps run one after
/// the other, and nobody ever waits for it.
#[derive(Debug, Default)]
pub struct Journal {
    records: Mutex<Records>,
}

impl Journal {
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

/// Writes to a journal, or does nothing if there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recorder<'j>(Option<&'j Journal>);

impl Recorder<'_> {
    /// Returns a recorder without a journal.
    pub fn off() -> Recorder<'static> {
        Recorder(None)
    }

    /// Whether there is a journal.
    pub fn is_on(self) -> bool {
        self.0.is_some()
    }

    /// Records a step. `step` runs only if there is a journal.
    pub fn step(self, step: impl FnOnce() -> JournalStep) {
        if let Some(journal) = self.0 {
            let step = step();
            journal.lock().steps.push(step);
        }
    }

    /// Records that an object goes on as another tree.
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
        if let Some(journal) = self.0 {
            let mut records = journal.lock();
            records.holes.extend(holes);
            records.copies.extend(copies);
        }
    }

    /// Records the data values of a library. `values` runs only if there is a journal.
    pub fn values(self, values: impl FnOnce() -> ValuesRecord) {
        if let Some(journal) = self.0 {
            let values = values();
            journal.lock().values.push(values);
        }
    }
}
