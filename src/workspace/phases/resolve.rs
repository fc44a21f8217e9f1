//! Puts documents of data values together, each onto those before it, and holds them to the schema.
//!
//! Types are checked with each document, so that a value that does not fit is an error even where a later document
//! replaces it. A plain document is checked as it stands: what is merged is of the right type if both sides are. An overlay
//! may do anything, so its outcome is checked. Rules are about the outcome of all.

use std::sync::Arc;

use crate::overlay::{Same, apply_to_one};
use crate::schema::{Assertions, Schema};
use crate::script::Caller;
use crate::script::fragments::{Built, located};
use crate::source::{Diagnostics, Location};
use crate::workspace::values::{Merge, Merged, ValuesDocument};
use crate::yaml::Node;

/// The final data values. `None` where something is wrong with them, and `diagnostics` says what.
pub(super) fn resolve(
    documents: impl Iterator<Item = ValuesDocument>,
    schema: &Schema,
    validates: bool,
    caller: &mut Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) -> Option<Arc<Node>> {
    let values = schema.is_declared().then(|| Merged::new(schema.defaults()));
    let is_complete = values.is_some();
    let assertions = Assertions::default();
    let mut resolver = Resolver {
        schema,
        caller,
        diagnostics,
        values,
        is_complete,
        assertions,
        place: None,
    };
    for document in documents {
        resolver.add(document)?;
    }
    resolver.finish(validates)
}

struct Resolver<'r, 'c, 'v> {
    schema: &'r Schema,
    caller: &'r mut Caller<'c, 'v>,
    diagnostics: &'r mut Diagnostics,
    /// The values so far; none before the first document without a schema.
    values: Option<Merged>,
    /// Whether they are known to fit the schema and to lack nothing.
    is_complete: bool,
    assertions: Assertions,
    /// Where the first document stands.
    place: Option<Location>,
}

impl Resolver<'_, '_, '_> {
    fn add(&mut self, document: ValuesDocument) -> Option<()> {
        let ValuesDocument {
            document, merge, ..
        } = document;
        self.place = self.place.take().or_else(|| document.place.clone());
        match merge {
            Merge::Plain => self.merge(&document, usize::MAX),
            Merge::Below(depth) => self.merge(&document, depth),
            Merge::Overlay => self.overlay(document),
            // The schema phase took it.
            Merge::Schema => Some(()),
        }
    }

    fn merge(&mut self, document: &Built, depth: usize) -> Option<()> {
        let violations =
            self.schema
                .violations(&document.root, document.place.as_ref(), self.caller);
        if !violations.is_empty() {
            // The documents after it are checked all the same.
            violations
                .into_iter()
                .for_each(|violation| self.diagnostics.push(Box::new(violation)));
            return Some(());
        }
        self.is_complete = false;
        match &mut self.values {
            Some(values) => {
                self.diagnostics.take(values.merge(&document.root, depth));
            }
            None => self.values = Some(Merged::new(Arc::clone(&document.root))),
        }
        Some(())
    }

    fn overlay(&mut self, document: Built) -> Option<()> {
        let document = Built {
            root: located(&document),
            ..document
        };
        self.diagnostics
            .take(self.assertions.add(&document, self.caller))?;
        let root = match self.values.take() {
            None => document.root,
            Some(values) => {
                let values = self.completed(&values.finish())?;
                let root = self.schema.opened(&values, &document.root);
                let left = Built {
                    root,
                    place: None,
                    annotations: Vec::new(),
                };
                let place = document.place.clone();
                let outcome = apply_to_one(
                    self.caller,
                    left,
                    &[document],
                    Same::Right,
                    self.diagnostics,
                )?;
                self.check(&outcome.root, Some(&values), place.as_ref())?
            }
        };
        self.is_complete = true;
        self.values = Some(Merged::new(root));
        Some(())
    }

    /// The values so far, completed. `None` where they do not fit the schema.
    fn completed(&mut self, values: &Arc<Node>) -> Option<Arc<Node>> {
        let place = self.place.clone();
        if self.is_complete {
            Some(Arc::clone(values))
        } else {
            self.check(values, None, place.as_ref())
        }
    }

    /// The values, completed; `known` are those that they were made from. `None` where they do not fit the schema.
    fn check(
        &mut self,
        values: &Arc<Node>,
        known: Option<&Arc<Node>>,
        place: Option<&Location>,
    ) -> Option<Arc<Node>> {
        let checked = self.schema.check(values, known, place, self.caller);
        let fits = checked.violations.is_empty();
        checked
            .violations
            .into_iter()
            .for_each(|violation| self.diagnostics.push(Box::new(violation)));
        fits.then_some(checked.values)
    }

    fn finish(mut self, validates: bool) -> Option<Arc<Node>> {
        if self.diagnostics.failed() {
            return None;
        }
        let values = self
            .values
            .take()
            .map_or_else(|| Node::mapping(Vec::new()), Merged::finish);
        let place = self.place.clone();
        let values = self.completed(&values)?;
        if validates {
            self.schema.validate(
                &values,
                &self.assertions,
                place.as_ref(),
                self.caller,
                self.diagnostics,
            );
        }
        (!self.diagnostics.failed()).then_some(values)
    }
}
