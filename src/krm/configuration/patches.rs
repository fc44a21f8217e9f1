//! `patches`, in a configuration of Inlay and in the kinds of kustomize that have nothing else.

use std::sync::Arc;

use serde::Deserialize;

use crate::kubernetes::SelectorConfig;
use crate::kustomize::patch::{self, Patch, PatchConfig, PatchOptions, PatchType};
use crate::pipeline::Configuration;
use crate::source::Diagnostics;
use crate::typed::{RawNode, Spanned, read};
use crate::yaml::Node;

/// The entries that are written well; the others are told.
pub(super) fn check(
    entries: Option<Vec<Spanned<PatchConfig>>>,
    diagnostics: &mut Diagnostics,
) -> Vec<Patch> {
    let entries = entries.unwrap_or_default().into_iter();
    entries
        .filter_map(|entry| patch::check(entry, diagnostics))
        .collect()
}

fn configuration(
    entries: Vec<Spanned<PatchConfig>>,
    diagnostics: &mut Diagnostics,
) -> Option<Configuration> {
    Some(Configuration {
        patches: check(Some(entries), diagnostics),
        ..Configuration::default()
    })
}

/// kustomize's PatchTransformer: one entry of `patches`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Transformer {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    patch: Option<RawNode>,
    path: Option<Spanned<String>>,
    target: Option<Spanned<SelectorConfig>>,
    options: Option<PatchOptions>,
}

/// Reads a PatchTransformer.
pub(super) fn transformer(
    node: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Option<Configuration> {
    let Transformer {
        patch,
        path,
        target,
        options,
        ..
    } = read(node, diagnostics).ok()?;
    let entry = PatchConfig {
        patch,
        path,
        target,
        options,
    };
    configuration(
        vec![Spanned {
            value: entry,
            location: place(node),
        }],
        diagnostics,
    )
}

/// kustomize's PatchJson6902Transformer: one JSON patch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct JsonTransformer {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    json_op: Option<RawNode>,
    path: Option<Spanned<String>>,
    target: Option<Spanned<SelectorConfig>>,
}

/// Reads a PatchJson6902Transformer.
pub(super) fn json_transformer(
    node: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Option<Configuration> {
    let JsonTransformer {
        json_op,
        path,
        target,
        ..
    } = read(node, diagnostics).ok()?;
    let patch_type = Some(Spanned {
        value: PatchType::Json,
        location: place(node),
    });
    let options = Some(PatchOptions {
        patch_type,
        ..PatchOptions::default()
    });
    let entry = PatchConfig {
        patch: json_op,
        path,
        target,
        options,
    };
    configuration(
        vec![Spanned {
            value: entry,
            location: place(node),
        }],
        diagnostics,
    )
}

/// kustomize's PatchStrategicMergeTransformer: merge patches that name their objects.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct MergeTransformer {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    paths: Option<Vec<Spanned<String>>>,
    patches: Option<RawNode>,
}

/// Reads a PatchStrategicMergeTransformer.
pub(super) fn merge_transformer(
    node: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Option<Configuration> {
    let MergeTransformer { paths, patches, .. } = read(node, diagnostics).ok()?;
    let patch_type = Some(Spanned {
        value: PatchType::Strategic,
        location: place(node),
    });
    let entry = |patch, path: Option<Spanned<String>>| {
        let options = Some(PatchOptions {
            patch_type: patch_type.clone(),
            ..PatchOptions::default()
        });
        let location = path
            .as_ref()
            .map_or_else(|| place(node), |path| path.location.clone());
        Spanned {
            value: PatchConfig {
                patch,
                path,
                target: None,
                options,
            },
            location,
        }
    };
    let mut entries: Vec<_> = paths
        .unwrap_or_default()
        .into_iter()
        .map(|path| entry(None, Some(path)))
        .collect();
    entries.extend(patches.map(|patches| entry(Some(patches), None)));
    configuration(entries, diagnostics)
}

/// The place to point at for the object as a whole.
fn place(node: &Arc<Node>) -> Option<crate::source::Location> {
    node.get("kind").and_then(|kind| kind.location())
}
