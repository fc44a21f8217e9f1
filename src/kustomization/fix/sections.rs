//! A kustomization file as sections: each field with its lines.
//!
//! ```text
//! # The license.
//!
//! # What to build.       ┐
//! resources: # all       │ section `resources`
//! - a.yaml               │
//!                        ┘
//! # Labels for all.      ┐
//! commonLabels:          │ section `commonLabels`
//!   app: web             ┘
//! ```

use std::sync::Arc;

use super::not_block;
use crate::source::{Result, Source, Span};
use crate::yaml::faithful::SeparatedText;
use crate::yaml::{CollectionStyle, Content, Entry, Node, Stream, Value, parse};

/// The sections of a file.
pub(in crate::kustomization) struct Sections {
    pub(in crate::kustomization) stream: Stream,
    pub(in crate::kustomization) sections: Vec<Section>,
}

/// A field of the file.
pub(in crate::kustomization) struct Section {
    pub(in crate::kustomization) key: String,
    pub(in crate::kustomization) entry: Entry,
    /// From the comments directly above the key to the next section.
    pub(in crate::kustomization) span: Span,
    /// The end of the last line of the value, before blank lines and comments that belong to no
    /// field.
    pub(in crate::kustomization) content_end: usize,
}

impl Sections {
    /// Reads the sections of a file. A file without content has none.
    ///
    /// # Errors
    /// The text is not YAML, or its fields are not in the first column.
    pub(in crate::kustomization) fn read(source: &Arc<Source>) -> Result<Sections> {
        let stream = parse(source)?;
        let mut sections = Vec::new();
        let Some(document) = stream.documents.first() else {
            return Ok(Sections { stream, sections });
        };
        let Content::Mapping(mapping) = &document.root.content else {
            return match document.root.value() {
                Some(Value::Null) => Ok(Sections { stream, sections }),
                _ => Err(not_block(source, stream.syntax)),
            };
        };
        let text = source.text();
        let mut starts = Vec::with_capacity(mapping.entries.len() + 1);
        for entry in &mapping.entries {
            let key = span(&entry.key).start();
            let is_first_column = key == 0 || text[..key].ends_with(['\n', '\u{feff}']);
            if mapping.style == CollectionStyle::Flow || !is_first_column {
                return Err(not_block(source, stream.syntax));
            }
            // The comments above the first field may be about the file.
            let is_first = starts.is_empty();
            starts.push(if is_first {
                key
            } else {
                comments_above(text, key)
            });
        }
        starts.push(document.span.end());
        for (entry, bounds) in mapping.entries.iter().zip(starts.windows(2)) {
            let value_end = span(&entry.value).end().max(span(&entry.key).end());
            sections.push(Section {
                key: entry.key.text().unwrap_or_default().to_owned(),
                entry: entry.clone(),
                span: Span::new(bounds[0], bounds[1]),
                content_end: line_end(text, value_end).min(bounds[1]),
            });
        }
        Ok(Sections { stream, sections })
    }

    /// Returns the text of the file.
    pub(in crate::kustomization) fn text(&self) -> &str {
        self.stream.source.text()
    }

    /// Returns the field with this name, in any letters.
    pub(in crate::kustomization) fn find(&self, name: &str) -> Option<&Section> {
        let mut sections = self.sections.iter();
        sections.find(|section| section.key.eq_ignore_ascii_case(name))
    }

    /// Returns the items of a list, each at the left margin with the comments above it.
    pub(super) fn items(&self, section: &Section) -> Vec<String> {
        let Some(list) = section.entry.value.as_sequence() else {
            return Vec::new();
        };
        let documents = self.stream.documents.iter();
        let roots: Vec<Arc<Node>> = documents
            .map(|document| Arc::clone(&document.root))
            .collect();
        let text = SeparatedText::new(&self.stream, &roots);
        (0..list.items.len())
            .filter_map(|number| text.item(list, number))
            .collect()
    }
}

impl Section {
    /// Returns whether the field is given, and is not null.
    pub(in crate::kustomization) fn is_given(&self) -> bool {
        !matches!(self.entry.value.resolved().value(), Some(Value::Null))
    }

    /// Returns the column of the dashes, if the field is a list in block style.
    pub(in crate::kustomization) fn dash_column(&self, text: &str) -> Option<usize> {
        let list = self.entry.value.as_sequence()?;
        let dash = list.items.at(0)?.start? as usize;
        let line = text[..dash].rfind('\n').map_or(0, |end| end + 1);
        (list.style == CollectionStyle::Block).then_some(dash - line)
    }

    /// Returns the comments above the key and on its line, one per line, at the left margin.
    pub(super) fn comments_of_head(&self, text: &str) -> Vec<String> {
        let above = &text[self.span.start()..span(&self.entry.key).start()];
        let lines = above.lines().chain([self.comment(text)]);
        let lines = lines.map(|line| line.trim().to_owned());
        lines.filter(|line| line.starts_with('#')).collect()
    }

    /// Returns the comment after the key, or after a list in brackets, with the white space before
    /// it. A comment after braces is moved with them.
    ///
    /// ```text
    /// resources: # all        resources: [a.yaml] # all
    /// - a.yaml
    /// ```
    pub(super) fn comment<'t>(&self, text: &'t str) -> &'t str {
        let list = self.entry.value.as_sequence();
        let after = match list.map(|list| list.style) {
            Some(CollectionStyle::Flow) => {
                let end = span(&self.entry.value).end();
                &text[end..line_end(text, end)]
            }
            _ => {
                let end = span(&self.entry.key).end();
                let line = &text[end..line_end(text, end)];
                line.trim_start().strip_prefix(':').unwrap_or("")
            }
        };
        if after.trim_start().starts_with('#') {
            after.trim_end()
        } else {
            ""
        }
    }
}

/// Returns the bytes of a parsed node.
pub(in crate::kustomization) fn span(node: &Node) -> Span {
    node.origin
        .as_ref()
        .map_or(Span::at(0), |origin| origin.span)
}

/// Returns the start of the comment lines directly above the line that starts at `start`.
fn comments_above(text: &str, start: usize) -> usize {
    let mut first = start;
    while first > 0 {
        let above = text[..first - 1].rfind('\n').map_or(0, |end| end + 1);
        if !text[above..first].starts_with('#') {
            break;
        }
        first = above;
    }
    first
}

/// Returns the end of the line of `at`, after its line break. A block scalar ends there already.
pub(in crate::kustomization) fn line_end(text: &str, at: usize) -> usize {
    if at > 0 && text[..at].ends_with('\n') {
        return at;
    }
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}
