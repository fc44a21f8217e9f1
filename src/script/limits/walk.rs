//! How many values a comparison or a hash may visit.
//!
//! The crate compares and hashes values recursively and visits a shared value each time it meets
//! it:
//!
//! ```text
//! x = [1]
//! for i in range(40):
//!     x = [x, x]        # 41 lists in memory, 2^40 values to visit
//! ```
//!
//! So the visits are counted before the crate starts. Counting ends at the limit, and uses its own
//! list of open values instead of the stack.

use starlark::values::Value;

use super::size;
use crate::script::failure::Failure;
use crate::script::value::inner_values;

/// The most values that one comparison visits.
const WALK_LIMIT: usize = 4_000_000;

/// Refuses an operation that visits everything in `value`, if that is too much.
pub(in crate::script) fn check_walk(value: Value<'_>) -> Result<(), Failure> {
    if !is_collection(value) || is_within(value, WALK_LIMIT) {
        return Ok(());
    }
    Err(exceeded())
}

/// Refuses a comparison that visits too much. It ends where the smaller of the two values ends, so
/// one small value is enough. It is found by counting both with growing limits: a large value is
/// never counted much further than the small one.
pub(in crate::script) fn check_comparison(
    left: Value<'_>,
    right: Value<'_>,
) -> Result<(), Failure> {
    let are_collections = is_collection(left) && is_collection(right);
    // Values of different lengths are unequal at once.
    if !are_collections || left.length().ok() != right.length().ok() {
        return Ok(());
    }
    // Most comparisons end here: one of both is small.
    let mut limit = 64;
    loop {
        if is_within(left, limit) || is_within(right, limit) {
            return Ok(());
        }
        if limit == WALK_LIMIT {
            return Err(exceeded());
        }
        limit = WALK_LIMIT.min(limit * 16);
    }
}

/// Refuses a search for `value` in `collection` that visits too much: in a list it is compared with
/// each item, in a dictionary it is hashed once.
pub(in crate::script) fn check_search(
    value: Value<'_>,
    collection: Value<'_>,
) -> Result<(), Failure> {
    if !is_collection(value) {
        return Ok(());
    }
    if !matches!(collection.get_type(), "list" | "tuple") {
        return check_walk(value);
    }
    // In the worst case the value is compared with each item, which visits at most the whole value
    // each time and all items once.
    let length = size::length(collection).unwrap_or(0).max(1);
    if is_within(value, WALK_LIMIT / length) || is_within(collection, WALK_LIMIT) {
        return Ok(());
    }
    Err(exceeded())
}

/// Returns whether a value contains others.
fn is_collection(value: Value<'_>) -> bool {
    matches!(value.get_type(), "list" | "tuple" | "dict" | "struct")
}

/// Returns whether a walk through `value` visits at most `limit` values.
fn is_within(value: Value<'_>, limit: usize) -> bool {
    let mut open = vec![value];
    let mut visited = 0usize;
    while let Some(value) = open.pop() {
        visited += 1;
        // Open values count already, so that one huge list ends the walk before its items are
        // visited.
        if visited.saturating_add(open.len()) > limit {
            return false;
        }
        if is_collection(value) {
            open.extend(inner_values(value));
        }
    }
    true
}

fn exceeded() -> Failure {
    Failure::limit(format!(
        "expected values to compare that hold at most {WALK_LIMIT} values, found more"
    ))
    .help("does a value hold another one twice, many times over?")
}

#[cfg(test)]
mod tests {
    use starlark::values::Heap;

    use super::*;

    /// Returns a list that contains two times itself, `times` over.
    fn doubled<'v>(times: usize, heap: Heap<'v>) -> Value<'v> {
        let mut value = heap.alloc(vec![1]);
        for _ in 0..times {
            value = heap.alloc(vec![value, value]);
        }
        value
    }

    #[test]
    fn counts_a_shared_value_each_time_it_is_met() {
        Heap::temp(|heap| {
            let value = doubled(3, heap);
            // 1 + 2 + 4 + 8 lists, and the number in each of the last.
            assert!(is_within(value, 23));
            assert!(!is_within(value, 22));
        });
    }

    #[test]
    fn refuses_to_compare_two_values_that_are_both_too_large() {
        Heap::temp(|heap| {
            let (left, right) = (doubled(40, heap), doubled(40, heap));
            assert!(check_comparison(left, right).is_err());
            assert!(check_search(left, heap.alloc(vec![right])).is_err());
        });
    }

    #[test]
    fn allows_a_comparison_if_one_value_is_small() {
        Heap::temp(|heap| {
            let (small, large) = (doubled(2, heap), doubled(40, heap));
            assert!(check_comparison(small, large).is_ok());
            assert!(check_search(small, heap.alloc(vec![large])).is_ok());
            assert!(check_comparison(doubled(10, heap), doubled(10, heap)).is_ok());
        });
    }
}
