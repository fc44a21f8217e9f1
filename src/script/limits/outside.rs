//! Calls of functions from outside of a program: by native functions, and after its end.
//!
//! The crate checks its limits after each of them, and [`watch`](super::watch) must not take such a
//! check for one after a thousand steps. The caller need not know an evaluation, so the calls are
//! counted by thread.

use std::cell::Cell;

use starlark::eval::Evaluator;
use starlark::values::Value;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// The calls of one evaluation. When it is dropped, they no longer count, because the evaluation
/// that waits for it has checks of its own.
#[derive(Debug)]
pub(super) struct OutsideCalls {
    before: u64,
}

impl OutsideCalls {
    /// Starts counting.
    pub(super) fn start() -> OutsideCalls {
        OutsideCalls {
            before: CALLS.get(),
        }
    }

    /// Returns the number of calls that have returned.
    pub(super) fn count(&self) -> u64 {
        CALLS.get().saturating_sub(self.before)
    }
}

impl Drop for OutsideCalls {
    fn drop(&mut self) {
        CALLS.set(self.before);
    }
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
    CALLS.set(CALLS.get() + 1);
    result
}
