//! How two trees are merged.

use serde::Deserialize;

/// How two trees are merged where replacing scalars and merging mappings is not enough.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeOptions {
    /// Where both have a list.
    pub lists: Lists,
    /// Where the overlay has null.
    pub nulls: Nulls,
    /// Where the values are of different kinds: a mapping, a list, a scalar.
    pub unlike: Unlike,
}

/// How two lists are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// The overlay's list replaces the base's.
    #[default]
    Replace,
    /// The overlay's items come after the base's.
    Append,
    /// The overlay's items come after the base's, but for those that the base already has.
    Union,
    /// Items with the same value under this key are merged, new items go to the end. A list in
    /// which no item has the key replaces the base's.
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

/// How two values of different kinds are merged. Null is of every kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unlike {
    /// They are an error.
    #[default]
    Refuse,
    /// The overlay's value replaces the base's.
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
