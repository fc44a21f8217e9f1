//! `@ytt:math`.

use super::call::Call;
use crate::golang::math;
use crate::script::{Arguments, Caller, Constant, NativeModule, Value};
use crate::source::Result;

/// A function of one number, by its name in [`math`].
macro_rules! unary {
    ($name:ident) => {
        |caller, arguments| unary(caller, arguments, math::$name)
    };
}

/// A function of two numbers.
macro_rules! binary {
    ($name:ident) => {
        |caller, arguments| binary(caller, arguments, math::$name)
    };
}

/// A function of one number that returns an integer.
macro_rules! whole {
    ($name:ident) => {
        |caller, arguments| whole(caller, arguments, math::$name)
    };
}

pub(super) const MODULE: NativeModule = NativeModule {
    name: "math",
    functions: &[
        ("math.acos", unary!(acos)),
        ("math.acosh", unary!(acosh)),
        ("math.asin", unary!(asin)),
        ("math.asinh", unary!(asinh)),
        ("math.atan", unary!(atan)),
        ("math.atan2", binary!(atan2)),
        ("math.atanh", unary!(atanh)),
        ("math.ceil", whole!(ceil)),
        ("math.copysign", binary!(copysign)),
        ("math.cos", unary!(cos)),
        ("math.cosh", unary!(cosh)),
        ("math.degrees", unary!(degrees)),
        ("math.exp", unary!(exp)),
        ("math.fabs", unary!(fabs)),
        ("math.floor", whole!(floor)),
        ("math.gamma", unary!(gamma)),
        ("math.hypot", binary!(hypot)),
        ("math.log", log),
        ("math.mod", binary!(fmod)),
        ("math.pow", binary!(pow)),
        ("math.radians", unary!(radians)),
        ("math.remainder", binary!(remainder)),
        ("math.round", unary!(round)),
        ("math.sin", unary!(sin)),
        ("math.sinh", unary!(sinh)),
        ("math.sqrt", unary!(sqrt)),
        ("math.tan", unary!(tan)),
        ("math.tanh", unary!(tanh)),
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

/// Calls a function of one number and converts its result to an integer.
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
    // -2^63 and 2^63 are exact as floats. The largest integer is not: it would be rounded up to
    // 2^63.
    if !(-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number) {
        return Err(call.failure(format!(
            "expected an integer of at most 64 bits, found {number}"
        )));
    }
    Ok(caller.integer(number as i64))
}

/// `log(x)`: the natural logarithm. `log(x, base)`: the logarithm to another base.
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
