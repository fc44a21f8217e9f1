//! The objects and settings that a kustomization has collected so far.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::kubernetes::{Resource, ResourceId};
use crate::kustomize::Variables;
use crate::kustomize::field_spec::FieldSpecs;
use crate::source::{Code, Diagnostic, Result};

/// The objects and settings of a kustomization and of everything that it includes.
#[derive(Default)]
pub(super) struct Accumulator {
    /// The objects in the order in which they were added.
    pub(super) resources: Vec<Resource>,
    /// The fields that transformers change: those of kustomize, of `configurations` and of `crds`,
    /// also of what is included.
    pub(super) specs: FieldSpecs,
    /// The variables, also of what is included.
    pub(super) variables: Variables,
    /// The ids of `resources`, while nothing but [`append`](Self::append) changes them.
    ids: Option<HashMap<OwnedId, usize>>,
}

/// An id that can be looked up, with the namespace by which kustomize compares.
#[derive(PartialEq, Eq, Hash)]
struct OwnedId {
    group: String,
    version: String,
    kind: String,
    name: String,
    namespace: String,
}

impl OwnedId {
    fn new(id: ResourceId<'_>) -> OwnedId {
        OwnedId {
            group: id.group.to_owned(),
            version: id.version.to_owned(),
            kind: id.kind.to_owned(),
            name: id.name.to_owned(),
            namespace: id.scoped_namespace().to_owned(),
        }
    }
}

impl Accumulator {
    /// Adds objects.
    ///
    /// # Errors
    /// An object with the current id of one of them is there already.
    pub(super) fn append(&mut self, added: Vec<Resource>) -> Result<()> {
        let ids = match &mut self.ids {
            Some(ids) => ids,
            ids => ids.insert(index(&self.resources)),
        };
        for resource in added {
            // A refused object must not replace the first one in the index: it has no position, and
            // a third object would be compared with it.
            match ids.entry(OwnedId::new(resource.id())) {
                Entry::Occupied(first) => {
                    return Err(clash(&self.resources[*first.get()], &resource));
                }
                Entry::Vacant(free) => free.insert(self.resources.len()),
            };
            self.resources.push(resource);
        }
        Ok(())
    }

    /// Returns the objects for a step that may rename, add or remove some.
    pub(super) fn edit(&mut self) -> &mut Vec<Resource> {
        self.ids = None;
        &mut self.resources
    }

    /// Checks that no two objects have the same current id.
    ///
    /// # Errors
    /// Two objects do.
    pub(super) fn check_ids(&self) -> Result<()> {
        let mut ids = HashMap::with_capacity(self.resources.len());
        for resource in &self.resources {
            if let Some(first) = ids.insert(OwnedId::new(resource.id()), resource) {
                return Err(clash(first, resource));
            }
        }
        Ok(())
    }
}

fn index(resources: &[Resource]) -> HashMap<OwnedId, usize> {
    let mut ids = HashMap::with_capacity(resources.len());
    for (position, resource) in resources.iter().enumerate() {
        // Renamed objects may have equal ids, which is reported when the steps are done.
        ids.entry(OwnedId::new(resource.id())).or_insert(position);
    }
    ids
}

fn clash(first: &Resource, second: &Resource) -> Box<Diagnostic> {
    let message = format!(
        "may not add resource with an already registered id: {}",
        second.id()
    );
    Diagnostic::error(Code::Resource, message)
        .at(first.name_location(), "the first object")
        .at(second.name_location(), "the second object")
        .help("give one of them another name or namespace, or include its file only once")
}
