//! The limit on the memory of one evaluation.
//!
//! The heap of the crate reports its bytes, but not the tables of dictionaries and sets outside it.
//! Their entries are counted here when they are created. They are never subtracted: a program that
//! keeps creating and dropping dictionaries reaches the limit too. Counting only live entries would
//! need the garbage collector, which is off because it is recursive in the levels of a value.

use std::cell::Cell;

use starlark::eval::Evaluator;
use starlark::values::Value;

use super::size;
use crate::script::evaluation::evaluation;

/// The size of one entry of a dictionary or set, in bytes.
pub(in crate::script) const ENTRY: usize = 48;

/// The bytes that an evaluation has allocated outside the Starlark heap.
#[derive(Debug, Default)]
pub(in crate::script) struct TakenBytes(Cell<usize>);

impl TakenBytes {
    fn add(&self, bytes: usize) {
        self.0.set(self.0.get().saturating_add(bytes));
    }
}

/// Fails if the evaluation has allocated too much, inside and outside the heap.
pub(in crate::script) fn check(eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let evaluation = evaluation(eval)?;
    let limit = evaluation.session.limits.memory;
    // Both counts share one limit, because the user knows only one kind of memory.
    let taken = evaluation.taken.0.get();
    if taken.saturating_add(eval.heap().allocated_bytes()) > limit {
        return Err(size::memory_exceeded(limit).into());
    }
    Ok(())
}

/// Counts bytes outside the heap, and fails if they exceed the limit.
pub(in crate::script) fn take(bytes: usize, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let evaluation = evaluation(eval)?;
    evaluation.taken.add(bytes);
    let limit = evaluation.session.limits.memory;
    if evaluation.taken.0.get() > limit {
        return Err(size::memory_exceeded(limit).into());
    }
    Ok(())
}

/// Counts the entries of a dictionary or set that was just created. Other values are already
/// counted by the heap.
pub(in crate::script) fn take_entries(
    value: Value<'_>,
    eval: &Evaluator<'_, '_, '_>,
) -> starlark::Result<()> {
    match value.get_type() {
        "dict" | "set" => take(size::length(value).unwrap_or(0) * ENTRY, eval),
        _ => Ok(()),
    }
}
