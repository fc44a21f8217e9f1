//! The end of a run: names that follow from what objects hold, and the references to them.

use std::collections::{BTreeMap, BTreeSet};

use super::name_hash::name_hash;
use super::name_reference::{Renamed, rename_references};
use crate::kubernetes::Resource;
use crate::source::{Code, Diagnostic, Diagnostics, ObjectReference, Result};
use crate::yaml::Node;

/// Puts the suffix on the name of every object that wants one, and writes the new names into the objects that refer to
/// them.
///
/// Each wants it once: afterwards no object does. What fails adds an error.
pub fn add_suffixes(resources: &mut [Resource], diagnostics: &mut Diagnostics) {
    let mut renamed = Vec::new();
    for resource in resources.iter_mut().filter(|resource| resource.needs_hash) {
        resource.needs_hash = false;
        renamed.extend(diagnostics.take(add_suffix(resource)));
    }
    if renamed.is_empty() {
        return;
    }
    rename_references(resources, &renamed, diagnostics);
    refuse_twins(resources, &renamed, diagnostics);
}

fn add_suffix(resource: &mut Resource) -> Result<Renamed> {
    let suffix = name_hash(resource)?;
    let (group, kind, old) = (resource.group(), resource.kind(), resource.name());
    let renamed = Renamed {
        group: group.to_owned(),
        kind: kind.to_owned(),
        namespace: resource.id().effective_namespace().to_owned(),
        old: old.to_owned(),
        new: format!("{old}-{suffix}"),
        location: resource
            .node
            .get_in(&["metadata", "name"])
            .and_then(|node| node.location()),
    };
    resource.set_name(Node::string(&*renamed.new));
    Ok(renamed)
}

/// A name with its suffix may be that of an object that was there before, as where a package holds what was generated
/// into it earlier.
fn refuse_twins(resources: &[Resource], renamed: &[Renamed], diagnostics: &mut Diagnostics) {
    let names: BTreeSet<(&str, &str)> = renamed.iter().map(|one| (&*one.kind, &*one.new)).collect();
    let mut seen: BTreeMap<(&str, &str, &str, &str), &Resource> = BTreeMap::new();
    for resource in resources {
        let id = resource.id();
        let (group, kind, name, namespace) = (id.group, id.kind, id.name, id.effective_namespace());
        if !names.contains(&(kind, name)) {
            continue;
        }
        if let Some(first) = seen.insert((group, kind, name, namespace), resource) {
            let location = first
                .node
                .get_in(&["metadata", "name"])
                .and_then(|node| node.location());
            let message = format!("the generated {kind} `{name}` exists already");
            diagnostics.push(
                Diagnostic::error(Code::Resource, message)
                    .at(location, "")
                    .about(ObjectReference::default())
                    .help("remove the object that is there: it was generated before"),
            );
        }
    }
}
