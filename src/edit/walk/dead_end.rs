//! Records where a path ends without a value, and the message about it.
//!
//! A path with a wildcard has many branches. If none of them leads to a value, the deepest dead end
//! is reported, because that is most likely where the mistake is.

use std::sync::Arc;

use super::PathWalk;
use super::place::WalkPlace;
use crate::edit::failure::{EditResult, Missing};
use crate::source::{Code, Location};
use crate::yaml::{Content, Node};

impl PathWalk<'_, '_> {
    /// Returns a description of the value that the first `index` segments lead to.
    pub(super) fn found(&self, index: usize) -> String {
        match index {
            0 => "the document".to_owned(),
            _ => format!("`{}`", self.path.prefix(index)),
        }
    }

    /// Records that the path goes no further here. `reason` gets the description of the value that
    /// was found.
    pub(super) fn miss(
        &mut self,
        index: usize,
        place: &WalkPlace<'_>,
        node: &Arc<Node>,
        reason: impl FnOnce(&str) -> String,
    ) -> EditResult<Option<Arc<Node>>> {
        self.miss_with(index, place, node, None, reason)
    }

    /// Records a dead end as `miss` does, with a help text.
    pub(super) fn miss_with(
        &mut self,
        index: usize,
        place: &WalkPlace<'_>,
        node: &Arc<Node>,
        help: Option<String>,
        reason: impl FnOnce(&str) -> String,
    ) -> EditResult<Option<Arc<Node>>> {
        let found = self.found(index);
        let location = place
            .label
            .and_then(|label| label.location())
            .or_else(|| first_location(node));
        self.record(Missing {
            code: Code::PathNotFound,
            depth: index,
            location,
            reason: reason(&found),
            help,
            corrected: None,
            cause: None,
        });
        Ok(None)
    }

    /// Returns the deepest dead end, if it is at `index`.
    pub(super) fn deepest(&mut self, index: usize) -> Option<&mut Missing> {
        self.missing
            .as_mut()
            .filter(|missing| missing.depth == index)
    }

    /// Records a dead end, unless another branch got deeper.
    pub(super) fn record(&mut self, missing: Missing) {
        if self
            .missing
            .as_ref()
            .is_none_or(|known| known.depth < missing.depth)
        {
            self.missing = Some(missing);
        }
    }
}

/// Returns the place of a node for messages: the first key of a mapping, the first item of a list,
/// the scalar itself.
fn first_location(node: &Arc<Node>) -> Option<Location> {
    match &node.content {
        Content::Mapping(mapping) => mapping
            .entries
            .first()
            .and_then(|entry| entry.key.location()),
        Content::Sequence(sequence) => sequence
            .items
            .first()
            .and_then(|item| first_location(&item.value)),
        _ => None,
    }
    .or_else(|| node.location())
}
