//! Templates: YAML and text with Starlark in them, compiled to programs that build nodes.
//!
//! A YAML template is YAML whose comments hold code. [`compile`] finds which node each comment belongs to
//! ([`attach`]), writes one linear program of the code and of instructions that name the nodes ([`compiler`]), and
//! leaves the running to the room `script`. What holds no code stays as it was parsed: a document, or a part of one,
//! is a single instruction that shares its nodes.

mod attach;
mod comment;
mod compiler;
mod pattern;
mod text;
mod text_compiler;
mod tree;
mod writer;

use std::sync::Arc;

pub use compiler::compile;
pub use text_compiler::compile_text;

use crate::script::build::Built;
use crate::source::{Location, Result, Span};
use crate::yaml::{Document, Stream};

/// How templates are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Take a comment that is neither `#@` nor `#!` for a comment; without it, one in a template is an error.
    pub ignore_unknown_comments: bool,
    /// Let a key that stands twice in a template replace the first.
    pub implicit_map_key_overrides: bool,
}

/// Whether a text holds code: a comment that starts with `#@`, other than `#@comment`.
pub fn is_template(stream: &Stream) -> bool {
    stream.comments.iter().any(|span| comment::is_code(stream.source.slice(*span)))
}

/// The documents of a text without code.
pub fn plain_documents(stream: &Stream) -> Vec<Built> {
    let built = |document: &Document| Built {
        root: Arc::clone(&document.root),
        place: Some(Location::new(&stream.source, document_span(document))),
        annotations: Vec::new(),
    };
    stream.documents.iter().map(built).collect()
}

/// The names of the annotations that each document of a text has, before anything is evaluated.
///
/// # Errors
/// See [`compile`].
pub fn document_annotations(stream: &Stream, options: &Options) -> Result<Vec<Vec<String>>> {
    let attached = attach::attach(stream, options)?;
    let names = |tree: &tree::Tree| {
        let names = tree.root().comments.iter().filter_map(|comment| comment.annotation_name(&stream.source));
        names.map(str::to_owned).collect()
    };
    Ok(attached.trees.iter().map(|tree| tree.as_ref().map(names).unwrap_or_default()).collect())
}

/// The place of a document: its marker, or where its text starts.
fn document_span(document: &Document) -> Span {
    let root = document.root.origin.as_ref().map(|origin| Span::at(origin.span.start()));
    document.marker.or(root).unwrap_or(Span::at(document.span.start()))
}

#[cfg(test)]
mod tests;
