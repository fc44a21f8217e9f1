//! Functions written in Rust: the only way to give programs a function.
//!
//! A [`NativeModule`] is a table of functions, and `load("@ytt:name", …)` creates one
//! [`NativeFunction`] for each row. Functions of a [`Loader`](super::Loader), and functions of the
//! `starlark` crate that need limits, are values of the same type with another [`FunctionBody`]. So
//! the same rules apply to every call: errors are diagnostics, and the memory is checked after the
//! call. An [`Operation`] checks its memory itself.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::any::Any;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use allocative::Allocative;
use smallvec::SmallVec;
use starlark::collections::StarlarkHasher;
use starlark::eval::{Arguments as RawArguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::{
    FrozenValue, Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value as Raw, starlark_value,
};

use super::builtin_call::{Builtin, BuiltinCall, Operation, written};
use super::caller::{Arguments, Caller, Value};
use super::error;
use super::evaluation::evaluation;
use super::failure::Failure;
use super::limits::{memory, outside, work};
use crate::dialect::CallShape;
use crate::source::Result;

/// The body of a native function.
pub type Native = for<'v> fn(&mut Caller<'_, 'v>, Arguments<'v>) -> Result<Value<'v>>;

/// The data of a native function; see [`Caller::state`].
pub type NativeState = Arc<dyn Any + Send + Sync>;

/// A module that programs can load as `@ytt:name`: its functions and constants.
///
/// The state of its functions is the [`Program`](super::Program) that loads the module.
#[derive(Clone, Copy, Debug)]
pub struct NativeModule {
    /// The name after `@ytt:`.
    pub name: &'static str,
    /// The functions. A name may start with the module, as in messages: `overlay.all`.
    pub functions: &'static [(&'static str, Native)],
    /// Values that are not functions.
    pub constants: &'static [(&'static str, Constant)],
}

/// A value of a module that is not a function.
#[derive(Clone, Copy, Debug)]
pub enum Constant {
    /// A float.
    Float(f64),
    /// The data values of the library whose program loads the module.
    DataValues,
}

/// A type of objects that native functions return.
#[derive(Debug)]
pub struct ObjectType {
    /// The result of `type(value)`, such as `@ytt:ip.addr`.
    pub name: &'static str,
    /// The result of `str(value)`.
    pub text: &'static str,
    /// The methods of every object of the type, by full name: `ip.addr.string`.
    pub methods: &'static [(&'static str, Native)],
}

impl NativeModule {
    /// Creates a module that contains only functions.
    pub const fn new(
        name: &'static str,
        functions: &'static [(&'static str, Native)],
    ) -> NativeModule {
        NativeModule {
            name,
            functions,
            constants: &[],
        }
    }
}

/// A function that programs can call.
#[derive(Clone, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub struct NativeFunction {
    name: &'static str,
    #[allocative(skip)]
    body: FunctionBody,
    #[allocative(skip)]
    state: Option<NativeState>,
}
starlark_simple_value!(NativeFunction);

/// The implementation of a native function.
#[derive(Clone, Copy)]
enum FunctionBody {
    Rust(Native),
    /// A function that the [`Loader`](super::Loader) executes, which knows the files and libraries
    /// of the build.
    Loader,
    /// A function that is predeclared in every program. The flag says that it takes as long for
    /// large arguments as for small ones.
    Builtin(Builtin, bool),
    /// A function of the `starlark` crate. Its argument is computed by one of our functions from
    /// the arguments of the call.
    OfCrate(CrateFunction, Builtin),
    /// A function that only rewritten programs call.
    Operation(Operation),
}

/// Returns a function of the `starlark` crate, and registers it first if necessary.
type CrateFunction = fn() -> FrozenValue;

impl NativeFunction {
    /// Returns a function with a body in Rust.
    pub fn new(name: &'static str, native: Native) -> NativeFunction {
        NativeFunction {
            name,
            body: FunctionBody::Rust(native),
            state: None,
        }
    }

    /// Returns a function that [`Loader::call`](super::Loader::call) executes.
    pub fn of_loader(name: &'static str, state: NativeState) -> NativeFunction {
        NativeFunction {
            name,
            body: FunctionBody::Loader,
            state: Some(state),
        }
    }

    /// Returns a function that is predeclared in every program. `is_constant` is true if it takes
    /// as long for large arguments as for small ones.
    pub(super) fn builtin(name: &'static str, body: Builtin, is_constant: bool) -> NativeFunction {
        NativeFunction {
            name,
            body: FunctionBody::Builtin(body, is_constant),
            state: None,
        }
    }

    /// Returns a function of the crate that is called with the result of `argument`.
    pub(super) fn of_crate(
        name: &'static str,
        function: CrateFunction,
        argument: Builtin,
    ) -> NativeFunction {
        NativeFunction {
            name,
            body: FunctionBody::OfCrate(function, argument),
            state: None,
        }
    }

    /// Returns a function that only rewritten programs call.
    pub(super) fn operation(name: &'static str, body: Operation) -> NativeFunction {
        NativeFunction {
            name,
            body: FunctionBody::Operation(body),
            state: None,
        }
    }

    /// Returns the function with a state, which its body can read.
    pub fn with_state(self, state: NativeState) -> NativeFunction {
        NativeFunction {
            state: Some(state),
            ..self
        }
    }

    fn is_predeclared(&self) -> bool {
        matches!(
            self.body,
            FunctionBody::Builtin(..) | FunctionBody::OfCrate(..)
        )
    }

    /// Returns the full name, such as `overlay.all`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the name as a member of a module; see [`member_name`].
    pub(super) fn member_name(&self) -> &'static str {
        member_name(self.name)
    }

    /// Returns the state, if it is of this type.
    pub fn state<T: Any>(&self) -> Option<&T> {
        self.state.as_ref()?.downcast_ref()
    }

    fn call_loader<'v>(
        &self,
        arguments: Arguments<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let evaluation = evaluation(eval)?;
        // The loader may evaluate other files. They run on the same stack, so the calls that led
        // here count towards their limit.
        let suspended = evaluation.session.suspend(eval.call_stack_count());
        let result = evaluation
            .loader
            .call(self, &mut Caller::of(self, eval), arguments);
        evaluation.session.resume(suspended);
        Ok(result.map_err(Failure::from)?)
    }
}

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
    /// Two predeclared functions are equal if they have the same name: a template has its own value
    /// for each one that it calls; see [`builtins`](super::builtins).
    fn equals(&self, other: Raw<'v>) -> starlark::Result<bool> {
        let other = NativeFunction::from_value(other);
        Ok(other.is_some_and(|other| {
            self.is_predeclared() && other.is_predeclared() && self.name == other.name
        }))
    }

    /// Hashes the name, because functions can be keys.
    fn write_hash(&self, hasher: &mut StarlarkHasher) -> starlark::Result<()> {
        self.name.hash(hasher);
        Ok(())
    }

    fn invoke(
        &self,
        _me: Raw<'v>,
        args: &RawArguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Raw<'v>> {
        let value = match self.body {
            FunctionBody::Operation(body) => return body(args, eval),
            FunctionBody::Rust(native) => {
                let arguments = arguments(args, eval.heap())?;
                for argument in &arguments.positional {
                    work::charge_value(argument.0, eval)?;
                }
                native(&mut Caller::of(self, eval), arguments)
                    .map_err(Failure::from)?
                    .0
            }
            FunctionBody::Loader => self.call_loader(arguments(args, eval.heap())?, eval)?.0,
            FunctionBody::Builtin(body, is_constant) => {
                call_builtin(self.name, body, is_constant, args, eval)?
            }
            FunctionBody::OfCrate(function, argument) => {
                let argument = call_builtin(self.name, argument, false, args, eval)?;
                outside::call(function().to_value(), &[argument], &[], eval)?
            }
        };
        // The crate checks its heap only once in a thousand steps, and one native call may allocate
        // a lot.
        memory::take_entries(value, eval)?;
        memory::check(eval)?;
        Ok(value)
    }
}

/// The steps of a call by a native function.
const CALL_STEPS: usize = 256;

/// Calls a function on behalf of a native function.
///
/// # Errors
/// Returns the error of the function, or the reason why the arguments do not fit it.
pub(super) fn call_value<'v>(
    function: Raw<'v>,
    positional: &[Raw<'v>],
    named: &[(&str, Raw<'v>)],
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Raw<'v>> {
    // The crate counts a call like the turn of a loop, but entering a function from outside takes
    // longer.
    work::charge(CALL_STEPS, eval)?;
    let error = match outside::call(function, positional, named, eval) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let call = CallShape {
        callee: String::new(),
        positional: positional.len(),
        named: named.iter().map(|(name, _)| (*name).to_owned()).collect(),
        has_star: false,
    };
    let name = function_name(function);
    let shape = error::shape_of(function);
    match shape.and_then(|shape| error::argument_mismatch(&name, &shape, &call)) {
        Some(message) => Err(Failure::new(message).into()),
        None => Err(error),
    }
}

/// Returns the name of a function that a program defines.
fn function_name(function: Raw<'_>) -> String {
    // The crate adds the number of its program: `7.name`.
    let text = function.to_repr();
    let name = text.rsplit('.').next().unwrap_or_default();
    written(name).to_owned()
}

/// Returns the name of a member. The full name, as shown in messages, may start with its module or
/// type: `all` for `overlay.all`.
fn member_name(full: &'static str) -> &'static str {
    full.rsplit('.').next().unwrap_or(full)
}

/// Returns the arguments of a call. Named arguments have the names that the user wrote.
fn arguments<'v>(args: &RawArguments<'v, '_>, heap: Heap<'v>) -> starlark::Result<Arguments<'v>> {
    let positional = args.positions(heap)?.map(Value).collect();
    let mut named = Vec::new();
    for (name, value) in args.names_map()? {
        named.push((written(name.as_str()).to_owned(), Value(value)));
    }
    Ok(Arguments { positional, named })
}

/// Calls a function that is predeclared in every program.
fn call_builtin<'v>(
    name: &str,
    body: Builtin,
    is_constant: bool,
    args: &RawArguments<'v, '_>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Raw<'v>> {
    let positional: SmallVec<[Raw<'v>; 4]> = args.positions(eval.heap())?.collect();
    let named = args.names_map()?;
    let named: SmallVec<[(&str, Raw<'v>); 2]> = named
        .iter()
        .map(|(name, value)| (written(name.as_str()), *value))
        .collect();
    if !is_constant {
        for argument in &positional {
            work::charge_value(*argument, eval)?;
        }
    }
    let call = BuiltinCall {
        name,
        positional: &positional,
        named: &named,
    };
    body(&call, eval)
}
