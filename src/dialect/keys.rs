//! Expressions that are hashed: `{k: v}` becomes `{__ytt_key((k)): v}`, and `d[k]` becomes `d[__ytt_key((k))]`.
//!
//! The crate hashes a tuple by walking through all of it, and a tuple that holds another one twice, forty times over, has
//! no end that anybody would wait for. A string or a number as it is written needs no look.

use super::edits::Edit;
use super::operands::Operands;

/// Adds the changes of all keys of dictionaries and of all indices.
pub(super) fn rewrite(operands: &Operands<'_>, edits: &mut Vec<Edit>) {
    for (open, close) in operands.pairs(b'{') {
        entries(open, close, operands, edits);
    }
    for (open, close) in operands.pairs(b'[') {
        let is_index = open
            .checked_sub(1)
            .is_some_and(|before| operands.is_operand(before));
        if is_index && !operands.inside(open, close).any(|at| operands.is(at, b':')) {
            key(open + 1, close, operands, edits);
        }
    }
}

/// The keys of a dictionary between two braces; of one that is made in a loop, the one key.
fn entries(open: usize, close: usize, operands: &Operands<'_>, edits: &mut Vec<Edit>) {
    let mut start = Some(open + 1);
    for at in operands.inside(open, close) {
        if operands.word(at) == "for" {
            return;
        }
        if operands.is(at, b',') {
            start = Some(at + 1);
        } else if operands.is(at, b':')
            && let Some(start) = start.take()
        {
            key(start, at, operands, edits);
        }
    }
}

/// The key of the tokens from `start` to before `end`.
fn key(start: usize, end: usize, operands: &Operands<'_>, edits: &mut Vec<Edit>) {
    let sign = usize::from(start < end && operands.is(start, b'-'));
    let is_written_out = start + sign + 1 == end && operands.is_literal(start + sign);
    if start >= end || is_written_out {
        return;
    }
    edits.push(Edit::insert(operands.span(start).start(), "__ytt_key(("));
    edits.push(Edit::close(operands.span(end - 1).end(), "))"));
}
