//! A function with its first arguments given.

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
pub(crate) struct BoundGen<V: ValueLifetimeless> {
    function: V,
    arguments: Vec<V>,
}
starlark_complex_value!(pub(crate) Bound);

impl<'v> Bound<'v> {
    /// The bound function as a value.
    pub(crate) fn alloc(
        function: Value<'v>,
        arguments: Vec<Value<'v>>,
        heap: Heap<'v>,
    ) -> Value<'v> {
        heap.alloc(BoundGen {
            function,
            arguments,
        })
    }

    /// The function and its first arguments.
    pub(crate) fn parts(&self) -> Vec<Value<'v>> {
        std::iter::once(&self.function)
            .chain(&self.arguments)
            .map(|value| value.to_value())
            .collect()
    }
}

impl<'v, V: ValueLike<'v>> BoundGen<V> {
    /// The function.
    pub(crate) fn function(&self) -> Value<'v> {
        self.function.to_value()
    }

    /// Its first arguments.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = Value<'v>> {
        self.arguments.iter().map(|argument| argument.to_value())
    }
}

impl<V: ValueLifetimeless> fmt::Display for BoundGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<built-in function struct.bind>")
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for BoundGen<V>
where
    Self: ProvidesStaticType<'v>,
{
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let positional: Vec<Value<'v>> = self
            .arguments()
            .chain(args.positions(eval.heap())?)
            .collect();
        let named = args.names_map()?;
        let named: Vec<(&str, Value<'v>)> = named
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .collect();
        eval.eval_function(self.function(), &positional, &named)
    }
}
