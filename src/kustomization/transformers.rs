//! The transformers of a kustomization, in the order in which they run.
//!
//! All of them are configured before the first one runs, so a mistake in any of them is reported
//! before an object changes.

use super::accumulate::Build;
use super::accumulator::Accumulator;
use super::file::KustomizationFile;
use super::place::Place;
use crate::kubernetes::{NameIndex, Resource};
use crate::kustomize::patch::{self, Patch, PatchRun};
use crate::kustomize::replacement::{self, Replacement};
use crate::source::world::Folder;
use crate::source::{Diagnostics, Reported, collect_all};

/// A transformer that was configured.
enum Transformer {
    /// An entry of `patches`.
    Patch(Box<Patch>),
    /// All entries of `replacements`.
    Replacements(Vec<Replacement>),
}

impl Build<'_> {
    /// Configures all transformers of a kustomization, and then runs them on what was collected.
    ///
    /// # Errors
    /// Reports every mistake in their configuration, or the first one that fails.
    pub(super) fn run_transformers(
        &mut self,
        file: &KustomizationFile,
        place: &Place,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        let folder = place.folder(self.world);
        for transformer in self.configure(file, &folder)? {
            transformer.run(into.edit(), self.diagnostics)?;
        }
        Ok(())
    }

    /// Returns the transformers in their order.
    fn configure(
        &mut self,
        file: &KustomizationFile,
        folder: &Folder<'_>,
    ) -> Result<Vec<Transformer>, Reported> {
        let config = &file.config;
        let mut transformers = Vec::new();
        let patches = collect_all(
            config
                .patches
                .iter()
                .flatten()
                .map(|entry| patch::check(entry.clone(), folder, self.diagnostics)),
        );
        transformers.extend(
            patches?
                .into_iter()
                .map(|patch| Transformer::Patch(Box::new(patch))),
        );
        let replacements = config.replacements.clone().unwrap_or_default();
        let replacements = replacement::check_all(replacements, folder, self.diagnostics)?;
        transformers.push(Transformer::Replacements(replacements));
        Ok(transformers)
    }
}

impl Transformer {
    fn run(
        &self,
        resources: &mut Vec<Resource>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        match self {
            Transformer::Patch(patch) => {
                let mut run = PatchRun::new(resources);
                patch::apply(patch, &mut run, diagnostics);
                run.finish();
            }
            Transformer::Replacements(replacements) => {
                let mut names = NameIndex::default();
                replacement::apply(replacements, resources, &mut names, diagnostics);
            }
        }
        diagnostics.outcome()
    }
}
