//! The objects of a run while patches change them.
//!
//! Most patches name their object, so objects are found by name first, and an object that a patch deletes keeps its place
//! until all patches are applied: many patches on many objects take as long as both together.

use std::collections::BTreeSet;

use crate::kubernetes::Id;
use crate::kubernetes::{Names, Resource};

/// Objects, and which of them patches have deleted.
#[derive(Debug)]
pub struct Patcher<'r> {
    resources: &'r mut Vec<Resource>,
    names: Names,
    deleted: BTreeSet<usize>,
}

impl<'r> Patcher<'r> {
    /// The objects that are to be patched. What patches delete is gone after [`finish`](Self::finish).
    pub fn new(resources: &'r mut Vec<Resource>) -> Patcher<'r> {
        Patcher {
            resources,
            names: Names::default(),
            deleted: BTreeSet::new(),
        }
    }

    /// Takes out what was deleted.
    pub fn finish(mut self) {
        self.all();
    }

    /// All objects that are left.
    pub(super) fn all(&mut self) -> &[Resource] {
        if !self.deleted.is_empty() {
            let mut places = 0..;
            self.resources
                .retain(|_| places.next().is_none_or(|at| !self.deleted.contains(&at)));
            self.deleted.clear();
            self.names.forget();
        }
        self.resources
    }

    /// The places of the objects that may have the name, or had it; of all where none is given.
    pub(super) fn candidates(&mut self, name: Option<&str>) -> Vec<usize> {
        let mut places = self.names.candidates(name, self.resources);
        places.retain(|at| !self.deleted.contains(at));
        places
    }

    /// The places of the objects that are `wanted`, or were before. Namespaces count by their effect.
    pub(super) fn places(&mut self, wanted: Id<'_>) -> Vec<usize> {
        let is_it = |id: Id<'_>| {
            (id.group, id.version, id.kind, id.name)
                == (wanted.group, wanted.version, wanted.kind, wanted.name)
                && id.effective_namespace() == wanted.effective_namespace()
        };
        let mut places = self.candidates(Some(wanted.name));
        places.retain(|&at| {
            self.get(at)
                .is_some_and(|resource| resource.ids().any(is_it))
        });
        places
    }

    pub(super) fn get(&self, at: usize) -> Option<&Resource> {
        self.resources.get(at)
    }

    /// Lets `patch` change the object at a place, and say whether it stays.
    pub(super) fn patch(&mut self, at: usize, patch: impl FnOnce(&mut Resource) -> bool) {
        let Some(resource) = self.resources.get_mut(at) else {
            return;
        };
        if patch(resource) {
            self.names.changed(at, resource);
        } else {
            self.deleted.insert(at);
        }
    }
}
