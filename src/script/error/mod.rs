//! Errors of the `starlark` crate as diagnostics.

mod arguments;
mod diagnose;
mod frozen;
mod syntax;
mod translate;

pub(super) use arguments::{misfit, shape_of};
pub(super) use diagnose::{diagnose, with_undefined};
pub(super) use syntax::syntax;
pub(super) use translate::without_places;
