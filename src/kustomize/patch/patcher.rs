//! The objects of a run while patches change them.
//!
//! Most patches name their object. A table of names is made for the first of them and holds until names may have changed, so
//! that many patches on many objects take as long as both together.

use std::collections::{BTreeSet, HashMap};

use super::PatchOptions;
use super::Settings;
use crate::kustomize::Resource;
use crate::kustomize::id::Id;

/// Objects, and which of them patches have deleted.
#[derive(Debug)]
pub struct Patcher<'r> {
    resources: &'r mut Vec<Resource>,
    /// The places of the objects by kind and name, also those that they had before; `None` where that may be out of date.
    names: Option<HashMap<(String, String), Vec<usize>>>,
    deleted: BTreeSet<usize>,
}

impl<'r> Patcher<'r> {
    /// The objects that are to be patched. What patches delete is gone after [`finish`](Self::finish).
    pub fn new(resources: &'r mut Vec<Resource>) -> Patcher<'r> {
        Patcher { resources, names: None, deleted: BTreeSet::new() }
    }

    /// Takes out what was deleted.
    pub fn finish(mut self) {
        self.all();
    }

    /// All objects, for a patch that chooses among them and may change their names.
    pub(super) fn all(&mut self) -> &mut Vec<Resource> {
        self.names = None;
        if !self.deleted.is_empty() {
            let deleted = std::mem::take(&mut self.deleted);
            let mut at = 0;
            self.resources.retain(|_| {
                at += 1;
                !deleted.contains(&(at - 1))
            });
        }
        self.resources
    }

    /// The places of the objects that are `wanted`, or were before. Namespaces count by their effect.
    pub(super) fn places(&mut self, wanted: Id<'_>) -> Vec<usize> {
        let is_it = |id: Id<'_>| {
            (id.group, id.version, id.kind, id.name) == (wanted.group, wanted.version, wanted.kind, wanted.name)
                && id.effective_namespace() == wanted.effective_namespace()
        };
        let names = self.names.get_or_insert_with(|| names_of(self.resources));
        let known = names.get(&(wanted.kind.to_owned(), wanted.name.to_owned())).map_or(&[][..], |places| places);
        let is_there = |at: &usize| {
            let found = self.resources.get(*at).is_some_and(|resource| resource.ids().any(is_it));
            found && !self.deleted.contains(at)
        };
        known.iter().copied().filter(is_there).collect()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Resource> {
        self.resources.get(at)
    }

    /// The object at a place, for a patch that names it.
    pub(super) fn get_mut(&mut self, at: usize, settings: &Settings) -> Option<&mut Resource> {
        if PatchOptions::is_on(settings.options.allow_name_change.as_ref())
            || PatchOptions::is_on(settings.options.allow_kind_change.as_ref())
        {
            self.names = None;
        }
        self.resources.get_mut(at)
    }

    pub(super) fn delete(&mut self, at: usize) {
        self.deleted.insert(at);
    }
}

fn names_of(resources: &[Resource]) -> HashMap<(String, String), Vec<usize>> {
    let mut names: HashMap<(String, String), Vec<usize>> = HashMap::with_capacity(resources.len());
    for (at, resource) in resources.iter().enumerate() {
        for id in resource.ids() {
            let places = names.entry((id.kind.to_owned(), id.name.to_owned())).or_default();
            if places.last() != Some(&at) {
                places.push(at);
            }
        }
    }
    names
}
