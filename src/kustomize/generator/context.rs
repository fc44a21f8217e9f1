//! The context that the layers above provide to generators.

use std::sync::Arc;

use crate::edit::DocumentFormat;
use crate::source::world::Folder;
use crate::source::{Diagnostics, Reported, Source};
use crate::yaml::Node;

/// The caller of generators, which decides what happens with generated objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginRole {
    /// The run sees all objects: generated ones are merged with them, and their names get suffixes
    /// here.
    Transformer,
    /// The run returns generated objects and nothing else: kustomize merges them and adds suffixes,
    /// as annotations say.
    Generator,
    /// The run is a part of a build of a kustomization: generated objects are merged with those
    /// that the build has so far, none of which is the output of an earlier run.
    Build,
}

/// Applies texts with ytt annotations as overlays. It is a trait because the layers that can do so
/// are above this one.
pub trait TextOverlays {
    /// Returns whether a text has annotations.
    fn is_overlay(&self, text: &Arc<Source>) -> bool;

    /// Returns the documents, which are in a text of the format given, with the overlay applied to
    /// them.
    ///
    /// # Errors
    /// Reports every mistake in the overlay.
    fn apply(
        &self,
        text: &Arc<Source>,
        documents: &[Arc<Node>],
        format: DocumentFormat,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<Arc<Node>>, Reported>;
}

/// The context that generators run in.
#[derive(Clone, Copy)]
pub struct GeneratorContext<'c> {
    /// The caller.
    pub role: PluginRole,
    /// The folder that files are read from.
    pub folder: &'c Folder<'c>,
    /// Applies values with annotations.
    pub overlays: &'c dyn TextOverlays,
}
