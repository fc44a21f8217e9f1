//! Carrying out an entry: a new object, or the values of one that is there.
//!
//! kustomize puts the generated object in the place of the one that is there, with the old values copied into it, and
//! loses what generated objects do not have on the way: `immutable` and the `type` of a Secret. Here the object that is
//! there is edited, and keeps all that the entry does not speak of, its order and comments too.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::earlier::take_suffixes_off;
use super::merge_values::merge_values;
use super::object::{base64, mapping, object, sorted, texts};
use super::pairs::{Bytes, Pair, read};
use super::{Behavior, Generator, Kind};
use crate::edit::{MergeOptions, Unlike, merge};
use crate::kubernetes::Id;
use crate::kubernetes::SourceSelector;
use crate::kubernetes::{Resource, near_miss};
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result, Source};
use crate::typed::Spanned;
use crate::yaml::{Entry, Node, relink};

/// kustomize puts a suffix on the names of generated objects that have this annotation, and removes it.
const NEEDS_HASH: &str = "kustomize.config.k8s.io/needs-hash";

/// kustomize does with a generated object what this annotation says, and removes it.
const BEHAVIOR: &str = "kustomize.config.k8s.io/behavior";

/// kustomize marks objects whose names get a suffix with it until the end of its run.
const MARKED_FOR_SUFFIX: &str = "internal.config.kubernetes.io/needsHashSuffix";

/// What the objects of a run are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// All that there are: generated ones join them, and their names get suffixes here.
    Transformer,
    /// Those that are generated and no others: kustomize merges them and puts suffixes on their names, as annotations
    /// tell it.
    Generator,
}

/// Texts with annotations, which are applied as overlays; the rooms that can do so stand above this one.
pub trait TextOverlays {
    /// Whether a text has annotations.
    fn is_overlay(&self, text: &Arc<Source>) -> bool;

    /// The documents after the overlay was applied to them; `None` where that failed, and `diagnostics` says why.
    fn apply(
        &self,
        text: &Arc<Source>,
        documents: &[Arc<Node>],
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<Arc<Node>>>;
}

/// Where an entry is carried out.
#[derive(Clone, Copy)]
pub struct Host<'h> {
    /// What the objects are.
    pub role: Role,
    /// Where the entry's files are read.
    pub folder: &'h Folder<'h>,
    /// What can be done with texts that have annotations.
    pub overlays: &'h dyn TextOverlays,
}

/// Carries out entries in their order. What fails adds an error.
pub fn apply(
    generators: &[Generator],
    host: &Host<'_>,
    resources: &mut Vec<Resource>,
    diagnostics: &mut Diagnostics,
) {
    let mut earlier = match host.role {
        Role::Transformer => take_suffixes_off(generators, resources, diagnostics),
        Role::Generator => BTreeSet::new(),
    };
    let mut known = Known::of(resources);
    for generator in generators {
        if diagnostics.is_full() {
            return;
        }
        let Some(pairs) = diagnostics.take(read(generator, host.folder)) else {
            continue;
        };
        let outcome = match host.role {
            Role::Generator => {
                for_kustomize(generator, &pairs).map(|resource| resources.push(resource))
            }
            Role::Transformer => among(
                generator,
                &pairs,
                host.overlays,
                resources,
                (&mut known, &mut earlier),
                diagnostics,
            ),
        };
        diagnostics.take(
            outcome.map_err(|error| error.at(generator.name.location.clone(), "the generator")),
        );
    }
}

/// Where the ConfigMaps and Secrets are, by kind, name and namespace, also those that they had before.
struct Known(HashMap<(Kind, String, String), Vec<usize>>);

impl Known {
    fn of(resources: &[Resource]) -> Known {
        let mut known = Known(HashMap::new());
        resources
            .iter()
            .enumerate()
            .for_each(|(at, resource)| known.add(at, resource));
        known
    }

    fn add(&mut self, at: usize, resource: &Resource) {
        for id in resource.ids() {
            let Some(kind) = Kind::of(id) else { continue };
            let places = self
                .0
                .entry((
                    kind,
                    id.name.to_owned(),
                    id.effective_namespace().to_owned(),
                ))
                .or_default();
            if places.last() != Some(&at) {
                places.push(at);
            }
        }
    }

    /// The places of the objects with an id of the kind given.
    fn places(&self, kind: Kind, id: Id<'_>) -> Vec<usize> {
        let key = (
            kind,
            id.name.to_owned(),
            id.effective_namespace().to_owned(),
        );
        self.0.get(&key).cloned().unwrap_or_default()
    }
}

/// The object with what kustomize has to know about it.
fn for_kustomize(generator: &Generator, pairs: &[Pair]) -> Result<Resource> {
    if let Some(first) = generator.merge_values.first() {
        return Err(Diagnostic::error(Code::Config, "expected objects to merge values into, found none")
            .at(first.location.clone(), "")
            .help("name the configuration under `transformers:` of the kustomization, not under `generators:`"));
    }
    let mut annotations = Vec::new();
    if generator.behavior.value != Behavior::Create {
        annotations.push((BEHAVIOR, generator.behavior.value.name()));
    }
    if !generator.options.without_suffix {
        annotations.push((NEEDS_HASH, "true"));
    }
    Resource::new(object(generator, pairs, &annotations))
}

fn among(
    generator: &Generator,
    pairs: &[Pair],
    overlays: &dyn TextOverlays,
    resources: &mut Vec<Resource>,
    (known, earlier): (&mut Known, &mut BTreeSet<usize>),
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let id = generator.id();
    let found = known.places(generator.kind, id);
    match (generator.behavior.value, &found[..]) {
        (Behavior::Create, []) => {
            let mut resource = Resource::new(object(generator, pairs, &[]))?;
            resource.is_generated = true;
            resource.needs_hash = !generator.options.without_suffix;
            known.add(resources.len(), &resource);
            resources.push(resource);
            Ok(())
        }
        (Behavior::Create, &[at]) if earlier.remove(&at) => {
            let behavior = Spanned {
                value: Behavior::Replace,
                ..generator.behavior.clone()
            };
            let again = Generator {
                behavior,
                ..generator.clone()
            };
            edit(&again, pairs, overlays, &mut resources[at], diagnostics)
        }
        (Behavior::Create, [first, ..]) => Err(exists(id, &resources[*first])),
        (_, []) => Err(does_not_exist(id, resources)),
        (_, [at]) => edit(generator, pairs, overlays, &mut resources[*at], diagnostics),
        (_, [first, second, ..]) => Err(Diagnostic::error(
            Code::Resource,
            format!("found multiple objects that could accept merge of {id}"),
        )
        .at(name_of(&resources[*first]), "one object")
        .at(name_of(&resources[*second]), "another object")),
    }
}

fn name_of(resource: &Resource) -> Option<Location> {
    resource
        .node
        .get_in(&["metadata", "name"])
        .and_then(|node| node.location())
}

fn exists(id: Id<'_>, found: &Resource) -> Box<Diagnostic> {
    let message = format!("id {id} exists; behavior must be merge or replace");
    Diagnostic::error(Code::Resource, message)
        .at(name_of(found), "the object that exists")
        .help("add `behavior: merge` to change its values, or `behavior: replace` to put new ones in their place")
}

fn does_not_exist(id: Id<'_>, resources: &[Resource]) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error(
        Code::Resource,
        format!("id {id} does not exist; cannot merge or replace"),
    );
    let selector = SourceSelector {
        kind: id.kind.to_owned(),
        name: id.name.to_owned(),
        namespace: id.effective_namespace().to_owned(),
        ..SourceSelector::default()
    };
    near_miss::explain(diagnostic, &selector.parts(), resources)
}

/// Merges the values into those of `resource`, or puts them in their place.
fn edit(
    generator: &Generator,
    pairs: &[Pair],
    overlays: &dyn TextOverlays,
    resource: &mut Resource,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let about = |error: Box<Diagnostic>| error.about(resource.object_reference());
    let merged = match generator.behavior.value {
        Behavior::Merge => {
            merge_values(generator, pairs, overlays, &resource.node, diagnostics).map_err(about)?
        }
        Behavior::Create | Behavior::Replace => BTreeMap::new(),
    };
    let rest: Vec<Pair> = pairs
        .iter()
        .filter(|pair| !merged.contains_key(&*pair.key))
        .cloned()
        .collect();
    let mut node = match generator.behavior.value {
        Behavior::Replace => without(
            &resource.node,
            &["data", "binaryData", "stringData", "immutable"],
        ),
        _ => without_twins(generator.kind, &rest, &resource.node),
    };
    let overlay = overlay(generator, &rest, &node);
    let options = MergeOptions {
        unlike: Unlike::Refuse,
        ..MergeOptions::default()
    };
    node = merge(&node, &overlay, &options).map_err(about)?;
    for (key, (section, value)) in merged {
        node = with_value(&node, section, key, value);
    }
    if generator.options.without_suffix {
        resource.needs_hash = false;
        node = without_mark(&node);
    }
    resource.node = match resource {
        Resource {
            is_generated: true, ..
        } => sorted(&node),
        Resource {
            has_aliases: true, ..
        } => relink(&node),
        _ => node,
    };
    Ok(())
}

/// What an entry says of an object that is there, as a tree to merge over it.
fn overlay(generator: &Generator, pairs: &[Pair], base: &Arc<Node>) -> Arc<Node> {
    let mut sections: Vec<(&str, Vec<Entry>)> = vec![
        ("binaryData", vec![]),
        ("data", vec![]),
        ("stringData", vec![]),
    ];
    for pair in pairs {
        let (section, value) = placed(generator.kind, pair, base);
        let entries = sections.iter_mut().filter(|(name, _)| *name == section);
        entries.for_each(|(_, entries)| entries.push(Entry::new(&pair.key, Arc::clone(&value))));
    }
    let mut entries: Vec<Entry> = Vec::new();
    let filled = sections
        .into_iter()
        .filter(|(_, entries)| !entries.is_empty());
    entries.extend(filled.map(|(name, entries)| Entry::new(name, Node::mapping(entries))));
    if generator.options.immutable {
        entries.push(Entry::new("immutable", Node::plain("true")));
    }
    let metadata = [
        ("annotations", &generator.options.annotations),
        ("labels", &generator.options.labels),
    ];
    let given = metadata.into_iter().filter(|(_, all)| !all.is_empty());
    let metadata: Vec<Entry> = given
        .map(|(name, all)| Entry::new(name, mapping(texts(all))))
        .collect();
    if !metadata.is_empty() {
        entries.push(Entry::new("metadata", Node::mapping(metadata)));
    }
    if let Some(secret_type) = secret_type(generator) {
        entries.push(Entry::new("type", Node::string(secret_type)));
    }
    Node::mapping(entries)
}

/// The type that the Secret gets: what is merged leaves the one that is there.
fn secret_type(generator: &Generator) -> Option<&str> {
    let own = generator.secret_type.as_deref();
    match (generator.kind, generator.behavior.value) {
        (Kind::Secret, Behavior::Replace) => Some(own.unwrap_or("Opaque")),
        _ => own,
    }
}

/// The mapping of the object in which a value belongs, and the value as it is written there. A Secret has a key either
/// as base64 or as text, and the text counts.
fn placed(kind: Kind, pair: &Pair, base: &Node) -> (&'static str, Arc<Node>) {
    match (kind, &pair.value) {
        (Kind::ConfigMap, Bytes::Text(text)) => ("data", Node::string(text.text())),
        (Kind::ConfigMap, Bytes::Binary(bytes)) => ("binaryData", Node::string(base64(bytes))),
        (Kind::Secret, Bytes::Text(text)) if base.get_in(&["stringData", &pair.key]).is_some() => {
            ("stringData", Node::string(text.text()))
        }
        (Kind::Secret, Bytes::Text(text)) => ("data", Node::string(base64(text.text().as_bytes()))),
        (Kind::Secret, Bytes::Binary(bytes)) => ("data", Node::string(base64(bytes))),
    }
}

/// The object without the keys that would stand in two of its mappings.
fn without_twins(kind: Kind, pairs: &[Pair], node: &Arc<Node>) -> Arc<Node> {
    let twin = |section: &str| match (kind, section) {
        (Kind::ConfigMap, "data") => Some("binaryData"),
        (Kind::ConfigMap, "binaryData") => Some("data"),
        (Kind::Secret, "data") => Some("stringData"),
        _ => None,
    };
    let mut result = Arc::clone(node);
    for pair in pairs {
        let (section, _) = placed(kind, pair, node);
        let twin = twin(section).filter(|twin| result.get_in(&[twin, &pair.key]).is_some());
        if let Some((twin, inner)) =
            twin.and_then(|twin| Some((twin, result.get(twin)?.resolved())))
        {
            let rest = without(inner, &[&pair.key]);
            let is_empty = rest
                .as_mapping()
                .is_some_and(|mapping| mapping.entries.is_empty());
            result = if is_empty {
                without(&result, &[twin])
            } else {
                with_field(&result, twin, rest)
            };
        }
    }
    result
}

/// kustomize's mark goes where the entry wants no suffix.
fn without_mark(node: &Arc<Node>) -> Arc<Node> {
    let Some(annotations) = node.get_in(&["metadata", "annotations"]) else {
        return Arc::clone(node);
    };
    let Some(metadata) = node
        .get("metadata")
        .filter(|_| annotations.get(MARKED_FOR_SUFFIX).is_some())
    else {
        return Arc::clone(node);
    };
    let rest = without(annotations, &[MARKED_FOR_SUFFIX]);
    with_field(node, "metadata", with_field(metadata, "annotations", rest))
}

/// A mapping without some keys.
fn without(node: &Arc<Node>, keys: &[&str]) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Arc::clone(node);
    };
    let goes = |entry: &&Entry| {
        entry
            .key
            .resolved()
            .text()
            .is_some_and(|key| keys.contains(&key))
    };
    if !mapping.entries.iter().any(|entry| goes(&entry)) {
        return Arc::clone(node);
    }
    node.with_entries(
        mapping
            .entries
            .iter()
            .filter(|entry| !goes(entry))
            .cloned()
            .collect::<Vec<_>>(),
    )
}

fn with_value(node: &Arc<Node>, section: &str, key: &str, value: Arc<Node>) -> Arc<Node> {
    match node.get(section) {
        Some(inner) => with_field(node, section, with_field(inner.resolved(), key, value)),
        None => Arc::clone(node),
    }
}

/// A mapping with another value for a key that it has.
fn with_field(node: &Arc<Node>, key: &str, value: Arc<Node>) -> Arc<Node> {
    let Some((mapping, at)) = node
        .as_mapping()
        .and_then(|mapping| Some((mapping, mapping.position(key)?)))
    else {
        return Arc::clone(node);
    };
    let mut entries = mapping.entries.to_vec();
    entries[at].value = value;
    node.with_entries(entries)
}
