//! `helmCharts`: charts, which the real `helm` renders.
//!
//! ```yaml
//! helmCharts:
//! - name: web                 # the chart is the folder charts/web
//!   releaseName: shop
//!   valuesInline: {replicas: 3}
//! ```
//!
//! Inlay runs `helm template` with the arguments of kustomize's `HelmChartInflationGenerator`, and
//! adds the objects that it prints. It never runs `helm pull`: a chart that is not there is an
//! error that names the command, because a build reads nothing from the network.

mod arguments;
mod chart;
mod config;
mod options;
mod values;

pub(super) use self::config::DOCUMENTED as HELM_DOCUMENTED;
pub(super) use self::config::{HelmChartConfig, HelmGlobalsConfig, OldHelmChartConfig};
pub use self::options::HelmOptions;

use self::config::ChartPluginConfig;
use super::accumulate::KustomizationBuild;
use super::accumulator::Accumulator;
use super::file::KustomizationFile;
use super::place::Place;
use crate::kubernetes::{RecordedStep, Resource, record_all};
use crate::provenance::StepKind;
use crate::source::{Location, Reported};
use crate::typed::{Spanned, read_known_fields};

impl KustomizationBuild<'_> {
    /// Renders the charts of a kustomization, and adds their objects.
    ///
    /// # Errors
    /// Reports a mistake in an entry, a chart that is not there, and what `helm` reports.
    pub(super) fn run_charts(
        &mut self,
        file: &KustomizationFile,
        place: &Place,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        let config = &file.config;
        let globals = config.helm_globals.clone().unwrap_or_default();
        for entry in config.helm_charts.iter().flatten() {
            let Spanned { value, location } = entry.clone();
            let chart = values::with_json_values(value);
            let mut chart = self.diagnostics.check(chart)?;
            if arguments::given(&chart.namespace).is_none() {
                chart.namespace.clone_from(&place.namespace);
            }
            let mut objects = self.render_chart(chart, &globals, location, place)?;
            let by = self
                .origins
                .builtin(&file.path, "HelmChartInflationGenerator");
            self.origins.record_generator(&mut objects, &by);
            self.diagnostics.check(into.append(objects))?;
        }
        Ok(())
    }

    /// Renders the chart of a configuration of kind HelmChartInflationGenerator.
    ///
    /// # Errors
    /// As [`run_charts`](Self::run_charts).
    pub(super) fn chart_of_plugin(
        &mut self,
        configuration: &Resource,
        place: &Place,
    ) -> Result<Vec<Resource>, Reported> {
        let config: ChartPluginConfig = read_known_fields(&configuration.node, self.diagnostics)?;
        let location = configuration.node.get("kind");
        let location = location.and_then(|kind| kind.location());
        let (chart, globals) = config.split();
        self.render_chart(chart, &globals, location, place)
    }

    fn render_chart(
        &mut self,
        chart: HelmChartConfig,
        globals: &HelmGlobalsConfig,
        location: Option<Location>,
        place: &Place,
    ) -> Result<Vec<Resource>, Reported> {
        let step = RecordedStep::at(StepKind::Generator, location.clone());
        let mut objects = chart::render(
            self.world,
            self.options,
            (chart, globals, location),
            place,
            self.diagnostics,
        )?;
        record_all(&mut objects, self.recorder, || step.clone());
        Ok(objects)
    }
}
