//! Applies documents of data values to each other, and checks them against the schema.
//!
//! Types are checked document by document, so that a value of the wrong type is an error even if a
//! later document replaces it. The kind of a document determines what is checked:
//!
//! - A plain document is checked by itself: if both sides of a plain merge fit the schema, the
//!   result fits too.
//! - An overlay can make any change, so its result is checked.
//!
//! Validations check only the final values.

use std::sync::Arc;

use crate::overlay::{EqualValues, OverlayOptions, apply_to_one};
use crate::provenance::{ValuesMerge, ValuesRecord, ValuesSource};
use crate::schema::{Assertions, Schema};
use crate::script::Caller;
use crate::script::fragments::{Built, located};
use crate::source::{Diagnostics, Location, Reported};
use crate::workspace::values::{Merge, MergedValues, ValuesDocument};
use crate::yaml::Node;

/// Resolves the data values, document by document.
pub(super) struct Resolver<'r, 'c, 'v> {
    schema: &'r Schema,
    caller: &'r mut Caller<'c, 'v>,
    diagnostics: &'r mut Diagnostics,
    /// The node that is kept if an overlay sets an equal value.
    equal_values: EqualValues,
    /// The values so far; `None` before the first document if no schema declares defaults.
    values: Option<MergedValues>,
    /// Whether `values` are known to fit the schema and to contain all its keys.
    is_complete: bool,
    /// The validations of the documents.
    assertions: Assertions,
    /// The place of the first document, which messages show for a value without a place.
    place: Option<Location>,
    /// The documents that were applied, if the build is recorded.
    sources: Option<Vec<ValuesSource>>,
}

impl<'r, 'c, 'v> Resolver<'r, 'c, 'v> {
    /// Creates a resolver that starts with the defaults of the schema. `equal_values` applies to
    /// overlays: messages show the place where a value was last set.
    pub(super) fn new(
        schema: &'r Schema,
        caller: &'r mut Caller<'c, 'v>,
        diagnostics: &'r mut Diagnostics,
        equal_values: EqualValues,
    ) -> Resolver<'r, 'c, 'v> {
        let values = schema
            .is_declared()
            .then(|| MergedValues::new(schema.defaults()));
        Resolver {
            schema,
            caller,
            diagnostics,
            equal_values,
            is_complete: values.is_some(),
            values,
            assertions: Assertions::default(),
            place: None,
            sources: None,
        }
    }

    /// Starts recording the documents that are applied.
    pub(super) fn keep_sources(&mut self) {
        let mut sources = Vec::new();
        if self.schema.is_declared() {
            sources.push(ValuesSource {
                merge: ValuesMerge::Defaults,
                document: self.schema.defaults(),
                place: None,
            });
        }
        self.sources = Some(sources);
    }

    /// Returns the record of the values. `root` are the final values.
    pub(super) fn record(&mut self, root: &Arc<Node>, library: Option<String>) -> ValuesRecord {
        ValuesRecord {
            root: Arc::clone(root),
            library,
            sources: self.sources.take().unwrap_or_default(),
        }
    }

    fn add_source(&mut self, merge: ValuesMerge, document: &Built) {
        if let Some(sources) = &mut self.sources {
            sources.push(ValuesSource {
                merge,
                document: Arc::clone(&document.root),
                place: document.place.clone(),
            });
        }
    }

    /// Applies a document to the values.
    ///
    /// # Errors
    /// Fails if the values after this document are unknown. A plain document that does not fit is
    /// reported and skipped, because later documents can still be checked.
    pub(super) fn apply(&mut self, document: ValuesDocument) -> Result<(), Reported> {
        if self.place.is_none() {
            self.place = document.document.place.clone();
        }
        match document.merge {
            Merge::Plain => self.merge(&document.document, usize::MAX),
            Merge::Below(depth) => self.merge(&document.document, depth),
            Merge::Overlay => self.overlay(document.document)?,
            // The schema phase has already applied it.
            Merge::Schema => {}
        }
        Ok(())
    }

    /// Merges a plain document down to this depth.
    fn merge(&mut self, document: &Built, depth: usize) {
        let checked = self.schema.check_part(
            &document.root,
            document.place.as_ref(),
            self.caller,
            self.diagnostics,
        );
        if checked.is_err() {
            return;
        }
        self.add_source(ValuesMerge::Below(depth), document);
        // A merge can replace a map with one that lacks keys.
        self.is_complete = false;
        match &mut self.values {
            Some(values) => {
                if let Err(error) = values.merge(&document.root, depth) {
                    self.diagnostics.push(error);
                }
            }
            None => self.values = Some(MergedValues::new(Arc::clone(&document.root))),
        }
    }

    /// Applies an overlay.
    fn overlay(&mut self, document: Built) -> Result<(), Reported> {
        // Values created by code have no place in a file. They get the place of the line with the
        // code, for messages.
        let document = Built {
            root: located(&document),
            ..document
        };
        // Do this before merging, which drops nodes with rules.
        let is_first = self.values.is_none();
        let assertions = self.assertions.add(&document, is_first, self.caller);
        self.diagnostics.check(assertions)?;
        let root = match self.values.take() {
            // The first document becomes the values, because there is nothing to match yet.
            None => {
                let after = Arc::clone(&document.root);
                let before = None;
                self.add_source(ValuesMerge::Overlay { before, after }, &document);
                document.root
            }
            Some(values) => {
                let before = values.finish();
                let source = self.sources.is_some().then(|| document.clone());
                let after = self.overlaid(&before, document)?;
                if let Some(source) = source {
                    let merge = ValuesMerge::Overlay {
                        before: Some(before),
                        after: Arc::clone(&after),
                    };
                    self.add_source(merge, &source);
                }
                after
            }
        };
        self.is_complete = true;
        self.values = Some(MergedValues::new(root));
        Ok(())
    }

    /// Returns `values` after an overlay, completed with defaults.
    fn overlaid(&mut self, values: &Arc<Node>, overlay: Built) -> Result<Arc<Node>, Reported> {
        // An overlay matches keys, so the defaults must be present before it is applied.
        let before = self.completed(values)?;
        let place = overlay.place.clone();
        let left = Built {
            root: self.schema.opened(&before, &overlay.root),
            place: None,
            annotations: Vec::new(),
        };
        let after = apply_to_one(
            self.caller,
            left,
            &[overlay],
            OverlayOptions::yaml(self.equal_values),
            self.diagnostics,
        )?;
        self.check(&after.root, Some(&before), place.as_ref())
    }

    /// Returns `values`, completed with the defaults of the schema.
    fn completed(&mut self, values: &Arc<Node>) -> Result<Arc<Node>, Reported> {
        if self.is_complete {
            return Ok(Arc::clone(values));
        }
        let place = self.place.clone();
        self.check(values, None, place.as_ref())
    }

    /// Checks the types of `values`, and returns them completed with defaults. Subtrees shared with
    /// `known`, which are valid and complete values, are not checked again.
    fn check(
        &mut self,
        values: &Arc<Node>,
        known: Option<&Arc<Node>>,
        place: Option<&Location>,
    ) -> Result<Arc<Node>, Reported> {
        self.schema
            .complete(values, known, place, self.caller, self.diagnostics)
    }

    /// Returns the final values.
    ///
    /// # Errors
    /// Fails if a document did not fit the schema, or if the resulting values do not.
    pub(super) fn complete(&mut self) -> Result<Arc<Node>, Reported> {
        // Plain documents that did not fit were skipped, so the values are incomplete, and checking
        // them would only report consequences.
        self.diagnostics.outcome()?;
        let values = match self.values.take() {
            Some(values) => values.finish(),
            None => Node::mapping(Vec::new()),
        };
        self.completed(&values)
    }

    /// Runs the validations of the schema and of the documents.
    pub(super) fn validate(&mut self, values: &Arc<Node>) -> Result<(), Reported> {
        self.schema.validate(
            values,
            &self.assertions,
            self.place.as_ref(),
            self.caller,
            self.diagnostics,
        )
    }
}
