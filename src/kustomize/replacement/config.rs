//! An entry of `replacements` as written.
//!
//! The fields are those of kustomize's `api/types/replacement.go`, read strictly. kustomize ignores
//! unknown fields in a file that `path` refers to: there, `fieldPath` instead of `fieldPaths`
//! silently renames the object.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::options::ReplacementOptions;
use crate::kubernetes::TargetSelectorConfig;
use crate::typed::{Spanned, documented};

documented! {
    /// An entry of `replacements`, or of a file that such an entry refers to.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct ReplacementConfig {
        /// The field that is read.
        pub(super) source: Option<Spanned<SourceConfig>>,
        /// The value itself, instead of a field.
        pub(super) source_value: Option<Spanned<String>>,
        /// Several fields that are read, by the names that `template` uses for them.
        pub(super) sources: Option<BTreeMap<String, Spanned<SourceConfig>>>,
        /// The text that they are inserted into.
        pub(super) template: Option<Spanned<String>>,
        /// The fields that are written.
        pub(super) targets: Option<Vec<Spanned<TargetConfig>>>,
        /// A file with one entry or a list of them, instead of all other fields.
        pub(super) path: Option<Spanned<String>>,
    }
}

impl ReplacementConfig {
    /// Returns the path of the file with the entries, if this entry names one.
    pub fn path(&self) -> Option<&Spanned<String>> {
        self.path.as_ref().filter(|path| !path.value.is_empty())
    }
}

documented! {
    /// A field that is read.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct SourceConfig {
        /// The API group of the object.
        pub(super) group: Option<String>,
        /// The API version of the object.
        pub(super) version: Option<String>,
        /// The kind of the object.
        pub(super) kind: Option<String>,
        /// The name of the object.
        pub(super) name: Option<String>,
        /// The namespace of the object.
        pub(super) namespace: Option<String>,
        /// The path to the field.
        pub(super) field_path: Option<Spanned<String>>,
        /// How the value is read.
        pub(super) options: Option<ReplacementOptions>,
    }
}

documented! {
    /// Fields of some objects that are written.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct TargetConfig {
        /// Chooses the objects.
        pub(super) select: Option<Spanned<TargetSelectorConfig>>,
        /// Excludes objects again.
        pub(super) reject: Option<Vec<TargetSelectorConfig>>,
        /// The paths to the fields.
        pub(super) field_paths: Option<Vec<Spanned<String>>>,
        /// How the value is written.
        pub(super) options: Option<ReplacementOptions>,
    }
}
