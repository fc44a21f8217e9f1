//! Rewrites statements and expressions that fill or index collections into calls of Inlay's
//! functions.
//!
//! ```text
//! d[k] = v          →   __ytt_store(d, (k), ( v))
//! d[f()] = g()      →   d[__ytt_key((f()))] = __ytt_entry( g())
//! d[k] += v         →   __ytt_modify(__ytt_target(d, (k)), "+", ( v))
//! {k: v for x in y} →   {__ytt_key((k)): __ytt_entry( v) for x in y}
//! ```
//!
//! Stores are counted because the crate does not count the growth of a dictionary. Keys are checked
//! because the crate hashes a tuple by visiting all of it: if each of forty nested tuples contains
//! the next one twice, that takes practically forever.
//!
//! Starlark evaluates the value of a store before its target, but the arguments of a call are
//! evaluated from left to right. So a store stays a statement if the order can be observed, that
//! is, if both sides contain calls.

use super::expressions::Expressions;
use super::lexer::{StarlarkToken, StarlarkTokenKind, assigning_operator, statement_end};
use super::rewrite::Rewrite;
use super::targets::AssignedEntries;
use crate::source::Span;

/// An assignment, with the indices of its tokens.
pub(super) struct Assignment {
    /// The first token of its target. All positions of tokens here count code tokens.
    pub(super) first: usize,
    /// The first token after its target: `=`, or the operator before it.
    pub(super) target_end: usize,
    pub(super) equals: usize,
    /// The operator of `x += y`; `None` for `x = y`.
    pub(super) operator: Option<&'static str>,
    /// The byte offset at which the statement ends.
    pub(super) end: usize,
}

/// Finds the assignments of a program. In each statement, this is the first `=` outside of
/// brackets.
pub(super) fn assignments(
    text: &str,
    tokens: &[StarlarkToken],
    expressions: &Expressions<'_>,
) -> Vec<Assignment> {
    let mut assignments = Vec::new();
    let mut depth = 0usize;
    let mut statement_start = 0;
    // Whether the statement has no `=` so far.
    let mut can_assign = true;
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
            // The statement after a colon on the same line (`if a: d[k] = v`) can be a store too.
            StarlarkTokenKind::LineEnd | StarlarkTokenKind::Mark(b';' | b':') => {
                statement_start = index + 1;
                can_assign = true;
            }
            StarlarkTokenKind::Mark(b'=') if can_assign => {
                can_assign = false;
                assignments.extend(assignment(
                    text,
                    tokens,
                    statement_start,
                    index,
                    expressions,
                ));
            }
            _ => {}
        }
    }
    assignments
}

/// Returns the assignment of the statement that starts at the token `start` and has its first `=`
/// at the token `equals`. `None` if the statement only compares.
fn assignment(
    text: &str,
    tokens: &[StarlarkToken],
    start: usize,
    equals: usize,
    expressions: &Expressions<'_>,
) -> Option<Assignment> {
    if is_comparison(tokens, equals) {
        return None;
    }
    let (operator, operator_length) = match assigning_operator(text, tokens, equals) {
        Some((_, operator)) => (Some(operator), operator.len()),
        None => (None, 0),
    };
    let end = statement_end(tokens, equals);
    // `tokens` includes comments and all line ends, so the indices of `expressions` differ.
    let first = expressions.at_offset(tokens.get(start)?.span.start())?;
    let equals = expressions.at_offset(tokens[equals].span.start())?;
    (first < equals).then(|| Assignment {
        first,
        // Each mark of the operator is a token.
        target_end: equals - operator_length,
        equals,
        operator,
        end,
    })
}

/// Returns whether the `=` at an index is part of `==`, `!=`, `<=` or `>=`. The operator `<<=` does
/// not count.
fn is_comparison(tokens: &[StarlarkToken], equals: usize) -> bool {
    if tokens.get(equals + 1).is_some_and(|next| next.is(b'=')) {
        return true;
    }
    let Some(before) = equals.checked_sub(1) else {
        return false;
    };
    if !are_adjacent(tokens, before, equals) {
        return false;
    }
    let mark = &tokens[before];
    let is_angle = mark.is(b'<') || mark.is(b'>');
    // `<<=` and `>>=` assign.
    let is_shift = is_angle
        && before > 0
        && tokens[before - 1].kind == mark.kind
        && are_adjacent(tokens, before - 1, before);
    mark.is(b'!') || (is_angle && !is_shift)
}

/// Returns whether there is nothing between two tokens.
fn are_adjacent(tokens: &[StarlarkToken], left: usize, right: usize) -> bool {
    tokens[left].span.end() == tokens[right].span.start()
}

/// Returns the index of the bracket that opens the key, if the target of an assignment is an entry
/// of a collection: `d.e[k]`.
pub(super) fn entry_of_target(
    assignment: &Assignment,
    expressions: &Expressions<'_>,
) -> Option<usize> {
    let close = assignment.target_end.checked_sub(1)?;
    let open = expressions.partner(close).filter(|open| *open < close)?;
    let is_entry = open > assignment.first
        && expressions.is_index(open, close)
        && expressions.receiver_start(open - 1) == Some(assignment.first);
    is_entry.then_some(open)
}

/// Adds the rewrites of statements that store into a collection.
pub(super) fn stores(
    assignments: &[Assignment],
    expressions: &Expressions<'_>,
    rewrites: &mut Vec<Rewrite>,
) {
    for assignment in assignments {
        let Some(open) = entry_of_target(assignment, expressions) else {
            continue;
        };
        let close = assignment.target_end - 1;
        match assignment.operator {
            Some(operator) => {
                let call = StoreCall {
                    opening: "__ytt_modify(__ytt_target(",
                    between: &format!(")), \"{operator}\", ("),
                };
                rewrite_store(assignment, open, call, expressions, rewrites);
            }
            None if is_order_visible(assignment, expressions) => {
                rewrite_key(open + 1, close, expressions, rewrites);
                let value = expressions.span(assignment.equals).end();
                rewrites.push(Rewrite::insert(value, " __ytt_entry("));
                rewrites.push(Rewrite::close(assignment.end, ")"));
            }
            None => {
                let call = StoreCall {
                    opening: "__ytt_store(",
                    between: "), (",
                };
                rewrite_store(assignment, open, call, expressions, rewrites);
            }
        }
    }
}

/// Returns whether a program can observe which side of a store is evaluated first, that is, whether
/// both sides contain a call. An operator can only fail.
fn is_order_visible(assignment: &Assignment, expressions: &Expressions<'_>) -> bool {
    let has_call = |mut range: std::ops::Range<usize>| {
        range.any(|at| expressions.is(at, b'(') && at > 0 && expressions.ends_operand(at - 1))
    };
    let value = assignment.equals + 1..expressions.len();
    let value_end = value
        .clone()
        .find(|at| expressions.span(*at).start() >= assignment.end)
        .unwrap_or(value.end);
    has_call(assignment.first..assignment.target_end) && has_call(value.start..value_end)
}

/// The parts of a call that replaces a store. The collection, the key and the value are between
/// them.
struct StoreCall<'c> {
    /// The text before the collection.
    opening: &'c str,
    /// The text between the key and the value.
    between: &'c str,
}

/// Rewrites one store into a call; `open` is the bracket before the key:
///
/// ```text
/// d.e[k] = v
/// ^  ^ ^^^^ ^    `__ytt_store(` before `d`; `[` -> `, (`; `] =` -> `), (`; `))` at the end
/// ```
fn rewrite_store(
    assignment: &Assignment,
    open: usize,
    call: StoreCall<'_>,
    expressions: &Expressions<'_>,
    rewrites: &mut Vec<Rewrite>,
) {
    let close = assignment.target_end - 1;
    let middle = Span::new(
        expressions.span(close).start(),
        expressions.span(assignment.equals).end(),
    );
    let first = expressions.span(assignment.first).start();
    rewrites.push(Rewrite::insert(first, call.opening));
    rewrites.push(Rewrite::replace(expressions.span(open), ", ("));
    rewrites.push(Rewrite::replace(middle, call.between));
    rewrites.push(Rewrite::close(assignment.end, "))"));
}

/// Adds the rewrites of all dictionary comprehensions.
pub(super) fn comprehensions(expressions: &Expressions<'_>, rewrites: &mut Vec<Rewrite>) {
    for (open, close) in expressions.pairs(b'{') {
        let mut inside = expressions.inside(open, close);
        let Some(colon) = inside.by_ref().find(|at| expressions.is(*at, b':')) else {
            continue;
        };
        // Without a `for`, the braces are a literal. The program text bounds its size.
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

/// Adds the rewrites of all keys of dictionaries, and of the indices that stay indices because they
/// are targets of assignments.
pub(super) fn keys(
    expressions: &Expressions<'_>,
    targets: &AssignedEntries,
    rewrites: &mut Vec<Rewrite>,
) {
    for (open, close) in expressions.pairs(b'[') {
        if targets.is_assigned(open) && expressions.is_index(open, close) {
            rewrite_key(open + 1, close, expressions, rewrites);
        }
    }
    for (open, close) in expressions.pairs(b'{') {
        dictionary_keys(open, close, expressions, rewrites);
    }
}

/// Rewrites the keys between two braces. A comprehension has only one key.
fn dictionary_keys(
    open: usize,
    close: usize,
    expressions: &Expressions<'_>,
    rewrites: &mut Vec<Rewrite>,
) {
    // The first token of the current key, until its colon is found.
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

/// Rewrites the key that consists of the tokens from `start` to before `end`. A literal needs no
/// check.
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
    // Most keys are string literals. They stay unchanged, which keeps the converted program small
    // and fast.
    let is_literal = start + sign + 1 == end && expressions.is_literal(start + sign);
    if is_literal {
        return;
    }
    // There are two parentheses, so that the key of `d[a, b]` is one argument.
    rewrites.push(Rewrite::insert(
        expressions.span(start).start(),
        "__ytt_key((",
    ));
    rewrites.push(Rewrite::close(expressions.span(end - 1).end(), "))"));
}
