//! Distributes work over several cores.
//!
//! The results are returned in the order of the input, so the output never depends on the number of
//! threads.

use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::Cancellation;

/// The stack size of a thread. The first thread has the same size on most systems. Work recurses as
/// deep as documents and the documents in their strings nest.
pub const STACK: usize = 8 * 1024 * 1024;

/// The number of threads that the user set; 0 for one per core.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Sets the number of threads of this process; 0 means one per core.
pub fn set_threads(threads: usize) {
    THREADS.store(threads, Ordering::Relaxed);
}

/// Returns the maximum number of threads for dividing work.
pub fn threads() -> usize {
    // Counting the cores reads several files of the system.
    static CORES: OnceLock<usize> = OnceLock::new();
    match THREADS.load(Ordering::Relaxed) {
        0 => *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get)),
        threads => threads,
    }
}

/// Applies `work` to each input on up to [`threads`] threads, and returns the results in order.
///
/// A thread that has finished an input takes the next one, so the inputs may have different sizes.
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
        // If the system cannot start more threads, the existing ones do all the work.
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
