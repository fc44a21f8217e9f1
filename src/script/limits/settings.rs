//! The limits of a run.

use crate::source::Limit;

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
