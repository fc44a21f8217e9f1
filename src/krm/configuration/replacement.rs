//! The kinds of kustomize and kpt that contain only `replacements`.

use std::sync::Arc;

use crate::kustomize::replacement::{self, ReplacementConfig};
use crate::pipeline::Configuration;
use crate::source::world::Folder;
use crate::source::{Diagnostics, Reported};
use crate::typed::{Spanned, documented_object, read};
use crate::yaml::Node;

documented_object! {
    /// kustomize's ReplacementTransformer and kpt's ApplyReplacements, which have the same fields.
    pub(super) struct ReplacementTransformer {
        /// Values that are copied from one field to others, also inside strings.
        replacements: Option<Vec<Spanned<ReplacementConfig>>>,
    }
}

/// Reads an object of either kind, and reports every mistake in it.
pub(super) fn read_transformer(
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let ReplacementTransformer { replacements, .. } = read(node, diagnostics)?;
    let replacements =
        replacement::check_all(replacements.unwrap_or_default(), folder, diagnostics);
    // `read` returns the readable part of a faulty configuration, so check for reported mistakes
    // here.
    diagnostics.outcome()?;
    Ok(Configuration {
        replacements: replacements?,
        ..Configuration::default()
    })
}
