//! Follows a path into the documents in strings.
//!
//! ```text
//! data.config\.json.port   at `config.json` the node is a string and the path is not at its end:
//!                           - its text is parsed, with the offsets of its bytes in the outer text
//!                           - the walk continues with `port` at the root of the document
//!                           - the new root becomes a string node, printed when its text is needed
//! ```
//!
//! Several edits of one string are therefore one parse and one print, because the node remembers
//! that it is open.

use std::ops::Range;
use std::sync::Arc;

use super::PathWalk;
use super::place::WalkPlace;
use super::removal::{is_removed, whole_document};
use crate::edit::embedded::Embedded;
use crate::edit::failure::EditResult;
use crate::edit::options::EditTarget;
use crate::edit::path::{PathSegment, PathStep};
use crate::edit::text_fields::Encoding;
use crate::formats::{DocumentFormat, settings_formats};
use crate::source::suggest::list;
use crate::source::{Code, Diagnostic};
use crate::yaml::{Node, Value, looks_like_json, relink};

/// The number of bytes of text whose parsing counts as one step. The tree of a text is larger than
/// the text itself.
const BYTES_PER_STEP: u64 = 4;

/// A format that the options name although the text is in another one.
struct MisnamedFormat {
    /// The name of the format in the options.
    named: &'static str,
    /// The format that the text seems to have.
    found: String,
    /// Whether the text is certain not to be in the named format. It could be in that format with a
    /// mistake: YAML can read many texts that are meant as JSON.
    is_certain: bool,
}

/// The reason why no document was found in the text of a string, with further advice.
enum TextFault {
    /// The text is in another language. The errors of a parser would mislead, so they are left out.
    OtherLanguage { help: String },
    /// The text has a mistake, which the error of the parser describes.
    Mistake { help: Option<String> },
}

/// The documents of a string that a path enters.
struct PickedDocuments {
    /// The range of their indices.
    range: Range<usize>,
    /// The index of the segment to follow from their roots.
    next: usize,
}

impl MisnamedFormat {
    fn help(&self) -> String {
        format!(
            "`format` says {}, but the text looks like {}: name this format, or leave it out",
            self.named, self.found
        )
    }
}

impl PathWalk<'_, '_> {
    /// Handles a path that continues below a scalar: into its text or, if there is no value yet,
    /// into a new value.
    pub(super) fn scalar(
        &mut self,
        node: &Arc<Node>,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let text_field = place.text_field();
        let encoding = text_field.unwrap_or(Encoding::Plain);
        // Reading the value of an open string would print its document. A thousand edits of one
        // string would print it a thousand times.
        if Embedded::is_open(node) {
            return self.string(node, index, place, encoding);
        }
        match node.value() {
            Some(Value::Null) if self.options.create && self.options.keeps_null => {
                self.create_in_null(index, place)
            }
            Some(Value::Null) if self.options.create => self.create(index, place),
            Some(Value::String(_)) => self.string(node, index, place, encoding),
            // A number or boolean in a text field was meant as text.
            _ if text_field.is_some() => self.string(node, index, place, encoding),
            _ => {
                let described = node.described();
                self.miss(index, place, node, |found| {
                    format!("{found} is {described} and has no fields")
                })
            }
        }
    }

    /// Creates nothing below a null that stays null, but fails if kustomize could not create the
    /// value either.
    fn create_in_null(
        &mut self,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let mut segments = self.path.segments()[index..].iter();
        let is_impossible = segments.any(|segment| {
            *segment == PathSegment::Wildcard || segment.as_index().is_some_and(|at| at > 0)
        });
        if is_impossible {
            self.create(index, place)?;
            return Ok(None);
        }
        // Call the visitor anyway, because it reports values that cannot be written there.
        let segments = &self.path.segments()[index..];
        (self.visit)(EditTarget {
            current: None,
            format: place.format,
            wanted: None,
            place: place.in_object(segments),
            has_text_keys: place.has_text_keys(),
            key: segments.last().and_then(PathSegment::as_key),
            trail: &[],
        })?;
        Ok(None)
    }

    /// Follows the path from the segment `index` on into the documents in a string.
    fn string(
        &mut self,
        node: &Arc<Node>,
        index: usize,
        place: &WalkPlace<'_>,
        encoding: Encoding,
    ) -> EditResult<Option<Arc<Node>>> {
        self.count_parsing(node)?;
        let format = self.options.format;
        let embedded = match Embedded::open(node, encoding, place.format, place.key, format) {
            Ok(embedded) => embedded,
            Err(cause) => {
                let fault = self.miss_document(node, index, place, encoding)?;
                self.explain_text(index, fault, cause);
                return Ok(None);
            }
        };
        if embedded.roots.is_empty() {
            return self.empty_string(node, embedded, index, place);
        }
        match self.documents(index, embedded.roots.len()) {
            Ok(picked) => self.roots(node, &embedded, picked, index, place),
            Err(reason) => {
                self.miss(index, place, node, |_| reason)?;
                if self.names_no_document(index)
                    && let Some(missing) = self.deepest(index)
                {
                    missing.code = Code::NotADocument;
                }
                Ok(None)
            }
        }
    }

    /// Counts the work of parsing the text of a string that is not open. Any number of aliases can
    /// lead to the same string, and each time it is parsed.
    fn count_parsing(&self, node: &Arc<Node>) -> EditResult<()> {
        if !Embedded::is_open(node) {
            let bytes = node.text().map_or(0, str::len) as u64;
            self.session.spend(bytes / BYTES_PER_STEP)?;
        }
        Ok(())
    }

    /// Records that the path continues below a string without a document, and returns the reason
    /// why it has none.
    fn miss_document(
        &mut self,
        node: &Arc<Node>,
        index: usize,
        place: &WalkPlace<'_>,
        encoding: Encoding,
    ) -> EditResult<TextFault> {
        let misnamed = self.misnamed_format(node, encoding, place);
        self.miss(index, place, node, |found| match &misnamed {
            Some(misnamed) if misnamed.is_certain => format!(
                "the path continues below {found}, which is not {}",
                misnamed.named
            ),
            _ => format!("the path continues below {found}, which contains no document"),
        })?;
        Ok(match misnamed {
            Some(misnamed) if misnamed.is_certain => TextFault::OtherLanguage {
                help: misnamed.help(),
            },
            Some(misnamed) => TextFault::Mistake {
                help: Some(misnamed.help()),
            },
            None => match self.settings_help(node, encoding, place) {
                Some(help) => TextFault::OtherLanguage { help },
                None => TextFault::Mistake {
                    help: self.format_help(encoding, place),
                },
            },
        })
    }

    /// Adds the reason why the text does not parse to the dead end at `index`. `cause` is the
    /// parser's error.
    fn explain_text(&mut self, index: usize, fault: TextFault, cause: Box<Diagnostic>) {
        let Some(missing) = self.deepest(index) else {
            return;
        };
        // An earlier branch may have a dead end at the same depth with its own explanation.
        if missing.cause.is_some() || missing.help.is_some() {
            return;
        }
        match fault {
            TextFault::OtherLanguage { help } => {
                missing.code = Code::NotADocument;
                missing.help = Some(help);
            }
            TextFault::Mistake { help } => {
                missing.cause = Some(cause);
                missing.help = help;
            }
        }
    }

    /// Returns whether the path opens a string with several documents without selecting one. Then
    /// it is unknown whether the value exists.
    fn names_no_document(&self, index: usize) -> bool {
        self.is_dot(index)
    }

    /// Returns whether the segment is a dot at the end of the path, which means the document in
    /// the string before it.
    fn is_dot(&self, index: usize) -> bool {
        self.path.segments().get(index) == Some(&PathSegment::Document)
    }

    /// Returns the index of the segment, or of the next one if it is a dot at the end of the path.
    pub(super) fn after_dot(&self, index: usize) -> usize {
        index + usize::from(self.is_dot(index))
    }

    /// Returns the documents that the path enters, of the `count` documents in a string: the one
    /// that an index selects, otherwise all of them.
    ///
    /// ```text
    /// data.all\.yaml.1.kind    1 picks the second document, and `kind` follows from its root
    /// data.all\.yaml.kind      every document is entered with `kind`
    /// ```
    ///
    /// # Errors
    /// The reason why the path cannot enter any.
    fn documents(&self, index: usize, count: usize) -> Result<PickedDocuments, String> {
        if count == 1 {
            return Ok(PickedDocuments {
                range: 0..1,
                next: self.after_dot(index),
            });
        }
        let segment = self.path.segments().get(index);
        match segment.and_then(PathSegment::as_index) {
            Some(at) if at >= count => Err(format!(
                "index {at} specified but only {count} documents found"
            )),
            Some(at) => Ok(PickedDocuments {
                range: at..at + 1,
                next: self.after_dot(index + 1),
            }),
            None if self.is_dot(index) => {
                let found = self.found(index);
                Err(format!(
                    "{found} contains {count} documents: expected an index before the dot at the end"
                ))
            }
            None => Ok(PickedDocuments {
                range: 0..count,
                next: index,
            }),
        }
    }

    /// Follows the path into the `picked` documents of the string at `index` and `place`. Returns
    /// the string with their new roots, or `None` if none of them changed.
    fn roots(
        &mut self,
        node: &Arc<Node>,
        embedded: &Embedded,
        picked: PickedDocuments,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let PickedDocuments { range, next } = picked;
        let inner = WalkPlace::in_string(embedded.format(), None);
        let is_at_end = next >= self.path.segments().len();
        let is_one = embedded.roots.len() == 1;
        let first = range.start;
        let mut roots = embedded.roots.clone();
        let mut changed = false;
        for (at, root) in roots[range].iter_mut().enumerate() {
            if !is_at_end && root.resolved().as_scalar().is_some() {
                self.miss_collection(node, index, place)?;
                continue;
            }
            // Steps contain the index of a document only if the string has several.
            let new = match is_one {
                true => self.node(root, next, &inner)?,
                false => self.step(
                    || PathStep::Index(first + at),
                    |walk| walk.node(root, next, &inner),
                )?,
            };
            let Some(new) = new else {
                continue;
            };
            if is_removed(&new) {
                return Err(whole_document(root).into());
            }
            *root = match embedded.has_aliases() {
                true => relink(&new),
                false => new,
            };
            changed = true;
        }
        if !changed {
            return Ok(None);
        }
        Ok(Some(embedded.with_roots(roots, self.options.layout)?))
    }

    /// Records that the document in a string is a scalar, below which the path cannot continue.
    fn miss_collection(
        &mut self,
        node: &Arc<Node>,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<()> {
        self.miss(index, place, node, |found| {
            format!("the text of {found} is not a JSON or YAML mapping or list")
        })?;
        let help = self
            .settings_help(node, Encoding::Plain, place)
            .or_else(|| self.format_help(Encoding::Plain, place));
        if let Some(missing) = self.deepest(index) {
            missing.code = Code::NotADocument;
            missing.help = missing.help.take().or(help);
        }
        Ok(())
    }

    /// Handles a string without a document. A document may be created in it.
    fn empty_string(
        &mut self,
        node: &Arc<Node>,
        embedded: Embedded,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        if !self.options.create {
            return self.miss(index, place, node, |found| format!("{found} is empty"));
        }
        let format = self.format_of(place.key);
        let root = self.create_root(index, format, place)?;
        let embedded = embedded.in_format(format)?;
        Ok(root
            .map(|root| embedded.with_roots(vec![root], self.options.layout))
            .transpose()?)
    }

    /// Returns advice if the text of a string looks like settings in a language that has to be
    /// named.
    fn settings_help(
        &self,
        node: &Node,
        encoding: Encoding,
        place: &WalkPlace<'_>,
    ) -> Option<String> {
        if self.wanted(place.key).is_some() || encoding == Encoding::Base64 {
            return None;
        }
        let formats = settings_formats(node.text()?)?;
        Some(format!(
            "the text looks like {formats}: name its format with `format:` in the options, or with \
             `--format`"
        ))
    }

    /// Returns the format that the options name, if the text has another one.
    fn misnamed_format(
        &self,
        node: &Arc<Node>,
        encoding: Encoding,
        place: &WalkPlace<'_>,
    ) -> Option<MisnamedFormat> {
        let named = self.options.format?.title();
        // Open it without a named format to detect the format from the text.
        let opened = Embedded::open(node, encoding, place.format, place.key, None).ok();
        let format = opened
            .filter(has_collection)
            .map(|opened| opened.format())
            .filter(|format| Some(*format) != self.options.format);
        let text = node.text().unwrap_or("");
        let found = match format {
            Some(format) => format.title().to_owned(),
            None => settings_formats(text)?.to_string(),
        };
        Some(MisnamedFormat {
            named,
            found,
            is_certain: format != Some(DocumentFormat::YAML) || !looks_like_json(text),
        })
    }

    /// Returns advice if neither the options nor the key name the format of a string.
    fn format_help(&self, encoding: Encoding, place: &WalkPlace<'_>) -> Option<String> {
        let is_known = self.options.format.is_some()
            || place.key.and_then(DocumentFormat::of_key).is_some()
            || encoding == Encoding::Base64;
        if is_known {
            return None;
        }
        let formats = DocumentFormat::ALL.map(DocumentFormat::name);
        Some(format!(
            "name its format with `format:` in the options, or with `--format`: {}; a part of other \
             text is replaced with `delimiter` and `index`",
            list(formats)
        ))
    }

    /// Returns the format in which the string under `key` is read; `None` if it is detected from
    /// the text.
    pub(super) fn wanted(&self, key: Option<&str>) -> Option<DocumentFormat> {
        self.options
            .format
            .or_else(|| key.and_then(DocumentFormat::of_text_under))
    }

    /// Returns the format of a document that is created in the string under `key`.
    pub(super) fn format_of(&self, key: Option<&str>) -> DocumentFormat {
        self.options
            .format
            .or_else(|| key.and_then(DocumentFormat::of_key))
            .unwrap_or(DocumentFormat::YAML)
    }
}

/// Returns whether a document in a string is a mapping or list. Nearly every text can be read as a
/// scalar of YAML, so a scalar is not evidence that a text is YAML.
fn has_collection(opened: &Embedded) -> bool {
    let mut roots = opened.roots.iter();
    roots.any(|root| root.resolved().as_scalar().is_none())
}
