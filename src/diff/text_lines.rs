//! The lines of a text in printable form, without the values of Secrets.

use std::borrow::Cow;
use std::sync::Arc;

use super::lines::lines_of;
use super::style::DiffStyle;
use crate::kubernetes::hide_secrets_of;
use crate::source::{Source, Span};

/// A text whose lines are shown one by one, because a diff shows few lines of a long text.
pub(super) struct ShownLines<'t> {
    text: &'t str,
    /// The offset of each line, and that of the end.
    starts: Vec<usize>,
    /// The text with its hidden parts; `None` if it has none.
    source: Option<Arc<Source>>,
}

impl<'t> ShownLines<'t> {
    /// Prepares a text. The values of Secrets are searched unless the style shows them.
    pub(super) fn new(text: &'t str, style: DiffStyle) -> ShownLines<'t> {
        let mut starts = vec![0];
        let mut end = 0;
        for line in lines_of(text) {
            end += line.len();
            starts.push(end);
        }
        let source = match style.shows_secrets {
            true => None,
            false => Source::new("", text).ok(),
        };
        if let Some(source) = &source {
            hide_secrets_of(source);
        }
        ShownLines {
            text,
            starts,
            // Most files have nothing to hide, and need no second copy.
            source: source.filter(|source| !source.hidden().is_empty()),
        }
    }

    /// Returns a line, with its line break. Lines are counted from 0.
    pub(super) fn line(&self, line: usize) -> Cow<'_, str> {
        let (Some(&start), Some(&end)) = (self.starts.get(line), self.starts.get(line + 1)) else {
            return Cow::Borrowed("");
        };
        match &self.source {
            Some(source) => source.shown(Span::new(start, end)),
            None => Cow::Borrowed(&self.text[start..end]),
        }
    }

    /// Returns whether a line is the last one, and the text does not end with a line feed.
    pub(super) fn is_unended(&self, line: usize) -> bool {
        line + 2 == self.starts.len() && !self.text.ends_with('\n')
    }
}
