//! Functions on any value: `str`, `type`, `print`, `getattr`, …

use std::num::NonZeroI32;

use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::range::Range;

use super::methods;
use super::numbers::one_argument;
use crate::script::builtin_call::{BuiltinCall, ParameterKind};
use crate::script::evaluation::evaluation;
use crate::script::failure::Failure;
use crate::script::limits::{size, work};
use crate::script::value;

/// The maximum number of values in a range, because any function may turn it into a list.
const RANGE_LIMIT: i64 = 10_000_000;

/// The steps for copying and sorting the name of one attribute.
const STEPS_PER_NAME: usize = 24;

/// `bool(x=False)`.
pub(super) fn bool<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let [value] = call.by_position(0, [ParameterKind::Any], eval.heap())?;
    Ok(Value::new_bool(value.is_some_and(Value::to_bool)))
}

/// `str(x)`.
pub(super) fn str<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let value = call.only()?;
    if value.unpack_str().is_some() {
        return Ok(value);
    }
    let text = value::repr(value);
    size::check_string(text.len())?;
    work::charge_characters(text.len(), eval)?;
    Ok(eval.heap().alloc(text))
}

/// `repr(x)`.
pub(super) fn repr<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    call.check_positions(1, &[ParameterKind::Any], eval.heap())?;
    let text = value::repr(one_argument(call)?);
    size::check_string(text.len())?;
    work::charge_characters(text.len(), eval)?;
    Ok(eval.heap().alloc(text))
}

/// `type(x)`.
pub(super) fn r#type<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    Ok(eval.heap().alloc(value::type_name(call.only()?)))
}

/// `dir(x)`: the names of the attributes.
pub(super) fn dir<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let names = methods::names(one_argument(call)?);
    work::charge(names.len().saturating_mul(STEPS_PER_NAME), eval)?;
    Ok(eval.heap().alloc(names))
}

/// `getattr(x, name, default)`.
pub(super) fn getattr<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let kinds = [ParameterKind::Any, ParameterKind::Text, ParameterKind::Any];
    let [value, name, default] = call.by_position(2, kinds, eval.heap())?;
    let value = value.unwrap_or_else(Value::new_none);
    let name = name.and_then(|name| name.unpack_str()).unwrap_or_default();
    let found = match methods::is_known(value, name) {
        true => value.get_attr(name, eval.heap())?,
        false => None,
    };
    match found.or(default) {
        Some(found) => Ok(found),
        None => Err(call.prefixed(methods::missing(value, name)).into()),
    }
}

/// `hasattr(x, name)`.
pub(super) fn hasattr<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let kinds = [ParameterKind::Any, ParameterKind::Text];
    let [value, name] = call.by_position(2, kinds, eval.heap())?;
    let value = value.unwrap_or_else(Value::new_none);
    let name = name.and_then(|name| name.unpack_str()).unwrap_or_default();
    let has = methods::is_known(value, name) && value.get_attr(name, eval.heap())?.is_some();
    Ok(Value::new_bool(has))
}

/// `hash(s)`: the hash of a string as Java computes it.
pub(super) fn hash<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let [text] = call.by_position(1, [ParameterKind::Text], eval.heap())?;
    let text = text.and_then(|text| text.unpack_str()).unwrap_or_default();
    work::charge_characters(text.len(), eval)?;
    let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    Ok(eval.heap().alloc(text.encode_utf16().fold(0, add)))
}

/// `range(stop)`, `range(start, stop, step=1)`.
pub(super) fn range<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let number = |value: Option<Value<'v>>| value.and_then(Value::unpack_i32);
    let numbers = call.by_position(1, [ParameterKind::Integer; 3], eval.heap())?;
    let (start, stop, step) = match numbers.map(number) {
        [Some(start), Some(stop), step] => (start, stop, step.unwrap_or(1)),
        [stop, _, _] => (0, stop.unwrap_or(0), 1),
    };
    let Some(step) = NonZeroI32::new(step) else {
        return Err(call.failure("step argument must not be zero").into());
    };
    // Computed in 64 bits, because the distance of two 32-bit numbers can exceed 32 bits.
    let distance = (i64::from(stop) - i64::from(start)) / i64::from(step.get());
    if distance > RANGE_LIMIT {
        return Err(Failure::limit(format!(
            "expected a range of at most {RANGE_LIMIT} numbers, found {distance}"
        ))
        .into());
    }
    Ok(eval.heap().alloc(Range::new(start, stop, step)))
}

/// `print(…, sep=" ")`.
pub(super) fn print<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    (evaluation(eval)?.session.print)(&joined(call, eval)?);
    Ok(Value::new_none())
}

/// `fail(…, sep=" ")`.
pub(super) fn fail<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let message = joined(call, eval)?;
    Err(call.failure(message).into())
}

/// Returns the text of all positional arguments, separated by `sep`.
fn joined<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<String> {
    let only_named = BuiltinCall {
        positional: &[],
        ..*call
    };
    let [separator] = only_named.by_name(0, [("sep", ParameterKind::Text)], eval.heap())?;
    let separator = separator.and_then(|text| text.unpack_str()).unwrap_or(" ");
    let mut out = String::new();
    for (index, argument) in call.positional.iter().enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        out.push_str(&value::text(*argument));
        size::check_string(out.len())?;
    }
    work::charge_text(out.len(), eval)?;
    Ok(out)
}
