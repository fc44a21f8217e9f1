//! One tree merged over another.
//!
//! Mappings merge to any depth; what else meets takes the place of what was there. The outcome is the base with other
//! values: whatever the overlay does not speak of keeps its node, and with it its bytes, its comments and its place. A key
//! that the base lacks goes in where the overlay has it, next to the neighbour that it has there.
//!
//! Merge patches (RFC 7396), data values and the documents in strings are all merged here; [`MergeOptions`] says in what
//! they differ.

mod changes;
mod merger;
mod options;
mod side;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use changes::EntryChanges;
use merger::TreeMerger;
pub use options::{Lists, MergeOptions, Nulls, Unlike};
use side::MergeSide;
pub use side::is_same;

use super::lookup::refuse_duplicates;
use crate::source::Result;
use crate::yaml::{Content, Node, expand};

/// Merges `overlay` over `base`.
///
/// Returns the base's next version, or the base itself where the overlay says nothing new. Aliases and merge keys of the
/// overlay are written out. An alias in the base whose target changes is for the caller to
/// [relink](crate::yaml::relink); a value that is merged where the base has an alias, or where a merge key gives it, is
/// changed there alone.
///
/// # Errors
/// [`Code::ValueDoesNotFit`](crate::source::Code::ValueDoesNotFit) at both places, where kinds meet that are not alike; [`Code::DuplicateKey`](crate::source::Code::DuplicateKey) for a key that one of the
/// mappings that meet gives twice; the errors of [`expand`] on the overlay.
pub fn merge(base: &Arc<Node>, overlay: &Arc<Node>, options: &MergeOptions) -> Result<Arc<Node>> {
    check_keys(overlay.resolved())?;
    let overlay = expand(overlay)?;
    TreeMerger { options }.node(MergeSide::of(base), MergeSide::of(&overlay))
}

/// Refuses a tree in which a mapping gives a key twice; [`expand`] would quietly keep the last.
///
/// # Errors
/// [`Code::DuplicateKey`](crate::source::Code::DuplicateKey) at both.
pub fn check_keys(node: &Node) -> Result<()> {
    match &node.content {
        Content::Mapping(mapping) => {
            refuse_duplicates(mapping)?;
            mapping
                .entries
                .iter()
                .try_for_each(|entry| check_keys(&entry.value))
        }
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .try_for_each(|item| check_keys(&item.value)),
        // What an alias stands for is checked where it is written.
        Content::Scalar(_) | Content::Alias(_) => Ok(()),
    }
}
