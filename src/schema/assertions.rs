//! Rules in data values documents: `@assert/validate`.
//!
//! The rules apply to the final values. A document is merged into the values before it, so the node
//! with a rule may not be in the result. Its path is, so rules are stored by path. Inside an array
//! they are found by node instead: an item is unchanged in the result, but its index may differ.

use std::collections::HashMap;
use std::sync::Arc;

use crate::script::Caller;
use crate::script::fragments::{Annotation, Built, PartKey};
use crate::source::Result;
use crate::yaml::{Content, Node};

/// The name of the annotation.
pub(super) const VALIDATE: &str = "assert/validate";

/// The rules of all data values documents.
#[derive(Debug, Default)]
pub struct Assertions {
    root: AssertedRules,
}

/// The rules for a value, and for the values below it.
#[derive(Debug, Default)]
pub(super) struct AssertedRules {
    pub(super) own: Vec<Annotation>,
    pub(super) below: HashMap<PartKey, AssertedRules>,
}

impl Assertions {
    /// Adds the rules of a data values document.
    ///
    /// # Errors
    /// A caller without a session, which would be a bug.
    pub fn add(&mut self, document: &Built, caller: &Caller<'_, '_>) -> Result<()> {
        self.insert(&[], &document.annotations);
        self.collect(&document.root, &mut Vec::new(), caller)
    }

    /// Returns the rules of the value as a whole.
    pub(super) fn root(&self) -> &AssertedRules {
        &self.root
    }

    fn collect(
        &mut self,
        value: &Arc<Node>,
        keys: &mut Vec<PartKey>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
        // The search ends at arrays, because the rules of their items are found by node (see
        // above).
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
