//! What one evaluation may allocate.
//!
//! The heap of the crate reports its bytes, but not what the tables of dictionaries and sets take
//! outside of it. So entries are counted here when they are made. They are never given back: a
//! program that keeps making and dropping dictionaries reaches the limit too. We could count what
//! is alive, but that needs the garbage collector, which is off because it calls itself for each
//! level of a value.

use std::cell::Cell;

use starlark::eval::Evaluator;
use starlark::values::Value;

use super::size;
use crate::script::evaluation::evaluation;

/// What one entry of a dictionary or a set takes, in bytes.
pub(in crate::script) const ENTRY: usize = 48;

/// The bytes that an evaluation has taken outside of the heap of Starlark.
#[derive(Debug, Default)]
pub(in crate::script) struct TakenBytes(Cell<usize>);

impl TakenBytes {
    fn add(&self, bytes: usize) {
        self.0.set(self.0.get().saturating_add(bytes));
    }
}

/// Fails if the evaluation has taken too much, inside of the heap and outside.
pub(in crate::script) fn check(eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let evaluation = evaluation(eval)?;
    let limit = evaluation.session.limits.memory;
    // Both counts share one limit: for the user there is only one memory.
    let taken = evaluation.taken.0.get();
    if taken.saturating_add(eval.heap().allocated_bytes()) > limit {
        return Err(size::memory_exceeded(limit).into());
    }
    Ok(())
}

/// Counts bytes outside of the heap.
pub(in crate::script) fn take(bytes: usize, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let evaluation = evaluation(eval)?;
    evaluation.taken.add(bytes);
    let limit = evaluation.session.limits.memory;
    if evaluation.taken.0.get() > limit {
        return Err(size::memory_exceeded(limit).into());
    }
    Ok(())
}

/// Counts the entries of a dictionary or a set that was just made. Other values are on the heap
/// already.
pub(in crate::script) fn take_entries(
    value: Value<'_>,
    eval: &Evaluator<'_, '_, '_>,
) -> starlark::Result<()> {
    match value.get_type() {
        "dict" | "set" => take(size::length(value).unwrap_or(0) * ENTRY, eval),
        _ => Ok(()),
    }
}
