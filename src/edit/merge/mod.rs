//! One tree merged over another.
//!
//! Mappings merge to any depth; of other values the overlay's replaces the base's. What the overlay
//! does not mention keeps its node, and with it its bytes, comments and position. A new key is
//! inserted after the key that it follows in the overlay.
//!
//! Merge patches (RFC 7396), data values and documents in strings are all merged here;
//! [`MergeOptions`] covers the differences.

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
use crate::yaml::{Content, Node, expand_by_spelling};

/// Merges `overlay` over `base`.
///
/// Returns the merged tree, or `base` itself if the overlay changes nothing. Aliases and merge keys
/// of the overlay are expanded. If the target of an alias in the base changes, the caller has to
/// [relink](crate::yaml::relink) it; a value that is merged into an alias, or into a value from a
/// merge key, changes there only.
///
/// # Errors
/// [`Code::ValueDoesNotFit`](crate::source::Code::ValueDoesNotFit) at both places, where kinds meet
/// that are not alike; [`Code::DuplicateKey`](crate::source::Code::DuplicateKey) for a key that one
/// of the mappings that meet gives twice; the errors of [`expand_by_spelling`] on the overlay.
pub fn merge(base: &Arc<Node>, overlay: &Arc<Node>, options: &MergeOptions) -> Result<Arc<Node>> {
    check_keys(overlay.resolved())?;
    let overlay = expand_by_spelling(overlay)?;
    TreeMerger { options }.node(MergeSide::of(base), MergeSide::of(&overlay))
}

/// Refuses a tree in which a mapping gives a key twice; [`expand_by_spelling`] would quietly keep
/// the last.
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
        // The target of an alias is checked at its anchor.
        Content::Scalar(_) | Content::Alias(_) => Ok(()),
    }
}
