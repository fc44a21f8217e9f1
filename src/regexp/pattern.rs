//! A pattern and the place that has been read up to.

use super::error::{Error, Problem};

/// Reads a pattern from left to right.
#[derive(Clone, Copy)]
pub(super) struct Pattern<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Pattern<'a> {
    pub(super) fn new(text: &'a str) -> Pattern<'a> {
        Pattern { text, offset: 0 }
    }

    /// The whole pattern.
    pub(super) fn text(self) -> &'a str {
        self.text
    }

    /// Where reading goes on.
    pub(super) fn offset(self) -> usize {
        self.offset
    }

    /// What has not been read yet.
    pub(super) fn rest(self) -> &'a str {
        self.text.get(self.offset..).unwrap_or("")
    }

    /// What was read since `start`.
    pub(super) fn since(self, start: usize) -> &'a str {
        self.text.get(start..self.offset).unwrap_or("")
    }

    /// The next character, which stays unread.
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

    /// Reads up to `end` and over it; reads nothing if it does not come.
    pub(super) fn eat_until(&mut self, end: &str) -> Option<&'a str> {
        let (before, _) = self.rest().split_once(end)?;
        self.offset += before.len() + end.len();
        Some(before)
    }

    /// Reads all that is left.
    pub(super) fn eat_rest(&mut self) -> &'a str {
        let rest = self.rest();
        self.offset = self.text.len();
        rest
    }

    /// Reads characters while `wanted` is true of them.
    pub(super) fn eat_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|next| !wanted(next)).unwrap_or(rest.len());
        self.offset += length;
        rest.get(..length).unwrap_or("")
    }

    /// The error that what was read since `start` is wrong.
    pub(super) fn error(self, problem: Problem, start: usize) -> Error {
        Error::new(problem, self.since(start))
    }
}
