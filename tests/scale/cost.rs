//! Counts what a run costs: the bytes that it allocates, and the steps that debug builds count.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use inlay::source::steps;

/// An allocator that counts the allocated bytes and otherwise delegates to the system.
struct CountingAllocator;

static ALLOCATED: AtomicU64 = AtomicU64::new(0);

// SAFETY: every method passes its arguments on to the system's allocator unchanged.
#[allow(unsafe_code, reason = "an allocator can only be written this way")]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A growing vector is not copied for each element, so only the growth counts.
        let growth = size.saturating_sub(layout.size());
        ALLOCATED.fetch_add(growth as u64, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The cost of a run.
pub(crate) struct Cost {
    pub(crate) bytes: u64,
    pub(crate) steps: u64,
}

impl Cost {
    /// Returns the cost of everything that the process has done.
    fn so_far() -> Cost {
        Cost {
            bytes: ALLOCATED.load(Ordering::Relaxed),
            steps: steps::counted(),
        }
    }

    /// Calls `run` and returns what it costs.
    pub(crate) fn of(run: impl FnOnce()) -> Cost {
        let before = Cost::so_far();
        run();
        let after = Cost::so_far();
        Cost {
            bytes: after.bytes - before.bytes,
            steps: after.steps - before.steps,
        }
    }
}
