//! The Starlark host: programs, values, the modules of `@ytt:`, limits and loading.
//!
//! The only room that names the crate `starlark`. A [`Program`] is compiled from a Starlark file or from what the room
//! `template` wrote; a [`Library`] evaluates programs that load each other, and a [`Session`] is what all libraries of
//! a run share.

mod bounded;
mod builtins;
mod caller;
mod depth;
mod error;
mod evaluation;
mod failure;
pub mod fragments;
mod host;
mod keep;
mod library;
mod limits;
mod memory;
mod modules;
mod native;
mod program;
mod session;
mod value;

pub use caller::{Arguments, Caller, Native, Value};
pub use host::{Definitions, Exported, HostFunction};
pub use library::{Evaluated, Library, Loader};
pub use limits::{Limits, on_large_stack};
pub use modules::Rule;
pub use native::NativeModule;
pub use program::{Program, ProgramKind, Script};
pub use session::Session;
