//! Work on several cores.
//!
//! The results come back in the order of the input, so output never depends on how many threads
//! there are.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The number of threads that the user asked for; 0 for one per core.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Sets the number of threads of this process; 0 means one per core.
pub fn set_threads(threads: usize) {
    THREADS.store(threads, Ordering::Relaxed);
}

/// Returns the number of threads that work may be divided among.
pub fn threads() -> usize {
    match THREADS.load(Ordering::Relaxed) {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    }
}

/// Applies `work` to each input, each on a thread of its own except the first, and returns the
/// results in order.
///
/// The caller divides its work into as many inputs as there are [`threads`]. A single input starts
/// no thread.
pub fn map<T: Sync, R: Send>(inputs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let Some((first, others)) = inputs.split_first() else {
        return Vec::new();
    };
    if others.is_empty() {
        return vec![work(first)];
    }
    thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = others
            .iter()
            .map(|input| scope.spawn(move || work(input)))
            .collect();
        let mut results = vec![work(first)];
        for handle in handles {
            match handle.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_results_in_the_order_of_the_inputs() {
        let inputs: Vec<u64> = (0..9).collect();
        let results = map(&inputs, |input| {
            thread::sleep(std::time::Duration::from_millis(9 - input));
            input * 2
        });
        assert_eq!(results, [0, 2, 4, 6, 8, 10, 12, 14, 16]);
        assert!(map(&[] as &[u64], |input| *input).is_empty());
    }
}
