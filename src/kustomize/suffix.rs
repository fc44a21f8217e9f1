//! The last step of a run: names get the hash of their object as a suffix, and references follow
//! the names.

use std::collections::{BTreeMap, BTreeSet};

use super::name_hash::name_hash;
use super::name_reference::{RenamedObject, rename_references};
use crate::kubernetes::{Resource, ResourceId};
use crate::source::{Code, Diagnostic, Diagnostics, ObjectReference, Reported, Result};
use crate::yaml::Node;

/// Appends the suffix to the name of every object that needs one, and writes the new names into the
/// objects that refer to them. Afterwards no object needs a suffix.
///
/// # Errors
/// Reports an object that has no hash, an ambiguous reference, and two objects that have the same
/// name now.
pub fn add_suffixes(
    resources: &mut [Resource],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut renamed = Vec::new();
    for resource in resources.iter_mut().filter(|resource| resource.needs_hash) {
        resource.needs_hash = false;
        match add_suffix(resource) {
            Ok(object) => renamed.push(object),
            Err(error) => diagnostics.push(error),
        }
    }
    if !renamed.is_empty() {
        rename_references(resources, &renamed, diagnostics);
        refuse_existing_names(resources, &renamed, diagnostics);
    }
    diagnostics.outcome()
}

/// Appends the suffix to the name of every object that needs one, and records the names before it,
/// by which references find the objects. The objects still need a suffix: a kustomization adds one
/// each time that this runs.
///
/// # Errors
/// Reports each object that has no hash.
pub fn append_hashes(
    resources: &mut [Resource],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for resource in resources.iter_mut().filter(|resource| resource.needs_hash) {
        match name_hash(resource) {
            Ok(suffix) => {
                resource.record_id();
                let name = format!("{}-{suffix}", resource.name());
                resource.set_name(Node::string(name));
            }
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    outcome
}

fn add_suffix(resource: &mut Resource) -> Result<RenamedObject> {
    let suffix = name_hash(resource)?;
    let name = format!("{}-{suffix}", resource.name());
    let renamed = RenamedObject::new(resource, name);
    resource.set_name(Node::string(&*renamed.new));
    Ok(renamed)
}

/// Reports a name that another object already has, for example if the output of an earlier run is
/// among the input.
fn refuse_existing_names(
    resources: &[Resource],
    renamed: &[RenamedObject],
    diagnostics: &mut Diagnostics,
) {
    let mut new_names = BTreeSet::new();
    for object in renamed {
        new_names.insert((&*object.kind, &*object.new));
    }
    let mut seen: BTreeMap<ResourceId<'_>, &Resource> = BTreeMap::new();
    for resource in resources {
        let id = resource.id();
        if !new_names.contains(&(id.kind, id.name)) {
            continue;
        }
        // Objects that differ only in their version are the same object to the API server.
        let identity = ResourceId {
            version: "",
            namespace: id.effective_namespace(),
            ..id
        };
        if let Some(first) = seen.insert(identity, resource) {
            let message = format!("the generated {} `{}` exists already", id.kind, id.name);
            diagnostics.push(
                Diagnostic::error(Code::Resource, message)
                    .at(first.name_location(), "")
                    .about(ObjectReference::default())
                    .help("remove the existing object: an earlier run generated it"),
            );
        }
    }
}
