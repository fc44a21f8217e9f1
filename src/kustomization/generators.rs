//! The step that creates objects: `configMapGenerator` and `secretGenerator`.

use super::accumulate::KustomizationBuild;
use super::accumulator::Accumulator;
use super::file::KustomizationFile;
use super::place::Place;
use crate::kubernetes::Resource;
use crate::kustomize::generator::{self, Generator, GeneratorConfig, GeneratorKind};
use crate::pipeline::{Configuration, ConfigurationRun, PluginRole};
use crate::source::world::Folder;
use crate::source::{Reported, collect_all};
use crate::typed::Spanned;

impl KustomizationBuild<'_> {
    /// Runs every generator of a kustomization on what was collected so far.
    ///
    /// # Errors
    /// Reports every mistake in an entry, and an object that exists or is missing although the
    /// behavior of an entry does not allow that.
    pub(super) fn run_generators(
        &mut self,
        file: &KustomizationFile,
        place: &Place,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        let folder = place.folder(self.world);
        let generators = self.check_generators(file, &folder)?;
        if generators.is_empty() {
            return Ok(());
        }
        let configuration = Configuration {
            generators,
            ..Configuration::default()
        };
        let run = ConfigurationRun {
            configuration: &configuration,
            role: PluginRole::Build,
            folder: &folder,
            recorder: self.recorder,
        };
        run.generate(into.edit(), self.diagnostics)?;
        self.record_generated(file, &configuration.generators, &mut into.resources);
        Ok(())
    }

    /// Records the generators as the origin of what they created or replaced. An object that values
    /// were merged into keeps its own.
    fn record_generated(
        &self,
        file: &KustomizationFile,
        generators: &[Generator],
        resources: &mut [Resource],
    ) {
        if !self.origins.is_wanted() {
            return;
        }
        for resource in resources {
            if generators.iter().any(|entry| entry.replaces(resource)) {
                resource.history.origin = None;
            }
            let generator = format!("{}Generator", resource.kind());
            if resource.history.origin.is_none() {
                let by = self.origins.builtin(&file.path, &generator);
                self.origins
                    .record_generator(std::slice::from_mut(resource), &by);
            }
        }
    }

    /// Checks the entries of both lists, those for ConfigMaps first.
    fn check_generators(
        &mut self,
        file: &KustomizationFile,
        folder: &Folder<'_>,
    ) -> Result<Vec<Generator>, Reported> {
        let config = &file.config;
        let global = config.generator_options.clone().unwrap_or_default();
        let mut entries: Vec<(GeneratorKind, &Spanned<GeneratorConfig>)> = Vec::new();
        for entry in config.config_map_generator.iter().flatten() {
            entries.push((GeneratorKind::ConfigMap, entry));
        }
        for entry in config.secret_generator.iter().flatten() {
            entries.push((GeneratorKind::Secret, entry));
        }
        collect_all(entries.into_iter().map(|(kind, entry)| {
            let Spanned { value, location } = entry.clone();
            let value = value.without_unknown_behavior(self.diagnostics);
            let entry = Spanned { value, location };
            generator::check(kind, entry, &global, folder, self.diagnostics)
        }))
    }
}
