//! How much may be written out for aliases, and how deep.

use std::sync::Arc;

use super::canonical::entries::no_mapping_to_merge;
use super::node::{Content, Mapping, Node};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::{ALIAS_LIMIT, NESTING_LIMIT};

/// So many bytes of text written out for an alias weigh as much as one node, so that aliases of a long text are bounded
/// as well.
const BYTES_PER_NODE: usize = 64;

/// Counts what aliases stand for, and how deep the printer is.
#[derive(Default)]
pub(in crate::yaml) struct Budget {
    /// How many collections and merged mappings are open.
    depth: usize,
    /// How many aliases are open.
    aliases: usize,
    /// How many nodes aliases have stood for.
    spent: u64,
}

/// A mapping that is written out in the place of a merge key.
pub(in crate::yaml) struct Merged<'a> {
    pub(in crate::yaml) mapping: &'a Mapping,
    /// Whether an alias stands for it.
    pub(in crate::yaml) is_alias: bool,
}

impl Budget {
    /// The mapping that the `value` of a merge key stands for, up to [`leave_merged`](Self::leave_merged).
    pub(in crate::yaml) fn enter_merged<'a>(&mut self, value: &'a Arc<Node>) -> Result<Merged<'a>> {
        let target = value.resolved();
        let Content::Mapping(mapping) = &target.content else {
            return Err(no_mapping_to_merge(value));
        };
        let is_alias = !Arc::ptr_eq(value, target);
        self.enter(value.location())?;
        if is_alias {
            self.enter_alias();
        }
        Ok(Merged { mapping, is_alias })
    }

    /// The merged mapping is written out.
    pub(in crate::yaml) fn leave_merged(&mut self, merged: &Merged<'_>) {
        if merged.is_alias {
            self.leave_alias();
        }
        self.leave();
    }

    /// What follows is written out for an alias, up to [`leave_alias`](Self::leave_alias).
    pub(in crate::yaml) fn enter_alias(&mut self) {
        self.aliases += 1;
    }

    /// The innermost alias is written out.
    pub(in crate::yaml) fn leave_alias(&mut self) {
        self.aliases -= 1;
    }

    /// A collection begins; everything in it stands one level deeper, up to [`leave`](Self::leave).
    pub(in crate::yaml) fn enter(&mut self, location: Option<Location>) -> Result<()> {
        if self.depth >= NESTING_LIMIT {
            return Err(Diagnostic::error(
                Code::Limit,
                format!("collections nest deeper than {NESTING_LIMIT} levels where aliases are written out"),
            )
            .at(location, "the limit is reached here")
            .help("split the document, or hold the inner part as text"));
        }
        self.depth += 1;
        Ok(())
    }

    /// A collection ends.
    pub(in crate::yaml) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// One node is printed, with so many bytes of text.
    pub(in crate::yaml) fn spend(
        &mut self,
        bytes: usize,
        location: impl FnOnce() -> Option<Location>,
    ) -> Result<()> {
        if self.aliases == 0 {
            return Ok(());
        }
        self.spent += 1 + (bytes / BYTES_PER_NODE) as u64;
        if self.spent > ALIAS_LIMIT {
            return Err(Diagnostic::error(
                Code::Limit,
                format!("aliases stand for more than {ALIAS_LIMIT} nodes"),
            )
            .at(location(), "the limit is reached here")
            .help("write the repeated part once, or split the document"));
        }
        Ok(())
    }
}
