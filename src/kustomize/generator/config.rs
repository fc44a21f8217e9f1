//! An entry of `configMapGenerator` or `secretGenerator` as written.
//!
//! The fields are those of kustomize's `api/types`, and `mergeValues` from its proposal on
//! structured data. They are read strictly.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::edit::{DocumentFormat, Nulls};
use crate::typed::{RawNode, Spanned, documented};

documented! {
    /// An entry of either generator.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct GeneratorConfig {
        /// The name of the object, without the suffix.
        pub name: Option<Spanned<String>>,
        /// The namespace of the object.
        pub namespace: Option<Spanned<String>>,
        /// `create`, `merge` or `replace`.
        pub(super) behavior: Option<Spanned<String>>,
        /// `key=value`, or a mapping of keys and values.
        pub(super) literals: Option<Vec<RawNode>>,
        /// `path` or `key=path`.
        pub(super) files: Option<Vec<Spanned<String>>>,
        /// Files with one `key=value` per line.
        pub(super) envs: Option<Vec<Spanned<String>>>,
        /// One more of them, under kustomize's old name.
        pub(super) env: Option<Spanned<String>>,
        /// Properties of the object beside its values.
        pub(super) options: Option<GeneratorOptionsConfig>,
        /// The `type` of a Secret.
        #[serde(rename = "type")]
        pub(super) secret_type: Option<Spanned<String>>,
        /// Keys whose documents are merged instead of replaced.
        pub(super) merge_values: Option<Vec<Spanned<MergeValueConfig>>>,
    }
}

documented! {
    /// `options` of an entry, and `generatorOptions` for all entries.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct GeneratorOptionsConfig {
        /// Labels of the object.
        pub(super) labels: Option<BTreeMap<String, String>>,
        /// Annotations of the object.
        pub(super) annotations: Option<BTreeMap<String, String>>,
        /// Whether the name gets no suffix.
        pub(super) disable_name_suffix_hash: Option<bool>,
        /// Whether Kubernetes refuses changes to the object.
        pub(super) immutable: Option<bool>,
    }
}

documented! {
    /// An entry of `mergeValues`.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct MergeValueConfig {
        /// The key of the value.
        pub(super) key: Spanned<String>,
        /// The format of the document.
        pub(super) format: Option<DocumentFormat>,
        /// `replace`, `append` or `merge-by KEY`.
        pub(super) lists: Option<Spanned<String>>,
        /// `set` or `delete`.
        pub(super) nulls: Option<Nulls>,
    }
}
