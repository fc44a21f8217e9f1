//! The options for merging two trees.

use serde::Deserialize;

/// The rules for cases that replacing scalars and merging mappings do not cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeOptions {
    /// The rule for two lists.
    pub lists: Lists,
    /// The rule for null in the overlay.
    pub nulls: Nulls,
    /// The rule for values of different kinds: a mapping, a list, a scalar.
    pub kind_mismatch: KindMismatch,
}

/// The rule for merging two lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// The overlay's list replaces the base's.
    #[default]
    Replace,
    /// The overlay's items come after the base's.
    Append,
    /// The overlay's items come after the base's, except those that the base already has.
    Union,
    /// Items with the same value under this key are merged, and new items are added at the end. A
    /// list in which no item has the key replaces the base's.
    MergeBy(Box<str>),
}

/// The meaning of null in the overlay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Nulls {
    /// It is a value like any other.
    #[default]
    Set,
    /// The key is removed, as in a merge patch.
    Delete,
}

/// The rule for merging two values of different kinds. Null is of every kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KindMismatch {
    /// They are an error.
    #[default]
    Refuse,
    /// The overlay's value replaces the base's.
    Replace,
}

impl MergeOptions {
    /// The rules of merge patches: null deletes, and any value that is not a mapping is replaced.
    pub const MERGE_PATCH: MergeOptions = MergeOptions {
        lists: Lists::Replace,
        nulls: Nulls::Delete,
        kind_mismatch: KindMismatch::Replace,
    };
}
