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

use crate::script::fragments::Built;
use crate::source::{Location, Result, Span};
use crate::yaml::{Document, Stream};

/// How templates are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Take a comment that is neither `#@` nor `#!` for a comment; without it, one in a template is an error.
    pub ignore_unknown_comments: bool,
    /// Let a key that stands twice in a template replace the first.
    pub implicit_map_key_overrides: bool,
}

/// Whether a text holds code: a comment that starts with `#@`, other than `#@comment`.
pub fn is_template(stream: &Stream) -> bool {
    first_code(stream).is_some()
}

/// The first comment of a text that is code.
pub fn first_code(stream: &Stream) -> Option<Location> {
    let span = stream
        .comments
        .iter()
        .find(|span| comment::is_code(stream.source.slice(**span)))?;
    Some(Location::new(&stream.source, *span))
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

/// An annotation of a text, before anything is evaluated.
#[derive(Clone, Debug)]
pub struct FoundAnnotation {
    /// Its name.
    pub name: String,
    /// The place of its comment.
    pub place: Location,
    /// The number of the document that it belongs to; `None` where it belongs to an entry or an item.
    pub document: Option<usize>,
}

/// The annotations of a text, before anything is evaluated, in the order of the nodes that they belong to.
///
/// # Errors
/// See [`compile`].
pub fn annotations(stream: &Stream, options: &Options) -> Result<Vec<FoundAnnotation>> {
    let attached = attach::attach(stream, options)?;
    let mut found = Vec::new();
    for (document, tree) in attached.trees.iter().enumerate() {
        let nodes = tree.iter().flat_map(|tree| &tree.nodes).enumerate();
        let comments = nodes
            .flat_map(|(id, node)| node.comments.iter().map(move |comment| (id == 0, comment)));
        found.extend(comments.filter_map(|(is_root, comment)| {
            let name = comment.annotation_name(&stream.source)?.to_owned();
            let place = Location::new(&stream.source, comment.span);
            Some(FoundAnnotation {
                name,
                place,
                document: is_root.then_some(document),
            })
        }));
    }
    Ok(found)
}

/// The place of a document: its marker, or where its text starts.
fn document_span(document: &Document) -> Span {
    let root = document
        .root
        .origin
        .as_ref()
        .map(|origin| Span::at(origin.span.start()));
    document
        .marker
        .or(root)
        .unwrap_or(Span::at(document.span.start()))
}

#[cfg(test)]
mod tests;
