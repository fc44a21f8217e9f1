//! The limits on the length of an operation's result.

use starlark::values::Value;

use crate::script::failure::Failure;
use crate::source::Limit;

/// The message of the crate for a program that is cancelled, also because it exceeds a limit.
pub(in crate::script) const CANCELLED: &str = "Evaluation cancelled";

/// Rejects a string of `length` bytes if that is too long. If the length is known in advance, call
/// this before the string is created.
pub(in crate::script) fn check_string(length: usize) -> Result<(), Failure> {
    let most = Limit::StringLength.size();
    if length <= most {
        return Ok(());
    }
    let message = format!("expected a string of at most {most} bytes, found {length}");
    Err(Failure::exceeded_by(Limit::StringLength, length, message))
}

/// Rejects a list of `length` items if that is too long.
pub(in crate::script) fn check_list(length: usize) -> Result<(), Failure> {
    let most = Limit::ListLength.size();
    if length <= most {
        return Ok(());
    }
    let message = format!("expected a list of at most {most} items, found {length}");
    Err(Failure::exceeded_by(Limit::ListLength, length, message))
}

/// Returns the number of values that `value` contains, if it has a length.
pub(in crate::script) fn length(value: Value<'_>) -> Option<usize> {
    usize::try_from(value.length().ok()?).ok()
}

/// Returns the failure of a program that uses more than `limit` bytes.
pub(in crate::script) fn memory_exceeded(limit: usize) -> Failure {
    let message = format!("expected a program that takes at most {limit} bytes, found more");
    Failure::exceeded(Limit::Memory, message).help("is there a loop or a function that never ends?")
}

/// Returns the failure of a program that takes more than `limit` steps.
pub(in crate::script) fn steps_exceeded(limit: u64) -> Failure {
    let message = format!("expected a program that takes at most {limit} steps, found more");
    Failure::exceeded(Limit::Steps, message)
        .help("does a loop go on without end, or search a long list again and again?")
}
