//! The limits of a run, and a stack that is large enough for them.

use crate::source::{Cancellation, Limit};

/// The limits of one evaluation of a file.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of calls and loop turns.
    pub ticks: u64,
    /// The maximum depth of calls.
    pub depth: usize,
    /// The maximum number of bytes of its Starlark values.
    pub memory: usize,
    /// The maximum number of bytes that all templates of a run may build, counted as they are
    /// written in the templates.
    pub built: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            ticks: Limit::Steps.value(),
            depth: 5_000,
            memory: Limit::Memory.size(),
            built: Limit::Built.size(),
        }
    }
}

/// The size of the stack that programs run on, in bytes. This is reserved address space; only the
/// part that is used becomes memory.
const STACK: usize = 1 << 30;

/// Runs `work` on a thread whose stack is large enough for every program within the [`Limits`].
///
/// Everything that compiles or evaluates programs must run inside this function.
///
/// # Errors
/// Fails if the thread cannot be started.
pub fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> std::io::Result<R> {
    let cancellation = Cancellation::current();
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, move || cancellation.run(work))?;
        match thread.join() {
            Ok(result) => Ok(result),
            // A panic is a bug and must end the process with its own message.
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
