//! Charts as a kustomization lists them.
//!
//! The fields are those of kustomize's `api/types/helmchartargs.go`.

use serde::Deserialize;

use crate::typed::{FieldComments, RawNode, Spanned, documented};

documented! {
    /// `helmGlobals`.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase", default)]
    pub(in crate::kustomization) struct HelmGlobalsConfig {
        /// The folder of the charts; `charts` if it is not given.
        pub(super) chart_home: Option<String>,
        /// The folder of helm's own settings; a temporary one if it is not given.
        pub(super) config_home: Option<String>,
    }
}

documented! {
    /// An entry of `helmCharts`.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase", default)]
    pub(in crate::kustomization) struct HelmChartConfig {
        /// The name of the chart.
        pub(super) name: Option<String>,
        /// The version of the chart.
        pub(super) version: Option<String>,
        /// The address of its repository.
        pub(super) repo: Option<String>,
        /// The name of the release.
        pub(super) release_name: Option<String>,
        /// The namespace of the release.
        pub(super) namespace: Option<String>,
        /// A file with values; those of the chart if it is not given.
        pub(super) values_file: Option<Spanned<String>>,
        /// More files with values.
        pub(super) additional_values_files: Option<Vec<Spanned<String>>>,
        /// Values in the kustomization itself.
        pub(super) values_inline: Option<RawNode>,
        /// `override`, `merge` or `replace`: which values win.
        pub(super) values_merge: Option<Spanned<HelmValuesMerge>>,
        /// Whether custom resource definitions are part of the output.
        #[serde(rename = "includeCRDs")]
        pub(super) include_crds: Option<bool>,
        /// Whether hooks are left out.
        pub(super) skip_hooks: Option<bool>,
        /// Whether tests are left out.
        pub(super) skip_tests: Option<bool>,
        /// API versions that the chart finds in the cluster.
        pub(super) api_versions: Option<Vec<String>>,
        /// The version of the cluster.
        pub(super) kube_version: Option<String>,
        /// A template of the name of the release.
        pub(super) name_template: Option<String>,
        /// Whether helm prints more.
        pub(super) debug: Option<bool>,
        /// Whether versions before a release count.
        pub(super) devel: Option<bool>,
    }
}

/// The documentation of these types.
pub(in crate::kustomization) const DOCUMENTED: &[FieldComments] = &[
    HelmGlobalsConfig::DOCUMENTATION,
    HelmChartConfig::DOCUMENTATION,
    OldHelmChartConfig::DOCUMENTATION,
];

/// `valuesMerge`: which values win where the values file and `valuesInline` differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum HelmValuesMerge {
    /// Those of `valuesInline`.
    #[default]
    Override,
    /// Those of the values file.
    Merge,
    /// Only those of `valuesInline` count.
    Replace,
}

documented! {
    /// An entry of `helmChartInflationGenerator`, the old form of `helmCharts`.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase", default)]
    pub(in crate::kustomization) struct OldHelmChartConfig {
        /// The name of the chart.
        chart_name: Option<String>,
        /// The version of the chart.
        chart_version: Option<String>,
        /// The address of its repository.
        chart_repo_url: Option<String>,
        /// The folder of the charts.
        chart_home: Option<String>,
        /// The folder of helm's own settings.
        helm_home: Option<String>,
        /// A file with values.
        values: Option<Spanned<String>>,
        /// Values in the kustomization itself.
        values_local: Option<RawNode>,
        /// `override`, `merge` or `replace`: which values win.
        values_merge: Option<Spanned<HelmValuesMerge>>,
        /// The name of the release.
        release_name: Option<String>,
        /// Ignored.
        #[serde(rename = "chartRepoName")]
        _chart_repo_name: Option<String>,
        /// Ignored.
        #[serde(rename = "helmBin")]
        _helm_bin: Option<String>,
        /// Ignored.
        #[serde(rename = "releaseNamespace")]
        _release_namespace: Option<String>,
        /// Ignored.
        #[serde(rename = "extraArgs")]
        _extra_args: Option<Vec<String>>,
    }
}

impl OldHelmChartConfig {
    /// Returns the chart in the form of `helmCharts`. What only the old form has is ignored, as in
    /// kustomize. The folders of the entry go to `globals`, where the last ones count.
    pub(in crate::kustomization) fn convert(
        self,
        globals: &mut HelmGlobalsConfig,
    ) -> HelmChartConfig {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        if let Some(home) = given(self.chart_home) {
            globals.chart_home = Some(home);
        }
        if let Some(home) = given(self.helm_home) {
            globals.config_home = Some(home);
        }
        HelmChartConfig {
            name: self.chart_name,
            version: self.chart_version,
            repo: self.chart_repo_url,
            release_name: self.release_name,
            values_file: self.values,
            values_inline: self.values_local,
            values_merge: self.values_merge,
            ..HelmChartConfig::default()
        }
    }
}

/// A configuration of kind HelmChartInflationGenerator: the fields of a chart and of `helmGlobals`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ChartPluginConfig {
    #[serde(rename = "apiVersion")]
    _api_version: Option<RawNode>,
    #[serde(rename = "kind")]
    _kind: Option<RawNode>,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    chart_home: Option<String>,
    config_home: Option<String>,
    name: Option<String>,
    version: Option<String>,
    repo: Option<String>,
    release_name: Option<String>,
    namespace: Option<String>,
    values_file: Option<Spanned<String>>,
    additional_values_files: Option<Vec<Spanned<String>>>,
    values_inline: Option<RawNode>,
    values_merge: Option<Spanned<HelmValuesMerge>>,
    #[serde(rename = "includeCRDs")]
    include_crds: Option<bool>,
    skip_hooks: Option<bool>,
    skip_tests: Option<bool>,
    api_versions: Option<Vec<String>>,
    kube_version: Option<String>,
    name_template: Option<String>,
    debug: Option<bool>,
    devel: Option<bool>,
}

impl ChartPluginConfig {
    /// Returns the chart and the settings, as a kustomization has them in two fields.
    pub(super) fn split(self) -> (HelmChartConfig, HelmGlobalsConfig) {
        let chart = HelmChartConfig {
            name: self.name,
            version: self.version,
            repo: self.repo,
            release_name: self.release_name,
            namespace: self.namespace,
            values_file: self.values_file,
            additional_values_files: self.additional_values_files,
            values_inline: self.values_inline,
            values_merge: self.values_merge,
            include_crds: self.include_crds,
            skip_hooks: self.skip_hooks,
            skip_tests: self.skip_tests,
            api_versions: self.api_versions,
            kube_version: self.kube_version,
            name_template: self.name_template,
            debug: self.debug,
            devel: self.devel,
        };
        let globals = HelmGlobalsConfig {
            chart_home: self.chart_home,
            config_home: self.config_home,
        };
        (chart, globals)
    }
}
