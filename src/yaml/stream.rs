//! A parsed text: its documents and comments.

use std::sync::Arc;

use super::node::Node;
use crate::source::{Source, Span};

/// Which grammar a text was read with, which decides how new values are spelled in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// YAML, block or flow.
    #[default]
    Yaml,
    /// JSON: strings always in double quotes, numbers only as JSON spells them. Comments and trailing commas are
    /// accepted and kept.
    Json,
}

/// A text and what it says: any number of documents.
#[derive(Debug)]
pub struct Stream {
    /// The text.
    pub source: Arc<Source>,
    /// The grammar it was read with.
    pub syntax: Syntax,
    /// The documents in order. A text with nothing but blanks and comments has none.
    pub documents: Vec<Document>,
    /// Every comment, in order, from `#` (or `//`, `/*` in JSON) to the end of its text; empty if the text was read
    /// without them.
    pub comments: Vec<Span>,
    /// Whether any node is an alias, so that an edit of an anchored node reaches further than its own bytes.
    pub has_aliases: bool,
}

/// One document of a stream.
#[derive(Clone, Debug)]
pub struct Document {
    /// The place of the `---` that starts it; `None` for a first document without one.
    pub marker: Option<Span>,
    /// From the marker (or the start of the text) to the start of the next document (or the end of the text).
    pub span: Span,
    /// What it says; a null scalar for an empty document.
    pub root: Arc<Node>,
}
