//! Runs plugins at their places in the order of a kustomization.

use super::absorb::absorb;
use super::builtin::{TRANSFORMERS, config_error, kind_location, unknown_builtin};
use super::iam_policy;
use super::program::{self, ProgramPlugin};
use crate::krm;
use crate::kubernetes::{EntryRecorder, RecordedStep, Resource, record_all};
use crate::kustomization::accumulate::KustomizationBuild;
use crate::kustomization::accumulator::Accumulator;
use crate::kustomization::file::KustomizationFile;
use crate::kustomization::place::Place;
use crate::kustomization::transformers::{ConfiguredTransformer, Transformer};
use crate::kustomize::generator::GeneratorKind;
use crate::pipeline::Configuration;
use crate::provenance::StepKind;
use crate::source::world::Folder;
use crate::source::{Reported, Result};
use crate::typed::RawNode;
use crate::yaml::is_equal;

/// The `apiVersion` of kustomize's own plugins.
const BUILTIN: &str = "builtin";

impl KustomizationBuild<'_> {
    /// Runs the plugins that `generators` lists.
    ///
    /// # Errors
    /// Reports every mistake in their configurations, and the errors of the plugins.
    pub(in crate::kustomization) fn run_generator_plugins(
        &mut self,
        file: &KustomizationFile,
        place: &Place,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        let folder = place.folder(self.world);
        for configuration in self.load_plugins(entries(&file.config.generators), place)? {
            if is_iam_policy(&configuration) {
                let mut generated = iam_policy::generate(&configuration, self.diagnostics)?;
                generated.record(self.recorder, || plugin_step(&configuration));
                self.diagnostics.check(into.append(vec![generated]))?;
                continue;
            }
            let by = self.origins.plugin(&configuration, &file.path);
            if is_chart(&configuration) {
                let mut generated = self.chart_of_plugin(&configuration, place)?;
                self.origins.record_generator(&mut generated, &by);
                self.diagnostics.check(into.append(generated))?;
                continue;
            }
            if is_program(&configuration) {
                let program = self.program(&configuration, place)?;
                let mut generated = program.generate(self.world, self.diagnostics)?;
                for object in &mut generated {
                    let resource = std::slice::from_mut(&mut object.resource);
                    self.origins.record_generator(resource, &by);
                }
                absorb(into, generated, self.diagnostics)?;
                continue;
            }
            let generator = self.generator_plugin(&configuration, &folder)?;
            let steps = Transformer::Steps(Box::new(generator), place.clone());
            let recorder = EntryRecorder {
                recorder: self.recorder,
                steps: &[],
            };
            steps.run(self.world, None, into.edit(), recorder, self.diagnostics)?;
            record_all(into.edit(), self.recorder, || plugin_step(&configuration));
            self.origins.record_generator(&mut into.resources, &by);
        }
        Ok(())
    }

    fn generator_plugin(
        &mut self,
        configuration: &Resource,
        folder: &Folder<'_>,
    ) -> Result<Configuration, Reported> {
        let error = match configuration.kind() {
            _ if is_inlay(configuration) => {
                return krm::read_configuration(&configuration.node, folder, self.diagnostics);
            }
            "ConfigMapGenerator" => {
                return self.builtin_generator(GeneratorKind::ConfigMap, configuration, folder);
            }
            "SecretGenerator" => {
                return self.builtin_generator(GeneratorKind::Secret, configuration, folder);
            }
            kind if TRANSFORMERS.contains(&kind) => {
                let message = format!("plugin {} not a generator", configuration.id());
                config_error(message, configuration).help("list it under `transformers`")
            }
            _ => unknown_builtin(configuration),
        };
        Err(self.diagnostics.report(error))
    }

    fn builtin_generator(
        &mut self,
        kind: GeneratorKind,
        configuration: &Resource,
        folder: &Folder<'_>,
    ) -> Result<Configuration, Reported> {
        krm::read_generator_plugin(kind, &configuration.node, folder, self.diagnostics)
    }

    /// Runs the plugins that `validators` lists on a copy of the objects.
    ///
    /// # Errors
    /// Reports the errors of the validators, and a validator that changes an object.
    pub(in crate::kustomization) fn run_validators(
        &mut self,
        file: &KustomizationFile,
        place: &Place,
        into: &Accumulator,
    ) -> Result<(), Reported> {
        let folder = place.folder(self.world);
        for configuration in self.load_plugins(entries(&file.config.validators), place)? {
            for validator in self.transformer_plugin(&configuration, place, &folder)? {
                let mut validated = into.resources.clone();
                let schema = self.schema.custom();
                // The changes of a validator are dropped.
                let recorder = EntryRecorder::off();
                validator.run(
                    self.world,
                    schema,
                    &mut validated,
                    recorder,
                    self.diagnostics,
                )?;
                if let Some(changed) = first_change(&into.resources, &validated) {
                    let message = format!("validator shouldn't modify the resource map: {changed}");
                    let error = config_error(message, &configuration)
                        .help("list it under `transformers`, or let it only check");
                    return Err(self.diagnostics.report(error));
                }
            }
        }
        Ok(())
    }

    /// Configures the plugins that `transformers` lists.
    ///
    /// # Errors
    /// Reports every mistake in their configurations.
    pub(in crate::kustomization) fn transformer_plugins(
        &mut self,
        file: &KustomizationFile,
        place: &Place,
    ) -> Result<Vec<ConfiguredTransformer>, Reported> {
        let folder = place.folder(self.world);
        let mut configured = Vec::new();
        for configuration in self.load_plugins(entries(&file.config.transformers), place)? {
            let by = self.origins.plugin(&configuration, &file.path);
            for transformer in self.transformer_plugin(&configuration, place, &folder)? {
                configured.push(ConfiguredTransformer {
                    transformer,
                    by: None,
                    steps: vec![plugin_step(&configuration)],
                });
            }
            if let Some(last) = configured.last_mut() {
                last.by = Some(by);
            }
        }
        Ok(configured)
    }

    fn transformer_plugin(
        &mut self,
        configuration: &Resource,
        place: &Place,
        folder: &Folder<'_>,
    ) -> Result<Vec<Transformer>, Reported> {
        if configuration.api_version() == BUILTIN {
            return self.builtin_transformers(configuration, place);
        }
        if is_inlay(configuration) {
            let node = &configuration.node;
            let steps = krm::read_configuration(node, folder, self.diagnostics)?;
            return Ok(vec![Transformer::Steps(Box::new(steps), place.clone())]);
        }
        let program = self.program(configuration, place)?;
        Ok(vec![Transformer::Program(Box::new(program))])
    }

    /// Finds the program of a configuration.
    fn program(
        &mut self,
        configuration: &Resource,
        place: &Place,
    ) -> Result<ProgramPlugin, Reported> {
        program::find(
            self.world,
            self.options,
            configuration,
            place,
            self.diagnostics,
        )
    }
}

/// Returns the recorded step of a plugin. Its place is the configuration of the plugin.
fn plugin_step(configuration: &Resource) -> RecordedStep {
    RecordedStep::at(StepKind::Plugin, kind_location(configuration))
}

/// Returns the id of the first object that has changed. Layout and comments are ignored.
fn first_change(before: &[Resource], after: &[Resource]) -> Option<String> {
    for (before, after) in before.iter().zip(after) {
        if !is_equal(&before.node, &after.node) {
            return Some(before.id().to_string());
        }
    }
    let longer = if before.len() > after.len() {
        before
    } else {
        after
    };
    let shorter = before.len().min(after.len());
    longer
        .get(shorter)
        .map(|resource| resource.id().to_string())
}

fn is_iam_policy(configuration: &Resource) -> bool {
    configuration.api_version() == BUILTIN && configuration.kind() == "IAMPolicyGenerator"
}

fn is_chart(configuration: &Resource) -> bool {
    configuration.api_version() == BUILTIN && configuration.kind() == "HelmChartInflationGenerator"
}

/// Returns whether a configuration is one of Inlay, which runs in this process.
fn is_inlay(configuration: &Resource) -> bool {
    configuration.group() == "inlay.dev"
}

/// Returns whether a configuration is for a program.
fn is_program(configuration: &Resource) -> bool {
    configuration.api_version() != BUILTIN && !is_inlay(configuration)
}

fn entries(list: &Option<Vec<RawNode>>) -> &[RawNode] {
    list.as_deref().unwrap_or_default()
}
