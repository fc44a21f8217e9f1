//! The overlay phase: separates the documents that are overlays, and applies them to all others.
//!
//! Overlays are applied one after another, in the order of the files and of their documents, each
//! to the result of the previous ones.
//!
//! Documents are changed in groups, so that the phase knows afterwards which file or resource each
//! one belongs to:
//!
//! ```text
//! group     resource 1 | resource 2 | a.yml    | b.yml | (appended)
//! document  X          | Y          | A1 A2 A3 | B1    | N
//! ```
//!
//! Each resource is a separate group, because an overlay may remove it or insert others next to it.
//! If there are no groups, an overlay that appends a document creates one, which is written to the
//! file of the overlay.
//!
//! A large file without code may not be parsed yet. If all overlays can be applied to single
//! documents, each of its documents is read, overlaid, printed and freed before the next one. This
//! takes the memory of the text and of the output, whereas the tree would take about ten times as
//! much.

use std::collections::HashSet;
use std::sync::Arc;

use super::idle_overlay::{may_have_idle_overlays, warn_of_idle_overlays};
use super::library_build::LibraryBuild;
use crate::overlay::{
    DocumentGroups, EqualValues, MatchCounts, OverlaidRoot, OverlayOptions, PreparedOverlays,
    is_overlay, text_warnings,
};
use crate::provenance::{JournalStep, Recorder, StepKind};
use crate::script::fragments::{Annotations, Built};
use crate::script::{Caller, Library};
use crate::source::{Diagnostics, Reported, Source};
use crate::template;
use crate::workspace::rendered::RenderedYaml;
use crate::workspace::virtual_path::VirtualPath;
use crate::yaml::{Node, Stream, is_empty, print_separated, reprint_edited};

/// The documents of one file, with their annotations.
pub(super) struct BuiltFile {
    pub(super) path: VirtualPath,
    pub(super) documents: Vec<Built>,
    /// The text that they were parsed from, if it contains no code.
    pub(super) plain: Option<Arc<Stream>>,
    /// See [`RenderedYaml::printed`].
    pub(super) printed: Option<Arc<Vec<String>>>,
    /// Set if the file is not parsed yet. In that case, `documents` is empty.
    pub(super) deferred: Option<DeferredFile>,
}

/// A file without code that is not parsed yet.
pub(super) struct DeferredFile {
    pub(super) index: usize,
    pub(super) source: Arc<Source>,
}

/// The documents after all overlays.
pub(super) struct OverlaidDocuments {
    /// The documents that each resource became.
    pub(super) resources: Vec<Vec<Arc<Node>>>,
    /// The documents of each file.
    pub(super) yaml: Vec<RenderedYaml>,
    /// Whether there was an overlay.
    pub(super) has_overlays: bool,
}

/// A document that changes others, and the file that contains it.
struct OverlayDocument {
    path: VirtualPath,
    document: Built,
}

/// The documents of all files, separated into overlays and others.
struct SeparatedFiles {
    overlays: Vec<OverlayDocument>,
    /// The files with their remaining documents.
    files: Vec<BuiltFile>,
}

/// Applies the overlays among the documents of `files` to `resources` and to all other documents.
///
/// Files keep their order. A file that contains only overlays is not part of the output.
///
/// # Errors
/// Reports the mistakes of the first overlay that fails. The errors of later overlays could be
/// consequences.
pub(super) fn apply_overlays(
    build: &mut LibraryBuild<'_, '_>,
    library: &Library<'_>,
    resources: &[Arc<Node>],
    files: Vec<BuiltFile>,
) -> Result<OverlaidDocuments, Reported> {
    let SeparatedFiles {
        overlays,
        mut files,
    } = separate_overlays(files);
    if build.is_root() && may_have_idle_overlays(&files) {
        build.with_caller(library, |caller, diagnostics| {
            let warned = caller.with_annotations(|annotations| {
                warn_of_idle_overlays(&files, annotations, diagnostics);
            });
            diagnostics.check(warned)
        })?;
    }
    if files.iter().any(|file| file.deferred.is_some()) {
        if resources.is_empty()
            && let Some(yaml) = overlaid_in_parts(build, library, &overlays, &files)?
        {
            return Ok(OverlaidDocuments {
                resources: Vec::new(),
                yaml,
                has_overlays: !overlays.is_empty(),
            });
        }
        parse_deferred(build, &mut files)?;
    }
    // Most builds have no overlays, so their documents need not be grouped.
    if overlays.is_empty() {
        let resources = resources.iter().map(|root| vec![Arc::clone(root)]);
        return Ok(OverlaidDocuments {
            resources: resources.collect(),
            yaml: files.into_iter().map(rendered).collect(),
            has_overlays: false,
        });
    }
    let recorder = build.context.recorder;
    let equal_values = build.instance.options.equal_values();
    let mut targets = OverlayTargets::new(resources, files, recorder);
    let targets = build.with_caller(library, |caller, diagnostics| {
        for overlay in &overlays {
            targets.apply(overlay, caller, equal_values, diagnostics)?;
        }
        Ok(targets)
    })?;
    Ok(targets.finish(build.diagnostics))
}

/// The documents that overlays are applied to.
struct OverlayTargets<'r> {
    /// One group for each resource, followed by one for each of `files`.
    groups: DocumentGroups<'r>,
    resource_count: usize,
    /// The files, whose documents are in `groups`.
    files: Vec<BuiltFile>,
    /// The documents of the files before the first overlay.
    before: Vec<Arc<Node>>,
    recorder: Recorder<'r>,
}

impl<'r> OverlayTargets<'r> {
    fn new(
        resources: &[Arc<Node>],
        files: Vec<BuiltFile>,
        recorder: Recorder<'r>,
    ) -> OverlayTargets<'r> {
        let mut groups: Vec<Vec<Built>> = Vec::with_capacity(resources.len() + files.len());
        for resource in resources {
            groups.push(vec![plain_document(resource)]);
        }
        let mut files = files;
        let mut before = Vec::new();
        for file in &mut files {
            let mut documents = std::mem::take(&mut file.documents);
            // ytt drops empty documents before matching: `expects=1` does not count them.
            documents.retain(|document| !is_empty(document.root.resolved()));
            before.extend(documents.iter().map(|document| Arc::clone(&document.root)));
            groups.push(documents);
        }
        let mut groups = DocumentGroups::new(groups).with_recorder(recorder);
        if recorder.is_on() {
            groups = groups.recorded();
        }
        OverlayTargets {
            groups,
            resource_count: resources.len(),
            files,
            before,
            recorder,
        }
    }

    /// Applies one overlay.
    fn apply(
        &mut self,
        overlay: &OverlayDocument,
        caller: &mut Caller<'_, '_>,
        equal_values: EqualValues,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let document = &overlay.document;
        let options = OverlayOptions::yaml(equal_values);
        self.groups.apply(caller, document, options, diagnostics)?;
        for OverlaidRoot { before, after } in self.groups.take_changes() {
            self.recorder.step(|| JournalStep {
                kind: StepKind::Overlay,
                place: document.place.clone(),
                before,
                after,
                written: Some(Arc::clone(&document.root)),
                edits: Vec::new(),
                reads: Vec::new(),
            });
        }
        // Invariant: every group after those of the resources has its file at the same position.
        // If the overlay appended a group, the group gets its file here.
        while self.resource_count + self.files.len() < self.groups.count() {
            self.files.push(BuiltFile {
                path: overlay.path.clone(),
                documents: Vec::new(),
                plain: None,
                printed: None,
                deferred: None,
            });
        }
        Ok(())
    }

    /// Returns the documents after all overlays, and warns about texts in strings (see
    /// [`warn_of_texts`]).
    fn finish(self, diagnostics: &mut Diagnostics) -> OverlaidDocuments {
        let has_edited_strings = self.groups.has_edited_strings();
        let mut groups = self.groups.into_files().into_iter();
        let resources = groups.by_ref().take(self.resource_count).map(roots);
        let resources = resources.collect();
        let mut yaml = Vec::with_capacity(self.files.len());
        for (file, documents) in self.files.into_iter().zip(groups) {
            yaml.push(rendered(BuiltFile { documents, ..file }));
        }
        if has_edited_strings {
            warn_of_texts(&self.before, &yaml, diagnostics);
        }
        OverlaidDocuments {
            resources,
            yaml,
            has_overlays: true,
        }
    }
}

/// Applies the overlays to one document after another, and prints each result.
///
/// Returns `None` if the complete algorithm is needed: an overlay needs functions or changes the
/// list of documents, a document is not as an overlay expects, or something must be reported.
fn overlaid_in_parts(
    build: &mut LibraryBuild<'_, '_>,
    library: &Library<'_>,
    overlays: &[OverlayDocument],
    files: &[BuiltFile],
) -> Result<Option<Vec<RenderedYaml>>, Reported> {
    build.with_caller(library, |caller, diagnostics| {
        let documents = overlays.iter().map(|overlay| &overlay.document);
        let Some(prepared) = PreparedOverlays::of(documents, caller) else {
            return Ok(None);
        };
        let printed =
            caller.with_annotations(|annotations| print_all(files, &prepared, annotations));
        diagnostics.check(printed)
    })
}

/// Prints the documents of all files after the overlays; `None` as for [`overlaid_in_parts`].
fn print_all(
    files: &[BuiltFile],
    overlays: &PreparedOverlays,
    annotations: &Annotations,
) -> Option<Vec<RenderedYaml>> {
    let mut matches = Vec::new();
    let mut all = Vec::with_capacity(files.len());
    for file in files {
        let parts = print_file(file, overlays, annotations, &mut matches)?;
        all.push(RenderedYaml {
            path: file.path.clone(),
            documents: Vec::new(),
            plain: None,
            printed: Some(Arc::new(parts)),
        });
    }
    // The number of matches of each overlay is known only after the last file.
    overlays.accept(&matches).then_some(all)
}

/// Prints the documents of one file after the overlays, in parts. Adds the matches of the overlays
/// in them to `matches`.
fn print_file(
    file: &BuiltFile,
    overlays: &PreparedOverlays,
    annotations: &Annotations,
    matches: &mut Vec<MatchCounts>,
) -> Option<Vec<String>> {
    let apply =
        |root: &Arc<Node>, matches: &mut MatchCounts| overlays.apply(root, annotations, matches);
    // A file that is not parsed yet is read, changed and printed part by part.
    if let Some(deferred) = &file.deferred {
        let reprinted = reprint_edited(&deferred.source, apply)?;
        matches.extend(reprinted.tallies);
        return Some(reprinted.parts);
    }
    let mut counts = MatchCounts::default();
    let mut documents = Vec::with_capacity(file.documents.len());
    for document in &file.documents {
        if !is_empty(document.root.resolved()) {
            documents.push(apply(&document.root, &mut counts)?);
        }
    }
    matches.push(counts);
    Some(vec![print_separated(&documents)?])
}

/// Parses the deferred files.
fn parse_deferred(
    build: &mut LibraryBuild<'_, '_>,
    files: &mut [BuiltFile],
) -> Result<(), Reported> {
    let contents = &build.context.contents;
    for file in files {
        let Some(DeferredFile { index, source }) = file.deferred.take() else {
            continue;
        };
        let stream = build
            .diagnostics
            .check(contents.parse_deferred(index, &source))?;
        contents.warn_about_repeated_keys(&stream);
        file.documents = template::plain_documents(&stream);
        file.plain = Some(stream);
    }
    Ok(())
}

/// Warns about texts in strings that overlays edited and that other programs may read differently.
/// For resources, the caller of the build does this.
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

/// Separates the overlays of all files from their other documents.
fn separate_overlays(files: Vec<BuiltFile>) -> SeparatedFiles {
    let mut overlays = Vec::new();
    let mut rest = Vec::with_capacity(files.len());
    for file in files {
        let documents = file.documents.into_iter();
        let (own, documents): (Vec<Built>, Vec<Built>) = documents.partition(is_overlay);
        let is_without_content = documents
            .iter()
            .all(|document| is_empty(document.root.resolved()));
        // A file that contains only overlays is not output. Otherwise, an overlay that appends
        // documents could add them to it.
        let has_only_overlays = !own.is_empty() && is_without_content;
        for document in own {
            overlays.push(OverlayDocument {
                path: file.path.clone(),
                document,
            });
        }
        if !has_only_overlays {
            rest.push(BuiltFile { documents, ..file });
        }
    }
    SeparatedFiles {
        overlays,
        files: rest,
    }
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
        printed: file.printed,
    }
}
