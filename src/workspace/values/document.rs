//! One document of data values, or of their schema.

use std::sync::Arc;

use super::reference::LibraryReference;
use crate::script::fragments::Built;
use crate::source::Result;
use crate::yaml::{self, Node};

/// A document, and how it is merged into the previous values.
#[derive(Clone, Debug)]
pub struct ValuesDocument {
    /// The values and their place.
    pub(in crate::workspace) document: Built,
    pub(in crate::workspace) merge: Merge,
    /// The target library.
    pub(in crate::workspace) target: LibraryReference,
    /// Whether it is applied after the values that a template passes to the library.
    pub(in crate::workspace) is_last: bool,
}

/// The way a document is merged into the previous values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::workspace) enum Merge {
    /// Mappings are merged; any other value replaces.
    Plain,
    /// Mappings of this many levels are merged; values below them replace.
    Below(usize),
    /// The document is an overlay, whose annotations decide.
    Overlay,
    /// The document is an overlay on the schema of the values.
    Schema,
}

impl ValuesDocument {
    /// Creates a document of plain YAML for the current library, such as a Data Values File.
    ///
    /// # Errors
    /// Fails for aliases, merge keys or tags that cannot be expanded.
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
