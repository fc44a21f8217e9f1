//! Rewrites the unary operators into calls of Inlay's functions.
//!
//! ```text
//! -x          →   __ytt_negative(x)
//! a + ~b[i]   →   a + __ytt_inverted(b[i])
//! -1          →   -1
//! ```
//!
//! The result can be an integer with many digits, whose memory the crate does not count. The crate
//! replaces binary operators by calls after parsing, but not these. They bind tighter than every
//! binary operator, so the end of the operand is found without parsing.

use super::expressions::Expressions;
use super::lexer::StarlarkTokenKind;
use super::rewrite::{Rewrite, call_opening};

/// The length of the longest literal that is left alone. Its number fits into 64 bits in every base.
const LONGEST_64_BIT_LITERAL: usize = 18;

/// Adds the rewrites of all unary operators.
pub(super) fn rewrite(expressions: &Expressions<'_>, rewrites: &mut Vec<Rewrite>) {
    // Go backwards, because all operators of `- -x` have the end of the last one.
    let mut following = None;
    for operator in (0..expressions.len()).rev() {
        let Some(function) = unary_function(expressions, operator) else {
            continue;
        };
        let last = match following {
            Some((next, last)) if next == operator + 1 => last,
            _ => operand_end(expressions, operator + 1),
        };
        following = Some((operator, last));
        if let Some(last) = last {
            rewrites.push(Rewrite::replace(
                expressions.span(operator),
                call_opening(expressions, operator, function),
            ));
            rewrites.push(Rewrite::close(expressions.span(last).end(), ")"));
        }
    }
}

/// Returns the function for the token, if it is a unary operator.
fn unary_function(expressions: &Expressions<'_>, index: usize) -> Option<&'static str> {
    let StarlarkTokenKind::Mark(mark) = expressions.get(index)?.kind else {
        return None;
    };
    let function = match mark {
        b'-' => "__ytt_negative",
        b'+' => "__ytt_positive",
        b'~' => "__ytt_inverted",
        _ => return None,
    };
    let is_binary = index > 0 && {
        let before = index - 1;
        // A statement may follow `end` on its line.
        let is_end =
            expressions.word(before) == "end" && (before == 0 || !expressions.is(before - 1, b'.'));
        let is_number = expressions.get(before)?.kind == StarlarkTokenKind::Number;
        (is_number || expressions.ends_operand(before)) && !is_end
    };
    (!is_binary).then_some(function)
}

/// Returns the last token of the operand that begins at `first`. Returns `None` for a short number,
/// and if no operand begins there.
///
/// ```text
/// - x . f ( a ) [ 1 ] + y
///   ^ `first`       ^ the result
/// ```
fn operand_end(expressions: &Expressions<'_>, first: usize) -> Option<usize> {
    let token = expressions.get(first)?;
    let mut last = match token.kind {
        StarlarkTokenKind::Number if token.span.range().len() <= LONGEST_64_BIT_LITERAL => {
            return None;
        }
        StarlarkTokenKind::Number => first,
        _ if token.opens() => expressions.partner(first)?,
        _ if expressions.ends_operand(first) && !token.closes() => first,
        _ => return None,
    };
    loop {
        let next = expressions.get(last + 1);
        let is_suffix = next.is_some_and(|next| next.is(b'(') || next.is(b'['));
        let is_attribute = next.is_some_and(|next| next.is(b'.'))
            && expressions
                .get(last + 2)
                .is_some_and(|name| name.kind == StarlarkTokenKind::Word);
        last = match (is_suffix, is_attribute) {
            (true, _) => expressions.partner(last + 1)?,
            (_, true) => last + 2,
            _ => return Some(last),
        };
    }
}
