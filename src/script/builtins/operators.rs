//! The operators that behave differently in ytt than in the crate, or that could use unlimited
//! memory or time in one step.
//!
//! The crate calls a function for each of them: `a + b` is `__ytt_plus(a, b)`, and `-a` is
//! `__ytt_negative(a)`. Each operator has its own function, instead of one function that takes the
//! operator as an argument, because these functions are called for almost every expression.

use std::collections::HashMap;

use starlark::eval::{Arguments, Evaluator};
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, UnpackValue, Value};

use super::percent;
use crate::script::builtin_call::Operation;
use crate::script::failure::Failure;
use crate::script::limits::{memory, work};
use crate::script::value::{OrderOperator, is_member, is_ordered, repr, type_name, values_equal};
use crate::source::Limit;

/// The memory is not checked for results up to this length, because the check costs more than
/// computing them.
const SMALL: usize = 512;

/// The maximum number of digits of an integer.
const DIGIT_LIMIT: usize = 1_000;

/// The number of decimal digits that one byte of an integer contains.
const DIGITS_PER_BYTE: usize = 2;

/// The steps for computing one digit of an integer beyond 64 bits.
const STEPS_PER_DIGIT: usize = 2;

/// The exclusive maximum of bits by which an integer can be shifted to the left.
const SHIFT_LIMIT: i32 = 512;

/// Defines `OPERATORS` and `FUNCTIONS` from one row for each operator.
///
/// A row `"<" => __ytt_less: ordered(OrderOperator::Less)` means that `a < b` becomes
/// `__ytt_less(a, b)`, which returns `ordered(OrderOperator::Less, a, b, eval)`. All arithmetic
/// operators call `operate`. A row of `signs` has a method of the crate's values; `dialect` writes
/// the call, because the crate replaces only binary operators.
macro_rules! operators {
    (
        signs {
            $($sign:ident: $apply:ident,)*
        }
        arithmetic {
            $($symbol:literal => $function:ident,)*
        }
        comparisons {
            $($comparison:literal => $predicate:ident: $compare:ident($($argument:expr)?),)*
        }
    ) => {
        /// Each operator and the function that implements it.
        const OPERATORS: &[(&str, &str)] = &[
            $(($symbol, stringify!($function)),)*
            $(($comparison, stringify!($predicate)),)*
        ];

        /// The functions of the operators.
        pub(super) const FUNCTIONS: &[(&str, Operation)] = &[
            $((stringify!($sign), $sign),)*
            $((stringify!($function), $function),)*
            $((stringify!($predicate), $predicate),)*
        ];

        $(
            fn $sign<'v>(
                args: &Arguments<'v, '_>,
                eval: &mut Evaluator<'v, '_, '_>,
            ) -> starlark::Result<Value<'v>> {
                let value = args.positional1(eval.heap())?;
                checked(value.$apply(eval.heap())?, eval)
            }
        )*
        $(
            fn $function<'v>(
                args: &Arguments<'v, '_>,
                eval: &mut Evaluator<'v, '_, '_>,
            ) -> starlark::Result<Value<'v>> {
                let [left, right] = args.positional(eval.heap())?;
                operate($symbol, left, right, eval)
            }
        )*
        $(
            fn $predicate<'v>(
                args: &Arguments<'v, '_>,
                eval: &mut Evaluator<'v, '_, '_>,
            ) -> starlark::Result<Value<'v>> {
                let [left, right] = args.positional(eval.heap())?;
                Ok(Value::new_bool($compare($($argument,)? left, right, eval)?))
            }
        )*
    };
}

operators! {
    signs {
        __ytt_negative: minus,
        __ytt_positive: plus,
        __ytt_inverted: bit_not,
    }
    arithmetic {
        "%" => __ytt_percent,
        "*" => __ytt_times,
        "/" => __ytt_divide,
        "//" => __ytt_floor,
        "+" => __ytt_plus,
        "-" => __ytt_minus,
        "|" => __ytt_or,
        "&" => __ytt_and,
        "^" => __ytt_xor,
        "<<" => __ytt_left,
        ">>" => __ytt_right,
    }
    comparisons {
        "==" => __ytt_equal: equal(),
        "!=" => __ytt_unequal: unequal(),
        "<" => __ytt_less: ordered(OrderOperator::Less),
        ">" => __ytt_greater: ordered(OrderOperator::Greater),
        "<=" => __ytt_at_most: ordered(OrderOperator::AtMost),
        ">=" => __ytt_at_least: ordered(OrderOperator::AtLeast),
        "in" => __ytt_in: is_in(),
        "not in" => __ytt_not_in: is_not_in(),
    }
}

/// Returns the name of the function that the crate calls for each operator.
pub(in crate::script) fn operator_functions() -> HashMap<String, String> {
    let rows = OPERATORS.iter();
    rows.map(|(operator, function)| ((*operator).to_owned(), (*function).to_owned()))
        .collect()
}

/// Returns the names of the functions whose operators may be in a program that contains `bytes`.
pub(super) fn possible_functions(bytes: &[bool; 256]) -> impl Iterator<Item = &'static str> {
    let is_possible = |symbol: &str| symbol.bytes().all(|byte| bytes[usize::from(byte)]);
    let rows = OPERATORS.iter();
    rows.filter(move |(symbol, _)| is_possible(symbol))
        .map(|(_, function)| *function)
}

/// Returns the length of a string, list or tuple, and the limit that applies to it.
fn length(value: Value<'_>) -> Option<(usize, Limit)> {
    if let Some(text) = value.unpack_str() {
        return Some((text.len(), Limit::StringLength));
    }
    if let Some(list) = ListRef::from_value(value) {
        return Some((list.len(), Limit::ListLength));
    }
    TupleRef::from_value(value).map(|tuple| (tuple.len(), Limit::ListLength))
}

/// Rejects a sum or product that is too long.
fn check_length(value: Value<'_>, grown: impl Fn(usize) -> usize) -> Result<(), Failure> {
    let Some((length, limit)) = length(value) else {
        return Ok(());
    };
    let grown = grown(length);
    let most = limit.size();
    if grown <= most {
        return Ok(());
    }
    let unit = if value.unpack_str().is_some() {
        "bytes"
    } else {
        "items"
    };
    let kind = type_name(value);
    let message = format!("expected a {kind} of at most {most} {unit}, found {grown}");
    Err(Failure::exceeded_by(limit, grown, message))
}

/// Rejects a sum of texts or lists that is too large, before it is computed.
pub(super) fn check_sum(left: Value<'_>, right: Value<'_>) -> Result<(), Failure> {
    let Some((added, _)) = length(right) else {
        return Ok(());
    };
    check_length(left, |length| length.saturating_add(added))
}

fn check_product(value: Value<'_>, times: Value<'_>) -> Result<(), Failure> {
    let Some(times) = times.unpack_i32() else {
        if times.get_type() == "int" && length(value).is_some() {
            let times = repr(times);
            return Err(Failure::new(format!("repeat count {times} too large")));
        }
        return Ok(());
    };
    let times = usize::try_from(times).unwrap_or(0);
    check_length(value, |length| length.saturating_mul(times))
}

/// Rejects an integer with too many digits, and counts its digits as memory and as work.
fn check_digits(value: Value<'_>, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let digits = value.to_repr().len();
    if digits <= DIGIT_LIMIT {
        memory::take(digits / DIGITS_PER_BYTE, eval)?;
        return work::charge(digits.saturating_mul(STEPS_PER_DIGIT), eval);
    }
    Err(Failure::limit(format!(
        "expected an integer of at most {DIGIT_LIMIT} digits, found more"
    ))
    .into())
}

/// Returns the result of an operator, unless it is too large or the program has exceeded its
/// memory.
fn checked<'v>(value: Value<'v>, eval: &Evaluator<'v, '_, '_>) -> starlark::Result<Value<'v>> {
    // Most results are small integers, loop counters among them, so return early.
    if value.unpack_i32().is_some() {
        return Ok(value);
    }
    // The decimal digits are expensive to compute, so only integers beyond 64 bits are checked.
    if value.get_type() == "int" && !matches!(i64::unpack_value(value), Ok(Some(_))) {
        check_digits(value, eval)?;
    }
    memory::take_entries(value, eval)?;
    work::charge_value(value, eval)?;
    if length(value).is_some_and(|(length, _)| length > SMALL) {
        memory::check(eval)?;
    }
    Ok(value)
}

/// Charges for the operands of an operator on sets. Its result may be empty.
fn charge_sets<'v>(
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<()> {
    if left.get_type() == "set" {
        work::charge_value(left, eval)?;
        work::charge_value(right, eval)?;
    }
    Ok(())
}

/// Computes an operator, for both `x + y` and `x += y`.
pub(super) fn operate<'v>(
    operator: &str,
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    charge_sets(left, right, eval)?;
    let value = compute(operator, left, right, eval.heap());
    let value = value.map_err(|error| unknown_operation(error, operator, left, right))?;
    if operator == "%"
        && let Some(formatted) = value.unpack_str()
    {
        work::charge_characters(formatted.len(), eval)?;
    }
    checked(value, eval)
}

/// Returns the right side of `left += right`, if the sum is not too long. The crate executes `+=`
/// on a list in place.
pub(super) fn addend<'v>(
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let is_list = ListRef::from_value(left).is_some();
    if is_list && right.iterate(eval.heap()).is_err() {
        return Err(not_defined("+", left, right).into());
    }
    check_sum(left, right)?;
    checked(right, eval)
}

fn compute<'v>(
    operator: &str,
    left: Value<'v>,
    right: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    match operator {
        "%" => percent::percent(left, right, heap),
        "*" => {
            check_product(left, right)?;
            check_product(right, left)?;
            left.mul(right, heap)
        }
        "+" => {
            check_sum(left, right)?;
            left.add(right, heap)
        }
        "-" if left.get_type() == "set" => Err(not_defined("-", left, right).into()),
        "-" => left.sub(right, heap),
        "&" => left.bit_and(right, heap),
        "^" => left.bit_xor(right, heap),
        "|" if is_union(left, right) => left.bit_or(right, heap),
        // The crate also merges dictionaries, and creates types for annotations: `None | int`.
        "|" => Err(not_defined("|", left, right).into()),
        "<<" | ">>" => shift(operator, left, right, heap),
        "/" => {
            check_divisor(left, right, "real")?;
            left.div(right, heap)
        }
        _ => {
            check_divisor(left, right, "floored")?;
            left.floor_div(right, heap)
        }
    }
}

/// Returns the failure for an operator that is not defined for two values.
fn not_defined(operator: &str, left: Value<'_>, right: Value<'_>) -> Failure {
    let help = match operator {
        "|" if left.get_type() == "dict" => {
            Some("use `or` instead of `|`, or `.update(…)` to merge dictionaries")
        }
        "|" => Some("use `or` instead of `|`"),
        "&" => Some("use `and` instead of `&`"),
        _ => None,
    };
    let (left, right) = (type_name(left), type_name(right));
    Failure::new(format!("unknown binary op: {left} {operator} {right}"))
        .help_if(help.map(str::to_owned))
}

/// Replaces the crate's error for values without such an operator.
fn unknown_operation(
    error: starlark::Error,
    operator: &str,
    left: Value<'_>,
    right: Value<'_>,
) -> starlark::Error {
    let message = error.without_diagnostic().to_string();
    match message.starts_with("Operation `") {
        true => not_defined(operator, left, right).into(),
        false => error,
    }
}

/// Returns whether `|` is defined: for the bits of two integers, and for two sets.
fn is_union(left: Value<'_>, right: Value<'_>) -> bool {
    matches!(left.get_type(), "int" | "set") && left.get_type() == right.get_type()
}

/// Rejects the division of a number by zero.
fn check_divisor(left: Value<'_>, right: Value<'_>, kind: &str) -> Result<(), Failure> {
    let is_number = |value: Value<'_>| matches!(value.get_type(), "int" | "float");
    if is_number(left) && is_number(right) && !right.to_bool() {
        return Err(Failure::new(format!("{kind} division by zero")));
    }
    Ok(())
}

/// Shifts an integer.
///
/// The crate drops the bits beyond 32 when it shifts a small integer to the left. This multiplies
/// by a power of two instead, which never drops a bit.
fn shift<'v>(
    operator: &str,
    left: Value<'v>,
    right: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    if left.get_type() != "int" {
        return Err(not_defined(operator, left, right).into());
    }
    if right.get_type() != "int" {
        let kind = type_name(right);
        return Err(Failure::new(format!("got {kind}, want int")).into());
    }
    let Some(count) = right.unpack_i32() else {
        return Err(Failure::new(format!("invalid shift count: {}", repr(right))).into());
    };
    if count < 0 {
        return Err(Failure::new(format!("negative shift count: {count}")).into());
    }
    if operator == ">>" {
        return left.right_shift(right, heap);
    }
    if count >= SHIFT_LIMIT {
        return Err(Failure::limit(format!("shift count too large: {count}"))
            .help(format!("integers are shifted by less than {SHIFT_LIMIT}"))
            .into());
    }
    let mut value = left;
    let mut rest = count;
    while rest > 0 {
        let step = rest.min(62);
        value = value.mul(heap.alloc(1i64 << step), heap)?;
        rest -= step;
    }
    Ok(value)
}

/// Returns whether two values are equal: `left == right`.
fn equal<'v>(
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    work::charged(eval, |steps| values_equal(left, right, steps))
}

/// Returns whether `left != right`.
fn unequal<'v>(
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    Ok(!equal(left, right, eval)?)
}

/// Returns whether two values are in the order of `operator`, such as `left < right`.
fn ordered<'v>(
    operator: OrderOperator,
    left: Value<'v>,
    right: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    work::charged(eval, |steps| is_ordered(operator, left, right, steps))
}

/// Returns whether `value in collection`.
fn is_in<'v>(
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
fn is_not_in<'v>(
    value: Value<'v>,
    collection: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<bool> {
    Ok(!is_in(value, collection, eval)?)
}
