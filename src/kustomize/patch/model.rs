//! A patch that was checked: its text is parsed, and its target is compiled.

use std::sync::Arc;

use super::config::PatchOptions;
use super::json6902::PatchOperation;
use crate::edit::{EditOptions, TextFields};
use crate::kubernetes::{Resource, TargetSelector, text_fields};
use crate::kustomize::EditRules;
use crate::source::Location;
use crate::typed::Spanned;
use crate::yaml::{Node, length_of_texts};

/// An entry of `patches`.
#[derive(Clone, Debug)]
pub struct Patch {
    pub(super) content: PatchContent,
    pub(super) settings: PatchSettings,
}

/// The changes, in one of the languages of patches.
///
/// Invariant: a JSON patch has a target and at least one operation. There is at least one tree;
/// with a target, there is exactly one, and without a target every tree names its object. No tree
/// has aliases or merge keys.
#[derive(Clone, Debug)]
pub(super) enum PatchContent {
    /// Operations (RFC 6902).
    Json(Vec<PatchOperation>),
    /// Trees that are merged by the rules of each object's kind.
    Strategic(Vec<Arc<Node>>),
    /// Trees that are merged by RFC 7396.
    Merge(Vec<Arc<Node>>),
}

impl PatchContent {
    /// Returns the bytes of the texts that the patch may write into an object.
    pub(super) fn length(&self) -> usize {
        match self {
            PatchContent::Json(operations) => {
                let values = operations.iter().filter_map(PatchOperation::value);
                values.map(length_of_texts).sum()
            }
            PatchContent::Strategic(trees) | PatchContent::Merge(trees) => {
                trees.iter().map(length_of_texts).sum()
            }
        }
    }
}

/// Where and how a patch is applied.
#[derive(Clone, Debug)]
pub(super) struct PatchSettings {
    /// Chooses the objects. Without it the patch names its own.
    pub(super) target: Option<Spanned<TargetSelector>>,
    pub(super) options: PatchOptions,
    pub(super) rules: EditRules,
    /// Whether a JSON patch of a build records the id that an object has before it. Those of
    /// `patchesJson6902` do not.
    pub(super) records_id: bool,
    /// Whether labels and annotations of a strategic merge patch are read as texts.
    pub(super) rewrites_metadata: bool,
    /// The place of the entry in the configuration.
    pub(super) location: Option<Location>,
}

impl Patch {
    /// Returns whether the text of the patch has no document.
    pub fn is_empty(&self) -> bool {
        match &self.content {
            PatchContent::Json(operations) => operations.is_empty(),
            PatchContent::Strategic(trees) | PatchContent::Merge(trees) => trees.is_empty(),
        }
    }

    /// Returns the patch as an entry of `patchesStrategicMerge`: its labels and annotations are
    /// texts, so that a null there removes nothing.
    pub fn with_metadata_texts(mut self) -> Patch {
        self.settings.rewrites_metadata = true;
        self
    }

    /// Returns the patch as an entry of `patchesJson6902`: objects that it renames are not found
    /// by their old names.
    pub fn without_record(mut self) -> Patch {
        self.settings.records_id = false;
        self
    }
}

impl PatchSettings {
    /// Returns the fields of `metadata` that kustomize writes again, as texts, before it merges a
    /// patch.
    pub(super) fn text_metadata(&self) -> &'static [&'static str] {
        let options = &self.options;
        if self.rewrites_metadata {
            &["labels", "annotations"]
        } else if self.rules == EditRules::Kustomize
            && (options.allows_name_change() || options.allows_kind_change())
        {
            // kustomize keeps these options in annotations of the patch.
            &["annotations"]
        } else {
            &[]
        }
    }

    /// Returns whether to ignore that nothing is selected, or that the place of an operation does
    /// not exist.
    pub(super) fn allows_missing(&self) -> bool {
        self.options.allow_missing.unwrap_or(false)
    }

    /// Returns the options of the edits that the patch makes in an object.
    pub(super) fn edit_options(&self, resource: &Resource) -> EditOptions {
        EditOptions {
            text_fields: TextFields {
                keeps_scalars: self.rules == EditRules::Kustomize,
                ..text_fields(&resource.node)
            },
            text_format: resource.syntax.into(),
            has_aliases: resource.has_aliases,
            ..EditOptions::default()
        }
    }
}
