//! An entry of `replacements` as it is written.
//!
//! The fields are those of kustomize's `api/types/replacement.go`, read strictly: kustomize itself ignores unknown
//! fields in a file named by `path`, so that `fieldPath` for `fieldPaths` silently renames the object.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::options::Options;
use crate::kubernetes::SelectorConfig;
use crate::typed::Spanned;

/// An entry of `replacements`, or one of the entries of a file that it names.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReplacementConfig {
    /// The field to read.
    pub source: Option<Spanned<SourceConfig>>,
    /// The value itself, instead of a field.
    pub source_value: Option<Spanned<String>>,
    /// Several fields to read, by the names that `template` has for them.
    pub sources: Option<BTreeMap<String, Spanned<SourceConfig>>>,
    /// The text to make of them.
    pub template: Option<Spanned<String>>,
    /// The fields to write.
    pub targets: Option<Vec<Spanned<TargetConfig>>>,
    /// A file with the rest of the entry, instead of all other fields.
    pub path: Option<Spanned<String>>,
}

/// The field to read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SourceConfig {
    /// The API group of the object.
    pub group: Option<String>,
    /// The API version of the object.
    pub version: Option<String>,
    /// The kind of the object.
    pub kind: Option<String>,
    /// The name of the object.
    pub name: Option<String>,
    /// The namespace of the object.
    pub namespace: Option<String>,
    /// The path to the field.
    pub field_path: Option<Spanned<String>>,
    /// How to read it.
    pub options: Option<Options>,
}

/// The fields to write in some objects.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TargetConfig {
    /// Chooses the objects.
    pub select: Option<Spanned<SelectorConfig>>,
    /// Takes objects out again.
    pub reject: Option<Vec<SelectorConfig>>,
    /// The paths to the fields.
    pub field_paths: Option<Vec<Spanned<String>>>,
    /// How to write them.
    pub options: Option<Options>,
}
