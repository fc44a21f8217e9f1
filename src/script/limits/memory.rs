//! The limit on the memory of one evaluation.
//!
//! The heap of the crate reports its bytes, but not what its values own outside it: the tables of
//! dictionaries, sets and structs, the digits of large integers, the state of objects. These bytes
//! are counted here when they are allocated. They are never subtracted: a program that keeps
//! creating and dropping dictionaries reaches the limit too. Counting only live values would need
//! the garbage collector, which is off because it is recursive in the levels of a value.
//!
//! There are two ways to count. A function that has the evaluator calls [`take`], which fails at
//! once. A constructor of a value knows only a heap and calls [`noted::note`]; the next [`check`]
//! fails, and there is one after every call of a native function.

use std::cell::Cell;

use starlark::eval::Evaluator;
use starlark::values::Value;

use super::noted;
use super::size;
use crate::script::evaluation::evaluation;

pub(in crate::script) use super::noted::ENTRY;

/// The bytes that an evaluation has allocated outside the Starlark heap.
#[derive(Debug)]
pub(in crate::script) struct TakenBytes {
    taken: Cell<usize>,
    /// The bytes that the thread had noted before the evaluation. An evaluation stays on its
    /// thread. Those that it starts itself count towards it too, because what they define is kept.
    noted_before: usize,
}

impl TakenBytes {
    /// Starts counting.
    pub(in crate::script) fn start() -> TakenBytes {
        TakenBytes {
            taken: Cell::new(0),
            noted_before: noted::total(),
        }
    }

    fn add(&self, bytes: usize) {
        self.taken.set(self.taken.get().saturating_add(bytes));
    }

    fn total(&self) -> usize {
        let noted = noted::total().saturating_sub(self.noted_before);
        self.taken.get().saturating_add(noted)
    }
}

/// Fails if the evaluation has allocated too much, inside and outside the heap.
pub(in crate::script) fn check(eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let evaluation = evaluation(eval)?;
    let limit = evaluation.session.limits.memory;
    // Both counts share one limit, because the user knows only one kind of memory.
    let taken = evaluation.taken.total();
    if taken.saturating_add(eval.heap().allocated_bytes()) > limit {
        return Err(evaluation.watch.fail(size::memory_exceeded(limit)));
    }
    Ok(())
}

/// Counts bytes outside the heap, and fails if they exceed the limit.
pub(in crate::script) fn take(bytes: usize, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let evaluation = evaluation(eval)?;
    evaluation.taken.add(bytes);
    let limit = evaluation.session.limits.memory;
    if evaluation.taken.total() > limit {
        return Err(evaluation.watch.fail(size::memory_exceeded(limit)));
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
