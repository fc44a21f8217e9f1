//! `@ytt:math`.

use super::call::Call;
use crate::golang::math;
use crate::script::{Arguments, Caller, Constant, NativeModule, Value};
use crate::source::Result;

pub(super) const MODULE: NativeModule = NativeModule {
    name: "math",
    functions: &[
        ("math.acos", |caller, arguments| {
            unary(caller, arguments, math::acos)
        }),
        ("math.acosh", |caller, arguments| {
            unary(caller, arguments, math::acosh)
        }),
        ("math.asin", |caller, arguments| {
            unary(caller, arguments, math::asin)
        }),
        ("math.asinh", |caller, arguments| {
            unary(caller, arguments, math::asinh)
        }),
        ("math.atan", |caller, arguments| {
            unary(caller, arguments, math::atan)
        }),
        ("math.atan2", |caller, arguments| {
            binary(caller, arguments, math::atan2)
        }),
        ("math.atanh", |caller, arguments| {
            unary(caller, arguments, math::atanh)
        }),
        ("math.ceil", |caller, arguments| {
            whole(caller, arguments, math::ceil)
        }),
        ("math.copysign", |caller, arguments| {
            binary(caller, arguments, math::copysign)
        }),
        ("math.cos", |caller, arguments| {
            unary(caller, arguments, math::cos)
        }),
        ("math.cosh", |caller, arguments| {
            unary(caller, arguments, math::cosh)
        }),
        ("math.degrees", |caller, arguments| {
            unary(caller, arguments, math::degrees)
        }),
        ("math.exp", |caller, arguments| {
            unary(caller, arguments, math::exp)
        }),
        ("math.fabs", |caller, arguments| {
            unary(caller, arguments, math::fabs)
        }),
        ("math.floor", |caller, arguments| {
            whole(caller, arguments, math::floor)
        }),
        ("math.gamma", |caller, arguments| {
            unary(caller, arguments, math::gamma)
        }),
        ("math.hypot", |caller, arguments| {
            binary(caller, arguments, math::hypot)
        }),
        ("math.log", log),
        ("math.mod", |caller, arguments| {
            binary(caller, arguments, math::fmod)
        }),
        ("math.pow", |caller, arguments| {
            binary(caller, arguments, math::pow)
        }),
        ("math.radians", |caller, arguments| {
            unary(caller, arguments, math::radians)
        }),
        ("math.remainder", |caller, arguments| {
            binary(caller, arguments, math::remainder)
        }),
        ("math.round", |caller, arguments| {
            unary(caller, arguments, math::round)
        }),
        ("math.sin", |caller, arguments| {
            unary(caller, arguments, math::sin)
        }),
        ("math.sinh", |caller, arguments| {
            unary(caller, arguments, math::sinh)
        }),
        ("math.sqrt", |caller, arguments| {
            unary(caller, arguments, math::sqrt)
        }),
        ("math.tan", |caller, arguments| {
            unary(caller, arguments, math::tan)
        }),
        ("math.tanh", |caller, arguments| {
            unary(caller, arguments, math::tanh)
        }),
        ("math.log", log),
    ],
    constants: &[
        ("e", Constant::Float(std::f64::consts::E)),
        ("pi", Constant::Float(std::f64::consts::PI)),
    ],
};

/// Calls a function of one number.
fn unary<'v>(
    caller: &Caller<'_, 'v>,
    arguments: Arguments<'v>,
    compute: fn(f64) -> f64,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [x] = call.positional()?;
    Ok(caller.float(compute(call.number(x)?)))
}

/// Calls a function of two numbers.
fn binary<'v>(
    caller: &Caller<'_, 'v>,
    arguments: Arguments<'v>,
    compute: fn(f64, f64) -> f64,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [x, y] = call.positional()?;
    Ok(caller.float(compute(call.number(x)?, call.number(y)?)))
}

/// Calls a function of one number that returns an integer.
fn whole<'v>(
    caller: &Caller<'_, 'v>,
    arguments: Arguments<'v>,
    compute: fn(f64) -> f64,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [x] = call.positional()?;
    let number = compute(call.number(x)?);
    if number.is_nan() {
        return Err(call.failure("cannot convert float NaN to integer"));
    }
    if number.is_infinite() {
        return Err(call.failure("cannot convert float infinity to integer"));
    }
    // -2^63 and 2^63 are exact as floats. The largest integer is not: as a float it would be
    // rounded up to 2^63.
    if !(-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number) {
        return Err(call.failure(format!(
            "expected an integer of at most 64 bits, found {number}"
        )));
    }
    Ok(caller.integer(number as i64))
}

/// `log(x)`: the natural logarithm. `log(x, base)`: that to another base.
fn log<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let logarithm = match call.all() {
        [] => return Err(call.failure("got 0 arguments, want at least 1")),
        [x] => math::log(call.number(*x)?),
        [x, base] => math::log_to_base(call.number(*x)?, call.number(*base)?),
        more => {
            let found = more.len();
            return Err(call.failure(format!("got {found} arguments, want at most 2")));
        }
    };
    Ok(caller.float(logarithm))
}
