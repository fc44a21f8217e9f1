//! How an edit treats what it finds ([`EditOptions`]), and what the function that changes a value
//! is told about it ([`EditTarget`]).

use std::sync::Arc;

use serde::Deserialize;

use super::field_place::FieldPlace;
use super::path::PathStep;
use super::text_fields::TextFields;
use crate::formats::DocumentFormat;
use crate::source::Result;
use crate::yaml::Node;

/// What an edit along a path may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct EditOptions {
    /// Whether missing parts of the path are created.
    pub create: bool,
    /// The format of strings that the path goes into; `None` to find out.
    pub format: Option<DocumentFormat>,
    /// How the documents in strings are written back.
    pub layout: DocumentLayout,
    /// Which fields are text.
    pub text_fields: TextFields,
    /// The format of the text that the tree was read from.
    pub text_format: DocumentFormat,
    /// Whether a null on the way to what is created stays null, so that nothing is created, as in
    /// kustomize.
    pub keeps_null: bool,
    /// Whether `[name=web]` is a pattern that may match anywhere in a value, as in the targets of a
    /// kustomization.
    pub has_item_patterns: bool,
    /// Whether the tree has aliases, which have to follow the node that they refer to.
    pub has_aliases: bool,
}

/// A value that the path leads to.
#[derive(Clone, Debug)]
pub struct EditTarget<'a> {
    /// The value, with an alias followed; `None` if it is to be created.
    pub current: Option<&'a Arc<Node>>,
    /// The format of the text that contains it.
    pub format: DocumentFormat,
    /// The format of a document that it may contain, if one was asked for or its key has an
    /// extension that is unambiguous.
    pub wanted: Option<DocumentFormat>,
    /// The place in the object, which decides the types of the value and of those below it.
    pub place: FieldPlace<'a>,
    /// Whether keys are text here: the format may have others, but the object has not.
    pub has_text_keys: bool,
    /// The key of its entry, if it is in a mapping.
    pub key: Option<&'a str>,
    /// The steps from the root to the value; none unless the walk keeps them.
    pub trail: &'a [PathStep],
}

/// The function that is called for each target: `Some` replaces the value, `None` leaves it as it
/// is.
pub type Visit<'v> = dyn FnMut(EditTarget<'_>) -> Result<Option<Arc<Node>>> + 'v;

/// How an edited document is written back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentLayout {
    /// As it was, byte for byte, but for what changed.
    #[default]
    Keep,
    /// Anew: JSON with sorted keys and no white space, YAML as ytt prints it, other formats without
    /// their comments.
    Canonical,
    /// As kustomize writes a document that a replacement changes: JSON with sorted keys, in lines
    /// if it was in lines, and with Go's escapes.
    Kustomize,
}
