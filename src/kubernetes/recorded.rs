//! Records the changes that steps make to objects, for `explain`.
//!
//! An object keeps the most recently recorded root. If it has another root after a step, the step
//! changed it. A step that visits all objects, such as a transformer of kustomize, therefore needs
//! no code for recording.

use std::sync::Arc;

use super::resource::Resource;
use crate::provenance::{FieldRead, JournalStep, Recorder, StepKind, WrittenEdit};
use crate::source::Location;
use crate::yaml::Node;

/// A step that changed an object.
#[derive(Clone, Debug)]
pub struct RecordedStep {
    /// The kind of the step.
    pub kind: StepKind,
    /// The place where the step is configured.
    pub place: Option<Location>,
    /// The tree in which the change is written, if it has the shape of the object.
    pub written: Option<Arc<Node>>,
    /// The edits that the step consists of, if each of them has a path.
    pub edits: Vec<WrittenEdit>,
    /// The fields that values were copied from.
    pub reads: Vec<FieldRead>,
}

impl RecordedStep {
    /// Creates a step that is fully described by its place.
    pub fn at(kind: StepKind, place: Option<Location>) -> RecordedStep {
        RecordedStep {
            kind,
            place,
            written: None,
            edits: Vec::new(),
            reads: Vec::new(),
        }
    }

    /// Returns the journal entry of the step for one object, with the roots before and after.
    fn changing(self, before: Option<Arc<Node>>, after: Option<Arc<Node>>) -> JournalStep {
        JournalStep {
            kind: self.kind,
            place: self.place,
            before,
            after,
            written: self.written,
            edits: self.edits,
            reads: self.reads,
        }
    }
}

impl Resource {
    /// Takes the current tree as the state before the following steps.
    pub fn start_record(&mut self, recorder: Recorder<'_>) {
        if recorder.is_on() {
            self.history.recorded = Some(Arc::clone(&self.node));
        }
    }

    /// Records the change by a step since the last record. An object without a record was created
    /// by the step.
    pub fn record(&mut self, recorder: Recorder<'_>, step: impl FnOnce() -> RecordedStep) {
        if !recorder.is_on() {
            return;
        }
        let is_same = |before: &Arc<Node>| Arc::ptr_eq(before, &self.node);
        if self.history.recorded.as_ref().is_some_and(is_same) {
            return;
        }
        let before = self.history.recorded.replace(Arc::clone(&self.node));
        recorder.step(|| step().changing(before, Some(Arc::clone(&self.node))));
    }

    /// Records that a step removed the object.
    pub fn record_removal(&self, recorder: Recorder<'_>, step: impl FnOnce() -> RecordedStep) {
        recorder.step(|| {
            let before = self.history.recorded.as_ref().unwrap_or(&self.node);
            step().changing(Some(Arc::clone(before)), None)
        });
    }
}

/// Records the changes by a transformer with several entries, each of which is a step.
#[derive(Clone, Copy, Debug)]
pub struct EntryRecorder<'r> {
    /// Gets the changes.
    pub recorder: Recorder<'r>,
    /// The step of each entry.
    pub steps: &'r [RecordedStep],
}

impl EntryRecorder<'_> {
    /// Returns a recorder that records nothing.
    pub fn off() -> EntryRecorder<'static> {
        EntryRecorder {
            recorder: Recorder::off(),
            steps: &[],
        }
    }

    /// Returns whether changes are recorded.
    pub fn is_on(&self) -> bool {
        self.recorder.is_on() && !self.steps.is_empty()
    }

    /// Records the change of an object by an entry since the last record.
    pub fn record(&self, entry: usize, resource: &mut Resource) {
        if let Some(step) = self.steps.get(entry) {
            resource.record(self.recorder, || step.clone());
        }
    }
}

/// Records the changes by a step to all objects.
pub fn record_all(
    resources: &mut [Resource],
    recorder: Recorder<'_>,
    step: impl Fn() -> RecordedStep,
) {
    if recorder.is_on() {
        for resource in resources {
            resource.record(recorder, &step);
        }
    }
}

/// Takes the current trees of all objects as the state before the following steps.
pub fn start_records(resources: &mut [Resource], recorder: Recorder<'_>) {
    if recorder.is_on() {
        for resource in resources {
            resource.start_record(recorder);
        }
    }
}
