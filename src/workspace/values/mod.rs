//! Data values that are given from outside, and how they are merged.
//!
//! Each source gives documents: files of plain YAML ([`file`]), flags and variables ([`flags`]),
//! documents with `@data/values` of the library's own files, and code that evaluates a library. A
//! [`ValuesDocument`] says how it is merged into the values before it: plainly ([`merge`]) or as an
//! overlay. `phases/values.rs` has their order.

mod argument;
mod document;
mod file;
mod flags;
mod merge;
mod reference;
mod repeated;

pub(super) use document::Merge;
pub use document::ValuesDocument;
pub use flags::DataValuesFlags;
pub(super) use merge::MergedValues;
pub(super) use reference::LibraryReference;
pub use repeated::report_repeated_keys;
