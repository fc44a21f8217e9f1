//! Objects that an earlier run has generated.
//!
//! Where the outcome of a run is kept and the next one begins with it, as in a package of kpt, the object that a generator
//! makes is there already, under its name with a suffix, and so are the references to it. Such an object is known by its name:
//! the suffix is that of what the object holds, which nobody writes by hand. Object and references lose the suffix before
//! anything else is done, and get the one of this run at its end.

use std::collections::{BTreeMap, BTreeSet};

use super::{Generator, Kind};
use crate::kubernetes::Resource;
use crate::kustomize::name_hash::name_hash;
use crate::kustomize::name_reference::{Renamed, rename_references};
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::Node;

/// A kind, a name without a suffix, and a namespace.
type Name<'a> = (Kind, &'a str, &'a str);

/// Takes the suffixes off the objects that an earlier run has made for `generators`, and returns their places.
///
/// A name that an object has without any suffix is that object's. Several objects with suffixes of one name are an error.
pub(super) fn take_suffixes_off(
    generators: &[Generator],
    resources: &mut [Resource],
    diagnostics: &mut Diagnostics,
) -> BTreeSet<usize> {
    let found = made_earlier(generators, resources);
    let (mut places, mut renamed) = (BTreeSet::new(), Vec::new());
    for (at, name) in found {
        let Some(resource) = resources.get_mut(at) else {
            continue;
        };
        renamed.push(Renamed {
            group: String::new(),
            kind: resource.kind().to_owned(),
            namespace: resource.id().effective_namespace().to_owned(),
            old: resource.name().to_owned(),
            new: name.clone(),
            location: resource
                .node
                .get_in(&["metadata", "name"])
                .and_then(|node| node.location()),
        });
        resource.set_name(Node::string(name));
        resource.needs_hash = true;
        places.insert(at);
    }
    refuse_several(&renamed, diagnostics);
    if !renamed.is_empty() {
        rename_references(resources, &renamed, diagnostics);
    }
    places
}

/// The places of the objects that an earlier run has made, and their names without suffixes.
fn made_earlier(generators: &[Generator], resources: &[Resource]) -> Vec<(usize, String)> {
    let of = |generator: &'_ Generator| -> (Kind, String, String) {
        (
            generator.kind,
            generator.name.value.clone(),
            generator.id().effective_namespace().to_owned(),
        )
    };
    let wanted: BTreeSet<(Kind, String, String)> = generators.iter().map(of).collect();
    let is_wanted = |(kind, name, namespace): Name<'_>| {
        wanted.contains(&(kind, name.to_owned(), namespace.to_owned()))
    };
    let mut plain: BTreeSet<Name<'_>> = BTreeSet::new();
    let mut found: Vec<(usize, Name<'_>)> = Vec::new();
    for (at, resource) in resources.iter().enumerate() {
        let id = resource.id();
        let Some(kind) = Kind::of(id) else { continue };
        let namespace = id.effective_namespace();
        plain.insert((kind, id.name, namespace));
        let Some((name, suffix)) = id.name.rsplit_once('-') else {
            continue;
        };
        if is_wanted((kind, name, namespace))
            && name_hash(resource).is_ok_and(|hash| hash == suffix)
        {
            found.push((at, (kind, name, namespace)));
        }
    }
    found.retain(|(_, name)| !plain.contains(name));
    found
        .into_iter()
        .map(|(at, (_, name, _))| (at, name.to_owned()))
        .collect()
}

fn refuse_several(renamed: &[Renamed], diagnostics: &mut Diagnostics) {
    let mut seen: BTreeMap<(&str, &str, &str), &Renamed> = BTreeMap::new();
    for one in renamed {
        if let Some(first) = seen.insert((&one.kind, &one.new, &one.namespace), one) {
            let message = format!(
                "found several objects that were generated as {} `{}`",
                one.kind, one.new
            );
            diagnostics.push(
                Diagnostic::error(Code::Resource, message)
                    .at(first.location.clone(), "one of them")
                    .at(one.location.clone(), "another one")
                    .help("remove those that are out of date"),
            );
        }
    }
}
