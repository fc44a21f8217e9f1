//! How long the result of one operation may be.

use starlark::values::Value;

use crate::script::failure::Failure;

/// The most bytes of a string that one operation returns.
pub(in crate::script) const STRING_LIMIT: usize = 16 << 20;

/// The most items of a list that one operation returns.
pub(in crate::script) const LIST_LIMIT: usize = 1_000_000;

/// Refuses a string of `length` bytes if that is too long. Where the length is known before, check
/// it before the string is made.
pub(in crate::script) fn check_string(length: usize) -> Result<(), Failure> {
    if length <= STRING_LIMIT {
        return Ok(());
    }
    Err(Failure::limit(format!(
        "expected a string of at most {STRING_LIMIT} bytes, found {length}"
    )))
}

/// Refuses a list of `length` items if that is too long.
pub(in crate::script) fn check_list(length: usize) -> Result<(), Failure> {
    if length <= LIST_LIMIT {
        return Ok(());
    }
    Err(Failure::limit(format!(
        "expected a list of at most {LIST_LIMIT} items, found {length}"
    )))
}

/// Returns how many values `value` contains, for a value that has a length.
pub(in crate::script) fn length(value: Value<'_>) -> Option<usize> {
    usize::try_from(value.length().ok()?).ok()
}

/// Returns the failure of a program that takes more than `limit` bytes.
pub(in crate::script) fn memory_exceeded(limit: usize) -> Failure {
    Failure::limit(format!(
        "expected a program that takes at most {limit} bytes, found more"
    ))
    .help("does a loop or a function go on without end?")
}

/// Returns the same failure for the message of the crate, which counts its heap too and may be the
/// first to notice.
pub(in crate::script) fn heap_exceeded(message: &str) -> Option<Failure> {
    let limit = message
        .strip_prefix("heap memory limit of ")?
        .split(' ')
        .next()?;
    Some(memory_exceeded(limit.parse().ok()?))
}
