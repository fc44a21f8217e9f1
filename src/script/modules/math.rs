//! `@ytt:math`.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::collections::SmallMap;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value,
};

use super::call::Call;
use crate::golang::math;
use crate::script::failure::Failure;
use crate::script::library::Library;
use crate::script::program::Program;
use crate::script::value::ModuleValue;

/// What a function is computed by.
#[derive(Clone, Copy)]
enum Compute {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    /// As [`Compute::One`], with an integer as the outcome.
    Whole(fn(f64) -> f64),
    /// The natural logarithm, or that to the base of a second argument.
    Log,
}

use Compute::{Log, One, Two, Whole};

/// Every function.
const FUNCTIONS: &[(&str, Compute)] = &[
    ("math.acos", One(math::acos)),
    ("math.acosh", One(math::acosh)),
    ("math.asin", One(math::asin)),
    ("math.asinh", One(math::asinh)),
    ("math.atan", One(math::atan)),
    ("math.atan2", Two(math::atan2)),
    ("math.atanh", One(math::atanh)),
    ("math.ceil", Whole(math::ceil)),
    ("math.copysign", Two(math::copysign)),
    ("math.cos", One(math::cos)),
    ("math.cosh", One(math::cosh)),
    ("math.degrees", One(math::degrees)),
    ("math.exp", One(math::exp)),
    ("math.fabs", One(math::fabs)),
    ("math.floor", Whole(math::floor)),
    ("math.gamma", One(math::gamma)),
    ("math.hypot", Two(math::hypot)),
    ("math.log", Log),
    ("math.mod", Two(math::fmod)),
    ("math.pow", Two(math::pow)),
    ("math.radians", One(math::radians)),
    ("math.remainder", Two(math::remainder)),
    ("math.round", One(math::round)),
    ("math.sin", One(math::sin)),
    ("math.sinh", One(math::sinh)),
    ("math.sqrt", One(math::sqrt)),
    ("math.tan", One(math::tan)),
    ("math.tanh", One(math::tanh)),
];

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    let mut fields = SmallMap::new();
    fields.insert("e".to_owned(), heap.alloc(std::f64::consts::E));
    fields.insert("pi".to_owned(), heap.alloc(std::f64::consts::PI));
    for (index, (name, _)) in FUNCTIONS.iter().enumerate() {
        let name = name.trim_start_matches("math.").to_owned();
        fields.insert(name, heap.alloc(Function { index }));
    }
    Ok(ModuleValue::alloc(fields, heap))
}

/// A function of floats.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
struct Function {
    /// Its place in [`FUNCTIONS`].
    index: usize,
}
starlark_simple_value!(Function);

impl Function {
    fn entry(&self) -> (&'static str, Compute) {
        FUNCTIONS
            .get(self.index)
            .copied()
            .unwrap_or(("math.log", Log))
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<built-in function {}>", self.entry().0)
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v> StarlarkValue<'v> for Function {
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let heap = eval.heap();
        let (name, compute) = self.entry();
        let call = Call::new(name, args.positions(heap)?.collect());
        if !args.names_map()?.is_empty() {
            return Err(call.failure("unexpected keyword arguments").into());
        }
        let number = match compute {
            One(function) | Whole(function) => function(one(&call)?),
            Two(function) => two(&call, function)?,
            Log => logarithm(&call)?,
        };
        match compute {
            Whole(_) => whole(&call, number, heap),
            _ => Ok(heap.alloc(number)),
        }
    }
}

fn one(call: &Call<'_>) -> Result<f64, Failure> {
    let [x] = call.arguments()?;
    call.number(x)
}

fn two(call: &Call<'_>, function: fn(f64, f64) -> f64) -> Result<f64, Failure> {
    let [x, y] = call.arguments()?;
    Ok(function(call.number(x)?, call.number(y)?))
}

fn logarithm(call: &Call<'_>) -> Result<f64, Failure> {
    match call.positional() {
        [] => Err(call.failure("got 0 arguments, want at least 1")),
        [x] => Ok(math::log(call.number(*x)?)),
        [x, base] => Ok(math::log_to_base(call.number(*x)?, call.number(*base)?)),
        more => Err(call.failure(format!("got {} arguments, want at most 2", more.len()))),
    }
}

/// A float without a fraction as an integer.
fn whole<'v>(call: &Call<'v>, number: f64, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
    if number.is_nan() {
        return Err(call.failure("cannot convert float NaN to integer").into());
    }
    if number.is_infinite() {
        return Err(call
            .failure("cannot convert float infinity to integer")
            .into());
    }
    // Both limits are exact as floats, but the largest integer is not: it lies just below the second.
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number) {
        return Ok(heap.alloc(number as i64));
    }
    Err(call
        .failure(format!(
            "expected an integer of at most 64 bits, found {number}"
        ))
        .into())
}
