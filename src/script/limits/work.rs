//! The limit on the time of native operations.
//!
//! The crate counts calls and loop turns, but one operation takes as long as its operands are
//! large: `99 in x` visits a list of a million items, `s.upper()` a text of 16 MB. In a loop that
//! adds up to hours, long before the loop reaches its own limit. So every operation whose time
//! depends on its operands charges steps here, and both counts share one limit.

use std::cell::Cell;

use starlark::eval::Evaluator;
use starlark::values::Value;

use super::size;
use super::walk::{BYTES_PER_STEP, Steps};
use crate::script::evaluation::evaluation;
use crate::source::Limit;

/// The number of steps that take about as long as one loop turn.
const STEPS_PER_TICK: u64 = 16;

/// The steps for one byte of a text whose characters are visited one by one. Copying or searching
/// takes many bytes at once, but the upper case or the escape of each character is a decision.
const VISIT_STEPS_PER_BYTE: usize = 8;

/// The steps that an evaluation has taken inside native operations.
#[derive(Debug, Default)]
pub(in crate::script) struct StepsTaken(Cell<u64>);

/// Charges `steps` for one operation.
///
/// # Errors
/// Fails if the evaluation has taken too long.
pub(in crate::script) fn charge(
    steps: usize,
    eval: &Evaluator<'_, '_, '_>,
) -> starlark::Result<()> {
    // Most operations are short, and the crate counts the loop around them.
    if steps < STEPS_PER_TICK as usize {
        return Ok(());
    }
    let evaluation = evaluation(eval)?;
    let taken = evaluation.steps.0.get().saturating_add(steps as u64);
    evaluation.steps.0.set(taken);
    let limit = evaluation.session.limits.ticks;
    if (taken / STEPS_PER_TICK).saturating_add(eval.get_total_tick_count()) > limit {
        return Err(evaluation.watch.fail(size::steps_exceeded(limit)));
    }
    Ok(())
}

/// Charges for an operation that copies or searches a text of `length` bytes.
///
/// # Errors
/// Fails as [`charge`] does.
pub(in crate::script) fn charge_text(
    length: usize,
    eval: &Evaluator<'_, '_, '_>,
) -> starlark::Result<()> {
    charge(length / BYTES_PER_STEP, eval)
}

/// Charges for an operation that looks at each character of a text of `length` bytes, or that writes
/// each of them.
///
/// # Errors
/// Fails as [`charge`] does.
pub(in crate::script) fn charge_characters(
    length: usize,
    eval: &Evaluator<'_, '_, '_>,
) -> starlark::Result<()> {
    charge(length.saturating_mul(VISIT_STEPS_PER_BYTE), eval)
}

/// Charges for an operation that reads a value once: a text, or the items of a collection.
///
/// # Errors
/// Fails as [`charge`] does.
pub(in crate::script) fn charge_value(
    value: Value<'_>,
    eval: &Evaluator<'_, '_, '_>,
) -> starlark::Result<()> {
    if let Some(text) = value.unpack_str() {
        return charge_text(text.len(), eval);
    }
    match value.get_type() {
        "list" | "tuple" | "dict" | "set" | "range" => {
            charge(size::length(value).unwrap_or(0), eval)
        }
        _ => Ok(()),
    }
}

/// Runs an operation that counts its own steps, and charges for them.
///
/// # Errors
/// Returns the errors of the operation, and fails as [`charge`] does.
pub(in crate::script) fn charged<R>(
    eval: &Evaluator<'_, '_, '_>,
    operation: impl FnOnce(&mut Steps) -> starlark::Result<R>,
) -> starlark::Result<R> {
    // Limit the operation to the steps that the evaluation has left.
    let evaluation = evaluation(eval)?;
    let ticks = evaluation.session.limits.ticks;
    let ticks_left = ticks.saturating_sub(eval.get_total_tick_count());
    let steps_left = ticks_left
        .saturating_mul(STEPS_PER_TICK)
        .saturating_sub(evaluation.steps.0.get());
    let left = usize::try_from(steps_left).unwrap_or(usize::MAX);
    let mut steps = Steps::up_to(Limit::Compared).at_most(left);
    let result = operation(&mut steps);
    if steps.taken() > left {
        return Err(evaluation.watch.fail(size::steps_exceeded(ticks)));
    }
    charge(steps.taken(), eval)?;
    result
}
