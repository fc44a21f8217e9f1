//! A pattern and the position in it.

use super::error::{RegexpError, RegexpProblem};

/// Reads a pattern from left to right.
#[derive(Clone, Copy)]
pub(super) struct PatternCursor<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> PatternCursor<'a> {
    pub(super) fn new(text: &'a str) -> PatternCursor<'a> {
        PatternCursor { text, offset: 0 }
    }

    /// Returns the whole pattern.
    pub(super) fn text(self) -> &'a str {
        self.text
    }

    /// Returns the offset of the next character.
    pub(super) fn offset(self) -> usize {
        self.offset
    }

    /// Returns the unread text.
    pub(super) fn rest(self) -> &'a str {
        self.text.get(self.offset..).unwrap_or("")
    }

    /// Returns the text that was read since `start`.
    pub(super) fn since(self, start: usize) -> &'a str {
        self.text.get(start..self.offset).unwrap_or("")
    }

    /// Returns the next character without reading it.
    pub(super) fn peek(self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads a character.
    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.offset += next.len_utf8();
        Some(next)
    }

    /// Reads `expected` if it is next.
    pub(super) fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.offset += expected.len();
        }
        found
    }

    /// Reads up to and including `end`, and returns the text before it; reads nothing if there is
    /// no `end`.
    pub(super) fn eat_until(&mut self, end: &str) -> Option<&'a str> {
        let (before, _) = self.rest().split_once(end)?;
        self.offset += before.len() + end.len();
        Some(before)
    }

    /// Reads the rest of the pattern.
    pub(super) fn eat_rest(&mut self) -> &'a str {
        let rest = self.rest();
        self.offset = self.text.len();
        rest
    }

    /// Reads characters while `wanted` returns true.
    pub(super) fn eat_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|next| !wanted(next)).unwrap_or(rest.len());
        self.offset += length;
        rest.get(..length).unwrap_or("")
    }

    /// Returns the error about the text that was read since `start`.
    pub(super) fn error(self, problem: RegexpProblem, start: usize) -> RegexpError {
        RegexpError::new(problem, self.since(start))
    }
}
