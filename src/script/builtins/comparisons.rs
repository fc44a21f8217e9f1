//! Operators that compare: `==`, `<`, `in` and their like.

use starlark::eval::Evaluator;
use starlark::values::Value;

use crate::script::limits::work;
use crate::script::value::{OrderOperator, is_member, is_ordered, values_equal};

/// Returns whether two values are equal: `left == right`.
pub(super) fn equal<'v>(
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    work::charged(eval, |steps| values_equal(left, right, steps))
}

/// Returns whether `left != right`.
pub(super) fn unequal<'v>(
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    Ok(!equal(left, right, eval)?)
}

/// Returns whether two values are in the order of `operator`, such as `left < right`.
pub(super) fn ordered<'v>(
    operator: OrderOperator,
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    work::charged(eval, |steps| is_ordered(operator, left, right, steps))
}

/// Returns whether `value in collection`.
pub(super) fn is_in<'v>(
    value: Value<'v>,
    collection: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    if let Some(text) = collection.unpack_str() {
        work::charge_text(text.len(), eval)?;
    }
    work::charged(eval, |steps| {
        is_member(value, collection, eval.heap(), steps)
    })
}

/// Returns whether `value not in collection`.
pub(super) fn is_not_in<'v>(
    value: Value<'v>,
    collection: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    Ok(!is_in(value, collection, eval)?)
}
