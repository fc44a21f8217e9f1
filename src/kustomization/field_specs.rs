//! The step that adds fields to those that transformers change: `configurations` and `crds`.

use super::accumulate::KustomizationBuild;
use super::accumulator::Accumulator;
use super::config::{KustomizationConfig, Texts};
use super::file;
use super::place::Place;
use crate::kustomize::field_spec::FieldSpecs;
use crate::source::Reported;
use crate::source::world::Folder;
use crate::typed::Spanned;
use crate::yaml::Node;
use std::sync::Arc;

impl KustomizationBuild<'_> {
    /// Merges kustomize's own field specs and the files of both lists into those that were
    /// collected so far.
    ///
    /// # Errors
    /// Reports every mistake in the files, and specs that contradict each other.
    pub(super) fn add_field_specs(
        &mut self,
        config: &KustomizationConfig,
        place: &Place,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        let folder = place.folder(self.world);
        let mut own = FieldSpecs::builtin();
        for root in self.documents(&config.configurations, &folder)? {
            let specs = FieldSpecs::read(&root, self.diagnostics)?;
            own.merge(specs, self.diagnostics)?;
        }
        into.specs.merge(own, self.diagnostics)?;
        for root in self.documents(&config.crds, &folder)? {
            let specs = FieldSpecs::read_crds(&root, self.diagnostics)?;
            into.specs.merge(specs, self.diagnostics)?;
        }
        Ok(())
    }

    /// Returns the first document of each file of a list.
    fn documents(
        &mut self,
        files: &Texts,
        folder: &Folder<'_>,
    ) -> Result<Vec<Arc<Node>>, Reported> {
        let mut roots = Vec::new();
        for entry in files.iter().flatten() {
            roots.extend(self.document(entry, folder)?);
        }
        Ok(roots)
    }

    fn document(
        &mut self,
        entry: &Spanned<String>,
        folder: &Folder<'_>,
    ) -> Result<Option<Arc<Node>>, Reported> {
        let source = folder
            .path(&entry.value)
            .and_then(|path| folder.read(&path));
        let root = source.and_then(|source| file::document(&source));
        self.diagnostics
            .check(root.map_err(|error| error.at(entry.location.clone(), "named here")))
    }
}
