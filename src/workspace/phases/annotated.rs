//! Files whose documents have an annotation that excludes them from the output: data values and
//! schemas.

use std::collections::HashSet;

use super::content::FileContent;
use super::library_build::LibraryBuild;
use crate::script::fragments::{Annotation, Built};
use crate::script::{Arguments, Caller, Evaluated, Library};
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic, Reported, Result, collect_all};
use crate::template;
use crate::workspace::file::FileRole;
use crate::workspace::values::{LibraryReference, ValuesDocument};
use crate::yaml::is_empty;

/// The annotation that addresses a document to another library.
const REFERENCE: &str = "library/ref";

/// A kind of annotated document.
pub(super) struct AnnotatedKind {
    /// The name of the annotation.
    pub(super) annotation: &'static str,
    /// The code of errors about documents of this kind.
    pub(super) code: Code,
    /// The name of the kind in messages, with its article: "a file with …".
    pub(super) noun: &'static str,
    /// Reads the annotations of a document.
    pub(super) read: fn(Built, &Caller<'_, '_>) -> Result<ValuesDocument>,
}

/// The files of one kind, and their documents in file order. Empty documents are omitted.
#[derive(Default)]
pub(super) struct AnnotatedFiles {
    pub(super) files: HashSet<usize>,
    pub(super) documents: Vec<ValuesDocument>,
}

impl AnnotatedKind {
    /// Finds the files of this kind among `files`, and evaluates them in `library`.
    ///
    /// # Errors
    /// Reports the mistakes of all files.
    pub(super) fn find(
        &self,
        build: &mut LibraryBuild<'_, '_>,
        library: &Library<'_>,
        files: &[usize],
    ) -> Result<AnnotatedFiles, Reported> {
        let mut found = AnnotatedFiles::default();
        let mut built = Vec::new();
        let mut outcome = Ok(());
        // `files` are in the order of the tree, but documents are applied in the order in which the
        // files were given.
        let mut files = files.to_vec();
        files.sort_unstable();
        for index in files {
            let is_of_this_kind = self.contains(build, index);
            match build.diagnostics.check(is_of_this_kind) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(reported) => {
                    outcome = Err(reported);
                    continue;
                }
            }
            found.files.insert(index);
            let documents = self.evaluate(build, library, index);
            match build.context.check_evaluation(documents, build.diagnostics) {
                Ok(documents) => built.extend(documents),
                Err(reported) => outcome = Err(reported),
            }
        }
        if built.is_empty() {
            return outcome.map(|()| found);
        }
        // All files are evaluated by now. The arguments of annotations can only be read after the
        // evaluation that created them has ended.
        found.documents = build.with_caller(library, |caller, diagnostics| {
            let read = built
                .into_iter()
                .map(|document| (self.read)(document, caller));
            collect_all(read.map(|document| diagnostics.check(document)))
        })?;
        outcome.map(|()| found)
    }

    /// Returns whether a file is a template with documents of this kind.
    fn contains(&self, build: &LibraryBuild<'_, '_>, index: usize) -> Result<bool> {
        let file = build.context.contents.file(index)?;
        let content = build.context.contents.content(index)?;
        let FileContent::Yaml(stream) = &*content else {
            return Ok(false);
        };
        // Most files do not contain the name at all, and searching for it is faster than reading
        // their annotations.
        if file.role() != FileRole::YamlTemplate
            || file.is_library()
            || !stream.source.contains(self.annotation)
        {
            return Ok(false);
        }
        let mut last_document = None;
        for annotation in template::annotations(stream, &build.instance.options.template())? {
            if annotation.name != self.annotation {
                continue;
            }
            if annotation.document.is_none() {
                let message = format!("`@{}` must be above a document", self.annotation);
                return Err(Diagnostic::error(self.code, message)
                    .at(annotation.place, "")
                    .help("put it on a line of its own right above the `---` of the document"));
            }
            // Annotations are in the order of the documents, so comparing with the last one is
            // enough.
            if annotation.document == last_document {
                let message = format!("a document has `@{}` twice", self.annotation);
                return Err(Diagnostic::error(self.code, message)
                    .at(annotation.place, "")
                    .help("remove one of the two"));
            }
            last_document = annotation.document;
        }
        Ok(last_document.is_some())
    }

    /// Evaluates a file of this kind, and returns its documents that are not empty, or that are for
    /// another library: the reference of an empty one may be misspelled as well.
    fn evaluate(
        &self,
        build: &LibraryBuild<'_, '_>,
        library: &Library<'_>,
        index: usize,
    ) -> Result<Vec<Built>> {
        let program = build.program(index)?;
        let Evaluated::Documents(mut documents) = library.evaluate(&program)? else {
            return Ok(Vec::new());
        };
        // Drop empty documents before the check, so that a trailing `---` needs no annotation.
        documents.retain(|document| {
            let is_addressed = annotation(document, self.annotation).is_some()
                && annotation(document, REFERENCE).is_some();
            is_addressed || !is_empty(document.root.resolved())
        });
        for document in &documents {
            if annotation(document, self.annotation).is_none() {
                let message = format!("a document in this file has no `@{}`", self.annotation);
                return Err(Diagnostic::error(self.code, message)
                    .at(document.place.clone(), "")
                    .note(format!(
                        "a file with {} is not part of the output",
                        self.noun
                    ))
                    .help("annotate the document too, or move it to another file"));
            }
        }
        Ok(documents)
    }
}

/// Returns the annotation of a document with this name.
pub(super) fn annotation<'d>(document: &'d Built, name: &str) -> Option<&'d Annotation> {
    document
        .annotations
        .iter()
        .find(|annotation| &*annotation.name == name)
}

/// Returns the library that a document is addressed to. Without `@library/ref`, that is the current
/// library.
pub(super) fn target(document: &Built, caller: &Caller<'_, '_>) -> Result<LibraryReference> {
    match annotation(document, REFERENCE) {
        Some(reference) => read_reference(&caller.arguments(reference)?)
            .map_err(|error| error.at(document.place.clone(), "")),
        None => Ok(LibraryReference::default()),
    }
}

/// Reads the arguments of `@library/ref`.
fn read_reference(arguments: &Arguments<'_>) -> Result<LibraryReference> {
    let [reference] = arguments.positional.as_slice() else {
        let found = arguments.positional.len();
        let message = format!("`@{REFERENCE}` takes one argument, found {found}");
        return Err(Diagnostic::error(Code::Library, message)
            .help("for instance `#@library/ref \"@github.com/org/lib\"`"));
    };
    match reference.as_str() {
        Some(reference) => LibraryReference::parse(reference),
        None => {
            let found = with_article(reference.type_name());
            let message = format!("expected a string in `@{REFERENCE}`, found {found}");
            Err(Diagnostic::error(Code::Library, message))
        }
    }
}
