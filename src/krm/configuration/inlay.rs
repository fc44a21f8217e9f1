//! `kind: Inlay`: Inlay's own configuration.
//!
//! Each field of `spec` is checked by a separate file of this folder.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::{files, generator, misplaced};
use crate::kustomize::EditRules;
use crate::kustomize::generator::{GeneratorConfig, GeneratorOptionsConfig};
use crate::kustomize::patch::{self, PatchConfig};
use crate::kustomize::replacement::{self, ReplacementConfig};
use crate::pipeline::{Configuration, TemplateBuild};
use crate::source::limits::LimitSetter;
use crate::source::world::Folder;
use crate::source::{Diagnostics, Reported, collect_all, limits};
use crate::typed::{RawNode, Spanned, documented, documented_object, read};
use crate::workspace::BuildOptions;
use crate::yaml::Node;

documented_object! {
    /// The whole object.
    pub(super) struct InlayConfig {
        /// What happens to the resources.
        spec: Option<InlaySpec>,
    }
}

documented! {
    #[derive(Default, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct InlaySpec {
        /// Data values, which come after those of `valuesFiles`.
        values: Option<RawNode>,
        /// Files of plain YAML with data values.
        values_files: Option<Vec<Spanned<String>>>,
        /// Files and folders with templates, overlays, data values and modules, relative to the
        /// folder of the configuration.
        paths: Option<Vec<Spanned<String>>>,
        /// The same as text in the configuration, by name.
        files: Option<RawNode>,
        /// Whether unknown annotations, and arguments that an annotation does not take, are
        /// errors.
        strict_annotations: Option<bool>,
        /// Limits by name, such as `memory`.
        limits: Option<BTreeMap<String, Spanned<u64>>>,
        /// ConfigMaps that are generated, or whose values are merged.
        config_map_generator: Option<Vec<Spanned<GeneratorConfig>>>,
        /// Secrets that are generated, or whose values are merged.
        secret_generator: Option<Vec<Spanned<GeneratorConfig>>>,
        /// Labels, annotations and suffixes of everything that is generated.
        generator_options: Option<GeneratorOptionsConfig>,
        /// Patches of resources. Their paths continue inside strings.
        patches: Option<Vec<Spanned<PatchConfig>>>,
        /// Values that are copied from one field to others, also inside strings.
        replacements: Option<Vec<Spanned<ReplacementConfig>>>,
    }
}

/// Reads an object of kind Inlay, and reports every mistake in it.
pub(super) fn read_inlay(
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let node = misplaced::report_and_remove(node, diagnostics);
    let InlayConfig { spec, .. } = read(&node, diagnostics)?;
    let spec = spec.unwrap_or_default();
    // Check each field even if an earlier one has mistakes.
    let generators = generator::check_all(
        spec.config_map_generator.unwrap_or_default(),
        spec.secret_generator.unwrap_or_default(),
        &spec.generator_options.unwrap_or_default(),
        folder,
        diagnostics,
    );
    set_limits(&spec.limits.unwrap_or_default(), diagnostics);
    let values = files::check_values(spec.values, diagnostics);
    let values_files =
        files::check_paths(spec.values_files.unwrap_or_default(), folder, diagnostics);
    let paths = files::check_paths(spec.paths.unwrap_or_default(), folder, diagnostics);
    let files = files::check_files(spec.files, diagnostics);
    let patches = collect_all(
        spec.patches
            .unwrap_or_default()
            .into_iter()
            .map(|entry| patch::check(entry, EditRules::Inlay, folder, diagnostics)),
    );
    let replacements =
        replacement::check_all(spec.replacements.unwrap_or_default(), folder, diagnostics);
    // `read` returns the readable part of a faulty configuration, so check for reported mistakes
    // here.
    diagnostics.outcome()?;
    Ok(Configuration {
        generators: generators?,
        build: TemplateBuild {
            values: values?,
            values_files: values_files?,
            given_values: Vec::new(),
            paths: paths?,
            files: files?,
            options: BuildOptions {
                strict_annotations: spec.strict_annotations.unwrap_or_default(),
                ..BuildOptions::default()
            },
        },
        patches: patches?,
        replacements: replacements?,
        place: None,
    })
}

/// Sets the limits of the run. They apply from here on, so to everything except the
/// configuration itself and the resources, which are read earlier.
fn set_limits(given: &BTreeMap<String, Spanned<u64>>, diagnostics: &mut Diagnostics) {
    for (name, value) in given {
        let number = value.value.to_string();
        if let Err(error) = limits::set_one(name, &number, LimitSetter::Configuration) {
            diagnostics.push(error.at(value.location.clone(), "the limit"));
        }
    }
}
