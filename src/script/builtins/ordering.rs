//! The functions that put values in order: `sorted`, `min`, `max`.

use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::list::AllocList;

use super::sequences::items_of;
use crate::script::builtin_call::{BuiltinCall, ParameterKind};
use crate::script::failure::Failure;
use crate::script::function::call_value;
use crate::script::limits::work;
use crate::script::value::{OrderOperator, is_ordered, type_name};

/// The steps for comparing two values and moving one of them. What the values contain is charged
/// separately.
const STEPS_PER_COMPARISON: usize = 4;

/// A value and its sort key.
type Keyed<'v> = (Value<'v>, Value<'v>);

/// `sorted(iterable, key=None, reverse=False)`.
pub(super) fn sorted<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    let parameters = [
        ("iterable", ParameterKind::Iterable),
        ("key", ParameterKind::Callable),
        ("reverse", ParameterKind::Boolean),
    ];
    let [values, key, reverse] = call.by_name(1, parameters, heap)?;
    let keyed = with_keys(items_of(values, heap)?, key, eval)?;
    // The sort is stable in both directions: equal values keep their order.
    let operator = match reverse.is_some_and(Value::to_bool) {
        true => OrderOperator::Greater,
        false => OrderOperator::Less,
    };
    let sorted = merge_sorted(keyed, operator, eval)?;
    let values: Vec<Value<'v>> = sorted.into_iter().map(|(value, _)| value).collect();
    Ok(heap.alloc(AllocList(values)))
}

fn with_keys<'v>(
    values: Vec<Value<'v>>,
    key: Option<Value<'v>>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Vec<Keyed<'v>>> {
    let mut keyed = Vec::with_capacity(values.len());
    for value in values {
        let by = match key {
            Some(key) => call_value(key, &[value], &[], eval)?,
            None => value,
        };
        keyed.push((value, by));
    }
    Ok(keyed)
}

/// Sorts by merging. The sort of Rust's library accepts no comparison that can fail, and it may
/// panic if the comparison is not a total order, as for "not a number".
fn merge_sorted<'v>(
    values: Vec<Keyed<'v>>,
    operator: OrderOperator,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<Vec<Keyed<'v>>> {
    let mut sorted = values;
    let mut width = 1;
    while width < sorted.len() {
        work::charge(sorted.len().saturating_mul(STEPS_PER_COMPARISON), eval)?;
        let mut merged = Vec::with_capacity(sorted.len());
        for pair in sorted.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, operator, &mut merged, eval)?;
        }
        sorted = merged;
        width *= 2;
    }
    Ok(sorted)
}

/// Merges two sorted parts. Equal values of `left` come first.
fn merge<'v>(
    left: &[Keyed<'v>],
    right: &[Keyed<'v>],
    operator: OrderOperator,
    merged: &mut Vec<Keyed<'v>>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<()> {
    let (mut left, mut right) = (left, right);
    while let ([first_left, rest_left @ ..], [first_right, rest_right @ ..]) = (left, right) {
        if precedes(operator, first_right.1, first_left.1, eval)? {
            merged.push(*first_right);
            right = rest_right;
        } else {
            merged.push(*first_left);
            left = rest_left;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(())
}

fn precedes<'v>(
    operator: OrderOperator,
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    work::charged(eval, |steps| is_ordered(operator, left, right, steps))
}

/// `min(…, key=None)`.
pub(super) fn min<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    extreme(call, OrderOperator::Less, eval)
}

/// `max(…, key=None)`.
pub(super) fn max<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    extreme(call, OrderOperator::Greater, eval)
}

/// Returns the first value that no other value precedes.
fn extreme<'v>(
    call: &BuiltinCall<'_, 'v>,
    operator: OrderOperator,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    if call.positional.is_empty() {
        let name = call.name;
        return Err(
            Failure::new(format!("{name} requires at least one positional argument")).into(),
        );
    }
    let only_named = BuiltinCall {
        positional: &[],
        ..*call
    };
    let [key] = only_named.by_name(0, [("key", ParameterKind::Callable)], heap)?;
    let values = match call.positional {
        [only] if only.iterate(heap).is_ok() => items_of(Some(*only), heap)?,
        [only] => {
            let kind = type_name(*only);
            return Err(call.failure(format!("{kind} value is not iterable")).into());
        }
        values => values.to_vec(),
    };
    work::charge(values.len().saturating_mul(STEPS_PER_COMPARISON), eval)?;
    let mut keyed = with_keys(values, key, eval)?.into_iter();
    let Some(mut best) = keyed.next() else {
        return Err(call.failure("argument is an empty sequence").into());
    };
    for candidate in keyed {
        let is_better = precedes(operator, candidate.1, best.1, eval);
        if is_better.map_err(|error| call.named_failure(error))? {
            best = candidate;
        }
    }
    Ok(best.0)
}
