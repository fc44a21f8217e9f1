//! An entry of `configMapGenerator` or `secretGenerator` as it is written.
//!
//! The fields are those of kustomize's `api/types`, and `mergeValues` of its proposal on structured data. Everything is
//! read strictly.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::edit::{DocumentFormat, Nulls};
use crate::typed::{RawNode, Spanned};

/// An entry of either generator.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GeneratorConfig {
    /// The name of the object, without the suffix.
    pub name: Option<Spanned<String>>,
    /// The namespace of the object.
    pub namespace: Option<Spanned<String>>,
    /// `create`, `merge` or `replace`.
    pub behavior: Option<Spanned<String>>,
    /// `key=value`, or a mapping of keys and values.
    pub literals: Option<Vec<RawNode>>,
    /// `path` or `key=path`.
    pub files: Option<Vec<Spanned<String>>>,
    /// Files with a `key=value` a line.
    pub envs: Option<Vec<Spanned<String>>>,
    /// One more of them; kustomize's old name.
    pub env: Option<Spanned<String>>,
    /// What else the object gets.
    pub options: Option<OptionsConfig>,
    /// The `type` of a Secret.
    #[serde(rename = "type")]
    pub secret_type: Option<Spanned<String>>,
    /// The keys whose documents are merged instead of replaced.
    pub merge_values: Option<Vec<Spanned<MergeValueConfig>>>,
}

/// `options` of an entry, and `generatorOptions` for all entries.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OptionsConfig {
    /// Labels of the object.
    pub labels: Option<BTreeMap<String, String>>,
    /// Annotations of the object.
    pub annotations: Option<BTreeMap<String, String>>,
    /// Whether the name gets no suffix.
    pub disable_name_suffix_hash: Option<bool>,
    /// Whether Kubernetes refuses changes of the object.
    pub immutable: Option<bool>,
}

/// An entry of `mergeValues`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MergeValueConfig {
    /// The key of the text.
    pub key: Spanned<String>,
    /// The language of the text.
    pub format: Option<DocumentFormat>,
    /// `replace`, `append` or `merge-by KEY`.
    pub lists: Option<Spanned<String>>,
    /// `set` or `delete`.
    pub nulls: Option<Nulls>,
}
