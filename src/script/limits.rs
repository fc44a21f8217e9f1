//! How much a program may use.

/// The limits of one evaluation of a file.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Calls and turns of loops.
    pub ticks: u64,
    /// Calls inside calls.
    pub depth: usize,
    /// Bytes of Starlark values.
    pub memory: usize,
    /// Bytes of all that the templates of a run build, as far as they stand in the templates.
    pub built: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            ticks: 100_000_000,
            depth: 5_000,
            memory: 96 << 20,
            built: 96 << 20,
        }
    }
}

/// Programs run on a stack of this size. It is reserved, and used only as far as calls and expressions nest.
const STACK: usize = 1 << 30;

/// Runs `work` on a thread with a stack that every program within the [`Limits`] fits.
///
/// All that compiles or evaluates programs has to run inside.
pub fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> std::io::Result<R> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)?;
        match thread.join() {
            Ok(result) => Ok(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
