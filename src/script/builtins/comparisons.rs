//! Operators that compare: `==`, `<`, `in` and their like.

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::Value;

use crate::script::limits::work;
use crate::script::value::{OrderOperator, is_member, is_ordered, values_equal};

fn equal<'v>(
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    work::charged(eval, |steps| values_equal(left, right, steps))
}

fn ordered<'v>(
    operator: OrderOperator,
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    work::charged(eval, |steps| is_ordered(operator, left, right, steps))
}

fn contains<'v>(
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

#[starlark_module]
pub(super) fn functions(builder: &mut GlobalsBuilder) {
    fn __ytt_equal<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<bool> {
        equal(left, right, eval)
    }

    fn __ytt_unequal<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<bool> {
        Ok(!equal(left, right, eval)?)
    }

    fn __ytt_less<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<bool> {
        ordered(OrderOperator::Less, left, right, eval)
    }

    fn __ytt_greater<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<bool> {
        ordered(OrderOperator::Greater, left, right, eval)
    }

    fn __ytt_at_most<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<bool> {
        ordered(OrderOperator::AtMost, left, right, eval)
    }

    fn __ytt_at_least<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<bool> {
        ordered(OrderOperator::AtLeast, left, right, eval)
    }

    fn __ytt_in<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        #[starlark(require = pos)] collection: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<bool> {
        contains(value, collection, eval)
    }

    fn __ytt_not_in<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        #[starlark(require = pos)] collection: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<bool> {
        Ok(!contains(value, collection, eval)?)
    }
}
