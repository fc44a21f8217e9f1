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
//! Like ytt, Inlay prints such a document, and its annotations have no effect. If the document is
//! empty, it prints nothing: annotations at the end of a file, or alone in it, belong to an empty
//! document.

use std::sync::Arc;

use super::overlay::BuiltFile;
use crate::script::fragments::{Annotation, Annotations, Built};
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::{Content, Node, is_empty};

/// Returns whether the text of a template contains an overlay annotation. Most contain none.
pub(super) fn may_have_idle_overlays(files: &[BuiltFile]) -> bool {
    files
        .iter()
        .filter(|file| file.plain.is_none())
        .filter_map(|file| file.documents.first()?.place.as_ref())
        .any(|place| place.source.contains("@overlay/"))
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
                diagnostics.push(warning(&annotation, is_empty(document.root.resolved())));
            }
        }
    }
}

/// Returns the first overlay annotation that is written in a document. Annotations from elsewhere
/// are ignored: a function may have created a part of the document, and its result may also be
/// applied as an overlay.
fn idle_annotation(document: &Built, annotations: &Annotations) -> Option<Annotation> {
    if let Some(own) = document.annotations.iter().find(|own| is_of_overlays(own)) {
        let source = &document.place.as_ref()?.source;
        return Arc::ptr_eq(&own.place.source, source).then(|| own.clone());
    }
    let root = document.root.location()?;
    let first = first_annotation(&document.root, annotations)?;
    let is_here = Arc::ptr_eq(&first.place.source, &root.source)
        && first.place.span.start() < root.span.end();
    is_here.then_some(first)
}

fn is_of_overlays(annotation: &Annotation) -> bool {
    annotation.name.starts_with("overlay/")
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
    own.iter().find(|own| is_of_overlays(own)).cloned()
}

fn warning(annotation: &Annotation, is_empty: bool) -> Box<Diagnostic> {
    let name = &annotation.name;
    let reason = match is_empty {
        true => "its document is empty, and no overlay",
        false => "the document is printed, not applied as an overlay",
    };
    let message = format!("`@{name}` has no effect: {reason}");
    Diagnostic::warning(Code::Overlay, message)
        .at(Some(annotation.place.clone()), "")
        .help("to make the document an overlay, write `#@overlay/match by=overlay.all`, or another matcher, and below it `---`")
}
