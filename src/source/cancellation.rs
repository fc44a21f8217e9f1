//! A way to end work whose result nobody needs any more.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The cancellation of the work that runs on this thread.
    static CURRENT: RefCell<Cancellation> = RefCell::default();
}

/// Says whether work is to end. Clones belong to the same work.
///
/// It belongs to a thread and those that it starts: code that runs for long asks
/// [`current`](Cancellation::current) without getting it from its callers.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Returns that of this thread; one that nobody cancels if it has none.
    pub fn current() -> Cancellation {
        CURRENT.with_borrow(Cancellation::clone)
    }

    /// Runs `work` on this thread as work that this cancels.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let outer = CURRENT.replace(self.clone());
        let result = work();
        CURRENT.set(outer);
        result
    }

    /// Asks the work to end. Its result is an error, or nothing that anybody looks at.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the work is to end.
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
