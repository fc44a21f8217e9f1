//! Arguments that the crate takes in one order only, or as dictionaries only.

use super::edits::Edit;
use super::lexer::{Kind, Token};

/// Words before a bracket that make it no call.
const NO_CALLEE: [&str; 14] = [
    "and", "elif", "else", "for", "if", "in", "lambda", "load", "not", "or", "return", "while",
    "def", "end",
];

/// An open bracket.
struct Group {
    is_call: bool,
    /// Whether `*args` was seen.
    has_star: bool,
    /// Whether the named arguments after `*args` were put into a call of their own.
    is_wrapped: bool,
    /// Whether the argument at hand is `*x` or `**x`, which a function stands around.
    is_spread: bool,
    /// Whether the tokens are parameters of a lambda, whose commas divide no arguments.
    in_lambda: bool,
}

/// Finds the calls and adds their changes.
pub(super) fn rewrite(text: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    let mut groups: Vec<Group> = Vec::new();
    let code: Vec<&Token> = tokens
        .iter()
        .filter(|t| !matches!(t.kind, Kind::LineEnd | Kind::Comment))
        .collect();
    for (index, token) in code.iter().enumerate() {
        if token.closes() {
            if let Some(group) = groups.pop() {
                close(&group, &code, index, edits);
            }
            continue;
        }
        if let Some(group) = groups.last_mut() {
            if token.kind == Kind::Word && word(text, token) == "lambda" {
                group.in_lambda = true;
            } else if token.is(b':') {
                group.in_lambda = false;
            }
            if group.is_call && token.is(b',') && !group.in_lambda {
                end_argument(group, &code, index, edits);
                start_argument(group, &code, index + 1, edits);
            }
        }
        if token.opens() {
            let mut group = Group {
                is_call: token.is(b'(') && is_callee(text, &code, index),
                has_star: false,
                is_wrapped: false,
                is_spread: false,
                in_lambda: false,
            };
            if group.is_call {
                start_argument(&mut group, &code, index + 1, edits);
            }
            groups.push(group);
        }
    }
}

fn close(group: &Group, code: &[&Token], index: usize, edits: &mut Vec<Edit>) {
    if group.is_spread {
        edits.push(Edit::close(code[index - 1].span.end(), ")"));
    }
    if group.is_wrapped {
        edits.push(Edit::close(code[index].span.start(), ")"));
    }
}

fn start_argument(group: &mut Group, code: &[&Token], index: usize, edits: &mut Vec<Edit>) {
    let Some(token) = code.get(index) else { return };
    let follows =
        |mark: u8, ahead: usize| code.get(index + ahead).is_some_and(|next| next.is(mark));
    if token.is(b'*') && follows(b'*', 1) {
        group.is_spread = true;
        edits.push(Edit::insert(code[index + 1].span.end(), "__ytt_keywords("));
    } else if token.is(b'*') {
        group.has_star = true;
        group.is_spread = true;
        edits.push(Edit::insert(token.span.end(), "__ytt_star("));
    } else if token.kind == Kind::Word
        && follows(b'=', 1)
        && !(follows(b'=', 2) && code[index + 2].span.start() == code[index + 1].span.end())
        && group.has_star
        && !group.is_wrapped
    {
        group.is_wrapped = true;
        edits.push(Edit::insert(token.span.start(), "**__ytt_named("));
    }
}

fn end_argument(group: &mut Group, code: &[&Token], index: usize, edits: &mut Vec<Edit>) {
    if group.is_spread {
        edits.push(Edit::close(code[index - 1].span.end(), ")"));
        group.is_spread = false;
    }
}

/// Whether the bracket at `index` follows something that can be called.
fn is_callee(text: &str, code: &[&Token], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|at| code[at]) else {
        return false;
    };
    let is_definition = index >= 2 && word(text, code[index - 2]) == "def";
    match before.kind {
        Kind::Word => !is_definition && !NO_CALLEE.contains(&word(text, before)),
        Kind::Mark(b')' | b']') | Kind::String { .. } => true,
        _ => false,
    }
}

fn word<'a>(text: &'a str, token: &Token) -> &'a str {
    text.get(token.span.range()).unwrap_or_default()
}
