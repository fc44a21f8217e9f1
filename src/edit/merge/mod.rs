//! One tree merged over another.
//!
//! Mappings merge to any depth; what else meets takes the place of what was there. The outcome is the base with other
//! values: whatever the overlay does not speak of keeps its node, and with it its bytes, its comments and its place. A key
//! that the base lacks goes in where the overlay has it, next to the neighbour that it has there.
//!
//! Merge patches (RFC 7396), data values and the documents in strings are all merged here; [`MergeOptions`] says in what
//! they differ.

mod changes;
mod fault;
mod merger;
mod same;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::Deserialize;

pub use changes::EntryChanges;
use merger::{Merger, Side};
pub use same::is_same;

use super::lookup::refuse_duplicates;
use crate::source::Result;
use crate::yaml::{Content, Node, expand};

/// What happens where the plain rule is not what is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeOptions {
    /// Where a list meets a list.
    pub lists: Lists,
    /// Where the overlay says null.
    pub nulls: Nulls,
    /// Where a mapping, a list and a scalar meet that are not of one kind.
    pub unlike: Unlike,
}

/// What becomes of two lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// The overlay's takes the place of the base's.
    #[default]
    Replace,
    /// The overlay's items come after the base's.
    Append,
    /// Items that are mappings with the same value under this key are merged, and others come after the base's. A list
    /// of which no item has the key takes the place of the base's.
    MergeBy(Box<str>),
}

/// What null in the overlay means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Nulls {
    /// It is a value like any other.
    #[default]
    Set,
    /// The key goes, as in a merge patch.
    Delete,
}

/// What becomes of two values that are not of one kind. Null is of every kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unlike {
    /// They are an error.
    #[default]
    Refuse,
    /// The overlay's takes the place of the base's.
    Replace,
}

impl MergeOptions {
    /// The rules of merge patches: null deletes, and what is not a mapping is replaced.
    pub const MERGE_PATCH: MergeOptions = MergeOptions {
        lists: Lists::Replace,
        nulls: Nulls::Delete,
        unlike: Unlike::Replace,
    };
}

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
    Merger { options }.node(Side::of(base), Side::of(&overlay))
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
