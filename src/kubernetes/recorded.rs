//! Records what steps make of objects, for `explain`.
//!
//! An object keeps the root that was recorded last. After a step, another root means that the step
//! changed the object. So a step that visits all objects, as a transformer of kustomize does, needs
//! no code for it.

use std::sync::Arc;

use super::resource::Resource;
use crate::provenance::{FieldRead, JournalStep, Recorder, StepKind, WrittenEdit};
use crate::source::Location;
use crate::yaml::Node;

/// What changed an object.
#[derive(Clone, Debug)]
pub struct RecordedStep {
    /// Who changes objects.
    pub kind: StepKind,
    /// Where it is configured.
    pub place: Option<Location>,
    /// The tree in which the change is written, if it has the shape of the object.
    pub written: Option<Arc<Node>>,
    /// The edits of which the step consists, if each has a path.
    pub edits: Vec<WrittenEdit>,
    /// The fields that values were copied from.
    pub reads: Vec<FieldRead>,
}

impl RecordedStep {
    /// Returns a step that needs no more than its place to be understood.
    pub fn at(kind: StepKind, place: Option<Location>) -> RecordedStep {
        RecordedStep {
            kind,
            place,
            written: None,
            edits: Vec::new(),
            reads: Vec::new(),
        }
    }

    /// Returns the record of the step for one object, with its root before and after.
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
    /// Takes the object as it is for what it was before the steps to come.
    pub fn start_record(&mut self, recorder: Recorder<'_>) {
        if recorder.is_on() {
            self.history.recorded = Some(Arc::clone(&self.node));
        }
    }

    /// Records what a step made of the object since the last record. An object that was never
    /// recorded was created by the step.
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

/// Records what a step made of all objects.
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

/// Takes all objects as they are for what they were before the steps to come.
pub fn start_records(resources: &mut [Resource], recorder: Recorder<'_>) {
    if recorder.is_on() {
        for resource in resources {
            resource.start_record(recorder);
        }
    }
}
