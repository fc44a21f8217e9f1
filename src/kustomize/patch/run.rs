//! The objects of a run while patches change them.
//!
//! Most patches select one object, so objects are found by an index. An object that a patch deletes
//! keeps its index until all patches are applied. So many patches on many objects take linear time.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::kubernetes::{
    OpenApiSchema, RecordedStep, Resource, ResourceId, SelectorHint, SelectorIndex, id_hints,
};
use crate::provenance::Recorder;

/// The objects, including those that patches have deleted.
#[derive(Debug)]
pub struct PatchRun<'r> {
    resources: &'r mut Vec<Resource>,
    objects: SelectorIndex,
    /// The indices of deleted objects, which are still in `resources`.
    deleted: BTreeSet<usize>,
    recorder: Recorder<'r>,
    /// The schema of the build, which replaces the built-in rules.
    schema: Option<Arc<OpenApiSchema>>,
}

impl<'r> PatchRun<'r> {
    /// Starts a run on `resources`. Deleted objects are removed by [`finish`](Self::finish).
    pub fn new(resources: &'r mut Vec<Resource>) -> PatchRun<'r> {
        PatchRun {
            resources,
            objects: SelectorIndex::default(),
            deleted: BTreeSet::new(),
            recorder: Recorder::off(),
            schema: None,
        }
    }

    /// Records what the patches change.
    pub fn recorded(self, recorder: Recorder<'r>) -> PatchRun<'r> {
        PatchRun { recorder, ..self }
    }

    /// Sets the schema by which lists are merged, instead of the built-in rules.
    pub fn with_schema(self, schema: Option<Arc<OpenApiSchema>>) -> PatchRun<'r> {
        PatchRun { schema, ..self }
    }

    /// Returns the schema of `openapi`, if the kustomization has one.
    pub(super) fn schema(&self) -> Option<&Arc<OpenApiSchema>> {
        self.schema.as_ref()
    }

    /// Removes the deleted objects.
    pub fn finish(mut self) {
        self.remaining();
    }

    /// Removes the deleted objects and returns the others. This changes indices.
    pub(super) fn remaining(&mut self) -> &[Resource] {
        if !self.deleted.is_empty() {
            let mut index = 0;
            self.resources.retain(|_| {
                let is_kept = !self.deleted.contains(&index);
                index += 1;
                is_kept
            });
            self.deleted.clear();
            self.objects.clear();
        }
        self.resources
    }

    /// Returns the indices of the objects that a selector may match.
    pub(super) fn candidates(&mut self, hints: &[SelectorHint<'_>]) -> Vec<usize> {
        let mut indices = self.objects.candidates(hints, self.resources);
        indices.retain(|index| !self.deleted.contains(index));
        indices
    }

    /// Returns the indices of the objects that have, or have had, the id. Namespaces are compared
    /// by their effect: the namespace of a cluster-scoped object is ignored.
    pub(super) fn find(&mut self, wanted: ResourceId<'_>) -> Vec<usize> {
        let compared = ResourceId {
            namespace: wanted.scoped_namespace(),
            ..wanted
        };
        let mut indices = self.candidates(&id_hints(compared));
        indices.retain(|&index| {
            let mut ids = self.resources[index].ids();
            ids.any(|id| id.is_same_object(wanted))
        });
        indices
    }

    /// Returns the object at a position.
    pub(super) fn get(&self, index: usize) -> &Resource {
        &self.resources[index]
    }

    /// Lets `patch` change an object. If it returns false, the object is deleted. `step` is what is
    /// recorded.
    pub(super) fn patch(
        &mut self,
        index: usize,
        step: impl FnOnce() -> RecordedStep,
        patch: impl FnOnce(&mut Resource) -> bool,
    ) {
        let resource = &mut self.resources[index];
        if patch(resource) {
            resource.record(self.recorder, step);
            self.objects.update(index, resource);
        } else {
            resource.record_removal(self.recorder, step);
            self.deleted.insert(index);
        }
    }
}
