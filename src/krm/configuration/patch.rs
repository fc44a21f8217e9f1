//! The kinds of kustomize that contain only patches.

use std::sync::Arc;

use serde::Deserialize;

use crate::kubernetes::TargetSelectorConfig;
use crate::kustomize::EditRules;
use crate::kustomize::patch::{self, PatchConfig, PatchOptions, PatchType};
use crate::pipeline::Configuration;
use crate::source::world::Folder;
use crate::source::{Diagnostics, Location, Reported, collect_all};
use crate::typed::{RawNode, Spanned, read};
use crate::yaml::Node;

/// Checks the patches of an object.
fn check_all(
    entries: Vec<Spanned<PatchConfig>>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let patches = collect_all(
        entries
            .into_iter()
            .map(|entry| patch::check(entry, EditRules::Inlay, folder, diagnostics)),
    );
    // `read` returns what it could, so its own mistakes count here.
    diagnostics.outcome()?;
    Ok(Configuration {
        patches: patches?,
        ..Configuration::default()
    })
}

/// kustomize's PatchTransformer: one entry of `patches`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct PatchTransformer {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    patch: Option<RawNode>,
    path: Option<Spanned<String>>,
    target: Option<Spanned<TargetSelectorConfig>>,
    options: Option<PatchOptions>,
}

/// Reads a PatchTransformer, and reports every mistake in it.
pub(super) fn read_transformer(
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let config: PatchTransformer = read(node, diagnostics)?;
    let entry = Spanned {
        value: PatchConfig {
            patch: config.patch,
            path: config.path,
            target: config.target,
            options: config.options,
        },
        location: kind_location(node),
    };
    check_all(vec![entry], folder, diagnostics)
}

/// kustomize's PatchJson6902Transformer: one JSON patch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct PatchJson6902Transformer {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    json_op: Option<RawNode>,
    path: Option<Spanned<String>>,
    target: Option<Spanned<TargetSelectorConfig>>,
}

/// Reads a PatchJson6902Transformer, and reports every mistake in it.
pub(super) fn read_json_transformer(
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let config: PatchJson6902Transformer = read(node, diagnostics)?;
    let entry = Spanned {
        value: PatchConfig {
            patch: config.json_op,
            path: config.path,
            target: config.target,
            options: Some(options_of_type(PatchType::Json, node)),
        },
        location: kind_location(node),
    };
    check_all(vec![entry], folder, diagnostics)
}

/// kustomize's PatchStrategicMergeTransformer: merge patches that name their objects.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct PatchStrategicMergeTransformer {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    paths: Option<Vec<Spanned<String>>>,
    patches: Option<RawNode>,
}

/// Reads a PatchStrategicMergeTransformer, and reports every mistake in it.
pub(super) fn read_strategic_transformer(
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let config: PatchStrategicMergeTransformer = read(node, diagnostics)?;
    let mut entries = Vec::new();
    for path in config.paths.unwrap_or_default() {
        let location = path.location.clone();
        entries.push(strategic_entry(None, Some(path), location, node));
    }
    if let Some(patches) = config.patches {
        entries.push(strategic_entry(
            Some(patches),
            None,
            kind_location(node),
            node,
        ));
    }
    check_all(entries, folder, diagnostics)
}

fn strategic_entry(
    patch: Option<RawNode>,
    path: Option<Spanned<String>>,
    location: Option<Location>,
    node: &Arc<Node>,
) -> Spanned<PatchConfig> {
    Spanned {
        value: PatchConfig {
            patch,
            path,
            target: None,
            options: Some(options_of_type(PatchType::Strategic, node)),
        },
        location,
    }
}

fn options_of_type(value: PatchType, node: &Arc<Node>) -> PatchOptions {
    PatchOptions::of_type(Spanned {
        value,
        location: kind_location(node),
    })
}

/// Returns the place that is shown for the object as a whole.
fn kind_location(node: &Arc<Node>) -> Option<Location> {
    node.get("kind").and_then(|kind| kind.location())
}
