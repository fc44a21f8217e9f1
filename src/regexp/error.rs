//! The errors of patterns, with Go's messages.

use std::fmt;

/// The kinds of mistakes in a pattern, each with Go's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegexpProblem {
    /// `[b-a]`, `[[:word:]` with an unknown name, `\p{Unknown}`.
    InvalidClassRange,
    /// `\y`, and references such as `\1`.
    InvalidEscape,
    /// `(?P<a-b>…)`, or a repeated name.
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
    /// The compiled pattern would be too large.
    TooLarge,
}

impl RegexpProblem {
    fn text(self) -> &'static str {
        match self {
            RegexpProblem::InvalidClassRange => "invalid character class range",
            RegexpProblem::InvalidEscape => "invalid escape sequence",
            RegexpProblem::InvalidNamedCapture => "invalid named capture",
            RegexpProblem::InvalidPerlOperator => "invalid or unsupported Perl syntax",
            RegexpProblem::InvalidRepetition => "invalid nested repetition operator",
            RegexpProblem::InvalidRepeatCount => "invalid repeat count",
            RegexpProblem::MissingBracket => "missing closing ]",
            RegexpProblem::MissingParenthesis => "missing closing )",
            RegexpProblem::MissingRepeatArgument => "missing argument to repetition operator",
            RegexpProblem::TrailingBackslash => "trailing backslash at end of expression",
            RegexpProblem::UnexpectedParenthesis => "unexpected )",
            RegexpProblem::TooLarge => "expression too large",
        }
    }
}

/// The error of a pattern that Go would refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexpError {
    /// The kind of mistake.
    pub problem: RegexpProblem,
    /// The wrong part of the pattern; the whole pattern for a missing parenthesis.
    pub part: String,
}

impl RegexpError {
    pub(super) fn new(problem: RegexpProblem, part: impl Into<String>) -> RegexpError {
        RegexpError {
            problem,
            part: part.into(),
        }
    }
}

impl fmt::Display for RegexpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "error parsing regexp: {}: `{}`",
            self.problem.text(),
            self.part
        )
    }
}

impl std::error::Error for RegexpError {}
