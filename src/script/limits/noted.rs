//! The memory that values allocate outside the heap when they are created.
//!
//! A constructor of a value knows neither an evaluator nor an evaluation, so it only counts here.
//! [`memory`](super::memory) compares the count with the limit.

use std::cell::Cell;

/// The size of one entry of a dictionary or set, in bytes.
pub(in crate::script) const ENTRY: usize = 48;

/// The size of one member of a struct or an object, whose name is a separate string, in bytes.
const MEMBER: usize = 80;

thread_local! {
    /// The bytes that were noted on this thread. It only grows.
    static NOTED: Cell<usize> = const { Cell::new(0) };
}

/// Returns the bytes that were noted on this thread so far.
pub(in crate::script) fn total() -> usize {
    NOTED.get()
}

/// Counts bytes outside the heap, for the evaluation that runs on this thread.
pub(in crate::script) fn note(bytes: usize) {
    NOTED.set(NOTED.get().saturating_add(bytes));
}

/// Counts the members of a struct or an object that is created.
pub(in crate::script) fn note_members<'a>(names: impl Iterator<Item = &'a String>) {
    note(names.map(|name| MEMBER + name.len()).sum());
}
