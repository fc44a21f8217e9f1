//! Sends what fills and indexes collections through functions of our own.
//!
//! ```text
//! d[k] = v          →   __ytt_store(d, (__ytt_key((k))), ( v))
//! {k: v for x in y} →   {__ytt_key((k)): __ytt_entry( v) for x in y}
//! d[k]              →   d[__ytt_key((k))]
//! ```
//!
//! Stores are counted because the crate does not count how a dictionary grows. Keys are checked
//! because the crate hashes a tuple by walking through all of it: a tuple that contains another one
//! twice, forty times over, never ends.

use super::expressions::Expressions;
use super::lexer::{StarlarkToken, StarlarkTokenKind, statement_end};
use super::rewrite::Rewrite;
use crate::source::Span;

/// Adds the rewrites of statements that store into a collection.
pub(super) fn stores(
    tokens: &[StarlarkToken],
    expressions: &Expressions<'_>,
    rewrites: &mut Vec<Rewrite>,
) {
    let mut depth = 0usize;
    let mut statement_start = 0;
    // Whether the statement can still be `target = value`: nothing seen so far makes it something
    // else.
    let mut can_be_store = true;
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
            // The statement after a colon on the same line (`if a: d[k] = v`) is a store, too.
            StarlarkTokenKind::LineEnd | StarlarkTokenKind::Mark(b';' | b':') => {
                statement_start = index + 1;
                can_be_store = true;
            }
            // `a, d[k] = …` assigns to several targets.
            StarlarkTokenKind::Mark(b',') => can_be_store = false,
            StarlarkTokenKind::Mark(b'=') if can_be_store => {
                can_be_store = false;
                // `==` arrives as two marks. So does an augmented assignment (`+=`), which is no
                // store because its target does not end directly before the `=`.
                let is_comparison = tokens.get(index + 1).is_some_and(|next| next.is(b'='));
                let target = tokens
                    .get(statement_start)
                    .and_then(|first| expressions.at_offset(first.span.start()));
                let equals = expressions.at_offset(token.span.start());
                if let (false, Some(target), Some(equals)) = (is_comparison, target, equals) {
                    let end = statement_end(tokens, index);
                    rewrite_store(expressions, target, equals, end, rewrites);
                }
            }
            _ => {}
        }
    }
}

/// Rewrites one store, from its first token to the `=` and to the offset at which the statement
/// ends:
///
/// ```text
/// d.e[k] = v
/// ^  ^ ^^^^ ^    `__ytt_store(` goes before `d`, `[` becomes `, (`, `] =` becomes `), (`, `))` goes to the end
/// ```
fn rewrite_store(
    expressions: &Expressions<'_>,
    first: usize,
    equals: usize,
    end: usize,
    rewrites: &mut Vec<Rewrite>,
) {
    let Some(close) = equals.checked_sub(1) else {
        return;
    };
    if !expressions.is(close, b']') {
        return;
    }
    let Some(open) = expressions.partner(close).filter(|open| *open > first) else {
        return;
    };
    let is_slice = expressions
        .inside(open, close)
        .any(|at| expressions.is(at, b':'));
    // The receiver has to be the whole target. Anything before it, such as a keyword, makes this
    // another kind of statement.
    if is_slice || expressions.receiver_start(open - 1) != Some(first) {
        return;
    }
    let middle = Span::new(
        expressions.span(close).start(),
        expressions.span(equals).end(),
    );
    rewrites.push(Rewrite::insert(
        expressions.span(first).start(),
        "__ytt_store(",
    ));
    rewrites.push(Rewrite::replace(expressions.span(open), ", ("));
    rewrites.push(Rewrite::replace(middle, "), ("));
    rewrites.push(Rewrite::close(end, "))"));
}

/// Adds the rewrites of all dictionaries that are made in a loop.
pub(super) fn comprehensions(expressions: &Expressions<'_>, rewrites: &mut Vec<Rewrite>) {
    for (open, close) in expressions.pairs(b'{') {
        let mut inside = expressions.inside(open, close);
        let Some(colon) = inside.by_ref().find(|at| expressions.is(*at, b':')) else {
            continue;
        };
        // Without a `for`, the braces are a literal, whose size is bounded by the program text.
        let Some(keyword) = inside.find(|at| expressions.word(*at) == "for") else {
            continue;
        };
        let value_end = expressions.span(keyword - 1).end();
        rewrites.push(Rewrite::insert(
            expressions.span(colon).end(),
            "__ytt_entry(",
        ));
        rewrites.push(Rewrite::close(value_end, ")"));
    }
}

/// Adds the rewrites of all keys of dictionaries and of all indices.
pub(super) fn keys(expressions: &Expressions<'_>, rewrites: &mut Vec<Rewrite>) {
    for (open, close) in expressions.pairs(b'{') {
        dictionary_keys(open, close, expressions, rewrites);
    }
    for (open, close) in expressions.pairs(b'[') {
        let is_index = open > 0 && expressions.ends_operand(open - 1);
        let is_slice = expressions
            .inside(open, close)
            .any(|at| expressions.is(at, b':'));
        if is_index && !is_slice {
            rewrite_key(open + 1, close, expressions, rewrites);
        }
    }
}

/// Rewrites the keys between two braces; of a dictionary that is made in a loop, the one key.
fn dictionary_keys(
    open: usize,
    close: usize,
    expressions: &Expressions<'_>,
    rewrites: &mut Vec<Rewrite>,
) {
    // The first token of the key, until its colon was seen.
    let mut start = Some(open + 1);
    for at in expressions.inside(open, close) {
        if expressions.word(at) == "for" {
            return;
        }
        if expressions.is(at, b',') {
            start = Some(at + 1);
        } else if expressions.is(at, b':')
            && let Some(start) = start.take()
        {
            rewrite_key(start, at, expressions, rewrites);
        }
    }
}

/// Rewrites the key of the tokens from `start` to before `end`. A literal needs no check.
fn rewrite_key(
    start: usize,
    end: usize,
    expressions: &Expressions<'_>,
    rewrites: &mut Vec<Rewrite>,
) {
    if start >= end {
        return;
    }
    let sign = usize::from(expressions.is(start, b'-'));
    // Most keys are string literals. Leaving them alone keeps the converted program small and fast.
    let is_literal = start + sign + 1 == end && expressions.is_literal(start + sign);
    if is_literal {
        return;
    }
    // Two brackets, so that `d[a, b]` gives one argument.
    rewrites.push(Rewrite::insert(
        expressions.span(start).start(),
        "__ytt_key((",
    ));
    rewrites.push(Rewrite::close(expressions.span(end - 1).end(), "))"));
}
