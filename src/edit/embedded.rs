//! The document inside a string.
//!
//! A string is opened together with the node that contains it. Its text becomes a source of its
//! own, mapped to the bytes of the outer one, and is parsed into the same kind of tree. Edits of
//! that tree become edits of the string's text, which the outer printer spells in the string's own
//! style. Nested documents repeat this.
//!
//! ```text
//! outer file                         the string's text          an edit of `port`
//! data:
//!   app.json: |                      {                          {
//!     {                       ->       "port": 80        ->       "port": 9090
//!       "port": 80                   }                          }
//!     }                              (a source whose offsets    (one edit of two bytes, written
//!                                    map to the outer file)     with the block's indentation)
//! ```
//!
//! Invariant: a string is parsed once, regardless of the number of edits, and printed when its text
//! is first read. The node of an edited string therefore contains its documents
//! ([`EditedDocuments`]), and opening it again returns them.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::base64_text;
use super::options::DocumentLayout;
use super::text_fields::Encoding;
use crate::formats::{DocumentFormat, Documents};
use crate::source::{Code, Diagnostic, Limit, OffsetMap, Result, Source};
use crate::yaml::spelling::{encoded_source, mapped_source};
use crate::yaml::{
    Content, DerivedText, Node, Scalar, ScalarStyle, Text, TextEdit, is_equal, length_of_texts,
};

/// An opened string with the current version of its documents.
#[derive(Clone, Debug)]
pub(super) struct Embedded {
    /// The scalar as it was parsed.
    base: Arc<Node>,
    encoding: Encoding,
    documents: Arc<Documents>,
    /// The root of each document, including those that were added.
    pub(super) roots: Vec<Arc<Node>>,
}

impl Embedded {
    /// Opens the string `node` under `key`, which is in a text in the format `holder`.
    ///
    /// # Errors
    /// Invalid base64; a text that is not in the given format, or is neither JSON nor YAML.
    pub(super) fn open(
        node: &Arc<Node>,
        encoding: Encoding,
        holder: DocumentFormat,
        key: Option<&str>,
        format: Option<DocumentFormat>,
    ) -> Result<Embedded> {
        Embedded::open_with(node, encoding, holder, |source| {
            Documents::read_under(source, key, format)
        })
    }

    /// Opens the string `node` by parsing its text with `read`, unless it is open already.
    ///
    /// # Errors
    /// Invalid base64, and the errors of `read`.
    pub(super) fn open_with(
        node: &Arc<Node>,
        encoding: Encoding,
        holder: DocumentFormat,
        read: impl FnOnce(&Arc<Source>) -> Result<Documents>,
    ) -> Result<Embedded> {
        if let Some(edited) = EditedDocuments::of(node) {
            return Ok(edited.embedded.clone());
        }
        let source = source_of(node, encoding, holder)?;
        check_levels(&source, node)?;
        let documents = Arc::new(read(&source)?);
        let roots = documents.roots();
        Ok(Embedded {
            base: Arc::clone(node),
            encoding,
            documents,
            roots,
        })
    }

    /// Returns whether `node` is a string that was opened and edited before and contains documents.
    pub(super) fn has_documents(node: &Node) -> bool {
        EditedDocuments::of(node).is_some_and(|edited| !edited.embedded.roots.is_empty())
    }

    /// Returns whether `node` is a string that was opened and edited before.
    pub(super) fn is_open(node: &Node) -> bool {
        EditedDocuments::of(node).is_some()
    }

    /// Creates a new string for a document in the given format.
    ///
    /// # Errors
    /// The errors of reading an empty text. No format has any.
    pub(super) fn made(encoding: Encoding, format: DocumentFormat) -> Result<Embedded> {
        let documents = Arc::new(Documents::read_blank(&Source::empty(), format)?);
        let roots = documents.roots();
        Ok(Embedded {
            base: Node::string(""),
            encoding,
            documents,
            roots,
        })
    }

    /// Returns the same string, still without a document, for a document in the given format.
    ///
    /// # Errors
    /// A text that is not in the format.
    pub(super) fn in_format(self, format: DocumentFormat) -> Result<Embedded> {
        if self.format() == format {
            return Ok(self);
        }
        let documents = Arc::new(Documents::read_blank(self.documents.source(), format)?);
        let roots = documents.roots();
        Ok(Embedded {
            documents,
            roots,
            ..self
        })
    }

    /// Returns the format of the documents.
    pub(super) fn format(&self) -> DocumentFormat {
        self.documents.format()
    }

    /// Returns whether a document has aliases. They follow the node that they refer to.
    pub(super) fn has_aliases(&self) -> bool {
        self.documents.has_aliases()
    }

    /// Prepares a root that may contain values from elsewhere. Its keys become text if the format
    /// requires it. Nodes that it shares with `before`, the root that it replaces, are not visited
    /// again.
    ///
    /// # Errors
    /// A key that the format cannot represent.
    pub(super) fn adopt(&self, root: &Arc<Node>, before: Option<&Arc<Node>>) -> Result<Arc<Node>> {
        self.documents.adopt(root, before)
    }

    /// Returns the node that replaces the opened one, with other documents in the same string.
    ///
    /// # Errors
    /// A value that the format cannot represent, and documents that the canonical layout cannot
    /// represent. The latter may be the fault of a part that the edit did not touch.
    pub(super) fn with_roots(
        &self,
        roots: Vec<Arc<Node>>,
        layout: DocumentLayout,
    ) -> Result<Arc<Node>> {
        self.documents.check(&self.roots, &roots)?;
        // The canonical layout is printed now, because that may fail. Printing a kept layout cannot
        // fail and waits until the text is needed. Otherwise several edits of one string would
        // print it several times.
        let anew = match layout {
            DocumentLayout::Keep => None,
            DocumentLayout::Canonical => Some(self.documents.canonical(&roots)?),
            DocumentLayout::Kustomize => Some(self.documents.as_kustomize_writes(&roots)?),
        };
        let embedded = Embedded {
            roots,
            ..self.clone()
        };
        let style = match (self.base.as_scalar(), layout) {
            (Some(scalar), DocumentLayout::Keep) => scalar.style,
            (Some(_), DocumentLayout::Canonical | DocumentLayout::Kustomize) => {
                ScalarStyle::SingleQuoted
            }
            (None, _) => ScalarStyle::DoubleQuoted,
        };
        // A text with several lines is unreadable in quotes.
        let style = if anew.as_ref().is_some_and(|text| text.contains('\n')) {
            ScalarStyle::Literal
        } else {
            style
        };
        let edited = EditedDocuments {
            embedded,
            anew,
            printed: OnceLock::new(),
        };
        let content = Content::Scalar(Scalar {
            style,
            text: Text::Derived(Arc::new(edited)),
        });
        Ok(match &self.base.origin {
            Some(_) => self.base.with_content(content),
            None => Node::made(content),
        })
    }
}

/// Limits the number of documents that the document of `source` is nested in. With each level of
/// JSON in JSON, the backslashes before a quote double, so a few levels are enough for a text of
/// any size.
fn check_levels(source: &Arc<Source>, node: &Arc<Node>) -> Result<()> {
    let most = Limit::EmbeddedLevels.value();
    let outer = std::iter::successors(source.outer(), |outer| outer.source.outer());
    if outer.count() as u64 <= most {
        return Ok(());
    }
    let levels = if most == 1 { "level" } else { "levels" };
    let message = format!("documents in strings nest more than {most} {levels} deep");
    let error = Limit::EmbeddedLevels.exceeded(message);
    Err(error.at(node.location(), "the document in this string"))
}

/// Returns the text of a string as a source, mapped to the bytes of the string.
fn source_of(node: &Arc<Node>, encoding: Encoding, holder: DocumentFormat) -> Result<Arc<Source>> {
    match encoding {
        Encoding::Plain => Ok(mapped_source(
            node,
            holder.offsets(node).unwrap_or_default(),
        )),
        Encoding::Base64 => match base64_text::decode(node.text().unwrap_or("")) {
            Some(decoded) => Ok(encoded_source(node, &decoded)),
            None => Err(Diagnostic::error(
                Code::NotADocument,
                "expected base64 of a text, found something else",
            )
            .at(node.location(), "not base64, or not of UTF-8 text")),
        },
    }
}

/// Returns the warnings about the texts of edited strings in `root`. Each text is reported once,
/// with the strings in it.
pub fn text_warnings(root: &Arc<Node>) -> Vec<Box<Diagnostic>> {
    let mut warnings = Vec::new();
    collect_warnings(root, &mut |warning| warnings.push(warning));
    warnings
}

/// The recursion is as deep as the documents. Their depth is limited, and so is the nesting of
/// strings.
fn collect_warnings(node: &Node, add: &mut dyn FnMut(Box<Diagnostic>)) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                collect_warnings(&entry.value, add);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                collect_warnings(&item.value, add);
            }
        }
        Content::Scalar(_) => {
            if let Some(edited) = EditedDocuments::of(node) {
                for warning in edited.embedded.documents.take_warnings() {
                    add(warning);
                }
                for root in &edited.embedded.roots {
                    collect_warnings(root, add);
                }
            }
        }
        Content::Alias(_) => {}
    }
}

/// A string that edits opened, with the versions of its only document before and after these edits.
#[derive(Debug)]
pub struct EditedString<'n> {
    /// The string before the first edit.
    pub before: &'n Arc<Node>,
    /// The document in it.
    pub document_before: Arc<Node>,
    /// The document in the string now.
    pub document: &'n Arc<Node>,
    /// The format of both.
    pub format: DocumentFormat,
}

impl EditedString<'_> {
    /// Returns the document of a string that edits opened. `None` for any other node, and for a
    /// string with several documents. Nothing is parsed.
    pub fn of(node: &Node) -> Option<EditedString<'_>> {
        let embedded = &EditedDocuments::of(node)?.embedded;
        let [document] = embedded.roots.as_slice() else {
            return None;
        };
        let [document_before] = <[_; 1]>::try_from(embedded.documents.roots()).ok()?;
        Some(EditedString {
            before: &embedded.base,
            document_before,
            document,
            format: embedded.format(),
        })
    }
}

/// The text of a string whose documents were edited.
#[derive(Debug)]
struct EditedDocuments {
    embedded: Embedded,
    /// The documents in the canonical layout, if it was requested.
    anew: Option<String>,
    printed: OnceLock<PrintedText>,
}

#[derive(Debug)]
struct PrintedText {
    text: String,
    /// The changes to the base's text; `None` if the text is not a change of it.
    edits: Option<Vec<TextEdit>>,
}

impl EditedDocuments {
    /// Returns the edited text of `node`, if it has one.
    fn of(node: &Node) -> Option<&EditedDocuments> {
        match &node.content {
            Content::Scalar(Scalar {
                text: Text::Derived(derived),
                ..
            }) => derived.as_any().downcast_ref(),
            _ => None,
        }
    }

    fn printed(&self) -> &PrintedText {
        self.printed.get_or_init(|| {
            let Embedded {
                base,
                encoding,
                documents,
                roots,
            } = &self.embedded;
            let (text, edits) = match &self.anew {
                Some(anew) => (anew.clone(), None),
                None => documents.print(roots),
            };
            match encoding {
                Encoding::Plain => PrintedText { text, edits },
                Encoding::Base64 => {
                    let like = base.text().unwrap_or("");
                    // The same text can be encoded with other line breaks and blanks.
                    if base64_text::decode(like).is_some_and(|before| before == text) {
                        return PrintedText {
                            text: like.to_owned(),
                            edits: Some(Vec::new()),
                        };
                    }
                    // Single edits are impossible in base64: three bytes of text are four
                    // characters.
                    PrintedText {
                        text: base64_text::encode(&text, like),
                        edits: None,
                    }
                }
            }
        })
    }
}

impl DerivedText for EditedDocuments {
    fn base(&self) -> &Arc<Node> {
        &self.embedded.base
    }

    fn text(&self) -> &str {
        &self.printed().text
    }

    fn length(&self) -> usize {
        match (&self.anew, self.printed.get()) {
            (Some(anew), _) => anew.len(),
            (None, Some(printed)) => printed.text.len(),
            // A string in a string has each of its quotes and backslashes escaped again, so a text
            // may be twice as long one level further out:  a"b  ->  "a\"b"  ->  "\"a\\\"b\""
            (None, None) => {
                let texts = self.embedded.roots.iter().map(length_of_texts);
                texts.fold(0, usize::saturating_add).saturating_mul(2)
            }
        }
    }

    fn map(&self) -> Option<&OffsetMap> {
        self.embedded
            .documents
            .source()
            .outer()
            .map(|outer| &outer.map)
    }

    fn edits(&self) -> Option<&[TextEdit]> {
        self.printed().edits.as_deref()
    }

    fn is_certainly_other(&self, other: &dyn DerivedText) -> bool {
        let Some(other) = other.as_any().downcast_ref::<EditedDocuments>() else {
            return false;
        };
        let (one, other) = (&self.embedded, &other.embedded);
        // Two texts in the same format with different values are certain to differ.
        if !Arc::ptr_eq(&one.documents, &other.documents) || one.roots.len() != other.roots.len() {
            return false;
        }
        let mut pairs = one.roots.iter().zip(&other.roots);
        !pairs.all(|(one, other)| is_equal(one, other))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
