//! The documents of a file that a path applies to: either all, or those of
//! `Deployment/web spec.replicas`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::open_file::OpenFile;
use crate::edit::{EditFailure, PathSegment};
use crate::kubernetes::{ObjectPath, Resource, quotes_help};
use crate::source::{Diagnostic, Result};
use crate::yaml::{Node, is_empty};

/// The documents that a path applies to.
pub(super) struct ChosenDocuments<'r> {
    roots: &'r [Arc<Node>],
    chosen: BTreeSet<usize>,
    path: &'r ObjectPath,
}

impl<'r> ChosenDocuments<'r> {
    /// Chooses among the documents of a file.
    ///
    /// # Errors
    /// Fails if the path names an object that does not exist.
    pub(super) fn new(
        roots: &'r [Arc<Node>],
        path: &'r ObjectPath,
        file: &OpenFile,
    ) -> Result<ChosenDocuments<'r>> {
        let objects: Vec<Option<Resource>> = roots.iter().map(object).collect();
        let mut chosen = BTreeSet::new();
        for (index, object) in objects.iter().enumerate() {
            let is_chosen = match object {
                Some(object) => path.selects(object.id()),
                None => path.objects().is_none(),
            };
            if is_chosen {
                chosen.insert(index);
            }
        }
        if chosen.is_empty() && path.objects().is_some() {
            let file = format!("`{}`", file.documents.source().shown_name());
            return Err(path.no_object(&file, objects.iter().flatten().map(Resource::id)));
        }
        Ok(ChosenDocuments {
            roots,
            chosen,
            path,
        })
    }

    /// Returns the indices of the chosen documents.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        self.chosen.iter().copied()
    }

    /// Returns the indices of the chosen documents that are not empty.
    pub(super) fn filled(&self) -> Vec<usize> {
        self.indices()
            .filter(|&at| !is_empty(self.roots[at].resolved()))
            .collect()
    }

    /// Checks whether the failure of one document must make the whole edit fail, because it is
    /// unknown whether a text that does not parse contains the value. A path with several branches
    /// skips such a text, as it does within a document.
    ///
    /// # Errors
    /// Returns the failure as an error.
    pub(super) fn check(&self, at: usize, failure: EditFailure) -> Result<EditFailure> {
        let path = &self.path.path;
        match failure {
            EditFailure::Diagnostic(error) => Err(error),
            failure if failure.is_unreadable() && !path.branches() => {
                let error = failure.diagnostic(|| format!("unable to find field \"{path}\""));
                Err(match self.chosen.len() {
                    1 => error,
                    _ => error.note(format!("in {}", self.name(at))),
                })
            }
            failure => Ok(failure),
        }
    }

    /// Returns the user's name for a document: `ConfigMap/app`, or its number.
    pub(super) fn name(&self, at: usize) -> String {
        match self.object_name(at) {
            Some(name) => format!("`{name}`"),
            None => format!("document {}", at + 1),
        }
    }

    /// Returns the names of several documents.
    pub(super) fn names(&self, documents: &[usize]) -> String {
        const SHOWN: usize = 10;
        let shown = documents.iter().take(SHOWN);
        let names: Vec<String> = shown.map(|&at| self.name(at)).collect();
        match documents.len().saturating_sub(SHOWN) {
            0 => names.join(", "),
            more => format!("{}, and {more} more", names.join(", ")),
        }
    }

    /// Returns a help line that shows how to choose one of several documents; `None` if none of
    /// them is an object. It names the object that has more of the path than the others, if there
    /// is one.
    pub(super) fn help(&self, documents: &[usize]) -> Option<String> {
        let path = &self.path.path;
        let mut objects = Vec::with_capacity(documents.len());
        for &at in documents {
            if let Some(name) = self.object_name(at) {
                objects.push((self.depth(at), name));
            }
        }
        let most = objects.iter().map(|(depth, _)| *depth).max()?;
        objects.retain(|(depth, _)| *depth == most);
        let name = match objects.as_slice() {
            [(_, only)] => only,
            _ => "KIND/NAME",
        };
        Some(format!(
            "name the object before the path: `'{name} {path}=…'`"
        ))
    }

    /// Returns the number of leading keys of the path that a document has.
    fn depth(&self, at: usize) -> usize {
        let Some(mut node) = self.roots.get(at) else {
            return 0;
        };
        for (depth, segment) in self.path.path.segments().iter().enumerate() {
            let (PathSegment::Name(key) | PathSegment::Key(key)) = segment else {
                return depth;
            };
            match node.resolved().get(key) {
                Some(child) => node = child,
                None => return depth,
            }
        }
        self.path.path.segments().len()
    }

    fn object_name(&self, at: usize) -> Option<String> {
        let object = object(self.roots.get(at)?)?;
        let id = object.id();
        (!id.kind.is_empty() && !id.name.is_empty()).then(|| id.short())
    }
}

/// Replaces the help of an error about a missing value, if the user typed an object and its path as
/// two words.
pub(super) fn with_quotes<'p>(
    error: Box<Diagnostic>,
    typed: impl IntoIterator<Item = &'p ObjectPath>,
) -> Box<Diagnostic> {
    let words: Vec<&str> = typed.into_iter().map(ObjectPath::text).collect();
    match quotes_help(&words) {
        Some(help) => error.only_help(help),
        None => error,
    }
}

/// Returns the object in a document; `None` for other data.
pub(super) fn object(root: &Arc<Node>) -> Option<Resource> {
    Resource::new(Arc::clone(root)).ok()
}
