//! The documents of a text, in whatever language: the seam between the walk along a path and the languages.

use std::sync::Arc;

use super::flat::{self, Flat};
use super::toml::{self, Toml};
use super::{Format, parse_as};
use crate::source::{Result, Source};
use crate::yaml::{
    Node, Stream, Syntax, TextEdit, apply, canonical_json, canonical_node, faithful,
};

/// A text and the documents that were read from it.
#[derive(Debug)]
pub enum Documents {
    /// JSON and YAML: any number of documents.
    Stream(Stream),
    /// TOML: always one document.
    Toml(Toml),
    /// Keys and values: always one document.
    Flat(Flat),
}

impl Documents {
    /// Reads a text in the format given, or else as JSON or YAML, whichever it shows.
    ///
    /// # Errors
    /// A text that is not in the format.
    pub fn read(source: &Arc<Source>, format: Option<Format>) -> Result<Documents> {
        if let Some(dialect) = format.and_then(Format::dialect) {
            return Ok(Documents::Flat(flat::read(source, dialect)?));
        }
        match format {
            Some(Format::Toml) => Ok(Documents::Toml(toml::read(source)?)),
            _ => Ok(Documents::Stream(parse_as(
                source,
                format.and_then(Format::syntax),
            )?)),
        }
    }

    /// What a text of blanks and comments says in the format given: no document in JSON and YAML, an empty one in others.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn empty(source: &Arc<Source>, format: Format) -> Result<Documents> {
        match format.syntax() {
            None => Documents::read(source, Some(format)),
            Some(syntax) => Ok(Documents::Stream(Stream {
                source: Arc::clone(source),
                syntax,
                documents: Vec::new(),
                comments: Vec::new(),
                has_aliases: false,
            })),
        }
    }

    /// Returns the format that the text was read in.
    pub fn format(&self) -> Format {
        match self {
            Documents::Stream(stream) => stream.syntax.into(),
            Documents::Toml(_) => Format::Toml,
            Documents::Flat(flat) => match flat.dialect {
                flat::Dialect::Properties => Format::Properties,
                flat::Dialect::Env => Format::Env,
            },
        }
    }

    /// Returns the text that the documents were read from.
    pub fn source(&self) -> &Arc<Source> {
        match self {
            Documents::Stream(stream) => &stream.source,
            Documents::Toml(toml) => &toml.source,
            Documents::Flat(flat) => &flat.source,
        }
    }

    /// The root of each document.
    pub fn roots(&self) -> Vec<Arc<Node>> {
        match self {
            Documents::Stream(stream) => stream
                .documents
                .iter()
                .map(|document| Arc::clone(&document.root))
                .collect(),
            Documents::Toml(toml) => vec![Arc::clone(&toml.root)],
            Documents::Flat(flat) => vec![Arc::clone(&flat.root)],
        }
    }

    /// Whether a document has aliases, which follow what they stand for.
    pub fn has_aliases(&self) -> bool {
        matches!(self, Documents::Stream(stream) if stream.has_aliases)
    }

    /// Refuses roots that the language cannot say. `before` are the roots as they were when they were last looked at.
    ///
    /// # Errors
    /// The first value that does not fit, with its place.
    pub fn check(&self, before: &[Arc<Node>], after: &[Arc<Node>]) -> Result<()> {
        let mut pairs = before.iter().zip(after);
        match self {
            Documents::Stream(_) => Ok(()),
            Documents::Toml(_) => pairs.try_for_each(|(before, after)| toml::check(before, after)),
            Documents::Flat(flat) => {
                pairs.try_for_each(|(before, after)| flat::check(before, after, flat.dialect))
            }
        }
    }

    /// The text that says `roots`, and the changes that make it of the present one; no changes where documents were added
    /// to it.
    pub fn print(&self, roots: &[Arc<Node>]) -> (String, Option<Vec<TextEdit>>) {
        let edits = match (self, roots.first()) {
            (Documents::Stream(stream), _) if roots.len() > stream.documents.len() => {
                return (with_added(stream, roots), None);
            }
            (Documents::Stream(stream), _) => faithful::edits(stream, roots),
            (_, None) => Vec::new(),
            (Documents::Toml(toml), Some(root)) => toml.edits(root),
            (Documents::Flat(flat), Some(root)) => flat.edits(root),
        };
        (apply(self.source().text(), &edits), Some(edits))
    }

    /// The text that says `roots`, laid out as if nothing had been there.
    ///
    /// # Errors
    /// A value that the layout cannot hold: what no edit touched may be at fault.
    pub fn canonical(&self, roots: &[Arc<Node>]) -> Result<String> {
        let format = self.format();
        let separator = match format {
            Format::Json => "\n",
            _ => "---\n",
        };
        Ok(roots
            .iter()
            .map(|root| format.canonical(root))
            .collect::<Result<Vec<_>>>()?
            .join(separator))
    }
}

impl Format {
    /// A document of its own, laid out anew: JSON with sorted keys and no white space, YAML as ytt prints it, the others
    /// as they write what is new.
    fn canonical(self, root: &Arc<Node>) -> Result<String> {
        match self {
            Format::Json => canonical_json(root),
            Format::Yaml => canonical_node(root),
            _ => self.write(root),
        }
    }

    /// A new document of its own.
    ///
    /// # Errors
    /// A value that the format cannot hold, with its place.
    pub fn write(self, root: &Arc<Node>) -> Result<String> {
        let nothing = Node::mapping(Vec::new());
        match (self, self.dialect()) {
            (Format::Json, _) => canonical_json(root),
            (Format::Yaml, _) => Ok(faithful::write(&root.in_block_style(), Syntax::Yaml)),
            (_, Some(dialect)) => {
                flat::check(&nothing, root, dialect)?;
                Ok(flat::write(root, dialect))
            }
            (_, None) => {
                toml::check(&nothing, root)?;
                Ok(toml::write(root))
            }
        }
    }
}

/// The text of a string that had fewer documents, in practice none, with the new ones after what is there.
fn with_added(stream: &Stream, roots: &[Arc<Node>]) -> String {
    let (kept, added) = roots.split_at(stream.documents.len());
    let mut text = faithful::print(stream, kept);
    for root in added {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&faithful::write(root, stream.syntax));
    }
    text
}
