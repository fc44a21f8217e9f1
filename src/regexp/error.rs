//! What is wrong with a pattern, in Go's words.

use std::fmt;

/// The kinds of mistake, each with the text that Go prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// `[b-a]`, `[[:word:]` with an unknown name, `\p{Unknown}`.
    InvalidClassRange,
    /// `\y`, and references such as `\1`.
    InvalidEscape,
    /// `(?P<a-b>…)`, or a name given twice.
    InvalidNamedCapture,
    /// `(?=…)` and other groups that RE2 does not have.
    InvalidPerlOperator,
    /// `a**`
    InvalidRepetition,
    /// `a{1001}`, `a{2,1}`
    InvalidRepeatCount,
    /// `[a`
    MissingBracket,
    /// `(a`
    MissingParenthesis,
    /// `*a`
    MissingRepeatArgument,
    /// `a\`
    TrailingBackslash,
    /// `a)`
    UnexpectedParenthesis,
    /// A pattern whose program would be too large.
    TooLarge,
}

impl Problem {
    fn text(self) -> &'static str {
        match self {
            Problem::InvalidClassRange => "invalid character class range",
            Problem::InvalidEscape => "invalid escape sequence",
            Problem::InvalidNamedCapture => "invalid named capture",
            Problem::InvalidPerlOperator => "invalid or unsupported Perl syntax",
            Problem::InvalidRepetition => "invalid nested repetition operator",
            Problem::InvalidRepeatCount => "invalid repeat count",
            Problem::MissingBracket => "missing closing ]",
            Problem::MissingParenthesis => "missing closing )",
            Problem::MissingRepeatArgument => "missing argument to repetition operator",
            Problem::TrailingBackslash => "trailing backslash at end of expression",
            Problem::UnexpectedParenthesis => "unexpected )",
            Problem::TooLarge => "expression too large",
        }
    }
}

/// A pattern that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub problem: Problem,
    /// The part of the pattern that is meant; the whole pattern for a missing bracket.
    pub part: String,
}

impl Error {
    pub(super) fn new(problem: Problem, part: impl Into<String>) -> Error {
        Error {
            problem,
            part: part.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "error parsing regexp: {}: `{}`",
            self.problem.text(),
            self.part
        )
    }
}

impl std::error::Error for Error {}
