//! An instance of a library: a folder of files, with the data values and schemas that were passed
//! to it.

use std::cell::{Cell, RefCell};

use super::input::BuildOptions;
use crate::source::{Code, Diagnostic, Diagnostics, Reported};
use crate::workspace::library::FolderId;
use crate::workspace::values::{Merge, ValuesDocument};
use crate::yaml::is_empty;

/// A library with its options and the documents that were passed to it.
pub(super) struct LibraryInstance {
    /// The folder that is the library.
    pub(super) root: FolderId,
    pub(super) options: BuildOptions,
    /// Its name in messages; `None` for the library of the build itself.
    pub(super) name: Option<String>,
    /// The documents from outside: data values and schemas, in order.
    passed: Vec<ValuesDocument>,
    /// The documents for libraries inside this one.
    forwarded: RefCell<Vec<Forwarded>>,
}

/// A document for a library inside this one.
struct Forwarded {
    document: ValuesDocument,
    /// Whether a library has used it.
    is_used: Cell<bool>,
}

impl LibraryInstance {
    /// Creates an instance of the library in the folder `root`. `passed` are the documents from
    /// outside.
    pub(super) fn new(
        root: FolderId,
        options: BuildOptions,
        passed: Vec<ValuesDocument>,
    ) -> LibraryInstance {
        LibraryInstance {
            root,
            options,
            name: None,
            passed,
            forwarded: RefCell::default(),
        }
    }

    /// Returns the instance with a name.
    pub(super) fn with_name(self, name: String) -> LibraryInstance {
        LibraryInstance {
            name: Some(name),
            ..self
        }
    }

    /// Returns the schema documents that were passed in.
    pub(super) fn passed_schemas(&self) -> Vec<ValuesDocument> {
        self.passed_documents(true)
    }

    /// Returns the data values documents that were passed in.
    pub(super) fn passed_values(&self) -> Vec<ValuesDocument> {
        self.passed_documents(false)
    }

    fn passed_documents(&self, schemas: bool) -> Vec<ValuesDocument> {
        self.passed
            .iter()
            .filter(|document| (document.merge == Merge::Schema) == schemas)
            .cloned()
            .collect()
    }

    /// Returns the documents for this library, and keeps the others for the libraries inside it.
    pub(super) fn keep_own(
        &self,
        documents: impl IntoIterator<Item = ValuesDocument>,
    ) -> Vec<ValuesDocument> {
        let mut own = Vec::new();
        for document in documents {
            if document.target.is_here() {
                own.push(document);
            } else {
                self.forwarded.borrow_mut().push(Forwarded {
                    document,
                    is_used: Cell::new(false),
                });
            }
        }
        own
    }

    /// Returns the documents for the library with this path and alias, and for libraries inside it.
    /// From now on, they count as used.
    pub(super) fn forwarded_to(&self, path: &str, alias: Option<&str>) -> Vec<ValuesDocument> {
        let mut documents = Vec::new();
        for forwarded in self.forwarded.borrow().iter() {
            if let Some(target) = forwarded.document.target.below(path, alias) {
                // A reference may match several libraries, so the document is kept for the next
                // one.
                forwarded.is_used.set(true);
                // An empty document changes nothing; only its reference was to be checked.
                if is_empty(forwarded.document.document.root.resolved()) {
                    continue;
                }
                documents.push(ValuesDocument {
                    target,
                    ..forwarded.document.clone()
                });
            }
        }
        documents
    }

    /// Checks that libraries used all forwarded documents. The reference of an unused one is
    /// misspelled, and it would be lost silently.
    ///
    /// Call this after all files are evaluated, because any of them may evaluate a library.
    ///
    /// # Errors
    /// Reports each document that no library used.
    pub(super) fn check_forwarded(&self, diagnostics: &mut Diagnostics) -> Result<(), Reported> {
        let mut outcome = Ok(());
        for forwarded in self.forwarded.borrow().iter() {
            if !forwarded.is_used.get() {
                outcome = Err(diagnostics.report(unused(&forwarded.document)));
            }
        }
        outcome
    }
}

/// Returns the error for a document that no library used.
fn unused(document: &ValuesDocument) -> Box<Diagnostic> {
    let (object, verb) = match document.merge {
        Merge::Schema => ("schema", "is"),
        _ => ("data values", "are"),
    };
    let message = format!(
        "the {object} for the library `{}` {verb} not used",
        document.target
    );
    Diagnostic::error(Code::Library, message)
        .at(document.document.place.clone(), "")
        .note("a library takes values when a template evaluates it: `library.get(…).eval()`")
        .help(format!("correct the reference, or remove the {object}"))
}
