//! Statements and expressions that let a dictionary grow, which the crate does not count: `d[k] = v` becomes
//! `__ytt_store(d, k, v)`, and `{k: v for …}` becomes `{k: __ytt_entry(v) for …}`.

use super::edits::{Edit, statement_end};
use super::lexer::{Kind, Token};
use super::operands::Operands;
use crate::source::Span;

/// Adds the changes of all statements that store into a collection.
pub(super) fn statements(tokens: &[Token], operands: &Operands<'_>, edits: &mut Vec<Edit>) {
    let mut depth = 0usize;
    // Where the statement at hand starts.
    let mut start = 0;
    let mut is_simple = true;
    for (index, token) in tokens.iter().enumerate() {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        if depth > 0 {
            continue;
        }
        match token.kind {
            Kind::LineEnd | Kind::Mark(b';' | b':') => (start, is_simple) = (index + 1, true),
            Kind::Mark(b',') => is_simple = false,
            Kind::Mark(b'=') if is_simple => {
                is_simple = false;
                let is_comparison = tokens.get(index + 1).is_some_and(|next| next.is(b'='));
                let target = tokens
                    .get(start)
                    .and_then(|first| operands.at(first.span.start()));
                if let (false, Some(first), Some(equals)) =
                    (is_comparison, target, operands.at(token.span.start()))
                {
                    statement(first, equals, statement_end(tokens, index), operands, edits);
                }
            }
            _ => {}
        }
    }
}

/// One statement, from its first token to its `=` and its end.
fn statement(
    first: usize,
    equals: usize,
    end: usize,
    operands: &Operands<'_>,
    edits: &mut Vec<Edit>,
) {
    let Some(close) = equals
        .checked_sub(1)
        .filter(|close| operands.is(*close, b']'))
    else {
        return;
    };
    let Some(open) = operands.partner(close).filter(|open| *open > first) else {
        return;
    };
    let has_colon = operands.inside(open, close).any(|at| operands.is(at, b':'));
    if has_colon || operands.receiver(open - 1) != Some(first) {
        return;
    }
    edits.push(Edit::insert(operands.span(first).start(), "__ytt_store("));
    edits.push(Edit::replace(operands.span(open), ", ("));
    edits.push(Edit::replace(
        Span::new(operands.span(close).start(), operands.span(equals).end()),
        "), (",
    ));
    edits.push(Edit::close(end, "))"));
}

/// Adds the changes of all dictionaries that are made in a loop.
pub(super) fn comprehensions(operands: &Operands<'_>, edits: &mut Vec<Edit>) {
    for (open, close) in operands.pairs(b'{') {
        let mut inside = operands.inside(open, close);
        let Some(colon) = inside.by_ref().find(|at| operands.is(*at, b':')) else {
            continue;
        };
        let Some(word) = inside.find(|at| operands.word(*at) == "for") else {
            continue;
        };
        edits.push(Edit::insert(operands.span(colon).end(), "__ytt_entry("));
        edits.push(Edit::close(operands.span(word - 1).end(), ")"));
    }
}
