//! Rewrites arguments that the crate accepts only in one order, or only as dictionaries.
//!
//! ```text
//! f(1, *a, x=1, **k)   →   f(1, *__ytt_star(a), **__ytt_named( x=1, **__ytt_keywords(k)))
//! ```
//!
//! In ytt, named arguments may follow `*a`. The crate does not allow that, so they become arguments
//! of a separate call that returns a dictionary.

use super::lexer::{StarlarkToken, StarlarkTokenKind, with_statement_ends};
use super::rewrite::Rewrite;

/// Words before a bracket that do not make it a call.
const NOT_CALLABLE: [&str; 14] = [
    "and", "elif", "else", "for", "if", "in", "lambda", "load", "not", "or", "return", "while",
    "def", "end",
];

/// An open bracket.
struct OpenBracket {
    is_call: bool,
    /// Whether `*args` was seen.
    has_star: bool,
    /// Whether the named arguments after `*args` were wrapped in `**__ytt_named(…)`.
    is_wrapped: bool,
    /// Whether the current argument is `*x` or `**x`, which needs a closing parenthesis at its end.
    is_spread: bool,
    /// Whether the tokens are parameters of a lambda, whose commas separate no arguments.
    in_lambda: bool,
}

/// Finds the calls and adds their rewrites.
pub(super) fn rewrite(text: &str, tokens: &[StarlarkToken], rewrites: &mut Vec<Rewrite>) {
    let mut brackets: Vec<OpenBracket> = Vec::new();
    let code = with_statement_ends(tokens);
    for (index, token) in code.iter().enumerate() {
        if token.closes() {
            if let Some(bracket) = brackets.pop() {
                close(&bracket, &code, index, rewrites);
            }
            continue;
        }
        // Only the innermost bracket matters, because commas and lambdas outside of it belong to
        // other calls.
        if let Some(bracket) = brackets.last_mut() {
            if token.word(text) == "lambda" {
                bracket.in_lambda = true;
            } else if token.is(b':') {
                bracket.in_lambda = false;
            }
            if bracket.is_call && token.is(b',') && !bracket.in_lambda {
                end_argument(bracket, &code, index, rewrites);
                start_argument(bracket, &code, index + 1, rewrites);
            }
        }
        if token.opens() {
            let mut bracket = OpenBracket {
                is_call: token.is(b'(') && is_after_callee(text, &code, index),
                has_star: false,
                is_wrapped: false,
                is_spread: false,
                in_lambda: false,
            };
            if bracket.is_call {
                start_argument(&mut bracket, &code, index + 1, rewrites);
            }
            // Every kind of bracket is on the stack, so that commas in lists and in parentheses
            // around expressions do not end an argument of the call around them.
            brackets.push(bracket);
        }
    }
}

fn close(
    bracket: &OpenBracket,
    code: &[&StarlarkToken],
    index: usize,
    rewrites: &mut Vec<Rewrite>,
) {
    if bracket.is_spread {
        rewrites.push(Rewrite::close(code[index - 1].span.end(), ")"));
    }
    if bracket.is_wrapped {
        rewrites.push(Rewrite::close(code[index].span.start(), ")"));
    }
}

fn start_argument(
    bracket: &mut OpenBracket,
    code: &[&StarlarkToken],
    index: usize,
    rewrites: &mut Vec<Rewrite>,
) {
    let Some(token) = code.get(index) else { return };
    if token.is(b'*') {
        bracket.is_spread = true;
        // The lexer has no token for `**`, so it arrives as two marks.
        match code.get(index + 1) {
            Some(second) if second.is(b'*') => {
                rewrites.push(Rewrite::insert(second.span.end(), "__ytt_keywords("));
            }
            _ => {
                bracket.has_star = true;
                rewrites.push(Rewrite::insert(token.span.end(), "__ytt_star("));
            }
        }
    // Only the first named argument opens `__ytt_named(…)`. Everything up to the closing bracket is
    // inside, including further `**k`.
    } else if bracket.has_star && !bracket.is_wrapped && is_named_argument(code, index) {
        bracket.is_wrapped = true;
        rewrites.push(Rewrite::insert(token.span.start(), "**__ytt_named("));
    }
}

/// Returns whether `name=` starts at `index`. The comparison `name ==` does not count.
fn is_named_argument(code: &[&StarlarkToken], index: usize) -> bool {
    let [name, equals, rest @ ..] = &code[index..] else {
        return false;
    };
    let is_comparison = rest
        .first()
        .is_some_and(|next| next.is(b'=') && next.span.start() == equals.span.end());
    name.kind == StarlarkTokenKind::Word && equals.is(b'=') && !is_comparison
}

fn end_argument(
    bracket: &mut OpenBracket,
    code: &[&StarlarkToken],
    index: usize,
    rewrites: &mut Vec<Rewrite>,
) {
    if bracket.is_spread {
        rewrites.push(Rewrite::close(code[index - 1].span.end(), ")"));
        bracket.is_spread = false;
    }
}

/// Returns whether the bracket at `index` comes after something callable.
fn is_after_callee(text: &str, code: &[&StarlarkToken], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|at| code[at]) else {
        return false;
    };
    let is_definition = index >= 2 && code[index - 2].word(text) == "def";
    match before.kind {
        StarlarkTokenKind::Word => !is_definition && !NOT_CALLABLE.contains(&before.word(text)),
        StarlarkTokenKind::Mark(b')' | b']') | StarlarkTokenKind::String { .. } => true,
        _ => false,
    }
}
