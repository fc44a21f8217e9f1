//! Documents that an annotation takes out of the output: those of data values, and those of their schema.

use std::collections::HashSet;

use super::instance::Instance;
use super::parse::Content;
use super::run::Run;
use crate::script::fragments::{Annotation, Built};
use crate::script::{Arguments, Caller, Evaluated, Library};
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::template;
use crate::workspace::file::Role;
use crate::workspace::library::Place;
use crate::workspace::values::LibraryReference;
use crate::yaml::is_empty;

/// The annotation that addresses a document to another library.
const REFERENCE: &str = "library/ref";

/// A kind of document: its annotation, the code of what is wrong with it, and what a file of it is called.
pub(super) struct Annotated {
    pub(super) annotation: &'static str,
    pub(super) code: Code,
    pub(super) file: &'static str,
}

/// The files of one kind, and their documents in the order of the files, but for empty ones.
#[derive(Default)]
pub(super) struct Found {
    pub(super) files: HashSet<usize>,
    pub(super) documents: Vec<Built>,
}

impl Annotated {
    /// Finds the documents among the files with the indices `order`, which are parsed, and evaluates them in `library`.
    pub(super) fn find(
        &self,
        run: &Run<'_>,
        instance: &Instance,
        order: &[usize],
        library: &Library<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Found {
        let mut found = Found::default();
        let mut order = order.to_vec();
        order.sort_unstable();
        for index in order {
            if diagnostics.take(self.is_in(run, instance, index)) == Some(true) {
                found.files.insert(index);
                let documents = run.take(
                    self.documents_of(run, instance, index, library),
                    diagnostics,
                );
                found.documents.extend(documents.unwrap_or_default());
            }
        }
        found
    }

    /// Whether a file is a template with documents of this kind.
    fn is_in(&self, run: &Run<'_>, instance: &Instance, index: usize) -> Result<bool> {
        let Annotated {
            annotation: name,
            code,
            ..
        } = *self;
        let file = run.programs.file(index)?;
        let content = run.programs.content(index)?;
        let (Role::YamlTemplate, Content::Yaml(stream)) = (file.role(), &*content) else {
            return Ok(false);
        };
        if file.is_library() || !stream.source.text().contains(name) {
            return Ok(false);
        }
        let annotations = template::annotations(stream, &instance.options.template())?;
        let own = || {
            annotations
                .iter()
                .filter(|annotation| annotation.name == name)
        };
        if let Some(misplaced) = own().find(|annotation| annotation.document.is_none()) {
            return Err(Diagnostic::error(
                code,
                format!("expected `@{name}` above a document, found it elsewhere"),
            )
            .at(misplaced.place.clone(), "")
            .help("put it on a line of its own right above the `---` of the document"));
        }
        let mut seen: Vec<usize> = Vec::new();
        for annotation in own() {
            if seen.last() == annotation.document.as_ref() {
                return Err(Diagnostic::error(
                    code,
                    format!("expected `@{name}` once on a document, found it twice"),
                )
                .at(annotation.place.clone(), "")
                .help("remove one of the two"));
            }
            seen.extend(annotation.document);
        }
        Ok(!seen.is_empty())
    }

    /// The documents of one file.
    fn documents_of(
        &self,
        run: &Run<'_>,
        instance: &Instance,
        index: usize,
        library: &Library<'_>,
    ) -> Result<Vec<Built>> {
        let place = Place {
            file: index,
            root: instance.root,
        };
        let Evaluated::Documents(documents) =
            library.evaluate(&run.programs.program(place, instance.options)?)?
        else {
            return Ok(Vec::new());
        };
        let telling: Vec<Built> = documents
            .into_iter()
            .filter(|document| !is_empty(document.root.resolved()))
            .collect();
        match telling
            .iter()
            .find(|document| annotation(document, self.annotation).is_none())
        {
            None => Ok(telling),
            Some(other) => Err(Diagnostic::error(
                self.code,
                format!(
                    "expected every document to have `@{}`, found one without",
                    self.annotation
                ),
            )
            .at(other.place.clone(), "")
            .note(format!("a file with {} gives no output", self.file))
            .help("annotate the document too, or move it into another file")),
        }
    }
}

/// An annotation of a document.
pub(super) fn annotation<'d>(document: &'d Built, name: &str) -> Option<&'d Annotation> {
    document
        .annotations
        .iter()
        .find(|annotation| &*annotation.name == name)
}

/// The library that a document is for.
pub(super) fn target(document: &Built, caller: &Caller<'_, '_>) -> Result<LibraryReference> {
    match annotation(document, REFERENCE) {
        Some(reference) => read_reference(&caller.arguments(reference)?)
            .map_err(|error| error.at(document.place.clone(), "")),
        None => Ok(LibraryReference::default()),
    }
}

/// The library that `@library/ref` names.
fn read_reference(arguments: &Arguments<'_>) -> Result<LibraryReference> {
    match arguments.positional.as_slice() {
        [reference] => match reference.as_str() {
            Some(reference) => LibraryReference::parse(reference),
            None => {
                let found = with_article(reference.type_name());
                Err(Diagnostic::error(
                    Code::Library,
                    format!("expected a string in `@{REFERENCE}`, found {found}"),
                ))
            }
        },
        other => {
            let found = other.len();
            Err(Diagnostic::error(
                Code::Library,
                format!("expected one argument of `@{REFERENCE}`, found {found}"),
            )
            .help("for instance `#@library/ref \"@github.com/org/lib\"`"))
        }
    }
}
