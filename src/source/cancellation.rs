//! Cancels work whose result is no longer needed.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The cancellation of the work that runs on this thread.
    static CURRENT: RefCell<Cancellation> = RefCell::default();
}

/// A request to end some work. Clones belong to the same work.
///
/// It belongs to a thread and the threads that it starts. Long-running code gets it from
/// [`current`](Cancellation::current) and not from its callers.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Returns the cancellation of this thread, or a new one that is never cancelled.
    pub fn current() -> Cancellation {
        CURRENT.with_borrow(Cancellation::clone)
    }

    /// Runs `work` on this thread as work that this request cancels.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let outer = CURRENT.replace(self.clone());
        let result = work();
        CURRENT.set(outer);
        result
    }

    /// Asks the work to end. Its result is then an error, or is not used.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the work should end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_sees_the_cancellation_that_it_runs_under() {
        let outer = Cancellation::default();
        let inner = Cancellation::default();
        outer.run(|| {
            inner.run(|| {
                inner.cancel();
                assert!(Cancellation::current().is_cancelled());
            });
            assert!(!Cancellation::current().is_cancelled());
            outer.cancel();
            assert!(Cancellation::current().is_cancelled());
        });
        assert!(!Cancellation::current().is_cancelled());
    }
}
