//! Functions of the modules that rooms above add.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;

use allocative::Allocative;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::{NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value};

use super::caller::{self, Caller, Native};

/// A module that a room above adds: its name and its functions.
#[derive(Clone, Copy, Debug)]
pub struct NativeModule {
    /// The name after `@ytt:`.
    pub name: &'static str,
    /// Its functions by name, which may have the name of the module before it: `overlay.all`.
    pub functions: &'static [(&'static str, Native)],
}

/// A function of such a module.
#[derive(ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub(super) struct NativeFunction {
    pub(super) name: &'static str,
    #[allocative(skip)]
    pub(super) native: Native,
}
starlark_simple_value!(NativeFunction);

impl fmt::Debug for NativeFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NativeFunction({})", self.name)
    }
}

impl fmt::Display for NativeFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<built-in function {}>", self.name)
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v> StarlarkValue<'v> for NativeFunction {
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let arguments = caller::arguments(args, eval.heap())?;
        caller::outcome((self.native)(&mut Caller::new(eval), arguments))
    }
}
