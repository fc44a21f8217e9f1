//! Ends a program that exceeds a limit at the place where it does.
//!
//! The crate checks the limits of an evaluator once in a thousand steps, and again after every call
//! from outside. If a limit is exceeded, the last check fails too, and its error, which has no
//! place, replaces the one of the program:
//!
//! ```text
//! for i in range(n):     step 41,000: the limit is exceeded, at this loop
//! end of the program:    the limit is still exceeded; the place of the loop is lost
//! ```
//!
//! So the limits of the evaluator are a little higher. The watch, which the crate asks in each of
//! its checks whether the program is cancelled, applies the limits of the user, and says so once.

use std::cell::Cell;

use starlark::environment::Module;
use starlark::eval::Evaluator;
use starlark::values::Value;

use super::Limits;
use super::size::{memory_exceeded, steps_exceeded};
use crate::script::evaluation::{Evaluation, evaluation};
use crate::script::failure::Failure;
use crate::source::Cancellation;

/// The number of steps between two checks of the crate.
const PERIOD: u64 = 1000;

/// The bytes that a program may have on its heap above any limit, until it is ended.
const HEAP: usize = 64 << 20;

/// The message of the crate for a program that is cancelled.
pub(in crate::script) const CANCELLED: &str = "Evaluation cancelled";

/// The limit that an evaluation exceeds, and the number of its checks.
#[derive(Debug, Default)]
pub(in crate::script) struct Watch {
    /// The checks of the crate so far, each after [`PERIOD`] steps.
    checks: Cell<u64>,
    is_over: Cell<bool>,
}

impl Watch {
    /// Lets the program end without a further check, because it fails already.
    pub(in crate::script) fn end(&self) {
        self.is_over.set(true);
    }
}

/// Sets the limits of an evaluator, which runs in `module` for `evaluation`.
///
/// # Errors
/// Fails if the evaluator already has limits.
pub(in crate::script) fn set_limits<'v, 'a, 'e>(
    eval: &mut Evaluator<'v, 'a, 'e>,
    module: &'a Module<'v>,
    evaluation: &'a Evaluation<'e>,
) -> starlark::Result<()> {
    let limits = evaluation.session.limits;
    // The watch notices two periods after the limit at the latest: see `check`.
    eval.set_max_tick_count(limits.ticks.saturating_add(2 * PERIOD))?;
    // Between two checks, a program without native calls allocates little.
    eval.set_max_heap_size(limits.memory.saturating_mul(2).saturating_add(HEAP))?;
    let cancellation = Cancellation::current();
    eval.set_check_cancelled(Box::new(move || {
        cancellation.is_cancelled() || check(module, evaluation, limits)
    }));
    Ok(())
}

/// Counts a check of the crate. Returns whether the program exceeds a limit, unless it already
/// fails.
fn check(module: &Module<'_>, evaluation: &Evaluation<'_>, limits: Limits) -> bool {
    let watch = &evaluation.watch;
    let before = watch.checks.get();
    watch.checks.set(before + 1);
    if watch.is_over.get() {
        return false;
    }
    // The last period may be shorter: this may be the check after a call from outside.
    let exceeded = if before.saturating_mul(PERIOD) > limits.ticks {
        steps_exceeded(limits.ticks)
    } else if heap_bytes(module) > limits.memory {
        memory_exceeded(limits.memory)
    } else {
        return false;
    };
    watch.end();
    evaluation.session.note_exceeded(exceeded);
    true
}

fn heap_bytes(module: &Module<'_>) -> usize {
    let heap = module.heap().peak_allocated_bytes();
    heap.saturating_add(module.frozen_heap().allocated_bytes())
}

/// Fails if a program that has ended exceeded a limit since the last check of the crate.
///
/// # Errors
/// The failure of the limit.
pub(in crate::script) fn check_end(eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let limits = evaluation(eval)?.session.limits;
    if eval.get_total_tick_count() > limits.ticks {
        return Err(steps_exceeded(limits.ticks).into());
    }
    if heap_bytes(eval.module()) > limits.memory {
        return Err(memory_exceeded(limits.memory).into());
    }
    Ok(())
}

/// Calls a function from outside of a program.
///
/// # Errors
/// Returns the error of the function.
pub(in crate::script) fn call<'v>(
    function: Value<'v>,
    positional: &[Value<'v>],
    named: &[(&str, Value<'v>)],
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let result = eval.eval_function(function, positional, named);
    // The check after the call is not one after a period.
    let checks = &evaluation(eval)?.watch.checks;
    checks.set(eval.get_total_tick_count() / PERIOD);
    result
}

/// Returns the failure of an evaluation that exceeds a limit in a native operation.
pub(in crate::script) fn exceeded(
    failure: Failure,
    evaluation: &Evaluation<'_>,
) -> starlark::Error {
    evaluation.watch.end();
    failure.into()
}
