//! How an edit treats what it finds, and what it passes to the function that changes a value.

use std::sync::Arc;

use serde::Deserialize;

use super::text_fields::{Encoding, TextFields};
use crate::formats::DocumentFormat;
use crate::source::Result;
use crate::yaml::Node;

/// What a walk along a path may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct EditOptions {
    /// Whether what is missing is made.
    pub create: bool,
    /// The format of strings that the path goes into; `None` to find out.
    pub format: Option<DocumentFormat>,
    /// How the documents in strings are written back.
    pub layout: DocumentLayout,
    /// Which fields are text.
    pub text_fields: TextFields,
    /// The format of the text that the tree was read from.
    pub text_format: DocumentFormat,
    /// Whether the tree has aliases, which have to follow what they stand for.
    pub has_aliases: bool,
}

/// A value that the path leads to.
#[derive(Debug)]
pub struct EditTarget<'a> {
    /// The value, an alias followed; `None` for one that is to be made.
    pub current: Option<&'a Arc<Node>>,
    /// The format of the text that it stands in.
    pub format: DocumentFormat,
    /// The format that was asked for, or that its key tells, for a document that it may hold.
    pub wanted: Option<DocumentFormat>,
    /// The encoding of the field, if it is a text field of the object.
    pub text_field: Option<Encoding>,
    /// The key of the entry that holds it, if it stands in a mapping.
    pub key: Option<&'a str>,
}

/// What is done with a target: `Some` takes its place, `None` leaves it.
pub type Visit<'v> = dyn FnMut(EditTarget<'_>) -> Result<Option<Arc<Node>>> + 'v;

/// How an edited document is written back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentLayout {
    /// As it was, byte for byte, but for what changed.
    #[default]
    Keep,
    /// Anew: JSON with sorted keys and no white space, YAML as ytt prints it, other formats without their comments.
    Canonical,
}
