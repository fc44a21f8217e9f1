//! Overlays that nobody applies: a document with annotations of an overlay, and without
//! `#@overlay/match` above its `---`.
//!
//! ```yaml
//! #@overlay/match by=overlay.all        # belongs to `spec`: there is no `---` below it
//! spec:
//!   #@overlay/match missing_ok=True
//!   replicas: 3
//! ```
//!
//! Like ytt, Inlay prints such a document, and its annotations have no effect.

use std::sync::Arc;

use super::overlay::BuiltFile;
use crate::script::fragments::{Annotation, Annotations, Built};
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::{Content, Node};

/// Returns whether the text of a template has an annotation of overlays. Most have none.
pub(super) fn may_have_idle_overlays(files: &[BuiltFile]) -> bool {
    files
        .iter()
        .filter(|file| file.plain.is_none())
        .filter_map(|file| file.documents.first()?.root.location())
        .any(|root| root.source.text().contains("@overlay/"))
}

/// Reports the documents of the output that were probably meant as overlays. They are those of the
/// build itself: a library may return documents that a template applies.
pub(super) fn warn_of_idle_overlays(
    files: &[BuiltFile],
    annotations: &Annotations,
    diagnostics: &mut Diagnostics,
) {
    for file in files.iter().filter(|file| file.plain.is_none()) {
        for document in &file.documents {
            if let Some(annotation) = idle_annotation(document, annotations) {
                diagnostics.push(warning(&annotation));
            }
        }
    }
}

/// Returns the first overlay annotation that is written in a document. A function may have made a
/// part of the document, and others may apply what it returns as an overlay.
fn idle_annotation(document: &Built, annotations: &Annotations) -> Option<Annotation> {
    let root = document.root.location()?;
    let first = first_annotation(&document.root, annotations)?;
    let is_here = Arc::ptr_eq(&first.place.source, &root.source)
        && first.place.span.start() < root.span.end();
    is_here.then_some(first)
}

/// Recursive: the parser bounds the depth.
fn first_annotation(node: &Arc<Node>, annotations: &Annotations) -> Option<Annotation> {
    let overlay_annotation = |node: &Arc<Node>| {
        let own = annotations.has(node).then(|| annotations.of(node))??;
        let mut own = own.iter();
        own.find(|annotation| annotation.name.starts_with("overlay/"))
            .cloned()
    };
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.iter().find_map(|entry| {
            overlay_annotation(&entry.key).or_else(|| first_annotation(&entry.value, annotations))
        }),
        Content::Sequence(sequence) => sequence.items.iter().find_map(|item| {
            let value = &item.value;
            overlay_annotation(value).or_else(|| first_annotation(value.resolved(), annotations))
        }),
        Content::Scalar(_) | Content::Alias(_) => None,
    }
}

fn warning(annotation: &Annotation) -> Box<Diagnostic> {
    let name = &annotation.name;
    let message =
        format!("`@{name}` has no effect: the document is printed, not applied as an overlay");
    Diagnostic::warning(Code::Overlay, message)
        .at(Some(annotation.place.clone()), "")
        .help("to make the document an overlay, write `#@overlay/match by=overlay.all`, or another matcher, and below it `---`")
}
