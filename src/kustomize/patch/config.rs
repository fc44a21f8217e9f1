//! An entry of `patches` as written.

use serde::Deserialize;

use crate::kubernetes::TargetSelectorConfig;
use crate::typed::{RawNode, Spanned, documented};

documented! {
    /// An entry of `patches`: kustomize's fields, read strictly.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct PatchConfig {
        /// The patch itself, as text.
        pub patch: Option<RawNode>,
        /// The file that contains it instead.
        pub path: Option<Spanned<String>>,
        /// Chooses the objects. Without it the patch names its own.
        pub target: Option<Spanned<TargetSelectorConfig>>,
        /// How the patch is applied.
        pub options: Option<PatchOptions>,
    }
}

documented! {
    /// The options of a patch. The first two are kustomize's, the others Inlay's own.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct PatchOptions {
        /// Whether a merge patch may rename the object.
        pub(super) allow_name_change: Option<Spanned<bool>>,
        /// Whether a merge patch may change the kind of the object.
        pub(super) allow_kind_change: Option<Spanned<bool>>,
        /// Do not fail if nothing is selected, or if the place of an operation does not exist.
        pub(super) allow_missing: Option<bool>,
        /// The language of the patch, if its text is ambiguous.
        #[serde(rename = "type")]
        pub(super) patch_type: Option<Spanned<PatchType>>,
    }
}

impl PatchOptions {
    /// Creates options that only set the language, which is written at a place of the
    /// configuration.
    pub fn of_type(patch_type: Spanned<PatchType>) -> PatchOptions {
        PatchOptions {
            patch_type: Some(patch_type),
            ..PatchOptions::default()
        }
    }

    /// Returns whether the patch may change the name of an object.
    pub(super) fn allows_name_change(&self) -> bool {
        is_on(&self.allow_name_change)
    }

    /// Returns whether the patch may change the kind of an object.
    pub(super) fn allows_kind_change(&self) -> bool {
        is_on(&self.allow_kind_change)
    }
}

fn is_on(option: &Option<Spanned<bool>>) -> bool {
    option.as_ref().is_some_and(|option| option.value)
}

/// The languages of patches, with the names of `kubectl patch --type`.
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
