//! Values with annotations, which the generators have applied as overlays.

use std::sync::Arc;

use crate::kustomize::generator::TextOverlays;
use crate::source::world::World;
use crate::source::{Diagnostics, Source};
use crate::workspace::{apply_text, has_annotations};
use crate::yaml::Node;

/// ytt's overlays on the documents of a string.
pub(super) struct Overlays<'w> {
    pub(super) world: &'w dyn World,
}

impl TextOverlays for Overlays<'_> {
    fn is_overlay(&self, text: &Arc<Source>) -> bool {
        has_annotations(text)
    }

    fn apply(
        &self,
        text: &Arc<Source>,
        documents: &[Arc<Node>],
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<Arc<Node>>> {
        apply_text(text, documents, self.world, diagnostics).ok()
    }
}
