//! The limits of a run, and a stack that is large enough for them.

use crate::source::{Cancellation, Limit};

/// The limits of one evaluation of a file.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many calls and loop turns it may make.
    pub ticks: u64,
    /// How deep calls may nest.
    pub depth: usize,
    /// How many bytes its Starlark values may take.
    pub memory: usize,
    /// How many bytes all templates of a run may build, counted as they are written in the
    /// templates.
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

/// The stack that programs run on, in bytes. It is reserved address space; only the part that calls
/// and expressions reach becomes memory.
const STACK: usize = 1 << 30;

/// Runs `work` on a thread whose stack is large enough for every program within the [`Limits`].
///
/// Everything that compiles or evaluates programs has to run inside.
///
/// # Errors
/// The thread cannot be started.
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
