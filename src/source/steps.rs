//! Counts the steps of a run, so that a test can compare the work for an input with the work for an
//! input of twice the size.
//!
//! A step is an operation that every search, comparison and index performs for each element, such
//! as reading the text of a scalar or finding the end of a line. Time differs between runs and
//! machines, but steps do not. They are counted only in debug builds.

use std::sync::atomic::{AtomicU64, Ordering};

static STEPS: AtomicU64 = AtomicU64::new(0);

/// Counts steps. In release builds, it does nothing.
#[inline]
pub fn count(steps: usize) {
    if cfg!(debug_assertions) {
        STEPS.fetch_add(steps as u64, Ordering::Relaxed);
    }
}

/// Returns the number of steps of this process so far, on all threads.
pub fn counted() -> u64 {
    STEPS.load(Ordering::Relaxed)
}
