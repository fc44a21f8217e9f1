//! A function with bound first arguments: `struct.bind(function, 1)`.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;

use allocative::Allocative;
use starlark::coerce::Coerce;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_complex_value;
use starlark::values::{
    Freeze, Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Trace, Value, ValueLifetimeless,
    ValueLike, starlark_value,
};

use crate::script::limits::{noted, outside};

/// The function and its first arguments, generic over live and frozen values.
#[derive(
    Debug,
    Trace,
    Coerce,
    Freeze,
    ProvidesStaticType,
    NoSerialize,
    Allocative,
    starlark::StarlarkPagablePanic,
)]
#[repr(C)]
pub(in crate::script) struct BoundFunctionGen<V: ValueLifetimeless> {
    function: V,
    arguments: Vec<V>,
}
starlark_complex_value!(pub(in crate::script) BoundFunction);

impl<'v> BoundFunction<'v> {
    /// Makes a bound function.
    pub(in crate::script) fn alloc(
        function: Value<'v>,
        arguments: Vec<Value<'v>>,
        heap: Heap<'v>,
    ) -> Value<'v> {
        noted::note(size_of_val(arguments.as_slice()));
        heap.alloc(BoundFunctionGen {
            function,
            arguments,
        })
    }
}

impl<'v, V: ValueLike<'v>> BoundFunctionGen<V> {
    /// Returns the function that is called.
    pub(in crate::script) fn function(&self) -> Value<'v> {
        self.function.to_value()
    }

    /// Returns the bound arguments, which come before those of a call.
    pub(in crate::script) fn arguments(&self) -> impl Iterator<Item = Value<'v>> {
        self.arguments.iter().map(|argument| argument.to_value())
    }
}

impl<V: ValueLifetimeless> fmt::Display for BoundFunctionGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<built-in function struct.bind>")
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for BoundFunctionGen<V>
where
    Self: ProvidesStaticType<'v>,
{
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        // The arguments of the call follow the bound ones, as with Python's `functools.partial`.
        let mut positional: Vec<Value<'v>> = self.arguments().collect();
        positional.extend(args.positions(eval.heap())?);
        let named = args.names_map()?;
        let named: Vec<(&str, Value<'v>)> = named
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .collect();
        outside::call(self.function(), &positional, &named, eval)
    }
}
