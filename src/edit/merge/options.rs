//! How two trees are merged.

use serde::Deserialize;

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
