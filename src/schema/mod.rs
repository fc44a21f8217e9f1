//! The schema of data values: their types, defaults and rules, read from YAML that looks like the values themselves.
//!
//! A schema document gives each value an example, from which its type is inferred, and annotations say what an example
//! cannot ([`read`]). What comes out is a tree of [`types`] that completes values and finds what does not fit
//! ([`check`]), holds values to rules ([`rules`]), and is shown to other tools ([`export`]).
//!
//! The language is described in `docs/schema.md`. It is ytt's, with open maps (`@schema/additional-keys`) and rules for
//! texts (`pattern=`, `format=`) beside.

mod assertions;
mod check;
mod export;
mod open;
mod path;
mod place;
mod read;
mod rules;
mod types;

use std::sync::Arc;

pub use assertions::Assertions;
pub use check::Checked;

use crate::script::Caller;
use crate::script::fragments::Built;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported};
use crate::yaml::Node;
use check::{Checker, Subject};
use path::Path;
use types::Type;

/// What the data values of a library have to be.
#[derive(Debug)]
pub struct Schema {
    document: Type,
    is_declared: bool,
    has_open_maps: bool,
}

impl Schema {
    /// No schema: every value is as good as any other, and none is given.
    pub fn none() -> Schema {
        Schema {
            document: Type::any(Node::plain("null"), None),
            is_declared: false,
            has_open_maps: false,
        }
    }

    /// Reads a schema document. `None` where that failed, and `diagnostics` says all that is wrong in it.
    pub fn read(
        document: &Built,
        caller: &mut Caller<'_, '_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Schema, Reported> {
        let Some(document) = read::document(document, caller, diagnostics) else {
            let failed = "a schema failed without an error";
            diagnostics.outcome()?;
            return Err(diagnostics.report(Diagnostic::error(Code::Internal, failed)));
        };
        let has_open_maps = document.has_open_maps();
        Ok(Schema {
            document,
            is_declared: true,
            has_open_maps,
        })
    }

    /// Whether there is a schema.
    pub fn is_declared(&self) -> bool {
        self.is_declared
    }

    /// The values that are there when none is given.
    pub fn defaults(&self) -> Arc<Node> {
        Arc::clone(&self.document.default)
    }

    /// The values that a data values document is laid over: in an open map, a key that only the document has is there
    /// with the value null, so that the document need not say that it adds the key.
    pub fn opened(&self, values: &Arc<Node>, document: &Arc<Node>) -> Arc<Node> {
        match self.has_open_maps {
            true => open::opened(&self.document, values, document),
            false => Arc::clone(values),
        }
    }

    /// Holds values to the types of the schema and completes the maps in them with defaults. Each violation points at the
    /// value and at the schema; `place` is where the values are said to be that were made and have no place.
    ///
    /// `known` are the values that these were made from, if they fit and are complete: what both share is passed over.
    pub fn check(
        &self,
        values: &Arc<Node>,
        known: Option<&Arc<Node>>,
        place: Option<&Location>,
        caller: &Caller<'_, '_>,
    ) -> Checked {
        let mut checker = Checker::new(Subject::Value, caller);
        let values = checker.check_after(&self.document, values, known, &Path::root(), place);
        Checked {
            values,
            violations: checker.finish(),
        }
    }

    /// The violations in values that others complete, such as those of one document of many.
    pub fn violations(
        &self,
        values: &Arc<Node>,
        place: Option<&Location>,
        caller: &Caller<'_, '_>,
    ) -> Vec<Diagnostic> {
        let mut checker = Checker::of_part(caller);
        checker.check(&self.document, values, &Path::root(), place);
        checker.finish()
    }

    /// Holds the final values to the rules of the schema and of the data values documents. All violations are added to
    /// `diagnostics`; `place` is as in [`check`](Schema::check).
    pub fn validate(
        &self,
        values: &Arc<Node>,
        assertions: &Assertions,
        place: Option<&Location>,
        caller: &mut Caller<'_, '_>,
        diagnostics: &mut Diagnostics,
    ) {
        rules::validate(
            &self.document,
            values,
            assertions,
            place,
            caller,
            diagnostics,
        );
    }

    /// The schema as a document of OpenAPI 3, as ytt prints it.
    pub fn openapi(&self) -> Arc<Node> {
        export::openapi(&self.document)
    }

    /// The schema as JSON Schema 2020-12.
    pub fn json_schema(&self) -> Arc<Node> {
        export::json_schema(&self.document)
    }
}
