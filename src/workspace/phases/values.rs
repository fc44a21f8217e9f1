//! The values phase: merges defaults, documents of the library and values from outside, and checks
//! the result against the schema.

use std::collections::HashSet;
use std::sync::Arc;

use super::annotated::{self, AnnotatedKind};
use super::library_build::LibraryBuild;
use super::resolve::Resolver;
use crate::schema::Schema;
use crate::script::fragments::Built;
use crate::script::{Arguments, Caller, Exported, Library};
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic, Reported, Result};
use crate::workspace::values::{LibraryReference, Merge, ValuesDocument};
use crate::yaml::Node;

/// The kind of documents that contain data values.
const VALUES: AnnotatedKind = AnnotatedKind {
    annotation: "data/values",
    code: Code::DataValues,
    noun: "data values",
    read: values_document,
};

/// The data values of a library.
pub(super) struct LibraryValues {
    pub(super) root: Arc<Node>,
    /// The same values, converted once for all programs.
    pub(super) exported: Exported,
    /// The files that contain values, which are not output.
    pub(super) files: HashSet<usize>,
}

/// Computes the data values of a library whose files are parsed.
///
/// They are applied in this order, later ones winning (docs/data-values.md, "Which value counts"):
/// 1. the schema's defaults;
/// 2. the library's own `@data/values` documents, in file order;
/// 3. values passed in: from flags, or by the library that created this instance;
/// 4. the passed values that are marked `after_library_module=True`.
///
/// Documents addressed to other libraries are forwarded to them.
pub(super) fn values(
    build: &mut LibraryBuild<'_, '_>,
    library: &Library<'_>,
    files: &[usize],
    schema: &Schema,
) -> Result<LibraryValues, Reported> {
    let own = VALUES.find(build, library, files)?;
    let passed = build.instance.passed_values();
    // Own documents come before passed ones, and this order is kept below, because later documents
    // win.
    let here = build
        .instance
        .keep_own(own.documents.into_iter().chain(passed));
    let (last, first) = here
        .into_iter()
        // `partition` keeps the order within both halves.
        .partition::<Vec<_>, _>(|document| document.is_last);

    let options = build.instance.options;
    let skips_validations = options.dangerous_data_values_disable_validation;
    let recorder = build.context.recorder;
    let library_name = build.instance.name.clone();
    let root = build.with_caller(library, |caller, diagnostics| {
        let mut resolver = Resolver::new(schema, caller, diagnostics, options.equal_data_values());
        if recorder.is_on() {
            resolver.keep_sources();
        }
        for document in first.into_iter().chain(last) {
            resolver.apply(document)?;
        }
        let values = resolver.complete()?;
        recorder.values(|| resolver.record(&values, library_name));
        if !skips_validations {
            resolver.validate(&values)?;
        }
        Ok(values)
    })?;
    let exported = Exported::data_values(&root, &build.context.session);
    Ok(LibraryValues {
        exported: build.diagnostics.check(exported)?,
        files: own.files,
        root,
    })
}

fn values_document(document: Built, caller: &Caller<'_, '_>) -> Result<ValuesDocument> {
    let target = annotated::target(&document, caller)?;
    let arguments = match annotated::annotation(&document, VALUES.annotation) {
        Some(values) => caller.arguments(values)?,
        None => Arguments::default(),
    };
    let is_last =
        is_last(&arguments, &target).map_err(|error| error.at(document.place.clone(), ""))?;
    Ok(ValuesDocument {
        document,
        merge: Merge::Overlay,
        target,
        is_last,
    })
}

/// Reads `@data/values after_library_module=True`.
fn is_last(arguments: &Arguments<'_>, target: &LibraryReference) -> Result<bool> {
    let mut is_last = false;
    for (name, value) in &arguments.named {
        if name != "after_library_module" {
            let message = format!("`@data/values` has no argument `{name}`");
            return Err(Diagnostic::error(Code::DataValues, message)
                .help("the only argument is `after_library_module`"));
        }
        let Some(value) = value.as_bool() else {
            let found = with_article(value.type_name());
            let message = format!("expected `after_library_module` to be a boolean, found {found}");
            return Err(Diagnostic::error(Code::DataValues, message));
        };
        is_last = value;
    }
    // The values of the current library are ordered by its files only. `is_last` therefore requires
    // that the document is for another library.
    if is_last && target.is_here() {
        let message = "`after_library_module` needs `@library/ref`";
        return Err(Diagnostic::error(Code::DataValues, message)
            .help("name the library that the values are for: `#@library/ref \"@lib\"`"));
    }
    Ok(is_last)
}
