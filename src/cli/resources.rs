//! The machine resources of a run: its limits and its threads.

use std::num::NonZero;

use super::arguments::GlobalArguments;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Result, limits, parallel};

/// The variable that sets several limits, separated by commas.
const LIMITS: &str = "INLAY_LIMITS";

/// The variable that sets the number of threads.
const THREADS: &str = "INLAY_THREADS";

/// Sets the limits and the number of threads, first from the environment, then from the flags.
///
/// # Errors
/// Fails for an unknown limit, and for a value that is not a number.
pub(super) fn set(world: &dyn World, global: Option<&GlobalArguments>) -> Result<()> {
    if let Some(value) = world.variable(LIMITS) {
        limits::set(&value).map_err(|error| in_variable(error, LIMITS))?;
    }
    if let Some(value) = world.variable(THREADS) {
        parallel::set_threads(threads(&value)?);
    }
    let Some(global) = global else {
        return Ok(());
    };
    for limit in &global.limits {
        limits::set(limit)?;
    }
    if let Some(threads) = global.threads {
        parallel::set_threads(threads.get());
    }
    Ok(())
}

fn threads(value: &str) -> Result<usize> {
    let threads: NonZero<usize> = value.parse().map_err(|_| {
        let message = format!("expected a number of threads above 0, found `{value}`");
        in_variable(Diagnostic::error(Code::Flag, message), THREADS)
    })?;
    Ok(threads.get())
}

fn in_variable(error: Box<Diagnostic>, name: &str) -> Box<Diagnostic> {
    error.note(format!("in the variable `{name}`"))
}
