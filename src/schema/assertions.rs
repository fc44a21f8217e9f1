//! Rules in data values documents: `@assert/validate`.
//!
//! The rules apply to the final values, as in ytt to those nodes that brought them into the result:
//!
//! ```text
//! #@assert/validate min=3
//! a: 1                        `a` is new, or replaces (`@overlay/replace`): the rule applies
//! b:                          `b` is there: its value is merged into, and it keeps its own rules
//! #@assert/validate min=3
//! - 1                         the item is new: the rule applies
//! ```
//!
//! A rule that ytt ignores is stored by its path, so that a value that breaks it is a warning.

use std::collections::HashMap;
use std::sync::Arc;

use crate::script::Caller;
use crate::script::fragments::{Annotation, Built, PartKey};
use crate::source::Result;
use crate::yaml::{Content, Node};

/// The name of the annotation.
pub(super) const VALIDATE: &str = "assert/validate";

/// The annotation of a document that replaces the values before it, with their rules.
const REPLACE: &str = "overlay/replace";

/// The rules of all data values documents.
#[derive(Debug, Default)]
pub struct Assertions {
    /// All rules by path. Those that apply are also on the nodes of the result.
    root: AssertedRules,
    /// The rules for the values as a whole that apply.
    own: Vec<Annotation>,
}

/// The rules for a value, and for the values below it.
#[derive(Debug, Default)]
pub(super) struct AssertedRules {
    pub(super) own: Vec<Annotation>,
    pub(super) below: HashMap<PartKey, AssertedRules>,
}

impl Assertions {
    /// Adds the rules of a data values document. `is_first` says that it is not merged into other
    /// values, so that its rules for the values as a whole apply.
    ///
    /// # Errors
    /// A caller without a session, which would be a bug.
    pub fn add(&mut self, document: &Built, is_first: bool, caller: &Caller<'_, '_>) -> Result<()> {
        let mut annotations = document.annotations.iter();
        if is_first || annotations.any(|annotation| &*annotation.name == REPLACE) {
            self.own = document.annotations.clone();
        }
        self.insert(&[], &document.annotations);
        self.collect(&document.root, &mut Vec::new(), caller)
    }

    /// Returns the rules by path, from the values as a whole.
    pub(super) fn root(&self) -> &AssertedRules {
        &self.root
    }

    /// Returns the annotations of the document that the values as a whole come from.
    pub(super) fn own(&self) -> &[Annotation] {
        &self.own
    }

    fn collect(
        &mut self,
        value: &Arc<Node>,
        keys: &mut Vec<PartKey>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        // The search ends at arrays: the index of an item may differ in the result.
        let Content::Mapping(mapping) = &value.resolved().content else {
            return Ok(());
        };
        for entry in &mapping.entries {
            let Some(key) = PartKey::of(entry.key.resolved()) else {
                continue;
            };
            keys.push(key);
            if let Some(annotations) = caller.with_annotations(|table| table.of(&entry.key))? {
                self.insert(keys, &annotations);
            }
            self.collect(&entry.value, keys, caller)?;
            // Invariant: `keys` is again the path of the current mapping.
            keys.pop();
        }
        Ok(())
    }

    fn insert(&mut self, keys: &[PartKey], annotations: &[Annotation]) {
        let rules: Vec<Annotation> = annotations
            .iter()
            .filter(|annotation| &*annotation.name == VALIDATE)
            .cloned()
            .collect();
        if !rules.is_empty() {
            let mut at = &mut self.root;
            for key in keys {
                at = at.below.entry(key.clone()).or_default();
            }
            at.own.extend(rules);
        }
    }
}
