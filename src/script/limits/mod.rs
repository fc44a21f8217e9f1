//! The limits of a program in time, stack and memory.
//!
//! The crate `starlark` counts calls, loop turns and the bytes of its heap. That is not enough: it
//! checks its heap only once in a thousand steps, does not count the memory of dictionaries and
//! YAML nodes, and walks values recursively. So each operation that may grow or walk without bound
//! is checked first:
//!
//! - [`size`] limits the length of one string or list;
//! - [`memory`] limits the allocations of one evaluation;
//! - [`walk`] limits the number of values that one operation visits;
//! - [`work`] limits the time of all operations of an evaluation;
//! - [`watch`] ends a program at the place where it exceeds the limits that the crate counts;
//! - [`nesting`] limits the depth of values that are frozen.

pub(super) mod memory;
pub(super) mod nesting;
pub(super) mod noted;
pub(super) mod outside;
mod settings;
pub(super) mod size;
pub(super) mod walk;
pub(super) mod watch;
pub(super) mod work;

pub use settings::Limits;
