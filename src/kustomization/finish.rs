//! The steps that run once, at the root of a build: suffixes, references, variables, and the order.

use std::sync::Arc;

use super::accumulator::Accumulator;
use super::file::KustomizationFile;
use super::options::KustomizationOptions;
use super::origins::Origins;
use super::place::Place;
use crate::kubernetes::{RecordedStep, Resource, record_all};
use crate::kustomize::field_spec::{FieldSpec, FieldSpecPath, KindPattern};
use crate::kustomize::order::{SortOrder, sort};
use crate::kustomize::output::{BuildMetadata, finish_annotations};
use crate::kustomize::{MetadataTransformer, append_hashes, update_references};
use crate::pipeline::warn_of_texts;
use crate::provenance::{Recorder, StepKind};
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Diagnostics, Reported};
use crate::typed::Spanned;

/// The words of `buildMetadata`.
const METADATA_WORDS: [&str; 3] = [
    "originAnnotations",
    "transformerAnnotations",
    "managedByLabel",
];

/// The settings that only the root kustomization of a build can set.
pub(super) struct RootSettings {
    order: SortOrder,
    metadata: BuildMetadata,
    adds_managed_by_label: bool,
    records_origins: bool,
}

impl RootSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// Reports every mistake in them.
    pub(super) fn read(
        file: &KustomizationFile,
        options: &KustomizationOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<RootSettings, Reported> {
        let order = match file.config.sort_options.clone() {
            Some(config) => diagnostics.check(config.value.check(config.location))?,
            None if options.keeps_order => SortOrder::Fifo,
            None => SortOrder::default(),
        };
        for asked in file.config.build_metadata.iter().flatten() {
            if !METADATA_WORDS.contains(&asked.value.as_str()) {
                diagnostics.push(unknown_word(asked));
            }
        }
        let asks_for = |word: &str| {
            let words = file.config.build_metadata.iter().flatten();
            words.into_iter().any(|asked| asked.value == word)
        };
        let metadata = BuildMetadata {
            has_origin: asks_for("originAnnotations"),
            has_transformations: asks_for("transformerAnnotations"),
        };
        Ok(RootSettings {
            order,
            metadata,
            adds_managed_by_label: options.adds_managed_by_label || asks_for("managedByLabel"),
            records_origins: file.config.build_metadata.iter().flatten().next().is_some(),
        })
    }

    /// Returns the recorder of origins for a build in a folder.
    ///
    /// As in kustomize, any word of `buildMetadata` turns recording on. This is visible where
    /// annotations were null: kustomize creates a mapping there for its own annotation, and a later
    /// step can add entries to it.
    pub(super) fn origins(&self, place: &Place) -> Origins {
        Origins::new(&place.shown, self.records_origins)
    }
}

/// Returns the warning for a word of `buildMetadata` that kustomize ignores.
fn unknown_word(word: &Spanned<String>) -> Box<Diagnostic> {
    let message = format!("`{}` in `buildMetadata` has no effect", word.value);
    Diagnostic::warning(Code::Config, message)
        .at(word.location.clone(), "")
        .help_if(did_you_mean(&word.value, METADATA_WORDS))
}

/// Returns the transformer that labels every object with the program that created it. The label
/// names the version of kustomize that Inlay is compatible with.
fn managed_by_label() -> MetadataTransformer {
    let label = ("app.kubernetes.io/managed-by", "kustomize-v5.8.2");
    MetadataTransformer {
        entries: [label]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        field_specs: Arc::new(vec![FieldSpec {
            kinds: KindPattern::default(),
            path: FieldSpecPath::parse("metadata/labels"),
            create: true,
            location: None,
        }]),
    }
}

/// Finishes a build.
///
/// # Errors
/// Reports an ambiguous reference, and objects with the same id.
pub(super) fn finish(
    accumulated: Accumulator,
    settings: &RootSettings,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    let mut accumulated = accumulated;
    let record = |resources: &mut [Resource], kind| {
        record_all(resources, recorder, || RecordedStep::at(kind, None));
    };
    append_hashes(accumulated.edit(), diagnostics)?;
    record(accumulated.edit(), StepKind::NameHash);
    let specs = accumulated.specs.clone();
    update_references(&specs, accumulated.edit(), diagnostics)?;
    record(accumulated.edit(), StepKind::NameReference);
    let variables = std::mem::take(&mut accumulated.variables);
    variables.substitute(&specs, accumulated.edit(), diagnostics)?;
    record(accumulated.edit(), StepKind::Variables);
    accumulated.edit().retain(|resource| {
        if resource.is_local() {
            let step = || RecordedStep::at(StepKind::LocalConfig, None);
            resource.record_removal(recorder, step);
        }
        !resource.is_local()
    });
    diagnostics.check(accumulated.check_ids())?;
    let mut resources = accumulated.resources;
    warn_of_texts(resources.iter(), diagnostics);
    sort(&mut resources, &settings.order);
    if settings.adds_managed_by_label {
        managed_by_label().apply(&mut resources, diagnostics)?;
        record(&mut resources, StepKind::BuildMetadata);
    }
    for resource in &mut resources {
        finish_annotations(resource, settings.metadata, diagnostics)?;
    }
    record(&mut resources, StepKind::BuildMetadata);
    Ok(resources)
}
