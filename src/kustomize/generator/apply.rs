//! Applies generators: each adds a new object, or edits the one that exists.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::context::{GeneratorContext, PluginRole};
use super::earlier::{remove_suffixes, update_references_to};
use super::edit::ObjectEdit;
use super::model::{Behavior, GeneratedPair, GeneratedValue, Generator, GeneratorKind};
use super::object::create_object;
use super::values::read;
use crate::kubernetes::{RecordedStep, Resource, ResourceId, SourceSelector, explain_no_match};
use crate::kustomize::EditRules;
use crate::provenance::{Recorder, StepKind};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, Span};
use crate::yaml::{Entry, Node};

/// kustomize appends a suffix to the names of generated objects with this annotation, and removes
/// it.
const NEEDS_HASH: &str = "kustomize.config.k8s.io/needs-hash";

/// kustomize adds a generated object according to this annotation, and removes it.
const BEHAVIOR: &str = "kustomize.config.k8s.io/behavior";

/// Applies generators in their order. If one fails, the others are still tried.
///
/// # Errors
/// Reports the mistakes of every generator. `resources` must not be used then.
pub fn apply(
    generators: &[Generator],
    context: &GeneratorContext<'_>,
    resources: &mut Vec<Resource>,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    // Most configurations have no generators, and building the index of the objects takes time.
    let was_renamed = |resource: &Resource| !resource.history.previous_ids.is_empty();
    if generators.is_empty() && !resources.iter().any(was_renamed) {
        return Ok(());
    }
    let mut earlier = BTreeSet::new();
    let mut outcome = Ok(());
    if context.role == PluginRole::Transformer {
        earlier = remove_suffixes(generators, resources);
        outcome = update_references_to(&earlier, resources, diagnostics);
    }
    let mut run = GeneratorRun {
        context,
        index: ObjectIndex::new(resources),
        resources,
        earlier,
        recorder,
        diagnostics,
    };
    for generator in generators {
        if run.diagnostics.is_full() {
            return run.diagnostics.outcome();
        }
        // Without values there is nothing to generate.
        let applied = read(generator, context.folder, run.diagnostics)
            .and_then(|pairs| run.apply(generator, &pairs));
        outcome = outcome.and(applied);
    }
    outcome
}

/// The generators of a configuration while they are applied.
struct GeneratorRun<'r> {
    context: &'r GeneratorContext<'r>,
    resources: &'r mut Vec<Resource>,
    index: ObjectIndex,
    /// The indices of the objects that an earlier run generated and no generator of this run has
    /// claimed yet.
    earlier: BTreeSet<usize>,
    recorder: Recorder<'r>,
    diagnostics: &'r mut Diagnostics,
}

impl GeneratorRun<'_> {
    fn apply(&mut self, generator: &Generator, pairs: &[GeneratedPair]) -> Result<(), Reported> {
        let added = match self.context.role {
            PluginRole::Generator => create_for_kustomize(generator, pairs)
                .map(Some)
                .map_err(|error| self.report(generator, error)),
            PluginRole::Transformer | PluginRole::Build => self.create_or_edit(generator, pairs),
        };
        if let Some(mut resource) = added? {
            resource.record(self.recorder, || recorded_step(generator, pairs));
            self.index.add(self.resources.len(), &resource);
            self.resources.push(resource);
        }
        Ok(())
    }

    fn report(&mut self, generator: &Generator, error: Box<Diagnostic>) -> Reported {
        self.diagnostics.report(generator.locate(error))
    }

    /// Returns the object to add, or edits the one that exists and returns `None`.
    fn create_or_edit(
        &mut self,
        generator: &Generator,
        pairs: &[GeneratedPair],
    ) -> Result<Option<Resource>, Reported> {
        let id = generator.id();
        let existing = self.index.find(generator.kind, id);
        let error = match (generator.behavior.value, &existing[..]) {
            (Behavior::Create, []) => {
                let mut resource = Resource::new(create_object(generator, pairs, &[]))
                    .map_err(|error| self.report(generator, error))?;
                resource.is_generated = true;
                resource.needs_hash = !generator.options.disables_suffix;
                return Ok(Some(resource));
            }
            // The object that an earlier run created for this generator is replaced.
            (Behavior::Create, &[index]) if self.earlier.remove(&index) => {
                self.edit(generator, Behavior::Replace, pairs, index)?;
                return Ok(None);
            }
            (behavior @ (Behavior::Merge | Behavior::Replace), &[index]) => {
                self.edit(generator, behavior, pairs, index)?;
                return Ok(None);
            }
            (Behavior::Create, [first, ..]) => already_exists(id, &self.resources[*first]),
            (_, []) => does_not_exist(id, self.resources),
            (_, [first, second, ..]) => Diagnostic::error(
                Code::Resource,
                format!("found multiple objects that could accept merge of {id}"),
            )
            .at(self.resources[*first].name_location(), "one object")
            .at(self.resources[*second].name_location(), "another object"),
        };
        Err(self.report(generator, error))
    }

    fn edit(
        &mut self,
        generator: &Generator,
        behavior: Behavior,
        pairs: &[GeneratedPair],
        index: usize,
    ) -> Result<(), Reported> {
        let edit = ObjectEdit {
            generator,
            behavior,
            rules: match self.context.role {
                PluginRole::Build => EditRules::Kustomize,
                PluginRole::Transformer | PluginRole::Generator => EditRules::Inlay,
            },
            overlays: self.context.overlays,
        };
        let resource = &mut self.resources[index];
        edit.apply(pairs, resource, self.diagnostics)?;
        resource.record(self.recorder, || recorded_step(generator, pairs));
        Ok(())
    }
}

/// Returns the recorded step of a generator, which contains its values, each with its place.
fn recorded_step(generator: &Generator, pairs: &[GeneratedPair]) -> RecordedStep {
    let mut values = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let (text, place) = match &pair.value {
            GeneratedValue::Text(text) => {
                let whole = Location::new(text, Span::new(0, text.text().len())).in_file();
                // A text that is not in a file has no name.
                let is_in_file = !whole.source.name().is_empty();
                (text.text(), is_in_file.then_some(whole))
            }
            GeneratedValue::Binary(_) => ("", None),
        };
        let value = Node::string(text);
        let value = match place.as_ref().or(pair.place.as_ref()) {
            Some(place) => value.at_place(place),
            None => value,
        };
        values.push(Entry::new(&pair.key, value));
    }
    let values = Node::mapping(values);
    let sections = ["data", "binaryData", "stringData"];
    let sections = sections.map(|section| Entry::new(section, Arc::clone(&values)));
    RecordedStep {
        written: Some(Node::mapping(sections.to_vec())),
        ..RecordedStep::at(StepKind::Generator, generator.name.location.clone())
    }
}

/// The ConfigMaps and Secrets of a run, by kind, name and namespace, including their previous ids.
struct ObjectIndex {
    indices: HashMap<ObjectKey, Vec<usize>>,
}

#[derive(PartialEq, Eq, Hash)]
struct ObjectKey {
    kind: GeneratorKind,
    name: String,
    namespace: String,
}

impl ObjectKey {
    fn new(kind: GeneratorKind, id: ResourceId<'_>) -> ObjectKey {
        ObjectKey {
            kind,
            name: id.name.to_owned(),
            namespace: id.effective_namespace().to_owned(),
        }
    }
}

impl ObjectIndex {
    fn new(resources: &[Resource]) -> ObjectIndex {
        let mut index = ObjectIndex {
            indices: HashMap::new(),
        };
        for (position, resource) in resources.iter().enumerate() {
            index.add(position, resource);
        }
        index
    }

    fn add(&mut self, position: usize, resource: &Resource) {
        for id in resource.ids() {
            let Some(kind) = GeneratorKind::of(id) else {
                continue;
            };
            let indices = self.indices.entry(ObjectKey::new(kind, id)).or_default();
            // A previous id may equal the current one.
            if indices.last() != Some(&position) {
                indices.push(position);
            }
        }
    }

    /// Returns the indices of the objects of a kind with an id.
    fn find(&self, kind: GeneratorKind, id: ResourceId<'_>) -> Vec<usize> {
        let indices = self.indices.get(&ObjectKey::new(kind, id));
        indices.cloned().unwrap_or_default()
    }
}

/// Creates an object with the annotations by which kustomize decides how to add it.
fn create_for_kustomize(generator: &Generator, pairs: &[GeneratedPair]) -> Result<Resource> {
    if let Some(first) = generator.merge_values.first() {
        let message = "expected objects to merge values into, found none";
        return Err(Diagnostic::error(Code::Config, message)
            .at(first.location.clone(), "")
            .help("list the configuration under `transformers:` of the kustomization, not under `generators:`"));
    }
    let mut annotations = Vec::new();
    if generator.behavior.value != Behavior::Create {
        annotations.push((BEHAVIOR, generator.behavior.value.name()));
    }
    if !generator.options.disables_suffix {
        annotations.push((NEEDS_HASH, "true"));
    }
    Resource::new(create_object(generator, pairs, &annotations))
}

fn already_exists(id: ResourceId<'_>, found: &Resource) -> Box<Diagnostic> {
    let message = format!("id {id} exists; behavior must be merge or replace");
    Diagnostic::error(Code::Resource, message)
        .at(found.name_location(), "the object that exists")
        .help("add `behavior: merge` to change its values, or `behavior: replace` to replace them")
}

fn does_not_exist(id: ResourceId<'_>, resources: &[Resource]) -> Box<Diagnostic> {
    let message = format!("id {id} does not exist; cannot merge or replace");
    let selector = SourceSelector {
        kind: id.kind.to_owned(),
        name: id.name.to_owned(),
        namespace: id.effective_namespace().to_owned(),
        ..SourceSelector::default()
    };
    explain_no_match(
        Diagnostic::error(Code::Resource, message),
        &selector.fields(),
        resources,
    )
}
