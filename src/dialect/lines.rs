//! Statements, one a line, and what each does to the blocks.

use super::edits::Edit;
use super::lexer::{Kind, Token};
use super::{Context, INSTRUCTIONS};
use crate::source::Span;

/// A logical line: it may go over several lines of the text within brackets, in a long string, or after a backslash.
pub(super) struct Line<'a> {
    /// Its tokens, with the comments and line ends inside brackets.
    pub(super) tokens: &'a [Token],
    /// Its first word; empty where it starts with something else.
    pub(super) first: &'a str,
    pub(super) role: Role,
    /// Whether a block follows: a colon is its last token.
    pub(super) opens: bool,
}

/// What a line does to the block that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// `end` closes it.
    End,
    /// `elif` and `else:` close it and open the next.
    Alternative,
    /// Everything else is inside it.
    Statement,
}

impl Line<'_> {
    /// The place of the first token.
    pub(super) fn start(&self) -> Span {
        self.tokens.first().map_or(Span::at(0), |token| token.span)
    }

    /// From the first to the last token, without a comment at the end.
    pub(super) fn span(&self) -> Span {
        let last = self.tokens.iter().rev().find(|token| is_code(token));
        self.start()
            .to(last.map_or(self.start(), |token| token.span))
    }

    /// The condition between the first word and the colon outside of brackets, and the statement after the colon.
    pub(super) fn condition(&self, text: &str) -> Option<(Span, Option<Span>)> {
        let colon = self.outside(text).find(|token| token.is(b':'))?.span;
        let condition = Span::new(self.start().end(), colon.start());
        let body = Span::new(colon.end(), self.span().end().max(colon.end()));
        Some((condition, (!self.opens).then_some(body)))
    }

    /// The tokens outside of brackets and of the parameters of lambdas.
    pub(super) fn outside(&self, text: &str) -> impl Iterator<Item = &Token> {
        let mut depth = 0usize;
        let mut lambdas = 0usize;
        self.tokens.iter().filter(move |token| {
            if token.closes() {
                depth = depth.saturating_sub(1);
            }
            let inside = depth > 0;
            if token.opens() {
                depth += 1;
            }
            if inside || !is_code(token) {
                return false;
            }
            if token.kind == Kind::Word && text.get(token.span.range()) == Some("lambda") {
                lambdas += 1;
            } else if token.is(b':') && lambdas > 0 {
                lambdas -= 1;
                return false;
            }
            lambdas == 0
        })
    }
}

fn is_code(token: &Token) -> bool {
    !matches!(token.kind, Kind::Comment | Kind::LineEnd)
}

/// Splits a program into its logical lines; `end` is always one of its own.
pub(super) fn split<'a>(text: &'a str, tokens: &'a [Token]) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && token.kind == Kind::LineEnd {
            lines.extend(line(text, &tokens[start..index]));
            start = index + 1;
        } else if depth == 0 && is_end(text, tokens, index) {
            lines.extend(line(text, &tokens[start..index]));
            lines.extend(line(text, &tokens[index..=index]));
            start = index + 1;
        }
    }
    lines.extend(line(text, tokens.get(start..).unwrap_or_default()));
    lines
}

fn is_end(text: &str, tokens: &[Token], index: usize) -> bool {
    let token = tokens[index];
    let is_attribute = index > 0 && tokens[index - 1].is(b'.');
    token.kind == Kind::Word && !is_attribute && text.get(token.span.range()) == Some("end")
}

fn line<'a>(text: &'a str, tokens: &'a [Token]) -> Option<Line<'a>> {
    let start = tokens
        .iter()
        .position(|token| is_code(token) && !token.is(b';'))?;
    let tokens = &tokens[start..];
    let token = tokens.first()?;
    let first = match token.kind {
        Kind::Word => text.get(token.span.range()).unwrap_or_default(),
        _ => "",
    };
    let role = match first {
        "end" => Role::End,
        "elif" => Role::Alternative,
        "else" if tokens.get(1).is_some_and(|token| token.is(b':')) => Role::Alternative,
        _ => Role::Statement,
    };
    let opens = tokens
        .iter()
        .rev()
        .find(|token| is_code(token))
        .is_some_and(|token| token.is(b':'));
    Some(Line {
        tokens,
        first,
        role,
        opens,
    })
}

/// Follows the blocks from line to line.
#[derive(Default)]
struct Nesting {
    /// For each open block, the line of the function that it is or is in.
    functions: Vec<Option<usize>>,
}

impl Nesting {
    /// The line of the function that the next line is in.
    fn function(&self) -> Option<usize> {
        self.functions.last().copied().flatten()
    }

    fn pass(&mut self, index: usize, line: &Line<'_>) {
        match line.role {
            Role::End => {
                self.functions.pop();
            }
            Role::Alternative if !line.opens => {
                self.functions.pop();
            }
            Role::Statement if line.opens => {
                let function = if line.first == "def" {
                    Some(index)
                } else {
                    self.function()
                };
                self.functions.push(function);
            }
            _ => {}
        }
    }
}

/// For each line that opens a function which builds something, what it builds: the function itself calls an
/// instruction, not only a function inside it.
pub(super) fn contexts(text: &str, lines: &[Line<'_>]) -> Vec<Option<Context>> {
    let mut contexts = vec![None; lines.len()];
    let mut nesting = Nesting::default();
    for (index, line) in lines.iter().enumerate() {
        if line.first == INSTRUCTIONS
            && let Some(function) = nesting.function()
            && contexts[function].is_none()
        {
            contexts[function] = Some(context_of(text, line));
        }
        nesting.pass(index, line);
    }
    contexts
}

/// In a function with a context, `return` closes it.
pub(super) fn close_contexts(
    text: &str,
    lines: &[Line<'_>],
    contexts: &[Option<Context>],
    edits: &mut Vec<Edit>,
) {
    let mut nesting = Nesting::default();
    for (index, line) in lines.iter().enumerate() {
        let is_inside = nesting
            .function()
            .is_some_and(|function| contexts[function].is_some());
        if is_inside && line.first != "def" {
            edits.extend(close_at_return(text, line).into_iter().flatten());
        }
        nesting.pass(index, line);
    }
}

fn close_at_return(text: &str, line: &Line<'_>) -> Option<Vec<Edit>> {
    let is_return =
        |token: &&Token| token.kind == Kind::Word && text.get(token.span.range()) == Some("return");
    let start = line.outside(text).find(is_return)?.span.end();
    let end = line
        .outside(text)
        .find(|token| token.is(b';') && token.span.start() >= start);
    let end = end.map_or(line.span().end(), |token| token.span.start());
    if text
        .get(start..end)
        .is_none_or(|value| value.trim().is_empty())
    {
        return Some(vec![Edit::close(start, format!(" {INSTRUCTIONS}.close()"))]);
    }
    Some(vec![
        Edit::insert(start, format!(" {INSTRUCTIONS}.close((")),
        Edit::close(end, "))"),
    ])
}

/// The names that statements outside of functions assign to.
pub(super) fn assigned(text: &str, lines: &[Line<'_>]) -> Vec<Box<str>> {
    let mut nesting = Nesting::default();
    let mut names = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let is =
            |place: usize, mark: u8| line.tokens.get(place).is_some_and(|token| token.is(mark));
        let is_global = nesting.function().is_none();
        if is_global && !line.first.is_empty() && is(1, b'=') && !is(2, b'=') {
            names.push(line.first.into());
        } else if is_global && matches!(line.first, "def" | "for") {
            let name = line
                .tokens
                .get(1)
                .and_then(|token| text.get(token.span.range()));
            names.extend(name.map(Into::into));
        }
        nesting.pass(index, line);
    }
    names
}

/// The first instruction tells the kind: `write` and `print` stand in text templates alone, since a text inside YAML
/// is opened before it is written.
fn context_of(text: &str, line: &Line<'_>) -> Context {
    let method = line
        .tokens
        .get(2)
        .and_then(|token| text.get(token.span.range()));
    match method {
        Some("write" | "print") => Context::Text,
        _ => Context::Nodes,
    }
}
