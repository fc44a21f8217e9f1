//! The schema of data values: their types, defaults and rules, read from YAML that looks like the
//! values themselves.
//!
//! ```text
//! schema                                   types
//!
//! #@data/values-schema                     map
//! ---                                        name: a string, default "app"
//! name: app                                  ports: an array of integers, default []
//! ports:                                     tls: a map or null, default null
//! - 80                                         secret: a string, default ""
//! #@schema/nullable
//! tls:
//!   secret: ""
//! ```
//!
//! Each value of a schema document is an example, from which its type is inferred. Annotations add
//! what an example cannot express. [`read`] turns the document into a tree of [`types`]. Based on
//! it,
//!
//! - [`check`] completes values with defaults and finds values of the wrong type,
//! - [`rules`] checks the final values against rules,
//! - [`export`] shows the schema to other tools.
//!
//! The language is ytt's (`docs/schema.md`), extended by open maps (`@schema/additional-keys`) and
//! rules for texts (`pattern=`, `format=`).

mod assertions;
mod check;
mod constraints;
mod export;
mod open;
mod outline;
mod path;
mod place;
mod read;
mod rules;
mod string_format;
mod types;

use std::sync::Arc;

pub use assertions::Assertions;
pub use outline::ValueOutline;
pub use rules::RULE_KEYWORDS;

use crate::script::Caller;
use crate::script::fragments::Built;
use crate::source::{Diagnostics, Location, Reported};
use crate::yaml::Node;
use check::{CheckedSubject, Checker, GivenValue};
use path::ValuePath;
use types::ValueType;

/// The schema of the data values of a library.
#[derive(Debug)]
pub struct Schema {
    document: ValueType,
    is_declared: bool,
    has_open_maps: bool,
}

impl Schema {
    /// Returns the schema of a library that declares none: it accepts every value and has no
    /// defaults.
    pub fn none() -> Schema {
        Schema {
            document: ValueType::any(Node::plain("null"), None),
            is_declared: false,
            has_open_maps: false,
        }
    }

    /// Reads a schema document.
    ///
    /// # Errors
    /// Reports all mistakes in the document.
    pub fn read(
        document: &Built,
        caller: &mut Caller<'_, '_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Schema, Reported> {
        let document = read::document(document, caller, diagnostics)?;
        // Computed once: most schemas have no open maps, and then `opened` costs nothing for each
        // document.
        let has_open_maps = document.has_open_maps();
        Ok(Schema {
            document,
            is_declared: true,
            has_open_maps,
        })
    }

    /// Returns whether the library declares a schema.
    pub fn is_declared(&self) -> bool {
        self.is_declared
    }

    /// Returns the default values.
    pub fn defaults(&self) -> Arc<Node> {
        Arc::clone(&self.document.default)
    }

    /// Returns the values that a data values document is applied to as an overlay.
    ///
    /// An overlay may only change existing keys. So in an open map, each key that only the document
    /// has is added with the value null.
    pub fn opened(&self, values: &Arc<Node>, document: &Arc<Node>) -> Arc<Node> {
        if self.has_open_maps {
            open::opened(&self.document, values, document)
        } else {
            Arc::clone(values)
        }
    }

    /// Checks values against the types of the schema and completes their maps with defaults.
    ///
    /// `known` is the version of the values before the last change, if it was completed. Parts that
    /// both versions share are not checked again. `place` is shown for values that were created by
    /// code and have no place.
    ///
    /// # Errors
    /// Reports each value that does not fit, with its place and that of its type in the schema.
    pub fn complete(
        &self,
        values: &Arc<Node>,
        known: Option<&Arc<Node>>,
        place: Option<&Location>,
        caller: &Caller<'_, '_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Arc<Node>, Reported> {
        let mut checker = Checker::new(CheckedSubject::Value, caller, diagnostics);
        let given = GivenValue {
            value: values,
            known,
            path: &ValuePath::root(),
            around: place,
        };
        let values = checker.check(&self.document, &given);
        checker.finish()?;
        Ok(values)
    }

    /// Checks values that may be incomplete, such as those of one of several documents.
    ///
    /// # Errors
    /// Reports each value that does not fit, as [`complete`](Schema::complete) does.
    pub fn check_part(
        &self,
        values: &Arc<Node>,
        place: Option<&Location>,
        caller: &Caller<'_, '_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mut checker = Checker::without_defaults(caller, diagnostics);
        let given = GivenValue {
            value: values,
            known: None,
            path: &ValuePath::root(),
            around: place,
        };
        checker.check(&self.document, &given);
        checker.finish()
    }

    /// Checks the final values against the rules of the schema and of the data values documents.
    /// `place` is as in [`complete`](Schema::complete).
    ///
    /// # Errors
    /// Reports each value that breaks a rule.
    pub fn validate(
        &self,
        values: &Arc<Node>,
        assertions: &Assertions,
        place: Option<&Location>,
        caller: &mut Caller<'_, '_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        rules::validate(
            &self.document,
            values,
            assertions,
            place,
            caller,
            diagnostics,
        )
    }

    /// Returns the schema as a document of OpenAPI 3, as ytt prints it.
    pub fn openapi(&self) -> Arc<Node> {
        export::openapi(&self.document)
    }

    /// Returns the data values that the schema declares, for editors.
    pub fn outline(&self) -> ValueOutline {
        ValueOutline::of_type(&self.document)
    }

    /// Returns the schema as JSON Schema 2020-12.
    pub fn json_schema(&self) -> Arc<Node> {
        export::json_schema(&self.document)
    }
}
