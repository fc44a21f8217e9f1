//! Finds the lines of a text: where they begin and end, and the column of an offset.

use crate::source::steps;

/// The number of bytes that count as one step in the search for the end of a line.
const BYTES_PER_STEP: usize = 16;

/// A text with methods for the lines around an offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceLines<'a> {
    text: &'a str,
}

impl<'a> SourceLines<'a> {
    pub(super) fn new(text: &'a str) -> SourceLines<'a> {
        SourceLines { text }
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the length of the whole text.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns the text from `start` to `end`, or an empty text if this is not a valid range.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    /// Returns the text from `start` on.
    pub(super) fn from(&self, start: usize) -> &'a str {
        self.slice(start, self.len())
    }

    /// Returns the start of the first line, which is after a byte order mark.
    pub(super) fn text_start(&self) -> usize {
        self.text.len() - self.text.trim_start_matches('\u{feff}').len()
    }

    /// Returns the start of the line of `offset`.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        let start = self.slice(0, offset).rfind('\n').map_or(0, |at| at + 1);
        steps::count((offset - start) / BYTES_PER_STEP);
        start
    }

    /// Returns the offset of the line break (of its `\r` if it has one) that ends the line of
    /// `offset`, or the end of the text.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or("");
        let line_break = rest.find('\n');
        steps::count(line_break.unwrap_or(rest.len()) / BYTES_PER_STEP);
        match line_break {
            Some(at) if rest[..at].ends_with('\r') => offset + at - 1,
            Some(at) => offset + at,
            None => self.text.len(),
        }
    }

    /// Returns the start of the line after the one of `offset`; `None` if no line break follows.
    pub(super) fn next_line(&self, offset: usize) -> Option<usize> {
        let line_break = self.text.get(offset..)?.find('\n')?;
        Some(offset + line_break + 1)
    }

    /// Returns the number of characters before `offset` on its line.
    pub(super) fn column(&self, offset: usize) -> usize {
        let before = self.slice(self.line_start(offset), offset);
        // Columns become indentation, which is counted in characters. A byte order mark is
        // invisible and does not count.
        before.trim_start_matches('\u{feff}').chars().count()
    }

    /// Returns the white space at the start of the line of `offset`.
    pub(super) fn indentation(&self, offset: usize) -> &'a str {
        let line = self.from(self.line_start(offset));
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Returns whether two offsets are on one line.
    pub(super) fn same_line(&self, first: usize, second: usize) -> bool {
        let between = self.slice(first.min(second), first.max(second));
        !between.contains('\n')
    }

    /// Returns `end`, or the offset of the line break directly before it.
    pub(super) fn before_break(&self, end: usize) -> usize {
        without_break(self.slice(0, end)).len()
    }
}

/// Removes the line break at the end of a text, if it has one.
pub(super) fn without_break(text: &str) -> &str {
    match text.strip_suffix('\n') {
        Some(text) => text.strip_suffix('\r').unwrap_or(text),
        None => text,
    }
}
