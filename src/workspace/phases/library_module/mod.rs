//! `@ytt:library`: private libraries, which templates give values and evaluate.
//!
//! `library.get` finds a library below `_ytt_lib` beside the calling file. What it returns never changes:
//! `with_data_values` returns another. Evaluated with equal inputs, a library is evaluated once ([`memory`]).

mod export;
mod get;
mod memory;
mod private;
mod signature;

use std::sync::Arc;

pub(super) use memory::Memory;

use self::get::Getter;
use self::private::PrivateLibrary;
use super::run::Run;
use crate::script::{Arguments, Caller, HostFunction, Program, Value};
use crate::source::{Code, Diagnostic, Result};

/// The name of the module.
pub(super) const NAME: &str = "library";

/// The functions of the module for a program of a library of the session.
pub(super) fn functions(library: usize, program: &Arc<Program>) -> Vec<HostFunction> {
    vec![HostFunction {
        name: "get",
        state: Arc::new(Getter {
            library,
            program: Arc::clone(program),
        }),
    }]
}

/// Carries out `library.get`, or a method of what it gave.
///
/// # Errors
/// Wrong arguments, and what goes wrong in the library.
pub(super) fn call<'v>(
    run: &Run<'_>,
    function: &HostFunction,
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    if let Some(getter) = function.state.downcast_ref::<Getter>() {
        return Ok(private::value(getter.get(run, arguments)?, caller));
    }
    match function.state.downcast_ref::<PrivateLibrary>() {
        Some(library) => library.call(function.name, run, caller, arguments),
        None => Err(Diagnostic::error(
            Code::Internal,
            format!("nobody carries out `{}`", function.name),
        )),
    }
}
