//! Merges one tree into another.
//!
//! Mappings are merged to any depth. Any other value of the overlay replaces the base's value. A
//! part that the overlay does not mention keeps its node, and with it its bytes, comments and
//! position. A new key is inserted after the key that it follows in the overlay.
//!
//! Merge patches (RFC 7396), data values and documents in strings are all merged here;
//! [`MergeOptions`] covers the differences.

mod changes;
mod equality;
mod merger;
mod options;
mod side;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use changes::EntryChanges;
use merger::TreeMerger;
pub use options::{KindMismatch, Lists, MergeOptions, Nulls};
use side::MergeSide;
pub use side::is_same;

use super::lookup::refuse_duplicates;
use crate::source::Result;
use crate::yaml::{Content, Node, expand_by_spelling};

/// Merges `overlay` into `base`.
///
/// Returns the merged tree, or `base` itself if the overlay changes nothing. Aliases and merge keys
/// of the overlay are expanded. If the target of an alias in the base changes, the caller has to
/// [relink](crate::yaml::relink) it. A value that is merged into an alias, or into a value from a
/// merge key, changes only at that place.
///
/// # Errors
/// [`Code::ValueDoesNotFit`](crate::source::Code::ValueDoesNotFit) at both places, if values of
/// incompatible kinds meet; [`Code::DuplicateKey`](crate::source::Code::DuplicateKey) for a key
/// that is repeated in a mapping that is merged; the errors of [`expand_by_spelling`] on the
/// overlay.
pub fn merge(base: &Arc<Node>, overlay: &Arc<Node>, options: &MergeOptions) -> Result<Arc<Node>> {
    check_keys(overlay.resolved())?;
    let overlay = expand_by_spelling(overlay)?;
    TreeMerger { options }.node(MergeSide::of(base), MergeSide::of(&overlay))
}

/// Refuses a tree in which a mapping repeats a key. [`expand_by_spelling`] would silently keep the
/// last entry.
///
/// # Errors
/// [`Code::DuplicateKey`](crate::source::Code::DuplicateKey) at both entries.
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
