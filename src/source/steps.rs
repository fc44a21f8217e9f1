//! Counts the steps of a run, so that a test can compare the work for an input with the work for
//! one of twice the size.
//!
//! A step is what every search, comparison and index has to do for each element: to read the text
//! of a scalar, or to look for the end of a line. Time differs from run to run and from machine to
//! machine; steps do not. They are counted in debug builds only.

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
