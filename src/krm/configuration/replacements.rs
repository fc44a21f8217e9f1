//! `replacements`, in a configuration of Inlay and in the kinds of kustomize and kpt that have nothing else.

use std::sync::Arc;

use serde::Deserialize;

use crate::kustomize::replacement::{self, Entry, ReplacementConfig};
use crate::pipeline::Configuration;
use crate::source::Diagnostics;
use crate::typed::{RawNode, Spanned, read};
use crate::yaml::Node;

/// kustomize's ReplacementTransformer and kpt's ApplyReplacements, which have the same fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Transformer {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    replacements: Option<Vec<Spanned<ReplacementConfig>>>,
}

/// Reads what can be read of an object, and tells every mistake in it.
pub(super) fn transformer(
    node: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Option<Configuration> {
    let Transformer { replacements, .. } = read(node, diagnostics).ok()?;
    Some(Configuration {
        replacements: check(replacements, diagnostics),
        ..Configuration::default()
    })
}

/// The entries that are written well; the others are told.
pub(super) fn check(
    entries: Option<Vec<Spanned<ReplacementConfig>>>,
    diagnostics: &mut Diagnostics,
) -> Vec<Entry> {
    let entries = entries.unwrap_or_default().into_iter();
    entries
        .filter_map(|entry| replacement::check(entry, diagnostics))
        .collect()
}
