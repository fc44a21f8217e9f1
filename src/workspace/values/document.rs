//! One document of data values, or of their schema.

use std::sync::Arc;

use super::reference::LibraryReference;
use crate::script::fragments::Built;
use crate::source::Result;
use crate::yaml::{self, Node};

/// A document, and how it is merged into the values before it.
#[derive(Clone, Debug)]
pub struct ValuesDocument {
    /// The values, and where they are given.
    pub(in crate::workspace) document: Built,
    pub(in crate::workspace) merge: Merge,
    /// The library that it is for.
    pub(in crate::workspace) target: LibraryReference,
    /// Whether it is applied after the values that a template passes to the library.
    pub(in crate::workspace) is_last: bool,
}

/// How a document is merged into the values before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::workspace) enum Merge {
    /// Mappings are merged, anything else replaces.
    Plain,
    /// Mappings of this many levels are merged; what is below them replaces.
    Below(usize),
    /// An overlay, whose annotations decide what happens.
    Overlay,
    /// An overlay on the schema of the values.
    Schema,
}

impl ValuesDocument {
    /// Returns a document of plain YAML for the library at hand, such as a Data Values File.
    ///
    /// # Errors
    /// Aliases, merge keys or tags that cannot be expanded.
    pub fn plain(root: &Arc<Node>) -> Result<ValuesDocument> {
        let document = Built {
            root: yaml::expand(root)?,
            place: root.location(),
            annotations: Vec::new(),
        };
        Ok(ValuesDocument {
            document,
            merge: Merge::Plain,
            target: LibraryReference::default(),
            is_last: false,
        })
    }
}
