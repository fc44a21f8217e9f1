//! A kustomization file as written.
//!
//! The fields are those of kustomize's `api/types/kustomization.go`, read strictly: an unknown one
//! is an error. Their names may be written in any letters, as Go reads JSON. A field that is null
//! is a field that is not there.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::helm::{HELM_DOCUMENTED, HelmChartConfig, HelmGlobalsConfig, OldHelmChartConfig};
use crate::kubernetes::TargetSelectorConfig;
use crate::kustomize::generator::{GeneratorConfig, GeneratorOptionsConfig};
use crate::kustomize::order::SortOptionsConfig;
use crate::kustomize::patch::PatchConfig;
use crate::kustomize::replacement::ReplacementConfig;
use crate::kustomize::{self, ImageConfig, LabelConfig, ReplicaConfig, VarConfig};
use crate::typed::{FieldComments, RawNode, Spanned, documented};

/// A list of texts with their places.
pub(super) type Texts = Option<Vec<Spanned<String>>>;

documented! {
    /// The whole file.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct KustomizationConfig {
        /// `kustomize.config.k8s.io/v1beta1`, or `v1alpha1` for a component.
        pub(super) api_version: Option<Spanned<String>>,
        /// `Kustomization` or `Component`.
        pub(super) kind: Option<Spanned<String>>,
        /// Read strictly, and then ignored, as in kustomize.
        #[serde(rename = "metadata")]
        pub(super) _metadata: Option<MetadataConfig>,
        /// Files with objects, and folders with kustomizations.
        pub(super) resources: Texts,
        /// The old name of `resources`.
        pub(super) bases: Texts,
        /// Folders with components, which change the objects that are there.
        pub(super) components: Texts,
        /// Files with OpenAPI definitions of custom resources.
        pub(super) crds: Texts,
        /// Files that list more fields for names, labels and images.
        pub(super) configurations: Texts,
        /// Configurations of plugins that make objects.
        pub(super) generators: Option<Vec<RawNode>>,
        /// Configurations of plugins that change objects.
        pub(super) transformers: Option<Vec<RawNode>>,
        /// Configurations of plugins that check objects.
        pub(super) validators: Option<Vec<RawNode>>,
        /// The namespace of all objects.
        pub(super) namespace: Option<Spanned<String>>,
        /// A text before the name of each object.
        pub(super) name_prefix: Option<Spanned<String>>,
        /// A text after the name of each object.
        pub(super) name_suffix: Option<Spanned<String>>,
        /// Labels of all objects.
        pub(super) labels: Option<Vec<LabelConfig>>,
        /// Labels of all objects, of the templates of pods, and of all selectors.
        pub(super) common_labels: Option<Spanned<BTreeMap<String, String>>>,
        /// Annotations of all objects and of the templates of pods.
        pub(super) common_annotations: Option<BTreeMap<String, String>>,
        /// New names, tags and digests of images.
        pub(super) images: Option<Vec<ImageConfig>>,
        /// The old name of `images`.
        pub(super) image_tags: Option<Spanned<Vec<ImageConfig>>>,
        /// The number of replicas of workloads, by name.
        pub(super) replicas: Option<Vec<ReplicaConfig>>,
        /// Patches of objects.
        pub(super) patches: Option<Vec<Spanned<PatchConfig>>>,
        /// The old form of `patches` with merge patches.
        pub(super) patches_strategic_merge: Option<Spanned<Vec<RawNode>>>,
        /// The old form of `patches` with operations.
        #[serde(rename = "patchesJson6902")]
        pub(super) patches_json6902: Option<Spanned<Vec<Spanned<PatchConfig>>>>,
        /// Values that are copied from one field to others, also inside strings.
        pub(super) replacements: Option<Vec<Spanned<ReplacementConfig>>>,
        /// Values of fields for texts with `$(NAME)`; the old form of `replacements`.
        pub(super) vars: Option<Spanned<Vec<VarConfig>>>,
        /// ConfigMaps that are generated, or whose values are merged.
        pub(super) config_map_generator: Option<Vec<Spanned<GeneratorConfig>>>,
        /// Secrets that are generated, or whose values are merged.
        pub(super) secret_generator: Option<Vec<Spanned<GeneratorConfig>>>,
        /// Labels, annotations and suffixes of everything that is generated.
        pub(super) generator_options: Option<GeneratorOptionsConfig>,
        /// The folders of charts.
        pub(super) helm_globals: Option<HelmGlobalsConfig>,
        /// Charts that helm renders.
        pub(super) helm_charts: Option<Vec<Spanned<HelmChartConfig>>>,
        /// The old form of `helmCharts`.
        pub(super) helm_chart_inflation_generator: Option<Vec<Spanned<OldHelmChartConfig>>>,
        /// The file with the schema that merge patches follow.
        pub(super) openapi: Option<Spanned<BTreeMap<String, String>>>,
        /// `originAnnotations`, `transformerAnnotations` or `managedByLabel`.
        pub(super) build_metadata: Texts,
        /// The order in which objects are printed.
        pub(super) sort_options: Option<Spanned<SortOptionsConfig>>,
    }
}

documented! {
    /// `metadata` of a kustomization.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct MetadataConfig {
        /// The name.
        #[serde(rename = "name")]
        _name: Option<String>,
        /// The namespace.
        #[serde(rename = "namespace")]
        _namespace: Option<String>,
        /// The labels.
        #[serde(rename = "labels")]
        _labels: Option<BTreeMap<String, String>>,
        /// The annotations.
        #[serde(rename = "annotations")]
        _annotations: Option<BTreeMap<String, String>>,
    }
}

/// The documentation of everything that a file can contain.
pub(super) const DOCUMENTED: [&[FieldComments]; 7] = [
    &[
        KustomizationConfig::DOCUMENTATION,
        MetadataConfig::DOCUMENTATION,
        TargetSelectorConfig::DOCUMENTATION,
    ],
    HELM_DOCUMENTED,
    kustomize::DOCUMENTED,
    kustomize::order::DOCUMENTED,
    kustomize::generator::DOCUMENTED,
    kustomize::patch::DOCUMENTED,
    kustomize::replacement::DOCUMENTED,
];

impl KustomizationConfig {
    /// Returns true if the file says nothing: every field but `apiVersion` and `kind` is absent or
    /// an empty text. An empty list counts as something.
    pub(super) fn is_empty(&self) -> bool {
        let lists = [
            &self.resources,
            &self.bases,
            &self.components,
            &self.crds,
            &self.configurations,
            &self.build_metadata,
        ];
        let plugins = [&self.generators, &self.transformers, &self.validators];
        let texts = [&self.namespace, &self.name_prefix, &self.name_suffix];
        let is_given = |text: &&Option<Spanned<String>>| {
            text.as_ref().is_some_and(|text| !text.value.is_empty())
        };
        lists.iter().all(|list| list.is_none())
            && plugins.iter().all(|list| list.is_none())
            && !texts.iter().any(is_given)
            && self._metadata.is_none()
            && self.has_no_edits()
            && self.has_no_generators()
            && self.openapi.is_none()
            && self.sort_options.is_none()
    }

    /// Returns what includes or generates objects, without what edits them.
    pub(super) fn without_edits(self) -> KustomizationConfig {
        KustomizationConfig {
            api_version: self.api_version,
            kind: self.kind,
            resources: self.resources,
            components: self.components,
            config_map_generator: self.config_map_generator,
            secret_generator: self.secret_generator,
            generator_options: self.generator_options,
            ..KustomizationConfig::default()
        }
    }

    fn has_no_edits(&self) -> bool {
        self.labels.is_none()
            && self.common_labels.is_none()
            && self.common_annotations.is_none()
            && self.images.is_none()
            && self.image_tags.is_none()
            && self.replicas.is_none()
            && self.patches.is_none()
            && self.patches_strategic_merge.is_none()
            && self.patches_json6902.is_none()
            && self.replacements.is_none()
            && self.vars.is_none()
    }

    fn has_no_generators(&self) -> bool {
        self.config_map_generator.is_none()
            && self.secret_generator.is_none()
            && self.generator_options.is_none()
            && self.helm_globals.is_none()
            && self.helm_charts.is_none()
            && self.helm_chart_inflation_generator.is_none()
    }
}
