//! Overlays that are never applied: a document with overlay annotations, but without
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

/// Returns whether the text of a template contains an overlay annotation. Most contain none.
pub(super) fn may_have_idle_overlays(files: &[BuiltFile]) -> bool {
    files
        .iter()
        .filter(|file| file.plain.is_none())
        .filter_map(|file| file.documents.first()?.root.location())
        .any(|root| root.source.contains("@overlay/"))
}

/// Warns about documents of the output that were probably meant as overlays. Only the documents of
/// the build itself are checked, because a template may apply the documents of a library.
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

/// Returns the first overlay annotation that is written in a document. Annotations from elsewhere
/// are ignored: a function may have created a part of the document, and its result may also be
/// applied as an overlay.
fn idle_annotation(document: &Built, annotations: &Annotations) -> Option<Annotation> {
    let root = document.root.location()?;
    let first = first_annotation(&document.root, annotations)?;
    let is_here = Arc::ptr_eq(&first.place.source, &root.source)
        && first.place.span.start() < root.span.end();
    is_here.then_some(first)
}

/// Returns the first overlay annotation in a node. The recursion is safe because the parser limits
/// the depth.
fn first_annotation(node: &Arc<Node>, annotations: &Annotations) -> Option<Annotation> {
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.iter().find_map(|entry| {
            overlay_annotation(&entry.key, annotations)
                .or_else(|| first_annotation(&entry.value, annotations))
        }),
        Content::Sequence(sequence) => sequence.items.iter().find_map(|item| {
            overlay_annotation(&item.value, annotations)
                .or_else(|| first_annotation(item.value.resolved(), annotations))
        }),
        Content::Scalar(_) | Content::Alias(_) => None,
    }
}

/// Returns the first overlay annotation of the node itself.
fn overlay_annotation(node: &Arc<Node>, annotations: &Annotations) -> Option<Annotation> {
    if !annotations.has(node) {
        return None;
    }
    let own = annotations.of(node)?;
    let mut own = own.iter();
    own.find(|annotation| annotation.name.starts_with("overlay/"))
        .cloned()
}

fn warning(annotation: &Annotation) -> Box<Diagnostic> {
    let name = &annotation.name;
    let message =
        format!("`@{name}` has no effect: the document is printed, not applied as an overlay");
    Diagnostic::warning(Code::Overlay, message)
        .at(Some(annotation.place.clone()), "")
        .help("to make the document an overlay, write `#@overlay/match by=overlay.all`, or another matcher, and below it `---`")
}
