//! Entering the documents in strings.
//!
//! ```text
//! data.config\.json.port   at `config.json` the node is a string and the path is not at its end:
//!                           - its text is parsed, with the offsets of its bytes in the outer text
//!                           - the walk continues with `port` at the root of the document
//!                           - the new root becomes a string node that prints itself when its text is needed
//! ```
//!
//! Several edits of one string are therefore one parse and one print: the node remembers that it is
//! open.

use std::ops::Range;
use std::sync::Arc;

use super::PathWalk;
use super::place::WalkPlace;
use super::removal::{is_removed, whole_document};
use crate::edit::embedded::Embedded;
use crate::edit::failure::EditResult;
use crate::edit::path::{PathSegment, PathStep};
use crate::edit::text_fields::Encoding;
use crate::formats::{DocumentFormat, settings_formats};
use crate::source::Code;
use crate::source::suggest::list;
use crate::yaml::{Node, Value, looks_like_json, relink};

/// How much text of a string is as much work as one value. The tree of a text is larger than the
/// text itself.
const BYTES_PER_STEP: u64 = 4;

/// A format that the options name for a text in another one.
struct MisnamedFormat {
    /// The name of the format in the options.
    named: &'static str,
    /// The format that the text seems to have.
    found: String,
    /// Whether the text cannot be one in the named format with a mistake in it: YAML reads much of
    /// what is meant as JSON.
    is_certain: bool,
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
    /// Handles a path that continues below a scalar: into its text, or, if there is no value yet,
    /// into one that is created.
    pub(super) fn scalar(
        &mut self,
        node: &Arc<Node>,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let text_field = place.text_field();
        // Its value would be printed to be looked at, once for each edit.
        if Embedded::is_open(node) {
            return self.string(node, index, place, text_field.unwrap_or(Encoding::Plain));
        }
        match node.value() {
            Some(Value::Null) if self.options.create && self.options.keeps_null => Ok(None),
            Some(Value::Null) if self.options.create => self.create(index, place),
            Some(Value::String(_)) => {
                self.string(node, index, place, text_field.unwrap_or(Encoding::Plain))
            }
            _ if text_field.is_some() => {
                self.string(node, index, place, text_field.unwrap_or(Encoding::Plain))
            }
            _ => {
                let described = node.described();
                self.miss(index, place, node, |found| {
                    format!("{found} is {described} and has no fields")
                })
            }
        }
    }

    fn string(
        &mut self,
        node: &Arc<Node>,
        index: usize,
        place: &WalkPlace<'_>,
        encoding: Encoding,
    ) -> EditResult<Option<Arc<Node>>> {
        // Aliases of one string lead to it any number of times, and each time it is parsed.
        if !Embedded::is_open(node) {
            let bytes = node.text().map_or(0, str::len) as u64;
            self.session.spend(bytes / BYTES_PER_STEP)?;
        }
        let embedded =
            match Embedded::open(node, encoding, place.format, place.key, self.options.format) {
                Ok(embedded) => embedded,
                Err(cause) => {
                    let misnamed = self.misnamed_format(node, encoding, place);
                    self.miss(index, place, node, |found| match &misnamed {
                        Some(misnamed) if misnamed.is_certain => format!(
                            "the path continues below {found}, which is not {}",
                            misnamed.named
                        ),
                        _ => {
                            format!("the path continues below {found}, which contains no document")
                        }
                    })?;
                    let settings = match &misnamed {
                        Some(misnamed) => misnamed.is_certain.then(|| misnamed.help()),
                        None => self.settings_help(node, encoding, place),
                    };
                    let other = match misnamed {
                        Some(misnamed) => Some(misnamed.help()),
                        None => self.format_help(encoding, place),
                    };
                    if let Some(missing) = self
                        .deepest(index)
                        .filter(|missing| missing.cause.is_none() && missing.help.is_none())
                    {
                        // The errors of a parser in a text of another language would mislead.
                        match settings {
                            Some(_) => {
                                missing.code = Code::NotADocument;
                                missing.help = settings;
                            }
                            None => {
                                missing.cause = Some(cause);
                                missing.help = other;
                            }
                        }
                    }
                    return Ok(None);
                }
            };
        if embedded.roots.is_empty() {
            return self.empty_string(node, embedded, index, place);
        }
        match self.documents(index, embedded.roots.len()) {
            Ok((picked, next)) => self.roots(node, &embedded, picked, next, (index, place)),
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

    /// Returns whether the path opens a string with several documents without selecting one. Then
    /// it is unknown whether the value exists.
    fn names_no_document(&self, index: usize) -> bool {
        self.is_dot(index)
    }

    /// Returns whether the segment is a dot at the end of the path, which means the document in the
    /// string before it.
    fn is_dot(&self, index: usize) -> bool {
        self.path.segments().get(index) == Some(&PathSegment::Document)
    }

    /// Returns the index of the segment, or of the next one if it is a dot at the end of the path.
    fn after_dot(&self, index: usize) -> usize {
        index + usize::from(self.is_dot(index))
    }

    /// Returns which of `count` documents in a string the path enters, all of them or one, and the
    /// index of the segment that follows; or the reason why it cannot.
    ///
    /// In a string with several documents an index picks one; else the path addresses all that have
    /// it.
    fn documents(&self, index: usize, count: usize) -> Result<(Range<usize>, usize), String> {
        if count == 1 {
            return Ok((0..1, self.after_dot(index)));
        }
        match self
            .path
            .segments()
            .get(index)
            .and_then(PathSegment::as_index)
        {
            Some(at) if at >= count => Err(format!(
                "index {at} specified but only {count} documents found"
            )),
            Some(at) => Ok((at..at + 1, self.after_dot(index + 1))),
            None if self.is_dot(index) => {
                let found = self.found(index);
                Err(format!(
                    "{found} contains {count} documents: expected an index before the dot at the end"
                ))
            }
            None => Ok((0..count, index)),
        }
    }

    /// Enters the documents `picked` of a string and continues with the segment `next`. `from` is
    /// the place of the string.
    fn roots(
        &mut self,
        node: &Arc<Node>,
        embedded: &Embedded,
        picked: Range<usize>,
        next: usize,
        from: (usize, &WalkPlace<'_>),
    ) -> EditResult<Option<Arc<Node>>> {
        let (index, place) = from;
        let inner = WalkPlace::in_string(embedded.format(), None);
        let mut roots = embedded.roots.clone();
        let mut changed = false;
        let is_one = roots.len() == 1;
        let first = picked.start;
        for (at, root) in roots[picked].iter_mut().enumerate() {
            if root.resolved().as_scalar().is_some() && next < self.path.segments().len() {
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
                continue;
            }
            // A path names the document only if the string has several.
            let new = match is_one {
                true => self.node(root, next, &inner)?,
                false => self.step(
                    || PathStep::Index(first + at),
                    |walk| walk.node(root, next, &inner),
                )?,
            };
            if let Some(new) = new {
                if is_removed(&new) {
                    return Err(whole_document(root).into());
                }
                *root = if embedded.has_aliases() {
                    relink(&new)
                } else {
                    new
                };
                changed = true;
            }
        }
        if !changed {
            return Ok(None);
        }
        Ok(Some(embedded.with_roots(roots, self.options.layout)?))
    }

    /// Handles a string without a document: one may be created in it.
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
        let inner = WalkPlace::in_string(format, place.label);
        let index = self.after_dot(index);
        let root = self.create(index, &inner)?;
        let embedded = embedded.in_format(format)?;
        Ok(root
            .map(|root| embedded.with_roots(vec![root], self.options.layout))
            .transpose()?)
    }

    /// Returns a help text if the text of a string looks like settings in a language that has to be
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
        let opened = Embedded::open(node, encoding, place.format, place.key, None).ok();
        let is_document = |opened: &Embedded| {
            let mut roots = opened.roots.iter();
            roots.any(|root| root.resolved().as_scalar().is_none())
        };
        let format = opened
            .filter(is_document)
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

    /// Returns a help text if neither the options nor the key say which format a string has.
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

    /// Returns the format in which the string under `key` is read; `None` if its text shows it.
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
