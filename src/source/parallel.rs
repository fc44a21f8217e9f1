//! Work on several cores.
//!
//! The results come back in the order of the input, so output never depends on how many threads
//! there are.

use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::Cancellation;

/// The stack of a thread, which is that of the first thread of most systems. Work recurses as deep
/// as documents nest, and documents in their strings.
const STACK: usize = 8 * 1024 * 1024;

/// The number of threads that the user set; 0 for one per core.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Sets the number of threads of this process; 0 means one per core.
pub fn set_threads(threads: usize) {
    THREADS.store(threads, Ordering::Relaxed);
}

/// Returns the number of threads that work may be divided among.
pub fn threads() -> usize {
    // To count the cores takes a look at several files of the system.
    static CORES: OnceLock<usize> = OnceLock::new();
    match THREADS.load(Ordering::Relaxed) {
        0 => *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get)),
        threads => threads,
    }
}

/// Applies `work` to each input, on as many [`threads`] as there are, and returns the results in
/// order.
///
/// A thread that is done with an input takes the next one, so the inputs need not be equally large.
/// A single input starts no thread.
pub fn map<T: Sync, R: Send>(inputs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if inputs.len() < 2 || threads() < 2 {
        return inputs.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let cancellation = Cancellation::current();
    let work_off = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            match inputs.get(index) {
                Some(input) => results.push((index, work(input))),
                None => return results,
            }
        }
    };
    let mut results = thread::scope(|scope| {
        // If the system cannot start more threads, those that run do all the work.
        let helpers: Vec<_> = (1..threads().min(inputs.len()))
            .map_while(|_| {
                let thread = thread::Builder::new().stack_size(STACK);
                let cancellation = cancellation.clone();
                let work_off = move || cancellation.run(work_off);
                thread.spawn_scoped(scope, work_off).ok()
            })
            .collect();
        let mut results = work_off();
        for helper in helpers {
            match helper.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
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
