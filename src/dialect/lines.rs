//! Groups tokens into logical lines: one statement each, with its role in the block structure.

use super::lexer::{StarlarkToken, StarlarkTokenKind};
use crate::source::Span;

/// A statement or the header of a block.
///
/// It can have several lines of text: inside brackets, in a long string, or after a backslash.
///
/// ```text
/// if x(1,      \
///      2): # c  |  tokens `if` … `:` and the comment; first "if"; role Statement; opens
///   y; end        two lines: `y;` and `end`
/// ```
pub(super) struct LogicalLine<'a> {
    /// Its tokens, including comments and the line ends inside brackets.
    pub(super) tokens: &'a [StarlarkToken],
    /// Its first word; empty if it starts with anything else.
    pub(super) first: &'a str,
    pub(super) role: LineRole,
    /// Whether a block follows: the last token of its code is a colon.
    pub(super) opens: bool,
}

/// The effect of a line on the open block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineRole {
    /// `end` closes the block.
    End,
    /// `elif` and `else:` close the block and open the next one.
    Alternative,
    /// Any other line belongs to the block.
    Statement,
}

/// The header of a `while`.
pub(super) struct WhileHeader {
    pub(super) condition: Span,
    /// The statement after the colon: `while x: y`.
    pub(super) statement: Option<Span>,
}

impl LogicalLine<'_> {
    /// Returns the span of the first token.
    pub(super) fn start(&self) -> Span {
        self.tokens.first().map_or(Span::at(0), |token| token.span)
    }

    /// Returns the span of the code, without a comment at the end.
    pub(super) fn span(&self) -> Span {
        let last = self.tokens.iter().rev().find(|token| token.is_code());
        self.start()
            .to(last.map_or(self.start(), |token| token.span))
    }

    /// Returns the parts of the header of a `while`; `None` if it has no colon.
    pub(super) fn while_header(&self, text: &str) -> Option<WhileHeader> {
        let colon = self.outside_brackets(text).find(|token| token.is(b':'))?;
        let condition = Span::new(self.start().end(), colon.span.start());
        let after = colon.span.end();
        let rest = Span::new(after, self.span().end().max(after));
        Some(WhileHeader {
            condition,
            statement: (!self.opens).then_some(rest),
        })
    }

    /// Returns the code tokens outside of brackets, without the parameters of lambdas, whose colon
    /// does not open a block.
    pub(super) fn outside_brackets(&self, text: &str) -> impl Iterator<Item = &StarlarkToken> {
        let mut depth = 0usize;
        let mut lambdas = 0usize;
        self.tokens.iter().filter(move |token| {
            if token.closes() {
                depth = depth.saturating_sub(1);
            }
            // The opening and closing brackets at the outermost level count as outside.
            let is_inside = depth > 0;
            if token.opens() {
                depth += 1;
            }
            if is_inside || !token.is_code() {
                return false;
            }
            if token.word(text) == "lambda" {
                lambdas += 1;
            } else if token.is(b':') && lambdas > 0 {
                lambdas -= 1;
                return false;
            }
            lambdas == 0
        })
    }
}

/// Divides a program into its logical lines. `end` is always a separate line.
pub(super) fn split<'a>(text: &'a str, tokens: &'a [StarlarkToken]) -> Vec<LogicalLine<'a>> {
    let mut lines = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && token.kind == StarlarkTokenKind::LineEnd {
            lines.extend(read_line(text, &tokens[start..index]));
            start = index + 1;
        // `end` may follow a statement on the same line (`y end`), because ytt reads it as a
        // separate token.
        } else if depth == 0 && is_end(text, tokens, index) {
            lines.extend(read_line(text, &tokens[start..index]));
            lines.extend(read_line(text, &tokens[index..=index]));
            start = index + 1;
        }
    }
    lines.extend(read_line(text, tokens.get(start..).unwrap_or_default()));
    lines
}

/// Returns whether a token is the word `end`. An attribute of this name (`x.end`) does not count.
fn is_end(text: &str, tokens: &[StarlarkToken], index: usize) -> bool {
    let is_attribute = index > 0 && tokens[index - 1].is(b'.');
    !is_attribute && tokens[index].word(text) == "end"
}

/// Reads a line; `None` if it contains no code.
fn read_line<'a>(text: &'a str, tokens: &'a [StarlarkToken]) -> Option<LogicalLine<'a>> {
    let start = tokens
        .iter()
        .position(|token| token.is_code() && !token.is(b';'))?;
    let tokens = &tokens[start..];
    let first = tokens.first()?.word(text);
    let role = match first {
        "end" => LineRole::End,
        "elif" => LineRole::Alternative,
        "else" if tokens.get(1).is_some_and(|token| token.is(b':')) => LineRole::Alternative,
        _ => LineRole::Statement,
    };
    // A comment after the colon does not hide it.
    let last = tokens.iter().rev().find(|token| token.is_code());
    Some(LogicalLine {
        tokens,
        first,
        role,
        opens: last.is_some_and(|token| token.is(b':')),
    })
}
