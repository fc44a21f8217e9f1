//! The options of an edit ([`EditOptions`]), and the description of a value for the function that
//! changes it ([`EditTarget`]).

use std::sync::Arc;

use serde::Deserialize;

use super::field_place::FieldPlace;
use super::path::PathStep;
use super::text_fields::TextFields;
use crate::formats::DocumentFormat;
use crate::source::Result;
use crate::yaml::Node;

/// The options of an edit along a path.
#[derive(Clone, Copy, Debug, Default)]
pub struct EditOptions {
    /// Whether missing parts of the path are created.
    pub create: bool,
    /// The format of strings that the path enters; `None` to detect it.
    pub format: Option<DocumentFormat>,
    /// The layout in which documents in strings are written back.
    pub layout: DocumentLayout,
    /// The fields that are text.
    pub text_fields: TextFields,
    /// The format of the text that the tree was read from.
    pub text_format: DocumentFormat,
    /// Whether a null on the way to a created value stays null, so that nothing is created, as in
    /// kustomize.
    pub keeps_null: bool,
    /// Whether `[name=web]` is a pattern that may match anywhere in a value, as in the targets of a
    /// kustomization.
    pub has_item_patterns: bool,
    /// Whether the tree has aliases. They have to follow the node that they refer to.
    pub has_aliases: bool,
}

/// A value that the path leads to.
#[derive(Clone, Debug)]
pub struct EditTarget<'a> {
    /// The value, with an alias replaced by its target; `None` if the value is to be created.
    pub current: Option<&'a Arc<Node>>,
    /// The format of the text that contains it.
    pub format: DocumentFormat,
    /// The format of a document that the value may contain, if one was requested or if its key has
    /// an unambiguous extension.
    pub wanted: Option<DocumentFormat>,
    /// The place in the object, which decides the types of the value and of the values in it.
    pub place: FieldPlace<'a>,
    /// Whether keys are text here, because the object requires it even if the format does not.
    pub has_text_keys: bool,
    /// The key of the value's entry, if it is in a mapping.
    pub key: Option<&'a str>,
    /// The steps from the root to the value; empty unless the walk records them.
    pub trail: &'a [PathStep],
}

/// The function that is called for each target. `Some` replaces the value, `None` keeps it.
pub type Visit<'v> = dyn FnMut(EditTarget<'_>) -> Result<Option<Arc<Node>>> + 'v;

/// The layout in which an edited document is written back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentLayout {
    /// Byte for byte as before, except for the changes.
    #[default]
    Keep,
    /// A new layout: JSON with sorted keys and no white space, YAML as ytt prints it, other formats
    /// without their comments.
    Canonical,
    /// The layout of a document that a replacement of kustomize changes: JSON with sorted keys and
    /// Go's escapes, on several lines if it was before.
    Kustomize,
}
