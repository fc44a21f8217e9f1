//! The documents of all files as elements of the left.
//!
//! Each document keeps the number of its file, so that a new document is added to a file and the
//! output has the same files as the input.

use std::sync::Arc;

use super::document_index::DocumentIndex;
use super::left::{Insertion, LeftElements, TargetFile, inserted, without};
use crate::overlay::element_kind::ElementKind;
use crate::overlay::matcher::{ElementIndex, ElementMatcher};
use crate::overlay::part::OverlayPart;
use crate::script::Caller;
use crate::script::fragments::Built;
use crate::source::{Location, Result};
use crate::yaml::Node;

/// Documents in the order of their files.
#[derive(Debug)]
pub(in crate::overlay) struct LeftDocuments {
    documents: Vec<FileDocument>,
    /// The number of files, including those without documents.
    files: usize,
    index: DocumentIndex,
    /// The changes by overlays, if they are recorded.
    changes: Option<Vec<OverlaidRoot>>,
}

/// A change of one document by an overlay.
#[derive(Debug)]
pub struct OverlaidRoot {
    /// The root before the change; `None` for a document that was added.
    pub before: Option<Arc<Node>>,
    /// The root after the change; `None` for a document that was removed.
    pub after: Option<Arc<Node>>,
}

/// A document with the number of its file.
#[derive(Debug)]
struct FileDocument {
    file: usize,
    built: Built,
}

impl LeftDocuments {
    /// Creates the collection from the documents of each file.
    pub(in crate::overlay) fn new(files: Vec<Vec<Built>>) -> LeftDocuments {
        let count = files.len();
        let mut all = Vec::new();
        for (file, documents) in files.into_iter().enumerate() {
            for built in documents {
                all.push(FileDocument { file, built });
            }
        }
        LeftDocuments {
            documents: all,
            files: count,
            index: DocumentIndex::default(),
            changes: None,
        }
    }

    /// Returns the same documents. Their changes are recorded from now on.
    pub(in crate::overlay) fn recorded(self) -> LeftDocuments {
        LeftDocuments {
            changes: Some(Vec::new()),
            ..self
        }
    }

    /// Returns the changes since the last call, if they are recorded.
    pub(in crate::overlay) fn take_changes(&mut self) -> Vec<OverlaidRoot> {
        self.changes
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    fn record(&mut self, before: Option<&Arc<Node>>, after: Option<&Arc<Node>>) {
        if let Some(changes) = &mut self.changes {
            changes.push(OverlaidRoot {
                before: before.map(Arc::clone),
                after: after.map(Arc::clone),
            });
        }
    }

    /// Returns the number of files.
    pub(in crate::overlay) fn files(&self) -> usize {
        self.files
    }

    /// Returns the roots of all documents.
    pub(in crate::overlay) fn roots(&self) -> impl Iterator<Item = &Arc<Node>> {
        self.documents.iter().map(|document| &document.built.root)
    }

    /// Returns the documents of each file.
    pub(in crate::overlay) fn into_files(self) -> Vec<Vec<Built>> {
        let mut files: Vec<Vec<Built>> = vec![Vec::new(); self.files];
        for document in self.documents {
            if let Some(documents) = files.get_mut(document.file) {
                documents.push(document.built);
            }
        }
        files
    }
}

/// Returns the document that a part creates.
fn made_by(part: &OverlayPart<'_>, root: Arc<Node>) -> Built {
    Built {
        root,
        place: part.place.clone(),
        annotations: part.other_annotations(),
    }
}

impl LeftElements for LeftDocuments {
    const KIND: ElementKind = ElementKind::Document;

    fn whole(&self) -> Option<Location> {
        None
    }

    fn positions(&self) -> Vec<usize> {
        (0..self.documents.len()).collect()
    }

    fn count(&self) -> usize {
        self.documents.len()
    }

    fn candidates(
        &mut self,
        matcher: &ElementMatcher<'_>,
        _right: &Arc<Node>,
    ) -> Option<Vec<usize>> {
        let documents = &self.documents;
        let target = matcher.first_subset()?;
        self.index
            .candidates(target, documents.len(), |at| &documents[at].built.root)
    }

    fn value(&self, at: usize) -> &Arc<Node> {
        self.documents[at].built.root.resolved()
    }

    fn index<'v>(&self, at: usize) -> ElementIndex<'_, 'v> {
        ElementIndex::Number(at)
    }

    fn place(&self, at: usize) -> Option<Location> {
        let built = &self.documents[at].built;
        built.place.clone().or_else(|| built.root.location())
    }

    fn set(&mut self, at: usize, value: Arc<Node>, _: &Caller<'_, '_>) -> Result<()> {
        self.index.set(at, &value);
        let before = std::mem::replace(&mut self.documents[at].built.root, Arc::clone(&value));
        self.record(Some(&before), Some(&value));
        Ok(())
    }

    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &OverlayPart<'_>,
        _: &Caller<'_, '_>,
    ) -> Result<()> {
        self.index.set(at, &value);
        let built = made_by(part, Arc::clone(&value));
        let before = std::mem::replace(&mut self.documents[at].built, built);
        self.record(Some(&before.root), Some(&value));
        Ok(())
    }

    fn remove(&mut self, positions: &[usize]) {
        if positions.is_empty() {
            return;
        }
        self.index.clear();
        for &at in positions {
            let root = Arc::clone(&self.documents[at].built.root);
            self.record(Some(&root), None);
        }
        self.documents = without(std::mem::take(&mut self.documents), positions);
    }

    fn insert(
        &mut self,
        values: Vec<Insertion>,
        part: &OverlayPart<'_>,
        _: &Caller<'_, '_>,
    ) -> Result<()> {
        if values.is_empty() {
            return Ok(());
        }
        self.index.clear();
        for insertion in &values {
            self.record(None, Some(&insertion.value));
        }
        let documents = std::mem::take(&mut self.documents);
        self.documents = inserted(documents, values, |insertion, neighbour| {
            Ok(FileDocument {
                file: neighbour.file,
                built: made_by(part, Arc::clone(&insertion.value)),
            })
        })?;
        Ok(())
    }

    fn add(
        &mut self,
        value: Arc<Node>,
        file: TargetFile,
        part: &OverlayPart<'_>,
        _: &Caller<'_, '_>,
    ) -> Result<()> {
        // Without any file, one is created for the document.
        self.files = self.files.max(1);
        let file = match file {
            TargetFile::First => 0,
            TargetFile::Last => self.files - 1,
        };
        // The documents of one file are next to each other and the files are in order, so the end
        // of a file is found by bisection even if the file has no documents:
        //
        //    file   1  1  2  2
        //          ^ end of file 0, which has no documents
        let at = self
            .documents
            .partition_point(|document| document.file <= file);
        if at == self.documents.len() {
            self.index.set(at, &value);
        } else {
            self.index.clear();
        }
        self.record(None, Some(&value));
        let built = made_by(part, value);
        self.documents.insert(at, FileDocument { file, built });
        Ok(())
    }
}
