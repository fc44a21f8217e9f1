//! Turns errors of the `starlark` crate into diagnostics: their places, their calls and their
//! wording.

mod arguments;
mod diagnose;
mod frozen;
mod misread;
mod syntax;
mod translate;

pub(super) use arguments::{argument_mismatch, shape_of};
pub(super) use diagnose::{diagnose, with_undefined};
pub(super) use syntax::syntax;
pub(super) use translate::without_places;
