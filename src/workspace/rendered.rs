//! What a build gives.

use std::sync::Arc;

use super::virtual_path::VirtualPath;
use crate::yaml::{Node, Stream};

/// The output of a build.
#[derive(Debug, Default)]
pub struct Rendered {
    /// What became of each resource, in their order: the document, those that overlays put beside
    /// it, or nothing if it was removed.
    pub resources: Vec<Vec<Arc<Node>>>,
    /// The documents of YAML files, in the order of the files.
    pub yaml: Vec<RenderedYaml>,
    /// Other texts, in the order of the library tree.
    pub texts: Vec<RenderedText>,
}

/// The documents of one file.
#[derive(Debug)]
pub struct RenderedYaml {
    /// Where they are written in an output folder.
    pub path: VirtualPath,
    /// The documents, empty ones too.
    pub documents: Vec<Arc<Node>>,
    /// The text that they were parsed from, if it contains no code.
    pub plain: Option<Arc<Stream>>,
}

/// The content of one file that is not YAML.
#[derive(Debug)]
pub struct RenderedText {
    /// Where it is written in an output folder.
    pub path: VirtualPath,
    /// The content.
    pub content: Vec<u8>,
}
