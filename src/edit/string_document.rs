//! The only document in a string, for callers that change its tree themselves.
//!
//! A walk along a path opens strings itself. Overlays and strategic merges have their own walk:
//! they open a string with this type, change the root, and get the new string.

use std::sync::Arc;

use super::embedded::Embedded;
use super::options::DocumentLayout;
use super::text_fields::Encoding;
use crate::formats::DocumentFormat;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Node, unlink};

/// A string and the document in it.
#[derive(Debug)]
pub struct StringDocument {
    embedded: Embedded,
    root: Arc<Node>,
}

impl StringDocument {
    /// Opens the string `node` under `key`, which is in a text in the format `holder`. A text
    /// without a document gets the document null. `format` is then the format of the document that
    /// replaces it.
    ///
    /// # Errors
    /// Invalid base64, a text that parses neither as JSON nor as YAML (or not in the given format),
    /// and several documents.
    pub fn open(
        node: &Arc<Node>,
        encoding: Encoding,
        holder: DocumentFormat,
        key: Option<&str>,
        format: Option<DocumentFormat>,
    ) -> Result<StringDocument> {
        let embedded = Embedded::open(node, encoding, holder, key, format)?;
        match embedded.roots.as_slice() {
            [] => {
                let embedded = embedded.in_format(format.unwrap_or(DocumentFormat::YAML))?;
                Ok(StringDocument {
                    embedded,
                    root: Node::plain("null"),
                })
            }
            [root] => Ok(StringDocument {
                root: Arc::clone(root),
                embedded,
            }),
            several => {
                let message = format!(
                    "expected one document in the string, found {}",
                    several.len()
                );
                let second = several.get(1).and_then(|root| root.location());
                Err(Diagnostic::error(Code::NotADocument, message)
                    .at(second, "the second document"))
            }
        }
    }

    /// Returns whether `node` is a string that was opened and edited before and contains documents.
    /// This does not print its text.
    pub fn is_open(node: &Node) -> bool {
        Embedded::has_documents(node)
    }

    /// Creates a new string for a document in the given format.
    ///
    /// # Errors
    /// The errors of reading an empty text. No format has any.
    pub fn new(encoding: Encoding, format: DocumentFormat) -> Result<StringDocument> {
        Ok(StringDocument {
            embedded: Embedded::made(encoding, format)?,
            root: Node::plain("null"),
        })
    }

    /// Returns the format of the document.
    pub fn format(&self) -> DocumentFormat {
        self.embedded.format()
    }

    /// Returns the root of the document.
    pub fn root(&self) -> &Arc<Node> {
        &self.root
    }

    /// Returns the string with another document in it. Only the bytes that differ change. An alias
    /// whose target changes is expanded.
    ///
    /// # Errors
    /// A value that the format cannot represent, such as a key that is a collection in JSON.
    pub fn with_root(&self, root: &Arc<Node>) -> Result<Arc<Node>> {
        let root = self.embedded.adopt(root, Some(&self.root))?;
        // The caller may have moved or dropped an anchor. An alias is kept only if its value is
        // still the same.
        let root = if self.embedded.has_aliases() {
            unlink(&root)
        } else {
            root
        };
        self.embedded.with_roots(vec![root], DocumentLayout::Keep)
    }
}
