//! The schema phase: evaluates the schema documents of a library, applies them to each other, and
//! converts the result to types.

use std::collections::HashSet;

use super::annotated::{self, AnnotatedKind};
use super::library_build::LibraryBuild;
use crate::overlay::{EqualValues, OverlayOptions, apply_to_one};
use crate::schema::Schema;
use crate::script::fragments::Built;
use crate::script::{Caller, Library};
use crate::source::{Code, Diagnostics, Reported, Result};
use crate::workspace::values::{Merge, ValuesDocument};

/// The kind of documents that contain a schema.
const SCHEMA: AnnotatedKind = AnnotatedKind {
    annotation: "data/values-schema",
    code: Code::Schema,
    noun: "a schema",
    read: schema_document,
};

/// The schema of a library.
pub(super) struct LibrarySchema {
    pub(super) schema: Schema,
    /// The files that contain it, which are not output.
    pub(super) files: HashSet<usize>,
}

/// Computes the schema of a library whose files are parsed.
///
/// It consists of these documents, each an overlay on the previous ones:
/// 1. the library's own `@data/values-schema` documents, in file order;
/// 2. those passed in by the library that created this instance.
///
/// Documents addressed to other libraries are forwarded to them.
pub(super) fn schema(
    build: &mut LibraryBuild<'_, '_>,
    library: &Library<'_>,
    files: &[usize],
) -> Result<LibrarySchema, Reported> {
    let own = SCHEMA.find(build, library, files)?;
    let passed = build.instance.passed_schemas();
    let here = build
        .instance
        .keep_own(own.documents.into_iter().chain(passed));
    let documents: Vec<Built> = here.into_iter().map(|document| document.document).collect();
    let schema = if documents.is_empty() {
        // Most builds have no schema, and an evaluation of a caller reserves a megabyte.
        Schema::none()
    } else {
        build.with_caller(library, |caller, diagnostics| {
            merge_schemas(documents, caller, diagnostics)
        })?
    };
    Ok(LibrarySchema {
        schema,
        files: own.files,
    })
}

fn schema_document(document: Built, caller: &Caller<'_, '_>) -> Result<ValuesDocument> {
    let target = annotated::target(&document, caller)?;
    Ok(ValuesDocument {
        document,
        merge: Merge::Schema,
        target,
        is_last: false,
    })
}

/// Returns the combined schema of all documents.
///
/// Each document is also read by itself: it must be a schema, and its mistakes are shown where they
/// were written and not where the document was merged.
fn merge_schemas(
    documents: Vec<Built>,
    caller: &mut Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) -> Result<Schema, Reported> {
    let mut schemas = Vec::with_capacity(documents.len());
    for document in &documents {
        schemas.extend(Schema::read(document, caller, diagnostics));
    }
    diagnostics.outcome()?;

    let mut documents = documents.into_iter();
    let Some(first) = documents.next() else {
        return Ok(Schema::none());
    };
    let overlays: Vec<Built> = documents.collect();
    // This is the usual case. The only document was read above, and reading it again would give the
    // same schema.
    if overlays.is_empty()
        && let Some(only) = schemas.pop()
    {
        return Ok(only);
    }
    let merged = apply_to_one(
        caller,
        first,
        &overlays,
        OverlayOptions::yaml(EqualValues::TakeRight),
        diagnostics,
    )?;
    Schema::read(&merged, caller, diagnostics)
}
