//! Data values from outside, and how they are merged.
//!
//! Each source is read into documents: files of plain YAML ([`mod@file`]), flags and variables
//! ([`flags`]), documents with `@data/values` in the library's own files, and code that evaluates a
//! library. A [`ValuesDocument`] contains the way it is merged into the previous values: plainly
//! ([`merge`]) or as an overlay. `phases/values.rs` defines their order.

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
pub(super) use repeated::repeated_key_warnings;
pub use repeated::report_repeated_keys;

use std::sync::Arc;

use crate::source::{Code, Diagnostic, Result};
use crate::typed::RawNode;
use crate::yaml::Node;

/// Returns the field `values` of a configuration, which must be a mapping.
///
/// # Errors
/// Fails with [`Code::Config`] for any other value.
pub fn mapping_of_values(values: Option<RawNode>) -> Result<Option<Arc<Node>>> {
    let Some(RawNode(node)) = values else {
        return Ok(None);
    };
    if node.as_mapping().is_some() {
        return Ok(Some(node));
    }
    let found = node.described();
    let message = format!("expected a mapping of data values, found {found}");
    Err(Diagnostic::error(Code::Config, message).at(node.location(), ""))
}
