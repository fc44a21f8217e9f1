//! The values phase: the data values of one instance of a library.
//!
//! They come from the library's own files with `@data/values`, in the order of the files, and then from outside. Documents
//! that are addressed to other libraries are kept for them.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use super::instance::Instance;
use super::parse::Content;
use super::run::Run;
use crate::overlay::apply_to_one;
use crate::script::build::{Annotation, Built};
use crate::script::{Arguments, Caller, Evaluated, Exported, Library};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::template;
use crate::workspace::file::Role;
use crate::workspace::library::Place;
use crate::workspace::values::{LibraryReference, Merge, Merged, ValuesDocument};
use crate::yaml::{Node, is_empty};

/// The annotation of a document of data values.
const VALUES: &str = "data/values";

/// The annotation that addresses a document to another library.
const REFERENCE: &str = "library/ref";

/// The data values of an instance.
pub(super) struct Values {
    pub(super) root: Arc<Node>,
    /// The same for programs.
    pub(super) exported: Exported,
    /// The files that gave values, which give no output.
    pub(super) files: HashSet<usize>,
}

/// Finds out the data values of an instance whose files are parsed. `None` where that failed, and `diagnostics` says why.
pub(super) fn values(
    run: &Run<'_>,
    instance: &Rc<Instance>,
    order: &[usize],
    outer: Option<&mut Caller<'_, '_>>,
    diagnostics: &mut Diagnostics,
) -> Option<Values> {
    let none = Exported::data_values(&Node::mapping(Vec::new()), &run.session);
    let library = run.library(instance, &diagnostics.take(none)?);
    let mut files = HashSet::new();
    let mut documents = Vec::new();
    let mut order = order.to_vec();
    order.sort_unstable();
    for index in order {
        let is_values = diagnostics.take(gives_values(run, instance, index));
        if is_values == Some(true) {
            files.insert(index);
            let own = run.take(from_file(run, instance, index, &library), diagnostics);
            documents.extend(own.unwrap_or_default());
        }
    }
    if diagnostics.failed() {
        return None;
    }
    let (own, addressed) = documents.into_iter().partition::<Vec<_>, _>(|document| document.target.is_here());
    let (given, passed) = instance.values.iter().cloned().partition::<Vec<_>, _>(|document| document.target.is_here());
    addressed.into_iter().chain(passed).for_each(|document| instance.address(document));
    let (last, given) = given.into_iter().partition::<Vec<_>, _>(|document| document.is_last);
    let documents = own.into_iter().chain(given).chain(last);
    let work = |caller: &mut Caller<'_, '_>| Ok(resolve(documents, caller, diagnostics));
    // What a template gives with annotations, only the evaluation of that template can read: it is not over.
    let root = match outer {
        Some(caller) => work(caller),
        None => library.with_caller(work),
    };
    let root = diagnostics.take(root)??;
    let exported = diagnostics.take(Exported::data_values(&root, &run.session))?;
    Some(Values { root, exported, files })
}

/// Whether a file is a template with documents of data values.
fn gives_values(run: &Run<'_>, instance: &Instance, index: usize) -> Result<bool> {
    let file = run.programs.file(index)?;
    let content = run.programs.content(index)?;
    let (Role::YamlTemplate, Content::Yaml(stream)) = (file.role(), &*content) else { return Ok(false) };
    if file.is_library() || !stream.source.text().contains(VALUES) {
        return Ok(false);
    }
    let annotations = template::annotations(stream, &instance.options.template())?;
    let values = || annotations.iter().filter(|annotation| annotation.name == VALUES);
    if let Some(misplaced) = values().find(|annotation| annotation.document.is_none()) {
        let message = format!("expected `@{VALUES}` above a document, found it elsewhere");
        return Err(Diagnostic::error(Code::DataValues, message)
            .at(misplaced.place.clone(), "")
            .help("put it on a line of its own right above the `---` of the document"));
    }
    let mut seen: Vec<usize> = Vec::new();
    for annotation in values() {
        if seen.last() == annotation.document.as_ref() {
            return Err(Diagnostic::error(
                Code::DataValues,
                format!("expected `@{VALUES}` once on a document, found it twice"),
            )
            .at(annotation.place.clone(), "")
            .help("remove one of the two"));
        }
        seen.extend(annotation.document);
    }
    Ok(!seen.is_empty())
}

/// The documents of one file with data values.
fn from_file(run: &Run<'_>, instance: &Instance, index: usize, library: &Library<'_>) -> Result<Vec<ValuesDocument>> {
    let place = Place { file: index, root: instance.root };
    let Evaluated::Documents(documents) = library.evaluate(&run.programs.program(place, instance.options)?)? else {
        return Ok(Vec::new());
    };
    let telling = documents.into_iter().filter(|document| !is_empty(document.root.resolved()));
    library.with_caller(|caller| telling.map(|document| from_document(document, caller)).collect())
}

fn from_document(document: Built, caller: &mut Caller<'_, '_>) -> Result<ValuesDocument> {
    let place = document.place.clone();
    let Some(values) = annotation(&document, VALUES) else {
        return Err(Diagnostic::error(
            Code::DataValues,
            format!("expected every document to have `@{VALUES}`, found one without"),
        )
        .at(place, "")
        .note("a file with data values gives no output")
        .help("annotate the document too, or move it into another file"));
    };
    let reference = annotation(&document, REFERENCE).map(|reference| caller.arguments(reference)).transpose()?;
    let target = match reference {
        Some(arguments) => read_reference(&arguments).map_err(|error| error.at(place.clone(), ""))?,
        None => LibraryReference::default(),
    };
    let is_last = is_last(&caller.arguments(values)?, &target).map_err(|error| error.at(place.clone(), ""))?;
    Ok(ValuesDocument { document, merge: Merge::Overlay, target, is_last })
}

fn annotation<'d>(document: &'d Built, name: &str) -> Option<&'d Annotation> {
    document.annotations.iter().find(|annotation| &*annotation.name == name)
}

/// The library that `@library/ref` names.
fn read_reference(arguments: &Arguments<'_>) -> Result<LibraryReference> {
    match arguments.positional.as_slice() {
        [reference] => match reference.as_str() {
            Some(reference) => LibraryReference::parse(reference),
            None => {
                let found = reference.type_name();
                Err(Diagnostic::error(Code::Library, format!("expected a string in `@{REFERENCE}`, found a {found}")))
            }
        },
        other => {
            let found = other.len();
            Err(Diagnostic::error(Code::Library, format!("expected one argument of `@{REFERENCE}`, found {found}"))
                .help("for instance `#@library/ref \"@github.com/org/lib\"`"))
        }
    }
}

/// Whether `@data/values after_library_module=True` is said.
fn is_last(arguments: &Arguments<'_>, target: &LibraryReference) -> Result<bool> {
    let mut is_last = false;
    for (name, value) in &arguments.named {
        match (name.as_str(), value.as_bool()) {
            ("after_library_module", Some(said)) => is_last = said,
            ("after_library_module", None) => {
                let found = value.type_name();
                let message = format!("expected `after_library_module` to be a boolean, found a {found}");
                return Err(Diagnostic::error(Code::DataValues, message));
            }
            (name, _) => {
                return Err(Diagnostic::error(
                    Code::DataValues,
                    format!("expected an argument of `@{VALUES}`, found `{name}`"),
                )
                .help("the only argument is `after_library_module`"));
            }
        }
    }
    if is_last && target.is_here() {
        let message = format!("expected `@{REFERENCE}` beside `after_library_module`, found none");
        return Err(Diagnostic::error(Code::DataValues, message)
            .help(format!("name the library that the values are for: `#@{REFERENCE} \"@lib\"`")));
    }
    Ok(is_last)
}

/// Puts documents together, each onto those before it. `None` where that failed, and `diagnostics` says why.
fn resolve(
    documents: impl Iterator<Item = ValuesDocument>,
    caller: &mut Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) -> Option<Arc<Node>> {
    let mut values: Option<Merged> = None;
    for ValuesDocument { document, merge, .. } in documents {
        let Some(before) = &mut values else {
            values = Some(Merged::new(document.root));
            continue;
        };
        match merge {
            Merge::Plain => diagnostics.take(before.merge(&document.root, usize::MAX))?,
            Merge::Below(depth) => diagnostics.take(before.merge(&document.root, depth))?,
            Merge::Overlay => {
                let left = Built { root: values.take()?.finish(), place: None, annotations: Vec::new() };
                let outcome = apply_to_one(caller, left, &[document], diagnostics)?;
                values = Some(Merged::new(outcome.root));
            }
        }
    }
    Some(values.map_or_else(|| Node::mapping(Vec::new()), Merged::finish))
}
