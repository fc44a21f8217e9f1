//! The flags for charts.

use super::config::HelmChartConfig;

/// How `helm` renders charts.
#[derive(Clone, Debug)]
pub struct HelmOptions {
    /// Whether it may run: `--enable-helm`.
    pub is_enabled: bool,
    /// The program: `--helm-command`.
    pub command: String,
    /// The versions that charts find in the cluster: `--helm-api-versions`.
    pub api_versions: Vec<String>,
    /// The version of the cluster: `--helm-kube-version`.
    pub kube_version: String,
    /// Whether `helm` gets the flag `--debug`: `--helm-debug`.
    pub debug: bool,
}

impl Default for HelmOptions {
    fn default() -> HelmOptions {
        HelmOptions {
            is_enabled: false,
            command: "helm".to_owned(),
            api_versions: Vec::new(),
            kube_version: String::new(),
            debug: false,
        }
    }
}

impl HelmOptions {
    /// Fills in what a chart does not say itself.
    pub(super) fn complete(&self, chart: &mut HelmChartConfig) {
        if chart.api_versions.iter().flatten().next().is_none() {
            chart.api_versions = Some(self.api_versions.clone());
        }
        if chart.kube_version.as_deref().unwrap_or_default().is_empty() {
            chart.kube_version = Some(self.kube_version.clone());
        }
        if self.debug {
            chart.debug = Some(true);
        }
    }
}
