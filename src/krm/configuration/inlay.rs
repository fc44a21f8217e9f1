//! `kind: Inlay`: Inlay's own configuration.
//!
//! Each field of `spec` is read by a file of its own beside this one, which tells its mistakes and goes on.

use std::sync::Arc;

use serde::Deserialize;

use super::{files, generators, patches, replacements};
use crate::kustomize::generator::{GeneratorConfig, OptionsConfig};
use crate::kustomize::patch::PatchConfig;
use crate::kustomize::replacement::ReplacementConfig;
use crate::pipeline::{Build, Configuration};
use crate::source::Diagnostics;
use crate::typed::{RawNode, Spanned, read};
use crate::yaml::Node;

/// The whole object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Inlay {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    spec: Option<Spec>,
}

/// What it asks for.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Spec {
    values: Option<RawNode>,
    paths: Option<Vec<Spanned<String>>>,
    files: Option<RawNode>,
    config_map_generator: Option<Vec<Spanned<GeneratorConfig>>>,
    secret_generator: Option<Vec<Spanned<GeneratorConfig>>>,
    generator_options: Option<OptionsConfig>,
    patches: Option<Vec<Spanned<PatchConfig>>>,
    replacements: Option<Vec<Spanned<ReplacementConfig>>>,
}

/// Reads what can be read of an object, and tells every mistake in it.
pub(super) fn inlay(node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Option<Configuration> {
    let Inlay { spec, .. } = read(node, diagnostics).ok()?;
    let Spec {
        values,
        paths,
        files,
        config_map_generator,
        secret_generator,
        generator_options,
        patches,
        replacements,
    } = spec.unwrap_or_default();
    let generators = generators::check(
        config_map_generator,
        secret_generator,
        generator_options,
        diagnostics,
    );
    let build = Build {
        values: files::values(values, diagnostics),
        paths: files::paths(paths, diagnostics),
        files: files::files(files, diagnostics),
    };
    Some(Configuration {
        generators,
        build,
        patches: patches::check(patches, diagnostics),
        replacements: replacements::check(replacements, diagnostics),
    })
}
