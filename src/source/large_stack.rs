//! A thread whose stack is large enough for every program within the limits.
//!
//! Programs may nest 5,000 calls, and each of them takes several stack frames of the interpreter.

use std::cell::Cell;
use std::{io, panic, thread};

use super::Cancellation;

/// The size of the stack, in bytes. This is reserved address space; only the
/// part that is used becomes memory.
const STACK: usize = 1 << 30;

thread_local! {
    /// Whether [`on_large_stack`] started this thread.
    static HAS_LARGE_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread with a large stack: on the current one, if this function started it, or
/// else on a new one.
///
/// Everything that compiles or evaluates programs must run inside this function.
///
/// # Errors
/// Fails if the thread cannot be started. Then `work` did not run.
pub fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> io::Result<R> {
    if HAS_LARGE_STACK.get() {
        return Ok(work());
    }
    let cancellation = Cancellation::current();
    let work = move || {
        HAS_LARGE_STACK.set(true);
        cancellation.run(work)
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, work)?.join() {
            Ok(result) => Ok(result),
            // A panic is a bug and must end the process with its own message.
            Err(panic) => panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_on_a_large_stack_starts_one_thread() {
        let (outer, inner) = on_large_stack(|| {
            let inner = on_large_stack(|| thread::current().id()).unwrap();
            (thread::current().id(), inner)
        })
        .unwrap();
        assert_eq!(outer, inner);
        assert_ne!(outer, thread::current().id());
    }
}
