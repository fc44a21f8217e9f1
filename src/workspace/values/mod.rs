//! Data values: what is given from outside, and how it becomes the one tree that templates see as `data.values`.
//!
//! Each source gives documents: files of plain YAML ([`file`]), flags and variables ([`flags`]), documents with
//! `@data/values` of the library's own files, and code that evaluates a library. A [`ValuesDocument`] says how it goes
//! onto the values so far: by plain merging ([`merge`]) or as an overlay.

mod argument;
mod file;
mod flags;
mod merge;
mod reference;

use std::sync::Arc;

pub use flags::ValueFlags;
pub(in crate::workspace) use merge::Merged;
pub use reference::LibraryReference;

use crate::script::fragments::Built;
use crate::source::Result;
use crate::yaml::{self, Node};

/// One document of data values.
#[derive(Clone, Debug)]
pub struct ValuesDocument {
    /// What it says, and where it is given.
    pub document: Built,
    /// How it goes onto the values so far.
    pub merge: Merge,
    /// The library that it is for.
    pub target: LibraryReference,
    /// Whether it comes after the values that a template gives to the library.
    pub is_last: bool,
}

/// How a document goes onto the values so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Merge {
    /// Mappings are merged, anything else replaces.
    Plain,
    /// The mappings of so many levels are merged; what is below replaces.
    Below(usize),
    /// It is an overlay, in which annotations say what happens.
    Overlay,
    /// It goes onto the schema of the values, as an overlay.
    Schema,
}

impl ValuesDocument {
    /// A document of plain YAML for the library at hand, such as a Data Values File.
    ///
    /// # Errors
    /// Aliases, merge keys or tags that cannot be written out.
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
