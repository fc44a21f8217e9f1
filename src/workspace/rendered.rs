//! The result of a build.

use std::sync::Arc;

use super::virtual_path::VirtualPath;
use crate::yaml::{Node, PrintedRun, Stream, is_empty};

/// The output of a build.
#[derive(Debug, Default)]
pub struct Rendered {
    /// The documents that each resource became, in order: the document, those that overlays
    /// inserted next to it, or none if it was removed.
    pub resources: Vec<Vec<Arc<Node>>>,
    /// The documents of YAML files, in the order of the files.
    pub yaml: Vec<RenderedYaml>,
    /// The other texts, in the order of the library tree.
    pub texts: Vec<RenderedText>,
    /// Whether a document was an overlay, even if it matched nothing.
    pub has_overlays: bool,
    /// Documents that were printed while others were built.
    pub printed: Vec<PrintedRun>,
}

impl Rendered {
    /// Inserts documents that come from no file before those of the files. In an output folder,
    /// they are written to `path`.
    pub fn put_first(&mut self, path: VirtualPath, documents: Vec<Arc<Node>>) {
        let file = RenderedYaml {
            path,
            documents,
            plain: None,
            printed: None,
        };
        self.yaml.insert(0, file);
    }

    /// Returns whether the files could not have rendered documents or changed resources, regardless
    /// of the data values. A template may render nothing for these values but something for others.
    pub fn is_idle(&self) -> bool {
        let is_blank = |file: &RenderedYaml| {
            file.plain.is_some() && file.documents.iter().all(|root| is_empty(root.resolved()))
        };
        !self.has_overlays && self.yaml.iter().all(is_blank)
    }
}

/// The documents of one file.
#[derive(Debug)]
pub struct RenderedYaml {
    /// The path in an output folder.
    pub path: VirtualPath,
    /// The documents, including empty ones.
    pub documents: Vec<Arc<Node>>,
    /// The text that they were parsed from, if it contains no code.
    pub plain: Option<Arc<Stream>>,
    /// The printed documents, if [`BuildOptions::reprints`](super::BuildOptions) allows it. In that
    /// case, `documents` is empty.
    pub printed: Option<Arc<Vec<String>>>,
}

/// The content of one file that is not YAML.
#[derive(Debug)]
pub struct RenderedText {
    /// The path in an output folder.
    pub path: VirtualPath,
    /// The content.
    pub content: Vec<u8>,
}
