//! An entry of `patches` as it is written.

use serde::Deserialize;

use crate::kubernetes::SelectorConfig;
use crate::typed::{RawNode, Spanned};

/// An entry of `patches`: kustomize's fields, read strictly.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PatchConfig {
    /// The patch itself, a text.
    pub patch: Option<RawNode>,
    /// The file that holds it.
    pub path: Option<Spanned<String>>,
    /// Chooses the objects; without it the patch names its own.
    pub target: Option<Spanned<SelectorConfig>>,
    /// How to apply it.
    pub options: Option<PatchOptions>,
}

/// The options of a patch. The first two are kustomize's, the others Inlay's own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PatchOptions {
    /// Whether a merge patch may rename the object.
    pub allow_name_change: Option<Spanned<bool>>,
    /// Whether a merge patch may change the kind of the object.
    pub allow_kind_change: Option<Spanned<bool>>,
    /// Whether it is well that nothing is selected, or that the place of an operation is not there.
    pub allow_missing: Option<bool>,
    /// What the patch is, where its text does not tell.
    #[serde(rename = "type")]
    pub patch_type: Option<Spanned<PatchType>>,
}

impl PatchOptions {
    /// Whether an option is on.
    pub(super) fn is_on(option: Option<&Spanned<bool>>) -> bool {
        option.is_some_and(|option| option.value)
    }
}

/// The languages of patches, by the names that `kubectl patch --type` has for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PatchType {
    /// Operations at places (RFC 6902).
    Json,
    /// A tree whose lists replace and whose nulls delete (RFC 7396).
    Merge,
    /// A tree that is merged by the rules of the object's kind.
    Strategic,
}
