//! Functions that are written in Rust: the one way to give programs a function.
//!
//! A [`NativeModule`] is a table of functions, and `load("@ytt:name", …)` makes one
//! [`NativeFunction`] for each row. Functions of a [`Loader`](super::Loader) and functions of the
//! `starlark` crate that need limits are the same type of value with another [`FunctionBody`], so
//! that what holds for one call holds for all: errors are diagnostics, and the memory is checked
//! after each call.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::eval::{Arguments as RawArguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::{
    FrozenValue, Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value as Raw, starlark_value,
};

use super::caller::{Arguments, Caller, Value};
use super::evaluation::evaluation;
use super::failure::Failure;
use super::limits::{ArgumentLimit, memory};
use super::value::dictionary;
use crate::dialect::RENAMED;
use crate::source::Result;

/// The body of a native function.
pub type Native = for<'v> fn(&mut Caller<'_, 'v>, Arguments<'v>) -> Result<Value<'v>>;

/// Data that a native function was made with: see [`Caller::state`].
pub type NativeState = Arc<dyn Any + Send + Sync>;

/// A module that programs can load as `@ytt:name`: its functions and constants.
///
/// The state of its functions is the [`Program`](super::Program) that loads the module.
#[derive(Clone, Copy, Debug)]
pub struct NativeModule {
    /// The name after `@ytt:`.
    pub name: &'static str,
    /// The functions. A name may have the module before it, as messages show it: `overlay.all`.
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

/// A type of the objects that native functions return.
#[derive(Debug)]
pub struct ObjectType {
    /// What `type(value)` returns, such as `@ytt:ip.addr`.
    pub name: &'static str,
    /// What `str(value)` returns.
    pub text: &'static str,
    /// The functions that every object of the type has, by full name: `ip.addr.string`.
    pub methods: &'static [(&'static str, Native)],
}

impl NativeModule {
    /// Returns a module of functions alone.
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

/// How a native function is carried out.
#[derive(Clone, Copy)]
enum FunctionBody {
    Rust(Native),
    /// By the [`Loader`](super::Loader), which knows the files and libraries of the build.
    Loader,
    /// By a function of the `starlark` crate, once the arguments are checked.
    Limited(FrozenValue, ArgumentLimit),
}

impl NativeFunction {
    /// Returns a function with a body in Rust.
    pub fn new(name: &'static str, native: Native) -> NativeFunction {
        NativeFunction {
            name,
            body: FunctionBody::Rust(native),
            state: None,
        }
    }

    /// Returns a function that [`Loader::call`](super::Loader::call) carries out.
    pub fn of_loader(name: &'static str, state: NativeState) -> NativeFunction {
        NativeFunction {
            name,
            body: FunctionBody::Loader,
            state: Some(state),
        }
    }

    /// Returns a function of the crate, called only with arguments within `limit`.
    pub(super) fn limited(
        name: &'static str,
        function: FrozenValue,
        limit: ArgumentLimit,
    ) -> NativeFunction {
        NativeFunction {
            name,
            body: FunctionBody::Limited(function, limit),
            state: None,
        }
    }

    /// Returns the function with a state that its body can read.
    pub fn with_state(self, state: NativeState) -> NativeFunction {
        NativeFunction {
            state: Some(state),
            ..self
        }
    }

    /// Its full name, such as `overlay.all`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its name as a member of a module, see [`member_name`].
    pub(super) fn member_name(&self) -> &'static str {
        member_name(self.name)
    }

    /// Its state, if it has one of this type.
    pub fn state<T: Any>(&self) -> Option<&T> {
        self.state.as_ref()?.downcast_ref()
    }

    fn call_loader<'v>(
        &self,
        arguments: Arguments<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let evaluation = evaluation(eval)?;
        // The loader may evaluate other files. They run on the same stack as the calls that led
        // here, so these calls count for their limit too.
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
    fn invoke(
        &self,
        _me: Raw<'v>,
        args: &RawArguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Raw<'v>> {
        let value = match self.body {
            FunctionBody::Rust(native) => {
                let arguments = arguments(args, eval.heap())?;
                native(&mut Caller::of(self, eval), arguments)
                    .map_err(Failure::from)?
                    .0
            }
            FunctionBody::Loader => self.call_loader(arguments(args, eval.heap())?, eval)?.0,
            FunctionBody::Limited(function, limit) => {
                if matches!(self.name, "min" | "max") {
                    refuse_empty(self.name, args, eval.heap())?;
                }
                call_limited(function, limit, args, eval)?
            }
        };
        // The crate checks its heap only once in a thousand steps, and one native call may allocate
        // a lot.
        memory::take_entries(value, eval)?;
        memory::check(eval)?;
        Ok(value)
    }
}

/// Returns the name of a member whose full name, as messages show it, may begin with its module or
/// type: `all` for `overlay.all`.
fn member_name(full: &'static str) -> &'static str {
    full.rsplit('.').next().unwrap_or(full)
}

/// Returns the arguments of a call. Named ones have the names that the user wrote.
fn arguments<'v>(args: &RawArguments<'v, '_>, heap: Heap<'v>) -> starlark::Result<Arguments<'v>> {
    let positional = args.positions(heap)?.map(Value).collect();
    let mut named = Vec::new();
    for (name, value) in args.names_map()? {
        let name = name.as_str();
        // `f(await=1)` arrives as `__ytt_name_await`.
        let name = name.strip_prefix(RENAMED).unwrap_or(name);
        named.push((name.to_owned(), Value(value)));
    }
    Ok(Arguments { positional, named })
}

/// Refuses to look for the smallest or largest value of an empty sequence.
fn refuse_empty<'v>(
    name: &str,
    args: &RawArguments<'v, '_>,
    heap: Heap<'v>,
) -> starlark::Result<()> {
    let positional: Vec<Raw<'v>> = args.positions(heap)?.collect();
    match positional.as_slice() {
        [only] if only.length().is_ok_and(|length| length == 0) => {
            Err(Failure::new(format!("{name}: argument is an empty sequence")).into())
        }
        _ => Ok(()),
    }
}

fn call_limited<'v>(
    function: FrozenValue,
    limit: ArgumentLimit,
    args: &RawArguments<'v, '_>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Raw<'v>> {
    let mut positional: Vec<Raw<'v>> = args.positions(eval.heap())?.collect();
    limit.check(&positional)?;
    // ytt's `dict` also takes structs and fragments, the crate's does not.
    if limit == ArgumentLimit::Entries {
        positional = dictionary::all(positional, eval.heap())?;
    }
    let named = args.names_map()?;
    let named: Vec<(&str, Raw<'v>)> = named
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    eval.eval_function(function.to_value(), &positional, &named)
}
