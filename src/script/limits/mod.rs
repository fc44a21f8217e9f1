//! What a program may use of time, stack and memory.
//!
//! The crate `starlark` counts calls, loop turns and the bytes of its heap. That is not enough: it
//! checks its heap once in a thousand steps, does not count what dictionaries and YAML nodes take,
//! and walks values recursively. So each operation that may grow or walk without bound checks
//! first:
//!
//! - [`size`]: how long one string or list may become;
//! - [`memory`]: what one evaluation may allocate;
//! - [`walk`]: how many values one operation may visit;
//! - [`work`]: how long all operations of an evaluation may take;
//! - [`nesting`]: how deep values may nest that are frozen.

pub(super) mod memory;
pub(super) mod nesting;
mod settings;
pub(super) mod size;
pub(super) mod walk;
pub(super) mod work;

pub use settings::{Limits, on_large_stack};
