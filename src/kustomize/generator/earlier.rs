//! Objects that an earlier run generated.
//!
//! If the output of a run is the input of the next, as in a kpt package, the object of a generator
//! already exists. Its name and all references to it contain a suffix. The object is recognized by
//! this suffix, which is the hash of the object: nobody writes such a name by hand. The suffix is
//! removed from the object and the references first, and the new one is added at the end of the
//! run.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Generator, GeneratorKind};
use crate::kubernetes::{Resource, ResourceId};
use crate::kustomize::field_spec::FieldSpecs;
use crate::kustomize::name_hash::name_hash;
use crate::kustomize::name_reference::update_references;
use crate::source::{Code, Diagnostic, Diagnostics, Reported};
use crate::yaml::Node;

/// Identifies an object that a generator can create.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GeneratedName<'a> {
    kind: GeneratorKind,
    /// The name without a suffix.
    name: &'a str,
    namespace: &'a str,
}

/// Removes the suffixes from the objects that an earlier run generated for `generators`, and
/// returns their indices. References to them keep the suffixes.
///
/// If an object has a name without any suffix, the name means that object.
pub(super) fn remove_suffixes(
    generators: &[Generator],
    resources: &mut [Resource],
) -> BTreeSet<usize> {
    let mut indices = BTreeSet::new();
    for (index, name) in generated_earlier(generators, resources) {
        let resource = &mut resources[index];
        resource.record_id();
        resource.set_name(Node::string(name));
        resource.needs_hash = true;
        indices.insert(index);
    }
    indices
}

/// Removes the suffixes from the references to the objects at `indices`, which an earlier run
/// generated.
///
/// # Errors
/// Reports objects that have the same name without their suffixes, and ambiguous references.
pub(super) fn update_references_to(
    indices: &BTreeSet<usize>,
    resources: &mut [Resource],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let unique = refuse_ambiguous(indices, resources, diagnostics);
    let updated = update_references(&FieldSpecs::builtin(), resources, diagnostics);
    for &index in indices {
        resources[index].history.previous_ids.pop();
    }
    unique.and(updated)
}

/// Returns the indices of the objects that an earlier run generated, with their names without
/// suffixes.
fn generated_earlier(generators: &[Generator], resources: &[Resource]) -> Vec<(usize, String)> {
    let mut wanted = BTreeSet::new();
    for generator in generators {
        wanted.insert(GeneratedName {
            kind: generator.kind,
            name: &generator.name.value,
            namespace: generator.id().effective_namespace(),
        });
    }
    let mut without_suffix = BTreeSet::new();
    let mut found = Vec::new();
    for (index, resource) in resources.iter().enumerate() {
        let id = resource.id();
        let Some(kind) = GeneratorKind::of(id) else {
            continue;
        };
        let whole = GeneratedName {
            kind,
            name: id.name,
            namespace: id.effective_namespace(),
        };
        without_suffix.insert(whole);
        let Some((name, suffix)) = id.name.rsplit_once('-') else {
            continue;
        };
        let stem = GeneratedName { name, ..whole };
        // The hash is computed last: it takes the time of the whole object.
        if wanted.contains(&stem) && name_hash(resource).is_ok_and(|hash| hash == suffix) {
            found.push((index, stem));
        }
    }
    found.retain(|(_, stem)| !without_suffix.contains(stem));
    found
        .into_iter()
        .map(|(index, stem)| (index, stem.name.to_owned()))
        .collect()
}

fn refuse_ambiguous(
    indices: &BTreeSet<usize>,
    resources: &[Resource],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    let mut seen: BTreeMap<ResourceId<'_>, &Resource> = BTreeMap::new();
    for &index in indices {
        let object = &resources[index];
        let id = ResourceId {
            namespace: object.id().effective_namespace(),
            ..object.id()
        };
        let Some(first) = seen.insert(id, object) else {
            continue;
        };
        let message = format!(
            "found several objects that were generated as `{}`",
            object.id().short()
        );
        let error = Diagnostic::error(Code::Resource, message)
            .at(first.name_location(), "one of them")
            .at(object.name_location(), "another one")
            .help("remove those that are out of date");
        outcome = Err(diagnostics.report(error));
    }
    outcome
}
