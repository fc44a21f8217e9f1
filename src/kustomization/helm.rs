//! `helmCharts`: charts that kustomize renders with `helm`.

use super::config::KustomizationConfig;
use crate::source::{Code, Diagnostic, Location};

/// Returns the error for the charts of a kustomization, and `None` if it has none.
pub(super) fn refusal_of(config: &KustomizationConfig) -> Option<Box<Diagnostic>> {
    let lists = [&config.helm_charts, &config.helm_chart_inflation_generator];
    let mut charts = lists.into_iter().flatten().flatten();
    let first = charts.next()?;
    Some(refusal(first.0.location()))
}

/// Returns the error for a chart at a place of a configuration.
pub(super) fn refusal(location: Option<Location>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Config, "helm charts are not rendered by Inlay")
        .at(location, "")
        .help("write the output of `helm template` to a file, and list it under `resources`")
}
