//! The transformers of a kustomization, in the order in which they run.
//!
//! All of them are configured before the first one runs, so a mistake in any of them is reported
//! before an object changes.

use super::accumulate::Build;
use super::accumulator::Accumulator;
use super::file::KustomizationFile;
use super::place::Place;
use crate::kubernetes::{NameIndex, Resource};
use crate::kustomize::EditRules;
use crate::kustomize::patch::{self, Patch, PatchRun};
use crate::kustomize::replacement::{self, Replacement};
use crate::source::world::Folder;
use crate::source::{Diagnostics, Reported};

/// A transformer that was configured.
pub(super) enum Transformer {
    /// Patches that are applied one after the other.
    Patches(Vec<Patch>),
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
        let strategic_patches = self.strategic_patches(config, folder);
        let patches = self.patches(config, folder);
        let json_patches = self.json_patches(config, folder);
        let replacements = config.replacements.clone().unwrap_or_default();
        let replacements = replacement::check_all(replacements, folder, self.diagnostics);

        let mut transformers = vec![Transformer::Patches(strategic_patches?)];
        for patch in patches? {
            transformers.push(Transformer::Patches(vec![patch]));
        }
        for patch in json_patches? {
            transformers.push(Transformer::Patches(vec![patch]));
        }
        transformers.push(Transformer::Replacements(replacements?));
        Ok(transformers)
    }
}

impl Transformer {
    /// Runs the transformer on all objects.
    ///
    /// # Errors
    /// Reports every object that it cannot change.
    pub(super) fn run(
        &self,
        resources: &mut Vec<Resource>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        match self {
            Transformer::Patches(patches) => {
                let mut run = PatchRun::new(resources);
                for patch in patches {
                    patch::apply(patch, &mut run, diagnostics);
                }
                run.finish();
            }
            Transformer::Replacements(replacements) => {
                let mut names = NameIndex::default();
                let rules = EditRules::Kustomize;
                replacement::apply(replacements, rules, resources, &mut names, diagnostics);
            }
        }
        diagnostics.outcome()
    }
}
