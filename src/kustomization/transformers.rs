//! The transformers of a kustomization, in the order in which they run.
//!
//! All of them are configured before the first one runs, so a mistake in any of them is reported
//! before an object changes.

use std::sync::Arc;

use super::accumulate::KustomizationBuild;
use super::accumulator::Accumulator;
use super::config::KustomizationConfig;
use super::file::KustomizationFile;
use super::place::Place;
use super::plugins::ProgramPlugin;
use crate::kubernetes::{
    EntryRecorder, ObjectOrigin, OpenApiSchema, RecordedStep, Resource, record_all,
};
use crate::kustomize::field_spec::{FieldSpec, FieldSpecs};
use crate::kustomize::patch::{self, Patch, PatchRun};
use crate::kustomize::replacement::{self, Replacement, ReplacementRun};
use crate::kustomize::{
    AffixSide, EditRules, ImageTransformer, MetadataTransformer, NameAffix, NamespaceTransformer,
    ReplicaTransformer, RoleBindingSubjects, SuffixWriter, ValueAddTransformer, append_hashes,
};
use crate::pipeline::{Configuration, ConfigurationRun, PluginRole};
use crate::provenance::StepKind;
use crate::source::world::{Folder, World};
use crate::source::{Diagnostics, Reported, collect_all};
use crate::typed::Spanned;

/// A transformer that was configured.
pub(super) enum Transformer {
    /// Patches that are applied one after the other.
    Patches(Vec<Patch>),
    /// `namespace`.
    Namespace(NamespaceTransformer),
    /// `namePrefix` or `nameSuffix`.
    Affix(NameAffix),
    /// Labels or annotations.
    Metadata(MetadataTransformer),
    /// Entries of `replicas`.
    Replicas(ReplicaTransformer),
    /// Entries of `images`.
    Images(Box<ImageTransformer>),
    /// All entries of `replacements`.
    Replacements(Vec<Replacement>),
    /// One value in fields of objects.
    ValueAdd(ValueAddTransformer),
    /// Suffixes before the end of the build.
    Hash,
    /// A configuration of Inlay, whose files are read from a folder of the build.
    Steps(Box<Configuration>, Place),
    /// A program.
    Program(Box<ProgramPlugin>),
}

/// A transformer, and how `buildMetadata` shows it.
pub(super) struct ConfiguredTransformer {
    pub(super) transformer: Transformer,
    /// `None` for the first part of a transformer that is two in one.
    pub(super) by: Option<ObjectOrigin>,
    /// The step that a record shows for each entry; empty if the transformer records its own steps.
    pub(super) steps: Vec<RecordedStep>,
}

/// The transformers that one field configures.
struct FieldTransformers {
    field: &'static str,
    /// The kind that kustomize shows for them in the annotation of transformers.
    kind: &'static str,
    step: StepKind,
    transformers: Result<Vec<Transformer>, Reported>,
}

impl KustomizationBuild<'_> {
    /// Configures all transformers of a kustomization, and then runs them on what was collected.
    ///
    /// # Errors
    /// Reports every mistake in their configuration, or the first one that fails.
    pub(super) fn run_transformers(
        &mut self,
        file: &KustomizationFile,
        place: &Place,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        into.specs.warn_of_hidden(&into.resources, self.diagnostics);
        let configured = self.configure(file, place, into)?;
        let plugins = self.transformer_plugins(file, place)?;
        for configured in configured.into_iter().chain(plugins) {
            let ConfiguredTransformer {
                transformer,
                by,
                steps,
            } = configured;
            self.needs_builtin_schema |= matches!(transformer, Transformer::Patches(_));
            let schema = self.schema.custom();
            let recorder = EntryRecorder {
                recorder: self.recorder,
                steps: &steps,
            };
            transformer.run(self.world, schema, into.edit(), recorder, self.diagnostics)?;
            if let Some(step) = steps.last() {
                record_all(into.edit(), self.recorder, || step.clone());
            }
            if let Some(by) = by {
                self.origins.record_transformer(into.edit(), &by);
            }
        }
        Ok(())
    }

    /// Returns the transformers of the fields in their order.
    fn configure(
        &mut self,
        file: &KustomizationFile,
        place: &Place,
        collected: &Accumulator,
    ) -> Result<Vec<ConfiguredTransformer>, Reported> {
        let folder = place.folder(self.world);
        let fields = self.configure_fields(&file.config, collected, &folder);
        let mut configured = Vec::new();
        for FieldTransformers {
            field,
            kind,
            step,
            transformers,
        } in fields
        {
            let transformers = transformers?;
            let count: usize = transformers.iter().map(Transformer::entry_count).sum();
            let mut entries = 0..count;
            for transformer in transformers {
                let own = entries.by_ref().take(transformer.entry_count());
                let steps = own.map(|index| {
                    let place = match step {
                        // The last of them is `commonLabels`.
                        StepKind::Labels if index + 1 == count => file.place("commonLabels", None),
                        _ => file.place(field, Some(index)),
                    };
                    // The entries of an old field come after those of the new one.
                    let place = place.or_else(|| file.place("imageTags", Some(index)));
                    RecordedStep::at(step, place)
                });
                configured.push(ConfiguredTransformer {
                    steps: steps.collect(),
                    transformer,
                    by: Some(self.origins.builtin(&file.path, kind)),
                });
            }
        }
        Ok(configured)
    }

    /// Returns the transformers of each field, in the order in which kustomize runs them. All
    /// fields are configured, also after one with a mistake.
    fn configure_fields(
        &mut self,
        config: &KustomizationConfig,
        collected: &Accumulator,
        folder: &Folder<'_>,
    ) -> [FieldTransformers; 11] {
        let specs = &collected.specs;
        [
            FieldTransformers {
                field: "patchesStrategicMerge",
                kind: "PatchStrategicMergeTransformer",
                step: StepKind::Patch,
                transformers: self.strategic_patches(config, folder),
            },
            FieldTransformers {
                field: "patches",
                kind: "PatchTransformer",
                step: StepKind::Patch,
                transformers: self.patches(config, folder),
            },
            FieldTransformers {
                field: "namespace",
                kind: "NamespaceTransformer",
                step: StepKind::Namespace,
                transformers: Ok(namespace(config, specs)),
            },
            FieldTransformers {
                field: "namePrefix",
                kind: "PrefixTransformer",
                step: StepKind::NamePrefix,
                transformers: Ok(prefix(config, specs)),
            },
            FieldTransformers {
                field: "nameSuffix",
                kind: "SuffixTransformer",
                step: StepKind::NameSuffix,
                transformers: Ok(suffix(config, specs)),
            },
            FieldTransformers {
                field: "labels",
                kind: "LabelTransformer",
                step: StepKind::Labels,
                transformers: self.labels(config, collected),
            },
            FieldTransformers {
                field: "commonAnnotations",
                kind: "AnnotationsTransformer",
                step: StepKind::Annotations,
                transformers: Ok(annotations(config, specs)),
            },
            FieldTransformers {
                field: "patchesJson6902",
                kind: "PatchJson6902Transformer",
                step: StepKind::Patch,
                transformers: self.json_patches(config, folder),
            },
            FieldTransformers {
                field: "replicas",
                kind: "ReplicaCountTransformer",
                step: StepKind::Replicas,
                transformers: Ok(self.replicas(config, specs)),
            },
            FieldTransformers {
                field: "images",
                kind: "ImageTagTransformer",
                step: StepKind::Images,
                transformers: Ok(self.images(config, specs)),
            },
            FieldTransformers {
                field: "replacements",
                kind: "ReplacementTransformer",
                step: StepKind::Replacement,
                transformers: self.replacements(config, folder),
            },
        ]
    }

    /// Returns a transformer for each entry of `labels`, and one for `commonLabels`.
    fn labels(
        &mut self,
        config: &KustomizationConfig,
        collected: &Accumulator,
    ) -> Result<Vec<Transformer>, Reported> {
        let Accumulator {
            specs, resources, ..
        } = collected;
        let entries = config.labels.iter().flatten();
        let mut transformers = collect_all(entries.map(|entry| {
            MetadataTransformer::of_labels(entry.clone(), specs, resources, self.diagnostics)
                .map(Transformer::Metadata)
        }))?;
        // kustomize configures the transformer of `commonLabels` as soon as there are labels of
        // either kind, which the annotation of transformers shows.
        if config.common_labels.is_some() || !transformers.is_empty() {
            let labels = config.common_labels.clone().unwrap_or_default();
            transformers.push(Transformer::Metadata(MetadataTransformer {
                entries: labels.value,
                field_specs: Arc::clone(&specs.common_labels),
            }));
        }
        Ok(transformers)
    }

    fn replicas(&self, config: &KustomizationConfig, specs: &FieldSpecs) -> Vec<Transformer> {
        let mut transformers = Vec::new();
        for entries in self.together(config.replicas.clone()) {
            let replicas = ReplicaTransformer::new(entries, Arc::clone(&specs.replicas));
            transformers.push(Transformer::Replicas(replicas));
        }
        transformers
    }

    fn images(&mut self, config: &KustomizationConfig, specs: &FieldSpecs) -> Vec<Transformer> {
        let mut transformers = Vec::new();
        for entries in self.together(config.images.clone()) {
            let specs = Arc::clone(&specs.images);
            let images = ImageTransformer::new(entries, specs, self.diagnostics);
            transformers.push(Transformer::Images(Box::new(images)));
        }
        transformers
    }

    /// Returns the entries of a list that are applied together, so that the objects are searched
    /// once for all of them. If the objects get an annotation for each entry, each is applied
    /// alone.
    pub(super) fn together<T>(&self, entries: Option<Vec<T>>) -> Vec<Vec<T>> {
        let entries = entries.unwrap_or_default();
        if self.origins.is_wanted() {
            return entries.into_iter().map(|entry| vec![entry]).collect();
        }
        match entries.is_empty() {
            true => Vec::new(),
            false => vec![entries],
        }
    }

    fn replacements(
        &mut self,
        config: &KustomizationConfig,
        folder: &Folder<'_>,
    ) -> Result<Vec<Transformer>, Reported> {
        let Some(entries) = &config.replacements else {
            return Ok(Vec::new());
        };
        let replacements = replacement::check_all(entries.clone(), folder, self.diagnostics)?;
        Ok(vec![Transformer::Replacements(replacements)])
    }
}

fn namespace(config: &KustomizationConfig, specs: &FieldSpecs) -> Vec<Transformer> {
    let Some(namespace) = not_empty(&config.namespace) else {
        return Vec::new();
    };
    vec![Transformer::Namespace(NamespaceTransformer {
        namespace: namespace.to_owned(),
        field_specs: Arc::clone(&specs.namespace),
        unset_only: false,
        subjects: RoleBindingSubjects::DefaultOnly,
    })]
}

fn prefix(config: &KustomizationConfig, specs: &FieldSpecs) -> Vec<Transformer> {
    let text = not_empty(&config.name_prefix);
    affix(AffixSide::Prefix, text, &specs.name_prefix)
}

fn suffix(config: &KustomizationConfig, specs: &FieldSpecs) -> Vec<Transformer> {
    let text = not_empty(&config.name_suffix);
    affix(AffixSide::Suffix, text, &specs.name_suffix)
}

fn affix(side: AffixSide, text: Option<&str>, specs: &Arc<Vec<FieldSpec>>) -> Vec<Transformer> {
    let Some(text) = text else {
        return Vec::new();
    };
    vec![Transformer::Affix(NameAffix {
        side,
        text: text.to_owned(),
        field_specs: Arc::clone(specs),
    })]
}

fn annotations(config: &KustomizationConfig, specs: &FieldSpecs) -> Vec<Transformer> {
    let entries = config.common_annotations.clone().unwrap_or_default();
    if entries.is_empty() {
        return Vec::new();
    }
    vec![Transformer::Metadata(MetadataTransformer {
        entries,
        field_specs: Arc::clone(&specs.common_annotations),
    })]
}

fn not_empty(text: &Option<Spanned<String>>) -> Option<&str> {
    let text = text.as_ref()?;
    Some(text.value.as_str()).filter(|text| !text.is_empty())
}

impl Transformer {
    /// Returns the number of entries of a list that the transformer applies.
    fn entry_count(&self) -> usize {
        match self {
            Transformer::Patches(patches) => patches.len(),
            Transformer::Replicas(replicas) => replicas.entry_count(),
            Transformer::Images(images) => images.entry_count(),
            _ => 1,
        }
    }

    /// Runs the transformer on all objects.
    ///
    /// # Errors
    /// Reports every object that it cannot change.
    pub(super) fn run(
        &self,
        world: &dyn World,
        schema: Option<&Arc<OpenApiSchema>>,
        resources: &mut Vec<Resource>,
        recorder: EntryRecorder<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        match self {
            Transformer::Patches(patches) => {
                let mut run = PatchRun::new(resources)
                    .with_schema(schema.cloned())
                    .recorded(recorder.recorder);
                let outcome = patch::apply_all(patches, &mut run, diagnostics);
                run.finish();
                outcome
            }
            Transformer::Namespace(namespace) => namespace.apply(resources, diagnostics),
            Transformer::Affix(affix) => affix.apply(resources, diagnostics),
            Transformer::Metadata(metadata) => metadata.apply(resources, diagnostics),
            Transformer::ValueAdd(added) => added.apply(resources, diagnostics),
            Transformer::Replicas(replicas) => replicas.apply(resources, recorder, diagnostics),
            Transformer::Program(program) => program.transform(world, resources, diagnostics),
            Transformer::Hash => append_hashes(resources, diagnostics).map(|_| ()),
            Transformer::Steps(configuration, place) => {
                let run = ConfigurationRun {
                    configuration,
                    role: PluginRole::Build,
                    folder: &place.folder(world),
                    recorder: recorder.recorder,
                };
                *resources = run.call(std::mem::take(resources), diagnostics)?;
                Ok(())
            }
            Transformer::Images(images) => images.apply(resources, recorder, diagnostics),
            Transformer::Replacements(replacements) => {
                let run = ReplacementRun {
                    rules: EditRules::Kustomize,
                    suffixes: SuffixWriter::Host,
                    recorder: recorder.recorder,
                };
                replacement::apply(replacements, run, resources, diagnostics)
            }
        }
    }
}
