//! Inspects a template without running it: whether it contains code, and its annotations.

use std::sync::Arc;

use super::attach::attach;
use super::comment::{self, TemplateOptions};
use super::tree::document_span;
use crate::script::fragments::Built;
use crate::source::{Location, Result, Source};
use crate::yaml::Stream;

/// Returns whether a text may contain code. The search is fast and excludes almost all texts
/// without code, so only the others need their comments parsed.
pub fn may_contain_code(source: &Source) -> bool {
    source.contains("#@")
}

/// Returns whether a text contains code: a comment that starts with `#@`, other than `#@comment`.
pub fn is_template(stream: &Stream) -> bool {
    first_code(stream).is_some()
}

/// Returns the place of the first comment that is code.
pub fn first_code(stream: &Stream) -> Option<Location> {
    let span = stream
        .comments
        .iter()
        .find(|span| comment::is_code(stream.source.slice(**span)))?;
    Some(Location::new(&stream.source, *span))
}

/// Returns the documents of a text without code. They share the nodes of `stream`.
pub fn plain_documents(stream: &Stream) -> Vec<Built> {
    let mut documents = Vec::with_capacity(stream.documents.len());
    for document in &stream.documents {
        documents.push(Built {
            root: Arc::clone(&document.root),
            place: Some(Location::new(&stream.source, document_span(document))),
            annotations: Vec::new(),
        });
    }
    documents
}

/// An annotation of a text that was not evaluated.
#[derive(Clone, Debug)]
pub struct FoundAnnotation {
    /// The name, such as `data/values`.
    pub name: String,
    /// The place of the comment.
    pub place: Location,
    /// The index of the document that it belongs to; `None` if it belongs to an entry or item.
    pub document: Option<usize>,
}

/// Returns the annotations of a text without evaluating it, in the order of the nodes that they
/// belong to.
///
/// # Errors
/// Fails as [`compile`](super::compile) does.
pub fn annotations(stream: &Stream, options: &TemplateOptions) -> Result<Vec<FoundAnnotation>> {
    // Attaching needs no evaluation, so the annotations are available before the data values are
    // known.
    let attached = attach(stream, options)?;
    let mut found = Vec::new();
    for (document, tree) in attached.trees.iter().enumerate() {
        // A document without a tree has no comments.
        let Some(tree) = tree else { continue };
        for (id, node) in tree.nodes.iter().enumerate() {
            let is_root = id == 0;
            for comment in &node.comments {
                if let Some(name) = comment.annotation_name(&stream.source) {
                    found.push(FoundAnnotation {
                        name: name.to_owned(),
                        place: Location::new(&stream.source, comment.span),
                        document: is_root.then_some(document),
                    });
                }
            }
        }
    }
    Ok(found)
}
