//! The documents of a text in any language: the interface between the table of languages and the
//! walk along a path.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::json_yaml::{check_yaml_for_json, parse_as};
use super::language::{DocumentFormat, ParsedText};
use crate::golang::json::{self, JsonLayout};
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::{Data, Node, Syntax, TextEdit, apply, looks_like_json};

/// A text and the documents that were read from it.
#[derive(Debug)]
pub struct Documents {
    text: Box<dyn ParsedText>,
    /// A warning if the key of the text suggests another format than the text has.
    warning: Option<Box<Diagnostic>>,
    /// Whether the warnings were taken. Many edits share one text, and it is reported once.
    is_reported: AtomicBool,
}

/// A text that was read leniently, and the warning about it, if there is one.
#[derive(Debug)]
pub struct LenientDocuments {
    /// The documents of the text.
    pub documents: Documents,
    /// The reason why a strict parser refuses the text.
    pub warning: Option<Box<Diagnostic>>,
}

impl Documents {
    /// Reads a text in the given format, or otherwise as JSON or YAML, depending on its content.
    ///
    /// # Errors
    /// A text that is not in the format.
    pub fn read(source: &Arc<Source>, format: Option<DocumentFormat>) -> Result<Documents> {
        Ok(Documents::of(match format {
            Some(format) => (format.0.read)(source)?,
            None => Box::new(parse_as(source, None)?),
        }))
    }

    fn of(text: Box<dyn ParsedText>) -> Documents {
        Documents {
            text,
            warning: None,
            is_reported: AtomicBool::new(false),
        }
    }

    /// Reads the text under a key in the given format. Without one, reads it in the format that the
    /// key implies, or otherwise as JSON or YAML, depending on its content.
    ///
    /// A key such as `config.json` may have a text that only YAML can read. That produces a
    /// warning. Broken JSON is not such a text: an edit of `{"port":}` as YAML would hide the
    /// mistake.
    ///
    /// # Errors
    /// A text that is not in the format.
    pub fn read_under(
        source: &Arc<Source>,
        key: Option<&str>,
        format: Option<DocumentFormat>,
    ) -> Result<Documents> {
        if let Some(format) = format.or_else(|| DocumentFormat::of_text_under(key?)) {
            return Documents::read(source, Some(format));
        }
        let stream = parse_as(source, None)?;
        let is_other = stream.syntax == Syntax::Yaml && !stream.documents.is_empty();
        let warning = match key {
            Some(key) if is_other && DocumentFormat::of_key(key) == Some(DocumentFormat::JSON) => {
                check_yaml_for_json(&stream, key)?
            }
            _ => None,
        };
        Ok(Documents {
            warning,
            ..Documents::of(Box::new(stream))
        })
    }

    /// Reads a text in the given format. JSON may also be a text that only a YAML parser accepts,
    /// such as `{"level": debug}`. It is kept as it is, with a warning.
    ///
    /// # Errors
    /// A text that is not in the format.
    pub fn read_leniently(
        source: &Arc<Source>,
        format: DocumentFormat,
    ) -> Result<LenientDocuments> {
        match Documents::read(source, Some(format)) {
            Ok(documents) => Ok(LenientDocuments {
                documents,
                warning: None,
            }),
            Err(error) => match (format.0.read_leniently)(source, &error) {
                Some((text, warning)) => Ok(LenientDocuments {
                    documents: Documents::of(text),
                    warning: Some(warning),
                }),
                None => Err(error),
            },
        }
    }

    /// Reads a text of blanks and comments in the given format. It contains no document in JSON and
    /// YAML, and an empty document in other formats.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read).
    pub fn read_blank(source: &Arc<Source>, format: DocumentFormat) -> Result<Documents> {
        Ok(Documents::of((format.0.read_blank)(source)?))
    }

    /// Returns the format that the text was read in.
    pub fn format(&self) -> DocumentFormat {
        self.text.format()
    }

    /// Returns the text that the documents were read from.
    pub fn source(&self) -> &Arc<Source> {
        self.text.source()
    }

    /// Returns the root of each document.
    pub fn roots(&self) -> Vec<Arc<Node>> {
        self.text.roots()
    }

    /// Returns warnings about places that other readers of the format may refuse.
    pub fn warnings(&self) -> Vec<Box<Diagnostic>> {
        let warnings = self.text.warnings().into_iter().map(Box::new);
        warnings.chain(self.warning.clone()).collect()
    }

    /// Returns the warnings, unless they were taken before.
    pub fn take_warnings(&self) -> Vec<Box<Diagnostic>> {
        if self.is_reported.swap(true, Ordering::Relaxed) {
            return Vec::new();
        }
        self.warnings()
    }

    /// Returns whether a document has aliases. They follow the node that they refer to.
    pub fn has_aliases(&self) -> bool {
        self.text.has_aliases()
    }

    /// Prepares a root that may contain values from elsewhere. If the keys of the language are
    /// text, the keys of these values become text. Parts of the text itself are kept as they are.
    /// Nodes that the root shares with `before`, the current root of a document, are not visited
    /// again.
    ///
    /// # Errors
    /// A key that the language cannot represent.
    pub fn adopt(&self, root: &Arc<Node>, before: Option<&Arc<Node>>) -> Result<Arc<Node>> {
        self.format().adopt_into(root, before, Some(self.source()))
    }

    /// Refuses roots that the language cannot represent. `before` contains the roots of the last
    /// check, so that subtrees that both share are not checked again.
    ///
    /// # Errors
    /// The first value that does not fit, with its place.
    pub fn check(&self, before: &[Arc<Node>], after: &[Arc<Node>]) -> Result<()> {
        let check = self.format().0.check;
        for (before, after) in before.iter().zip(after) {
            check(before, after)?;
        }
        Ok(())
    }

    /// Returns the text whose documents are `roots`, and the edits that produce it. The edits are
    /// `None` if documents were added.
    pub fn print(&self, roots: &[Arc<Node>]) -> (String, Option<Vec<TextEdit>>) {
        if let Some(text) = self.text.extended(roots) {
            return (text, None);
        }
        let edits = self.text.edits(roots);
        (apply(self.source().written_text(), &edits), Some(edits))
    }

    /// Returns the text whose documents are `roots`, in the canonical layout of its language.
    ///
    /// # Errors
    /// A value that the layout cannot represent. It may be a value that no edit touched.
    pub fn canonical(&self, roots: &[Arc<Node>]) -> Result<String> {
        let format = self.format();
        let mut texts = Vec::with_capacity(roots.len());
        for root in roots {
            texts.push(format.canonical(root)?);
        }
        Ok(texts.join(format.0.separator))
    }

    /// Returns the text whose documents are `roots` in the layout that kustomize writes after a
    /// replacement:
    ///
    /// - A text that begins like JSON becomes JSON with sorted keys and Go's escapes. It has
    ///   several lines if the text had line breaks and two blanks in a row, and no white space
    ///   otherwise.
    /// - Other texts are kept, without the line breaks and blanks at both ends.
    ///
    /// # Errors
    /// A value that JSON cannot represent. It may be a value that no edit touched.
    pub fn as_kustomize_writes(&self, roots: &[Arc<Node>]) -> Result<String> {
        let before = self.source().text();
        if !looks_like_json(before) {
            return Ok(self.print(roots).0.trim().to_owned());
        }
        let is_in_lines = before.contains('\n') && before.contains("  ");
        let layout = JsonLayout {
            indent: if is_in_lines { 2 } else { 0 },
            escape_html: true,
        };
        let mut texts = Vec::with_capacity(roots.len());
        for root in roots {
            let text = json::encode(&Data::of(root)?, layout).map_err(|error| {
                Diagnostic::error(Code::ValueDoesNotFit, error.to_string()).at(root.location(), "")
            })?;
            texts.push(text);
        }
        Ok(texts.join("\n"))
    }
}
