//! Applies values with ytt annotations as overlays, for the generators.

use std::sync::Arc;

use crate::formats::DocumentFormat;
use crate::kustomize::generator::TextOverlays;
use crate::source::world::World;
use crate::source::{Diagnostics, Reported, Source};
use crate::workspace::{BuildOptions, OverlaidText, apply_text, has_annotations};
use crate::yaml::Node;

/// ytt's overlays on the documents of a string.
pub(super) struct YttOverlays<'w> {
    pub(super) world: &'w dyn World,
    pub(super) options: BuildOptions,
}

impl TextOverlays for YttOverlays<'_> {
    fn is_overlay(&self, text: &Arc<Source>) -> bool {
        has_annotations(text)
    }

    fn apply(
        &self,
        text: &Arc<Source>,
        documents: &[Arc<Node>],
        format: DocumentFormat,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<Arc<Node>>, Reported> {
        let documents = OverlaidText {
            roots: documents,
            format,
        };
        apply_text(text, documents, self.world, self.options, diagnostics)
    }
}
