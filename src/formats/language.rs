//! The functions that a language provides so that its documents can be read and edited inside
//! strings.
//!
//! A language is one row of the table in `table.rs` and one folder with the functions of that row.
//! Everything else in the crate works with a [`DocumentFormat`], a reference to a row, and never
//! asks which language it is.

use std::fmt;
use std::sync::Arc;

use crate::source::{Diagnostic, OffsetMap, Result, Source};
use crate::yaml::{Node, Syntax, TextEdit, with_text_keys};

/// A row of the table of languages.
pub(super) struct Language {
    /// The name in `format:` and `--format`.
    pub(super) name: &'static str,
    /// The name in messages, such as "TOML" or "an environment file".
    pub(super) title: &'static str,
    /// One line for `--help`.
    pub(super) summary: &'static str,
    /// The extensions of keys and files in this language, in lowercase and without the dot.
    pub(super) extensions: &'static [&'static str],
    /// The grammar of `yaml` that parses the language, if it is JSON or YAML. Only these two are
    /// recognized by their text. No text is certain to be TOML or INI, so the other languages need
    /// an extension or an explicit `format`.
    pub(super) syntax: Option<Syntax>,
    /// The spelling of values.
    pub(super) scalars: ScalarSyntax,
    /// Parses a text.
    pub(super) read: fn(&Arc<Source>) -> Result<Box<dyn ParsedText>>,
    /// Parses a text that consists of blanks and comments, or is empty.
    pub(super) read_blank: fn(&Arc<Source>) -> Result<Box<dyn ParsedText>>,
    /// Reads a text that `read` refused with this error in a more lenient way, if the language has
    /// a lenient form.
    pub(super) read_leniently: fn(&Arc<Source>, &Diagnostic) -> Option<LenientText>,
    /// Whether every key is text, even if YAML 1.1 would read it as another type: `y`, `on`, `1`.
    pub(super) text_keys: bool,
    /// Refuses a root that the language cannot represent. The first argument is the root of the
    /// last check. Subtrees that both share are not checked again.
    pub(super) check: fn(&Arc<Node>, &Arc<Node>) -> Result<()>,
    /// Writes a new document. The root passes `check`.
    pub(super) write: fn(&Arc<Node>) -> Result<String>,
    /// Writes a document in its canonical layout. The root passes `check`.
    pub(super) canonical: fn(&Arc<Node>) -> Result<String>,
    /// The separator of canonical documents. Only languages whose texts can have several documents
    /// use it.
    pub(super) separator: &'static str,
    /// Maps the text of a string in a document to the bytes that spell it.
    pub(super) offsets: fn(&Node) -> Option<OffsetMap>,
    /// Returns the source text of a value, as a person expects to see a part of a file.
    pub(super) excerpt: fn(&Arc<Node>) -> String,
}

/// The spelling of scalars in a language.
#[derive(Clone, Copy)]
pub(super) struct ScalarSyntax {
    /// Whether every value is a string.
    pub(super) only_text: bool,
    /// Returns whether a text without quotes has another type than string.
    pub(super) is_typed: fn(&str) -> bool,
    /// Returns whether a text without quotes is a date or a time.
    pub(super) is_time: fn(&str) -> bool,
    /// Returns the spelling that replaces a fraction, in languages that distinguish `2` from `2.0`.
    pub(super) fraction: fn(&str) -> Option<String>,
}

impl ScalarSyntax {
    /// The syntax of languages in which every value is a string.
    pub(super) const TEXT: ScalarSyntax = ScalarSyntax {
        only_text: true,
        is_typed: |_| false,
        is_time: |_| false,
        fraction: |_| None,
    };
}

/// A parsed text: its documents, and the edits that change them.
pub(super) trait ParsedText: fmt::Debug + Send + Sync {
    /// Returns the language that the text was read in.
    fn format(&self) -> DocumentFormat;

    /// Returns the text.
    fn source(&self) -> &Arc<Source>;

    /// Returns the root of each document.
    fn roots(&self) -> Vec<Arc<Node>>;

    /// Returns warnings about places that other readers of the language may refuse.
    fn warnings(&self) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Returns whether a document has aliases. They follow the node that they refer to.
    fn has_aliases(&self) -> bool {
        false
    }

    /// Returns the edits of the text that change its documents to `roots`, in order and without
    /// overlaps. `roots` passed the language's check, and has as many elements as the text has
    /// documents.
    fn edits(&self, roots: &[Arc<Node>]) -> Vec<TextEdit>;

    /// Returns the whole text with additional documents, if `roots` has more documents than the
    /// text.
    fn extended(&self, _roots: &[Arc<Node>]) -> Option<String> {
        None
    }
}

/// A text that only a lenient reading accepts, and the warning about it.
pub(super) type LenientText = (Box<dyn ParsedText>, Box<Diagnostic>);

/// The format of a document: a reference to a row of the table.
#[derive(Clone, Copy)]
pub struct DocumentFormat(pub(super) &'static Language);

impl PartialEq for DocumentFormat {
    fn eq(&self, other: &DocumentFormat) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for DocumentFormat {}

impl fmt::Debug for DocumentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl DocumentFormat {
    /// Returns the name in `format:` and `--format`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the name of the format in messages.
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// Returns the line about the format for `--help`.
    pub fn summary(self) -> &'static str {
        self.0.summary
    }

    /// Returns the grammar of `yaml` that parses the format, if it is JSON or YAML.
    pub fn syntax(self) -> Option<Syntax> {
        self.0.syntax
    }

    /// Returns whether every value is a string.
    pub fn has_only_text(self) -> bool {
        self.0.scalars.only_text
    }

    /// Returns whether `text`, without quotes, has another type than string.
    pub fn is_typed(self, text: &str) -> bool {
        (self.0.scalars.is_typed)(text)
    }

    /// Returns whether `text`, without quotes, is a date or a time.
    pub fn is_time(self, text: &str) -> bool {
        (self.0.scalars.is_time)(text)
    }

    /// Returns the spelling of `text` where it replaces a fraction, if this spelling differs: TOML
    /// writes `2` as `2.0`.
    pub fn fraction(self, text: &str) -> Option<String> {
        (self.0.scalars.fraction)(text)
    }

    /// Maps the text of the string `node` in a document of this format to the bytes that spell it.
    pub fn offsets(self, node: &Node) -> Option<OffsetMap> {
        (self.0.offsets)(node)
    }

    /// Returns the source text of `value`, as a person expects to see a part of a file.
    pub fn excerpt(self, value: &Arc<Node>) -> String {
        (self.0.excerpt)(value)
    }

    /// Prepares a value that comes from elsewhere for a document of this format. JSON, for example,
    /// gets string keys.
    ///
    /// # Errors
    /// A key that the format cannot represent.
    pub fn adopt(self, value: &Arc<Node>) -> Result<Arc<Node>> {
        self.adopt_into(value, None, None)
    }

    /// Prepares a document of this format that may contain values from elsewhere. Parts that are in
    /// `own`, the text of the document, are kept as they are.
    ///
    /// # Errors
    /// A key that the format cannot represent.
    pub(super) fn adopt_into(
        self,
        root: &Arc<Node>,
        before: Option<&Arc<Node>>,
        own: Option<&Arc<Source>>,
    ) -> Result<Arc<Node>> {
        if self.0.text_keys {
            with_text_keys(root, before, own)
        } else {
            Ok(Arc::clone(root))
        }
    }

    /// Writes a new document.
    ///
    /// # Errors
    /// A value that the format cannot represent, with its place.
    pub fn write(self, root: &Arc<Node>) -> Result<String> {
        (self.0.check)(&Node::mapping(Vec::new()), root)?;
        (self.0.write)(root)
    }

    /// Writes a document in the canonical layout: JSON with sorted keys and no white space, YAML as
    /// ytt prints it, the other formats as they write new documents.
    ///
    /// # Errors
    /// A value that the format cannot represent, with its place.
    pub(super) fn canonical(self, root: &Arc<Node>) -> Result<String> {
        (self.0.check)(&Node::mapping(Vec::new()), root)?;
        (self.0.canonical)(root)
    }
}

/// Returns whether a node is a whole text, and not a part of one.
pub(super) fn is_whole_text(node: &Node) -> bool {
    match &node.origin {
        None => true,
        Some(origin) => origin.span.start() == 0 && origin.span.end() == origin.source.text().len(),
    }
}
