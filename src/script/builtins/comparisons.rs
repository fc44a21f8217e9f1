//! Operators that compare, which the crate carries out by calling itself for each value in a value.
//!
//! A list that stands twice in a list, forty times over, is small in memory and has more values than can be walked. So
//! how far a comparison would go is counted before it goes.

use std::cmp::Ordering;

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::Value;

use crate::script::depth::inner;
use crate::script::failure::Failure;

/// A comparison walks this many values at most.
const WALK_LIMIT: usize = 4_000_000;

/// The operators that compare.
pub(super) const COMPARISONS: [(&str, &str); 8] = [
    ("==", "__ytt_equal"),
    ("!=", "__ytt_unequal"),
    ("<", "__ytt_less"),
    (">", "__ytt_greater"),
    ("<=", "__ytt_at_most"),
    (">=", "__ytt_at_least"),
    ("in", "__ytt_in"),
    ("not in", "__ytt_not_in"),
];

/// Whether a value holds others.
fn is_collection(value: Value<'_>) -> bool {
    matches!(value.get_type(), "list" | "tuple" | "dict" | "struct")
}

/// Whether a value stands for at most `limit` values, each counted as often as it stands in it.
fn is_within(value: Value<'_>, limit: usize) -> bool {
    let mut waiting = vec![value];
    let mut count = 0usize;
    while let Some(value) = waiting.pop() {
        count += 1;
        if count.saturating_add(waiting.len()) > limit {
            return false;
        }
        if is_collection(value) {
            waiting.extend(inner(value));
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

/// Refuses a walk through a whole value that is too long.
pub(in crate::script) fn check_walk(value: Value<'_>) -> Result<(), Failure> {
    if !is_collection(value) || is_within(value, WALK_LIMIT) {
        Ok(())
    } else {
        Err(exceeded())
    }
}

/// Refuses a comparison that is too long: it ends with the smaller of the two values.
fn check_pair(left: Value<'_>, right: Value<'_>) -> Result<(), Failure> {
    if !is_collection(left) || !is_collection(right) || left.length().ok() != right.length().ok() {
        return Ok(());
    }
    let mut limit = 64;
    while limit < WALK_LIMIT {
        if is_within(left, limit) || is_within(right, limit) {
            return Ok(());
        }
        limit *= 16;
    }
    if is_within(left, WALK_LIMIT) || is_within(right, WALK_LIMIT) {
        Ok(())
    } else {
        Err(exceeded())
    }
}

/// Refuses a search for a value in a collection that is too long: each of its values is compared, or the value hashed.
pub(super) fn check_search(value: Value<'_>, collection: Value<'_>) -> Result<(), Failure> {
    if !is_collection(value) {
        return Ok(());
    }
    if !matches!(collection.get_type(), "list" | "tuple") {
        return check_walk(value);
    }
    let length = collection
        .length()
        .map_or(0, |length| usize::try_from(length).unwrap_or(0));
    if is_within(value, WALK_LIMIT / length.max(1)) || is_within(collection, WALK_LIMIT) {
        return Ok(());
    }
    Err(exceeded())
}

fn equal<'v>(left: Value<'v>, right: Value<'v>) -> starlark::Result<bool> {
    check_pair(left, right)?;
    left.equals(right)
}

fn order<'v>(left: Value<'v>, right: Value<'v>) -> starlark::Result<Ordering> {
    check_pair(left, right)?;
    left.compare(right)
}

fn contains<'v>(value: Value<'v>, collection: Value<'v>) -> starlark::Result<bool> {
    check_search(value, collection)?;
    collection.is_in(value)
}

#[starlark_module]
pub(super) fn functions(builder: &mut GlobalsBuilder) {
    fn __ytt_equal<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        equal(left, right)
    }

    fn __ytt_unequal<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(!equal(left, right)?)
    }

    fn __ytt_less<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(order(left, right)?.is_lt())
    }

    fn __ytt_greater<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(order(left, right)?.is_gt())
    }

    fn __ytt_at_most<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(order(left, right)?.is_le())
    }

    fn __ytt_at_least<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(order(left, right)?.is_ge())
    }

    fn __ytt_in<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        #[starlark(require = pos)] collection: Value<'v>,
    ) -> starlark::Result<bool> {
        contains(value, collection)
    }

    fn __ytt_not_in<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        #[starlark(require = pos)] collection: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(!contains(value, collection)?)
    }
}

#[cfg(test)]
mod tests {
    use starlark::values::Heap;

    use super::*;

    /// A list that holds itself twice, `times` over.
    fn doubled<'v>(times: usize, heap: Heap<'v>) -> Value<'v> {
        (0..times).fold(heap.alloc(vec![1]), |value, _| {
            heap.alloc(vec![value, value])
        })
    }

    #[test]
    fn a_value_is_counted_as_often_as_it_stands() {
        Heap::temp(|heap| {
            let value = doubled(3, heap);
            // 1 + 2 + 4 + 8 lists, and the number in each of the last.
            assert!(is_within(value, 23));
            assert!(!is_within(value, 22));
        });
    }

    #[test]
    fn a_comparison_of_two_values_without_end_is_refused() {
        Heap::temp(|heap| {
            let (left, right) = (doubled(40, heap), doubled(40, heap));
            assert!(equal(left, right).is_err());
            assert!(order(left, right).is_err());
            assert!(contains(left, heap.alloc(vec![right])).is_err());
        });
    }

    #[test]
    fn a_comparison_ends_with_the_smaller_value() {
        Heap::temp(|heap| {
            let (small, large) = (doubled(2, heap), doubled(40, heap));
            assert!(!equal(small, large).unwrap());
            assert!(!contains(small, heap.alloc(vec![large])).unwrap());
            assert!(equal(doubled(10, heap), doubled(10, heap)).unwrap());
        });
    }
}
