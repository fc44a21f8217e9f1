//! What a program may take of the memory.
//!
//! The crate looks at its heap once in a thousand steps, and knows nothing of what dictionaries and nodes take. So each
//! operation that may make much at once looks too, and what stands outside of the heap is counted here.

use std::cell::Cell;

use starlark::eval::Evaluator;
use starlark::values::Value;

use super::evaluation::evaluation;
use super::failure::Failure;

/// One operation gives a string of this many bytes at most.
pub(super) const STRING_LIMIT: usize = 16 << 20;

/// One operation gives a list of this many items at most.
pub(super) const LIST_LIMIT: usize = 1_000_000;

/// What one entry of a dictionary or a set takes.
pub(super) const ENTRY: usize = 48;

/// Bytes that a program has taken outside of the heap of Starlark, and that are not given back before it ends.
#[derive(Debug, Default)]
pub(super) struct Taken(Cell<usize>);

impl Taken {
    pub(super) fn add(&self, bytes: usize) {
        self.0.set(self.0.get().saturating_add(bytes));
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.get()
    }
}

/// Fails if a program has taken too much.
pub(super) fn check(eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let evaluation = evaluation(eval)?;
    let limit = evaluation.session().limits.memory;
    if evaluation
        .taken
        .bytes()
        .saturating_add(eval.heap().allocated_bytes())
        > limit
    {
        return Err(exceeded(limit).into());
    }
    Ok(())
}

/// Counts bytes outside of the heap.
pub(super) fn take(bytes: usize, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let evaluation = evaluation(eval)?;
    evaluation.taken.add(bytes);
    let limit = evaluation.session().limits.memory;
    if evaluation.taken.bytes() > limit {
        Err(exceeded(limit).into())
    } else {
        Ok(())
    }
}

/// Counts the entries of a dictionary or a set that was just made.
pub(super) fn take_entries(value: Value<'_>, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    match value.get_type() {
        "dict" | "set" => take(
            value
                .length()
                .map_or(0, |length| usize::try_from(length).unwrap_or(0))
                * ENTRY,
            eval,
        ),
        _ => Ok(()),
    }
}

/// Refuses a string that is too long, of which `length` is said before it is made where that can be.
pub(super) fn check_string(length: usize) -> Result<(), Failure> {
    if length <= STRING_LIMIT {
        return Ok(());
    }
    Err(Failure::limit(format!(
        "expected a string of at most {STRING_LIMIT} bytes, found {length}"
    )))
}

/// Refuses a list that is too long.
pub(super) fn check_list(length: usize) -> Result<(), Failure> {
    if length <= LIST_LIMIT {
        return Ok(());
    }
    Err(Failure::limit(format!(
        "expected a list of at most {LIST_LIMIT} items, found {length}"
    )))
}

/// The crate counts its heap by itself too, and may be the first to see that it is full.
pub(super) fn full_heap(message: &str) -> Option<Failure> {
    let limit = message
        .strip_prefix("heap memory limit of ")?
        .split(' ')
        .next()?;
    Some(exceeded(limit.parse().ok()?))
}

fn exceeded(limit: usize) -> Failure {
    Failure::limit(format!(
        "expected a program that takes at most {limit} bytes, found more"
    ))
    .help("does a loop or a function go on without end?")
}
