//! kustomize's kinds that contain only patches.

use std::sync::Arc;

use crate::kubernetes::TargetSelectorConfig;
use crate::kustomize::EditRules;
use crate::kustomize::patch::{self, PatchConfig, PatchOptions, PatchType};
use crate::pipeline::Configuration;
use crate::source::world::Folder;
use crate::source::{Diagnostics, Location, Reported, collect_all};
use crate::typed::{RawNode, Spanned, documented_object, read};
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
    // `read` returns the readable part of a faulty configuration, so check for reported mistakes
    // here.
    diagnostics.outcome()?;
    Ok(Configuration {
        patches: patches?,
        ..Configuration::default()
    })
}

documented_object! {
    /// kustomize's PatchTransformer: one entry of `patches`.
    pub(super) struct PatchTransformer {
        /// The patch itself, as text.
        patch: Option<RawNode>,
        /// The file that contains it instead.
        path: Option<Spanned<String>>,
        /// Chooses the objects. Without it the patch names its own.
        target: Option<Spanned<TargetSelectorConfig>>,
        /// How the patch is applied.
        options: Option<PatchOptions>,
    }
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

documented_object! {
    /// kustomize's PatchJson6902Transformer: one JSON patch.
    pub(super) struct PatchJson6902Transformer {
        /// The operations, as text.
        json_op: Option<RawNode>,
        /// The file that contains them instead.
        path: Option<Spanned<String>>,
        /// Chooses the objects.
        target: Option<Spanned<TargetSelectorConfig>>,
    }
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

documented_object! {
    /// kustomize's PatchStrategicMergeTransformer: merge patches that name their objects.
    pub(super) struct PatchStrategicMergeTransformer {
        /// Files with patches, each of which names its object.
        paths: Option<Vec<Spanned<String>>>,
        /// Patches as text.
        patches: Option<RawNode>,
    }
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

/// Returns the place that messages about the whole object show.
fn kind_location(node: &Arc<Node>) -> Option<Location> {
    node.get("kind").and_then(|kind| kind.location())
}
