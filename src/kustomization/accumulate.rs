//! The order in which a kustomization runs, with everything that it includes.
//!
//! [`KustomizationBuild::accumulate`] is the whole order. A folder under `resources` runs with its
//! own accumulator, which is then added, so its transformers see only its own objects. A component
//! runs on the accumulator of the kustomization that includes it, so its transformers see all
//! objects so far.

use super::accumulator::Accumulator;
use super::file::{self, KustomizationFile, KustomizationKind};
use super::openapi::BuildSchema;
use super::options::KustomizationOptions;
use super::origins::Origins;
use super::place::Place;
use super::remote;
use crate::provenance::Recorder;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Limit, Reported};
use crate::typed::Spanned;

/// A running build.
pub(super) struct KustomizationBuild<'b> {
    pub(super) world: &'b dyn World,
    /// The flags of the build.
    pub(super) options: &'b KustomizationOptions,
    pub(super) origins: Origins,
    pub(super) recorder: Recorder<'b>,
    /// The schema of the first kustomization that has one, for everything that runs after it.
    pub(super) schema: BuildSchema,
    /// Whether the built-in schema was needed before a kustomization gave one.
    pub(super) needs_builtin_schema: bool,
    pub(super) diagnostics: &'b mut Diagnostics,
    /// The number of kustomizations that have run.
    runs: u64,
}

impl<'b> KustomizationBuild<'b> {
    /// Creates a build.
    pub(super) fn new(
        world: &'b dyn World,
        options: &'b KustomizationOptions,
        origins: Origins,
        recorder: Recorder<'b>,
        diagnostics: &'b mut Diagnostics,
    ) -> KustomizationBuild<'b> {
        KustomizationBuild {
            world,
            options,
            origins,
            recorder,
            schema: BuildSchema::default(),
            needs_builtin_schema: false,
            diagnostics,
            runs: 0,
        }
    }

    /// Runs a kustomization, and returns `into` with what it adds and changes.
    ///
    /// # Errors
    /// Anything was reported. A step that needs the result of a failed one does not run.
    pub(super) fn accumulate(
        &mut self,
        place: &Place,
        file: &KustomizationFile,
        mut into: Accumulator,
    ) -> Result<Accumulator, Reported> {
        self.count_run()?;
        let config = &file.config;
        let namespace = config.namespace.as_ref().map(|text| text.value.as_str());
        let place = &place.clone().in_namespace(namespace);
        remote::refuse_addresses(config, self.diagnostics)?;
        self.check_schema(config, place)?;
        self.add_resources(list(&config.resources), place, &mut into)?;
        self.add_field_specs(config, place, &mut into)?;
        self.run_generators(file, place, &mut into)?;
        self.run_charts(file, place, &mut into)?;
        self.run_generator_plugins(file, place, &mut into)?;
        into = self.run_components(list(&config.components), place, into)?;
        self.run_transformers(file, place, &mut into)?;
        self.run_validators(file, place, &into)?;
        if let Some(vars) = &config.vars {
            let Accumulator {
                variables,
                resources,
                ..
            } = &mut into;
            variables.bind(vars.value.clone(), resources, self.diagnostics)?;
        }
        Ok(into)
    }

    /// Counts a kustomization that runs. If each of forty folders includes the next one twice, a
    /// trillion kustomizations run.
    fn count_run(&mut self) -> Result<(), Reported> {
        self.runs += 1;
        let most = Limit::Kustomizations.value();
        if self.runs <= most {
            return Ok(());
        }
        let message = format!("the build includes more than {most} kustomizations");
        let help = "include a folder once, and what it needs several times as a component";
        let error = Limit::Kustomizations.exceeded(message);
        Err(self.diagnostics.report(error.help(help)))
    }

    /// Runs each component on what the kustomization has collected so far.
    fn run_components(
        &mut self,
        entries: &[Spanned<String>],
        place: &Place,
        mut into: Accumulator,
    ) -> Result<Accumulator, Reported> {
        for entry in entries {
            let component = self.enter(entry, place)?;
            let file = file::read(self.world, &component.shown, self.diagnostics)?;
            if file.kind != KustomizationKind::Component {
                let message = format!(
                    "expected kind 'Component' for path '{}' but got '{}'",
                    component.shown.display(),
                    file.kind.name()
                );
                return Err(self.diagnostics.report(
                    Diagnostic::error(Code::Config, message)
                        .at(entry.location.clone(), "")
                        .help("list it under `resources`, or make it a Component"),
                ));
            }
            into = self.accumulate(&component, &file, into)?;
            // A component may rename objects. Like a folder of `resources`, it must leave them with
            // different names; generated ones have no suffix yet.
            self.diagnostics.check(into.check_ids())?;
        }
        Ok(into)
    }
}

/// Returns the entries of a list; an absent list has none.
fn list<T>(list: &Option<Vec<T>>) -> &[T] {
    list.as_deref().unwrap_or_default()
}
