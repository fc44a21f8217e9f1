//! A kustomization file as written.
//!
//! The fields are those of kustomize's `api/types/kustomization.go`, read strictly: an unknown one
//! is an error. Their names may be written in any letters, as Go reads JSON. A field that is null is
//! a field that is not there.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::kustomize::generator::{GeneratorConfig, GeneratorOptionsConfig};
use crate::kustomize::order::SortOptionsConfig;
use crate::kustomize::patch::PatchConfig;
use crate::kustomize::replacement::ReplacementConfig;
use crate::kustomize::{ImageConfig, LabelConfig, ReplicaConfig, VarConfig};
use crate::typed::{RawNode, Spanned};

/// A list of texts, each of which can be pointed at.
pub(super) type Texts = Option<Vec<Spanned<String>>>;

/// The whole file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct KustomizationConfig {
    pub(super) api_version: Option<Spanned<String>>,
    pub(super) kind: Option<Spanned<String>>,
    /// Read strictly, and then ignored, as in kustomize.
    #[serde(rename = "metadata")]
    pub(super) _metadata: Option<MetadataConfig>,

    pub(super) resources: Texts,
    /// The old name of `resources`.
    pub(super) bases: Texts,
    pub(super) components: Texts,
    pub(super) crds: Texts,
    pub(super) configurations: Texts,
    pub(super) generators: Option<Vec<RawNode>>,
    pub(super) transformers: Option<Vec<RawNode>>,
    pub(super) validators: Option<Vec<RawNode>>,

    pub(super) namespace: Option<Spanned<String>>,
    pub(super) name_prefix: Option<Spanned<String>>,
    pub(super) name_suffix: Option<Spanned<String>>,
    pub(super) labels: Option<Vec<LabelConfig>>,
    pub(super) common_labels: Option<Spanned<BTreeMap<String, String>>>,
    pub(super) common_annotations: Option<BTreeMap<String, String>>,
    pub(super) images: Option<Vec<ImageConfig>>,
    /// The old name of `images`.
    pub(super) image_tags: Option<Spanned<Vec<ImageConfig>>>,
    pub(super) replicas: Option<Vec<ReplicaConfig>>,

    pub(super) patches: Option<Vec<Spanned<PatchConfig>>>,
    pub(super) patches_strategic_merge: Option<Spanned<Vec<RawNode>>>,
    #[serde(rename = "patchesJson6902")]
    pub(super) patches_json6902: Option<Spanned<Vec<Spanned<PatchConfig>>>>,
    pub(super) replacements: Option<Vec<Spanned<ReplacementConfig>>>,
    pub(super) vars: Option<Spanned<Vec<VarConfig>>>,

    pub(super) config_map_generator: Option<Vec<Spanned<GeneratorConfig>>>,
    pub(super) secret_generator: Option<Vec<Spanned<GeneratorConfig>>>,
    pub(super) generator_options: Option<GeneratorOptionsConfig>,
    pub(super) helm_globals: Option<RawNode>,
    pub(super) helm_charts: Option<Vec<RawNode>>,
    /// The old form of `helmCharts`.
    pub(super) helm_chart_inflation_generator: Option<Vec<RawNode>>,

    pub(super) openapi: Option<Spanned<BTreeMap<String, String>>>,
    pub(super) build_metadata: Texts,
    pub(super) sort_options: Option<Spanned<SortOptionsConfig>>,
}

/// `metadata` of a kustomization.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MetadataConfig {
    #[serde(rename = "name")]
    _name: Option<String>,
    #[serde(rename = "namespace")]
    _namespace: Option<String>,
    #[serde(rename = "labels")]
    _labels: Option<BTreeMap<String, String>>,
    #[serde(rename = "annotations")]
    _annotations: Option<BTreeMap<String, String>>,
}

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
