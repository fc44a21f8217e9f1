//! The values phase: the data values of one instance of a library.
//!
//! They come from the library's own files with `@data/values`, in the order of the files, and then from outside. Documents
//! that are addressed to other libraries are kept for them.

use std::collections::HashSet;
use std::sync::Arc;

use super::annotated::{self, Annotated};
use super::instance::{Instance, with_caller};
use super::resolve::resolve;
use super::run::Run;
use crate::schema::Schema;
use crate::script::fragments::Built;
use crate::script::{Arguments, Caller, Exported, Library};
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::workspace::values::{LibraryReference, Merge, ValuesDocument};
use crate::yaml::Node;

/// Documents of data values.
const VALUES: Annotated = Annotated {
    annotation: "data/values",
    code: Code::DataValues,
    file: "data values",
};

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
    instance: &Instance,
    order: &[usize],
    schema: &Schema,
    library: &Library<'_>,
    outer: Option<&mut Caller<'_, '_>>,
    diagnostics: &mut Diagnostics,
) -> Option<Values> {
    let found = VALUES.find(run, instance, order, library, diagnostics);
    let documents = library.with_caller(|caller| {
        let documents = found
            .documents
            .into_iter()
            .map(|document| from_document(document, caller));
        Ok(documents
            .filter_map(|document| diagnostics.take(document))
            .collect::<Vec<ValuesDocument>>())
    });
    let documents = diagnostics.take(documents)?;
    if diagnostics.failed() {
        return None;
    }
    let (own, addressed) = documents
        .into_iter()
        .partition::<Vec<_>, _>(|document| document.target.is_here());
    let given = instance
        .values
        .iter()
        .filter(|document| document.merge != Merge::Schema)
        .cloned();
    let (given, passed) = given.partition::<Vec<_>, _>(|document| document.target.is_here());
    addressed
        .into_iter()
        .chain(passed)
        .for_each(|document| instance.address(document));
    let (last, given) = given
        .into_iter()
        .partition::<Vec<_>, _>(|document| document.is_last);
    let documents = own.into_iter().chain(given).chain(last);
    let validates = !instance.options.disable_validation;
    let work = |caller: &mut Caller<'_, '_>| {
        Ok(resolve(documents, schema, validates, caller, diagnostics))
    };
    let root = with_caller(outer, library, work);
    let root = diagnostics.take(root)??;
    let exported = diagnostics.take(Exported::data_values(&root, &run.session))?;
    Some(Values {
        root,
        exported,
        files: found.files,
    })
}

fn from_document(document: Built, caller: &mut Caller<'_, '_>) -> Result<ValuesDocument> {
    let place = document.place.clone();
    let target = annotated::target(&document, caller)?;
    let values = annotated::annotation(&document, VALUES.annotation);
    let arguments = values
        .map(|values| caller.arguments(values))
        .transpose()?
        .unwrap_or_default();
    let is_last = is_last(&arguments, &target).map_err(|error| error.at(place, ""))?;
    Ok(ValuesDocument {
        document,
        merge: Merge::Overlay,
        target,
        is_last,
    })
}

/// Whether `@data/values after_library_module=True` is said.
fn is_last(arguments: &Arguments<'_>, target: &LibraryReference) -> Result<bool> {
    let mut is_last = false;
    for (name, value) in &arguments.named {
        match (name.as_str(), value.as_bool()) {
            ("after_library_module", Some(said)) => is_last = said,
            ("after_library_module", None) => {
                let found = with_article(value.type_name());
                let message =
                    format!("expected `after_library_module` to be a boolean, found {found}");
                return Err(Diagnostic::error(Code::DataValues, message));
            }
            (name, _) => {
                return Err(Diagnostic::error(
                    Code::DataValues,
                    format!("expected an argument of `@data/values`, found `{name}`"),
                )
                .help("the only argument is `after_library_module`"));
            }
        }
    }
    if is_last && target.is_here() {
        let message = "expected `@library/ref` beside `after_library_module`, found none";
        return Err(Diagnostic::error(Code::DataValues, message)
            .help("name the library that the values are for: `#@library/ref \"@lib\"`"));
    }
    Ok(is_last)
}
