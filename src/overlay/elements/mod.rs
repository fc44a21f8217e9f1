//! The elements of the left that parts are applied to: the documents of all files, the entries of a
//! mapping, or the items of a list.
//!
//! All changes to one collection are gathered here, and the collection is built once at the end. An
//! element that no part changes keeps its node.

mod document_index;
mod documents;
mod entries;
mod items;
mod left;
mod plain_entries;

pub(super) use documents::LeftDocuments;
pub use documents::OverlaidRoot;
pub(super) use entries::LeftEntries;
pub(super) use items::LeftItems;
pub(super) use left::{
    Insertion, InsertionSides, LeftElement, LeftElements, TargetFile, next_version,
};
pub(super) use plain_entries::PlainEntries;
