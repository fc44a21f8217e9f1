//! Functions that the room above carries out with all that it knows of the run.
//!
//! A function of a [`NativeModule`](super::NativeModule) knows its arguments and nothing else. A [`Loader`] knows the
//! files and the libraries of a build: it gives programs functions of its own, and is called when they are.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::collections::SmallMap;
use starlark::environment::FrozenModule;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::{
    Heap, NoSerialize, OwnedFrozenValue, ProvidesStaticType, StarlarkValue, Value as Raw,
    starlark_value,
};

use super::caller::{self, Caller, Value};
use super::evaluation::evaluation;
use super::program::Program;
use super::value::ModuleValue;

/// A function that a [`Loader`](super::Loader) carries out.
#[derive(Clone, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub struct HostFunction {
    /// Its name.
    pub name: &'static str,
    /// What it was made with, which tells the loader what to do.
    #[allocative(skip)]
    pub state: Arc<dyn Any + Send + Sync>,
}
starlark_simple_value!(HostFunction);

/// A value of one library for another, or for later.
#[derive(Clone, Debug)]
pub struct Exported(pub(super) OwnedFrozenValue);

/// What a file defines.
#[derive(Clone, Debug)]
pub struct Definitions {
    module: FrozenModule,
    program: Arc<Program>,
}

impl Definitions {
    pub(super) fn new(module: FrozenModule, program: &Arc<Program>) -> Definitions {
        Definitions {
            module,
            program: Arc::clone(program),
        }
    }

    /// What the file defines under a name. What it loads from another file is not its own.
    pub fn get(&self, name: &str) -> Option<Exported> {
        let is_loaded = self.program.loads(name);
        let value = self
            .module
            .get_option(name)
            .ok()
            .flatten()
            .filter(|_| !is_loaded);
        value.map(Exported)
    }

    /// The names that others can use.
    pub fn names(&self) -> Vec<String> {
        let names = self.module.names().map(|name| name.as_str().to_owned());
        names
            .filter(|name| !name.starts_with('_') && !self.program.loads(name))
            .collect()
    }
}

impl<'v> Caller<'_, 'v> {
    /// A module of functions that the loader carries out.
    pub fn module(&self, functions: &[HostFunction]) -> Value<'v> {
        Value(module(functions, self.heap()))
    }

    /// A value of another library.
    pub fn exported(&self, exported: &Exported) -> Value<'v> {
        Value(self.heap().access_owned_frozen_value(&exported.0))
    }
}

pub(super) fn module<'v>(functions: &[HostFunction], heap: Heap<'v>) -> Raw<'v> {
    let named = functions
        .iter()
        .map(|function| (function.name.to_owned(), heap.alloc(function.clone())));
    let fields: SmallMap<String, Raw<'v>> = named.collect();
    ModuleValue::alloc(fields, heap)
}

impl fmt::Debug for HostFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostFunction({})", self.name)
    }
}

impl fmt::Display for HostFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<built-in function {}>", self.name)
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v> StarlarkValue<'v> for HostFunction {
    fn invoke(
        &self,
        _me: Raw<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Raw<'v>> {
        let arguments = caller::arguments(args, eval.heap())?;
        let evaluation = evaluation(eval)?;
        // What the loader evaluates stands on the same stack as the calls that led here.
        let suspended = evaluation.session().suspend(eval.call_stack_count());
        let outcome = evaluation
            .library
            .loader
            .call(self, &mut Caller::new(eval), arguments);
        evaluation.session().resume(suspended);
        caller::outcome(outcome)
    }
}
