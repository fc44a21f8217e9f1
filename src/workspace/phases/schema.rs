//! The schema phase: the schema of the data values of one instance of a library.
//!
//! It comes from the library's own files with `@data/values-schema`, in the order of the files, and then from outside, each
//! document laid over those before it. Code in them sees no data values: there are none yet. Documents that are
//! addressed to other libraries are kept for them.

use std::collections::HashSet;

use super::annotated::{self, Annotated};
use super::instance::{Instance, with_caller};
use super::run::Run;
use crate::overlay::{Same, apply_to_one};
use crate::schema::Schema;
use crate::script::fragments::Built;
use crate::script::{Caller, Library};
use crate::source::{Code, Diagnostics, Result};
use crate::workspace::values::{Merge, ValuesDocument};

/// Documents of a schema.
const SCHEMA: Annotated = Annotated {
    annotation: "data/values-schema",
    code: Code::Schema,
    file: "a schema",
};

/// The schema of an instance.
pub(super) struct SchemaPhase {
    pub(super) schema: Schema,
    /// The files that say it, which give no output.
    pub(super) files: HashSet<usize>,
}

/// Finds out the schema of an instance whose files are parsed; `library` has no data values. `None` where that failed,
/// and `diagnostics` says why.
pub(super) fn schema(
    run: &Run<'_>,
    instance: &Instance,
    order: &[usize],
    library: &Library<'_>,
    outer: Option<&mut Caller<'_, '_>>,
    diagnostics: &mut Diagnostics,
) -> Option<SchemaPhase> {
    let found = SCHEMA.find(run, instance, order, library, diagnostics);
    if diagnostics.failed() {
        return None;
    }
    let schema = with_caller(outer, library, |caller| {
        let own = found.documents.into_iter().map(|document| {
            let target = annotated::target(&document, caller)?;
            Ok(ValuesDocument {
                document,
                merge: Merge::Schema,
                target,
                is_last: false,
            })
        });
        let own: Vec<ValuesDocument> = own.collect::<Result<_>>()?;
        let given = instance
            .values
            .iter()
            .filter(|document| document.merge == Merge::Schema)
            .cloned();
        let (here, elsewhere) = own
            .into_iter()
            .chain(given)
            .partition::<Vec<_>, _>(|document| document.target.is_here());
        elsewhere
            .into_iter()
            .for_each(|document| instance.address(document));
        Ok(resolve(
            here.into_iter().map(|document| document.document).collect(),
            caller,
            diagnostics,
        ))
    });
    Some(SchemaPhase {
        schema: diagnostics.take(schema)??,
        files: found.files,
    })
}

/// The schema that documents say together. Each has to be a schema on its own, so that a fault is shown in the document
/// that has it.
fn resolve(
    documents: Vec<Built>,
    caller: &mut Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) -> Option<Schema> {
    let mut last = None;
    for document in &documents {
        last = Schema::read(document, caller, diagnostics);
    }
    if diagnostics.failed() {
        return None;
    }
    let mut documents = documents.into_iter();
    let first = documents.next();
    let others: Vec<Built> = documents.collect();
    match (first, last) {
        (Some(first), _) if !others.is_empty() => {
            let whole = apply_to_one(caller, first, &others, Same::Right, diagnostics)?;
            Schema::read(&whole, caller, diagnostics)
        }
        (Some(_), last) => last,
        (None, _) => Some(Schema::none()),
    }
}
