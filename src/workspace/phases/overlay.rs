//! The overlay phase: takes the documents out that are overlays, and applies them to all others.
//!
//! Overlays are applied one after the other, in the order of the files and of the documents in
//! them, each to the result of those before it.
//!
//! Documents are changed in groups, so that the phase knows afterwards where each belongs:
//!
//! ```text
//! group     resource 1 | resource 2 | a.yml    | b.yml | (appended)
//! document  X          | Y          | A1 A2 A3 | B1    | N
//! ```
//!
//! A resource is a group of its own: an overlay may remove it or put others beside it. If there is
//! no group at all, an overlay that appends a document creates one, which is written to the file of
//! the overlay.

use std::collections::HashSet;
use std::sync::Arc;

use super::library_build::LibraryBuild;
use crate::formats::DocumentFormat;
use crate::overlay::{DocumentGroups, OverlaidRoot, is_overlay, text_warnings};
use crate::provenance::{JournalStep, StepKind};
use crate::script::Library;
use crate::script::fragments::Built;
use crate::source::{Diagnostics, Reported};
use crate::workspace::rendered::RenderedYaml;
use crate::workspace::virtual_path::VirtualPath;
use crate::yaml::{Node, Stream, is_empty};

/// The documents of one file, with their annotations.
pub(super) struct BuiltFile {
    pub(super) path: VirtualPath,
    pub(super) documents: Vec<Built>,
    /// The text that they were parsed from, if it contains no code.
    pub(super) plain: Option<Arc<Stream>>,
}

/// The documents after all overlays.
pub(super) struct OverlaidDocuments {
    /// What became of each resource.
    pub(super) resources: Vec<Vec<Arc<Node>>>,
    /// What became of each file.
    pub(super) yaml: Vec<RenderedYaml>,
    /// Whether there was an overlay.
    pub(super) has_overlays: bool,
}

/// A document that changes others, and the file that contains it.
struct OverlayDocument {
    path: VirtualPath,
    document: Built,
}

/// Applies the overlays among the documents of `files` to `resources` and to all other documents.
///
/// Files keep their order. A file that contains nothing but overlays gives no output.
///
/// # Errors
/// Reports the mistakes of the first overlay that fails. The errors of those after it could be its
/// consequences.
pub(super) fn apply_overlays(
    build: &mut LibraryBuild<'_, '_>,
    library: &Library<'_>,
    resources: &[Arc<Node>],
    files: Vec<BuiltFile>,
) -> Result<OverlaidDocuments, Reported> {
    let (overlays, files) = split(files);
    // Most builds have no overlays, and their documents need not be grouped.
    if overlays.is_empty() {
        let resources = resources.iter().map(|root| vec![Arc::clone(root)]);
        return Ok(OverlaidDocuments {
            resources: resources.collect(),
            yaml: files.into_iter().map(rendered).collect(),
            has_overlays: false,
        });
    }
    let mut groups: Vec<Vec<Built>> = Vec::with_capacity(resources.len() + files.len());
    for resource in resources {
        groups.push(vec![plain_document(resource)]);
    }
    // The file of each group after those of the resources, without its documents.
    let mut group_files = Vec::with_capacity(files.len());
    let mut before = Vec::new();
    for mut file in files {
        let mut documents = std::mem::take(&mut file.documents);
        // ytt drops empty documents before matching: `expects=1` does not count them.
        documents.retain(|document| !is_empty(document.root.resolved()));
        before.extend(documents.iter().map(|document| Arc::clone(&document.root)));
        groups.push(documents);
        group_files.push(file);
    }
    let recorder = build.context.recorder;
    let mut groups = DocumentGroups::new(groups);
    let equal_values = build.instance.options.equal_values();
    if recorder.is_on() {
        groups = groups.recorded();
    }
    let groups = build.with_caller(library, |caller, diagnostics| {
        for overlay in &overlays {
            let format = DocumentFormat::YAML;
            groups.apply(caller, &overlay.document, equal_values, format, diagnostics)?;
            for OverlaidRoot { before, after } in groups.take_changes() {
                recorder.step(|| JournalStep {
                    kind: StepKind::Overlay,
                    place: overlay.document.place.clone(),
                    before,
                    after,
                    written: Some(Arc::clone(&overlay.document.root)),
                    edits: Vec::new(),
                    reads: Vec::new(),
                });
            }
            // Invariant: every group after those of the resources has its file at the same
            // position. An overlay can append a group, so it gets its file at once.
            while resources.len() + group_files.len() < groups.count() {
                group_files.push(BuiltFile {
                    path: overlay.path.clone(),
                    documents: Vec::new(),
                    plain: None,
                });
            }
        }
        Ok(groups.into_files())
    })?;
    let mut groups = groups.into_iter();
    let resources = groups.by_ref().take(resources.len()).map(roots).collect();
    let mut yaml = Vec::with_capacity(group_files.len());
    for (file, documents) in group_files.into_iter().zip(groups) {
        yaml.push(rendered(BuiltFile { documents, ..file }));
    }
    warn_of_texts(&before, &yaml, build.diagnostics);
    Ok(OverlaidDocuments {
        resources,
        yaml,
        has_overlays: true,
    })
}

/// Warns of the texts in strings that overlays edited and that other programs may read differently. The caller of the
/// build does so for resources.
fn warn_of_texts(before: &[Arc<Node>], files: &[RenderedYaml], diagnostics: &mut Diagnostics) {
    let unchanged: HashSet<*const Node> = before.iter().map(Arc::as_ptr).collect();
    for root in files.iter().flat_map(|file| &file.documents) {
        if !unchanged.contains(&Arc::as_ptr(root)) {
            for warning in text_warnings(root) {
                diagnostics.push(warning);
            }
        }
    }
}

/// Returns the overlays of all files, and the files without them.
fn split(files: Vec<BuiltFile>) -> (Vec<OverlayDocument>, Vec<BuiltFile>) {
    let mut overlays = Vec::new();
    let mut rest = Vec::with_capacity(files.len());
    for file in files {
        let (own, documents) = file
            .documents
            .into_iter()
            .partition::<Vec<_>, _>(is_overlay);
        // A file of nothing but overlays is not output: otherwise an overlay that appends documents
        // could put them there.
        let only_overlays = !own.is_empty()
            && documents
                .iter()
                .all(|document| is_empty(document.root.resolved()));
        for document in own {
            overlays.push(OverlayDocument {
                path: file.path.clone(),
                document,
            });
        }
        if !only_overlays {
            rest.push(BuiltFile { documents, ..file });
        }
    }
    (overlays, rest)
}

/// Returns a document without annotations.
pub(super) fn plain_document(root: &Arc<Node>) -> Built {
    Built {
        root: Arc::clone(root),
        place: root.location(),
        annotations: Vec::new(),
    }
}

/// Returns the trees of documents, without their annotations.
pub(super) fn roots(documents: Vec<Built>) -> Vec<Arc<Node>> {
    documents
        .into_iter()
        .map(|document| document.root)
        .collect()
}

fn rendered(file: BuiltFile) -> RenderedYaml {
    RenderedYaml {
        path: file.path,
        documents: roots(file.documents),
        plain: file.plain,
    }
}
