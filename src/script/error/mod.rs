//! Errors of the `starlark` crate as diagnostics.

mod diagnose;
mod syntax;
mod translate;

pub(super) use diagnose::{diagnose, with_undefined};
pub(super) use syntax::syntax;
pub(super) use translate::without_places;
