//! Operators that answer differently in ytt, or that could take unlimited memory in one step.

use std::collections::HashMap;

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::Value;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;

use super::percent;
use crate::script::failure::Failure;
use crate::script::value::type_name;

/// One operator gives a string of this many bytes at most.
const STRING_LIMIT: usize = 16 << 20;

/// One operator gives a list of this many items at most.
const LIST_LIMIT: usize = 4_000_000;

/// Integers are shifted to the left by less than this.
const SHIFT_LIMIT: i32 = 512;

/// The operators that functions stand for.
pub(in crate::script) fn operators() -> HashMap<String, String> {
    let pairs =
        [("%", "__ytt_percent"), ("*", "__ytt_times"), ("+", "__ytt_plus"), ("|", "__ytt_or"), ("<<", "__ytt_shift")];
    pairs.iter().map(|(operator, function)| (operator.to_string(), function.to_string())).collect()
}

/// How long a string, list or tuple is, and how long it may become.
fn length(value: Value<'_>) -> Option<(usize, usize)> {
    if let Some(text) = value.unpack_str() {
        return Some((text.len(), STRING_LIMIT));
    }
    if let Some(list) = ListRef::from_value(value) {
        return Some((list.len(), LIST_LIMIT));
    }
    TupleRef::from_value(value).map(|tuple| (tuple.len(), LIST_LIMIT))
}

/// Refuses a sum or a product that is too long.
fn check_length(value: Value<'_>, grown: impl Fn(usize) -> usize) -> Result<(), Failure> {
    let Some((length, limit)) = length(value) else { return Ok(()) };
    let grown = grown(length);
    if grown <= limit {
        return Ok(());
    }
    let unit = if value.unpack_str().is_some() { "bytes" } else { "items" };
    let kind = type_name(value);
    Err(Failure::limit(format!("expected a {kind} of at most {limit} {unit}, found {grown}")))
}

fn check_sum(left: Value<'_>, right: Value<'_>) -> Result<(), Failure> {
    let Some((added, _)) = length(right) else { return Ok(()) };
    check_length(left, |length| length.saturating_add(added))
}

fn check_product(value: Value<'_>, times: Value<'_>) -> Result<(), Failure> {
    let Some(times) = times.unpack_i32() else { return Ok(()) };
    let times = usize::try_from(times).unwrap_or(0);
    check_length(value, |length| length.saturating_mul(times))
}

#[starlark_module]
pub(super) fn functions(builder: &mut GlobalsBuilder) {
    fn __ytt_percent<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        percent::percent(left, right, eval.heap())
    }

    fn __ytt_times<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        check_product(left, right)?;
        check_product(right, left)?;
        left.mul(right, eval.heap())
    }

    fn __ytt_plus<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        check_sum(left, right)?;
        left.add(right, eval.heap())
    }

    /// The right side of `+=`, if it fits.
    fn __ytt_addend<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<Value<'v>> {
        check_sum(left, right)?;
        Ok(right)
    }

    fn __ytt_or<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        if DictRef::from_value(left).is_some() {
            let right = type_name(right);
            return Err(Failure::new(format!("unknown operation: dict | {right}"))
                .help("use `or` instead of `|`, or `.update(…)` to merge dictionaries")
                .into());
        }
        left.bit_or(right, eval.heap())
    }

    fn __ytt_shift<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        if right.unpack_i32().is_none_or(|count| count >= SHIFT_LIMIT) && right.get_type() == "int" {
            return Err(Failure::limit(format!("expected a shift by less than {SHIFT_LIMIT}")).into());
        }
        left.left_shift(right, eval.heap())
    }
}
