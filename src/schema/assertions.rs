//! Rules that data values documents bring along: `@assert/validate`.
//!
//! The rules of a document hold for the final values. A document is laid over what was there, so the node that a rule
//! was written on may not be in the outcome; its path is. Only inside an array the annotated node itself is looked for:
//! there it comes into the outcome as it is, and may have any number.

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
    root: Asserted,
}

/// The rules for a value, and for those below it.
#[derive(Debug, Default)]
pub(super) struct Asserted {
    pub(super) own: Vec<Annotation>,
    pub(super) below: HashMap<PartKey, Asserted>,
}

impl Assertions {
    /// Adds the rules of a data values document.
    ///
    /// # Errors
    /// Only where there is no session, which would be a fault here.
    pub fn add(&mut self, document: &Built, caller: &Caller<'_, '_>) -> Result<()> {
        self.insert(&[], &document.annotations);
        self.collect(&document.root, &mut Vec::new(), caller)
    }

    pub(super) fn root(&self) -> &Asserted {
        &self.root
    }

    fn collect(
        &mut self,
        value: &Arc<Node>,
        keys: &mut Vec<PartKey>,
        caller: &Caller<'_, '_>,
    ) -> Result<()> {
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
            let start = &mut self.root;
            let at = keys
                .iter()
                .fold(start, |at, key| at.below.entry(key.clone()).or_default());
            at.own.extend(rules);
        }
    }
}
