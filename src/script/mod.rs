//! The Starlark host: programs, values, limits and loading.
//!
//! Only this module uses the crate `starlark`. A [`Program`] is compiled from a Starlark file or
//! from the script that `template` writes. A [`Library`] evaluates programs that load each other
//! through a [`Loader`], and a [`Session`] contains the state that all libraries of a run share.
//! Modules above add functions with a [`NativeModule`].

mod builtin_call;
mod builtins;
mod caller;
mod error;
mod evaluation;
mod exported;
mod failure;
pub mod fragments;
mod function;
mod library;
mod limits;
mod loader;
mod program;
mod reads;
mod session;
mod value;

pub use caller::{Arguments, Caller, Value};
pub use exported::{Definitions, Exported};
pub use function::{Constant, Native, NativeFunction, NativeModule, NativeState, ObjectType};
pub use library::{Evaluated, Library};
pub use limits::Limits;
pub use loader::Loader;
pub use program::{Program, ProgramKind, Script};
pub use reads::recording;
pub use session::Session;
