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

use super::Limits;
use super::outside::OutsideCalls;
use super::size::{memory_exceeded, steps_exceeded};
use crate::script::failure::Failure;

/// The number of steps between two checks of the crate.
const PERIOD: u64 = 1000;

/// The bytes that a program may have on its heap above any limit, until it is ended.
const HEAP: usize = 64 << 20;

/// The checks of an evaluation, and whether it exceeds a limit.
#[derive(Debug)]
pub(in crate::script) struct Watch {
    /// The checks of the crate so far: each after [`PERIOD`] steps, or after a call from outside.
    checks: Cell<u64>,
    calls: OutsideCalls,
    is_over: Cell<bool>,
}

impl Watch {
    /// Starts to watch an evaluation.
    pub(in crate::script) fn start() -> Watch {
        Watch {
            checks: Cell::new(0),
            calls: OutsideCalls::start(),
            is_over: Cell::new(false),
        }
    }

    /// Returns the failure of an evaluation that exceeds a limit in a native operation. There are
    /// no further checks.
    pub(in crate::script) fn fail(&self, failure: Failure) -> starlark::Error {
        self.is_over.set(true);
        failure.into()
    }

    /// Returns whether the evaluation has exceeded a limit. It cannot continue: another limit of the
    /// crate would soon end it, at a place that has nothing to do with it.
    pub(in crate::script) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Counts a check of the crate. Returns the limit that the program, which runs in `module`,
    /// exceeds, unless it already fails.
    pub(in crate::script) fn check(&self, module: &Module<'_>, limits: Limits) -> Option<Failure> {
        let before = self.checks.replace(self.checks.get() + 1);
        if self.is_over.get() {
            return None;
        }
        // The last period may be shorter: this may be the check after a call from outside.
        let periods = before.saturating_sub(self.calls.count());
        let exceeded = if periods.saturating_mul(PERIOD) > limits.ticks {
            steps_exceeded(limits.ticks)
        } else if heap_bytes(module) > limits.memory {
            memory_exceeded(limits.memory)
        } else {
            return None;
        };
        self.is_over.set(true);
        Some(exceeded)
    }
}

/// Sets the limits of an evaluator, a little above those that the watch applies.
///
/// # Errors
/// Fails if the evaluator already has limits.
pub(in crate::script) fn set_higher_limits(
    eval: &mut Evaluator<'_, '_, '_>,
    limits: Limits,
) -> starlark::Result<()> {
    // The watch notices two periods after the limit at the latest.
    eval.set_max_tick_count(limits.ticks.saturating_add(2 * PERIOD))?;
    // Between two checks, a program without native calls allocates little.
    eval.set_max_heap_size(limits.memory.saturating_mul(2).saturating_add(HEAP))?;
    Ok(())
}

/// Fails if a program that has ended exceeded a limit since the last check of the crate.
///
/// # Errors
/// The failure of the limit.
pub(in crate::script) fn check_end(
    eval: &Evaluator<'_, '_, '_>,
    limits: Limits,
) -> starlark::Result<()> {
    if eval.get_total_tick_count() > limits.ticks {
        return Err(steps_exceeded(limits.ticks).into());
    }
    if heap_bytes(eval.module()) > limits.memory {
        return Err(memory_exceeded(limits.memory).into());
    }
    Ok(())
}

fn heap_bytes(module: &Module<'_>) -> usize {
    let heap = module.heap().peak_allocated_bytes();
    heap.saturating_add(module.frozen_heap().allocated_bytes())
}
