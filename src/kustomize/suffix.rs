//! The last step of a run: names get the hash of their object as a suffix, and references follow
//! the names.

use std::collections::{BTreeMap, BTreeSet};

use super::field_spec::FieldSpecs;
use super::name_hash::name_hash;
use super::name_reference::update_references;
use crate::kubernetes::{CopiedSuffix, RecordedStep, Resource, ResourceId, record_all};
use crate::provenance::{Recorder, StepKind};
use crate::source::{Code, Diagnostic, Diagnostics, ObjectReference, Reported, Result};
use crate::yaml::Node;

/// Appends the suffix to the name of every object that needs one. Then updates the references to
/// these objects and to objects that patches renamed. Afterwards no object needs a suffix.
///
/// # Errors
/// Reports an object without a hash, an ambiguous reference, and two objects with the same new
/// name. Also fails if an earlier step has reported an error.
pub fn add_suffixes(
    resources: &mut [Resource],
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let renamed = append_hashes(resources, diagnostics)?;
    record_all(resources, recorder, || {
        RecordedStep::at(StepKind::NameHash, None)
    });
    // Patches may have renamed further objects.
    let has_previous_ids = |resource: &Resource| !resource.history.previous_ids.is_empty();
    if !resources.iter().any(has_previous_ids) {
        return diagnostics.outcome();
    }
    update_references(&FieldSpecs::builtin(), resources, diagnostics)?;
    record_all(resources, recorder, || {
        RecordedStep::at(StepKind::NameReference, None)
    });
    for resource in resources.iter_mut() {
        // All references are up to date, so earlier names are no longer needed.
        resource.history.previous_ids.clear();
    }
    for &position in &renamed {
        resources[position].needs_hash = false;
    }
    refuse_existing_names(resources, &renamed, diagnostics)?;
    diagnostics.outcome()
}

/// Appends the suffix to the name of every object that needs one, and records the old name, because
/// references contain it. Returns the positions of these objects. They are still marked as needing
/// a suffix: a kustomization adds one each time that this runs.
///
/// # Errors
/// Reports each object without a hash, and each object that changed after its name was copied with
/// the suffix.
pub fn append_hashes(
    resources: &mut [Resource],
    diagnostics: &mut Diagnostics,
) -> Result<Vec<usize>, Reported> {
    let mut renamed = Vec::new();
    let mut outcome = Ok(());
    for (position, resource) in resources.iter_mut().enumerate() {
        if !resource.needs_hash {
            continue;
        }
        match name_hash(resource) {
            Ok(suffix) => {
                if let Some(copied) = resource.copied_suffix.take()
                    && copied.suffix != suffix
                {
                    outcome = Err(diagnostics.report(changed_later(resource, copied)));
                    continue;
                }
                resource.record_id();
                let name = format!("{}-{suffix}", resource.name());
                resource.set_name(Node::string(name));
                renamed.push(position);
            }
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    outcome.map(|()| renamed)
}

/// Returns the error for a name that was copied with a suffix, when the object changed afterwards.
fn changed_later(resource: &Resource, copied: CopiedSuffix) -> Box<Diagnostic> {
    let name = resource.name();
    let message =
        format!("the suffix of `{name}` changes after its name was copied: its values changed");
    Diagnostic::error(Code::Resource, message)
        .at(copied.location, "copied here")
        .about(resource.object_reference())
        .help("copy the name after everything that changes the object, or turn the suffix off: `options: {disableNameSuffixHash: true}` of the generator")
}

/// Reports a name that another object already has, for example if the output of an earlier run is
/// among the input.
fn refuse_existing_names(
    resources: &[Resource],
    renamed: &[usize],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut new_names = BTreeSet::new();
    for &position in renamed {
        let object = &resources[position];
        new_names.insert((object.kind(), object.name()));
    }
    let mut outcome = Ok(());
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
            let message = format!("the generated `{}` exists already", id.short());
            let error = Diagnostic::error(Code::Resource, message)
                .at(first.name_location(), "")
                .about(ObjectReference::default())
                .help("remove the existing object: an earlier run generated it");
            outcome = Err(diagnostics.report(error));
        }
    }
    outcome
}
