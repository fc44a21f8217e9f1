//! Patterns for the fields of a target selector.

use regex::Regex;

use crate::regexp::{self, PatternBounds};
use crate::source::{Code, Diagnostic, Result};
use crate::typed::Spanned;

/// A pattern for a whole field. Most patterns are plain words, which are compared directly and can
/// be indexed.
#[derive(Clone, Debug)]
pub(super) enum FieldPattern {
    /// A text without special characters.
    Literal(String),
    /// A regular expression, and the texts with which its matches can begin and end.
    Regex(Regex, PatternBounds),
}

impl FieldPattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// [`Code::Selector`] if it is not a regular expression of Go.
    pub(super) fn new(pattern: &Spanned<String>) -> Result<FieldPattern> {
        if pattern.value.chars().all(is_literal) {
            return Ok(FieldPattern::Literal(pattern.value.clone()));
        }
        let regex = regexp::compile_whole(&pattern.value).map_err(|error| {
            let message = format!("error creating target selector: {error}");
            Diagnostic::error(Code::Selector, message).at(pattern.location.clone(), "")
        })?;
        let bounds = PatternBounds::of(&regex);
        Ok(FieldPattern::Regex(regex, bounds))
    }

    /// Returns whether the pattern matches the whole text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            FieldPattern::Literal(word) => word == text,
            FieldPattern::Regex(regex, _) => regex.is_match(text),
        }
    }
}

/// Returns whether a character matches itself in every regular expression.
fn is_literal(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '/')
}
