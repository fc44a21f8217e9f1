//! What a program may use of time, stack and memory.
//!
//! The crate `starlark` counts calls, loop turns and the bytes of its heap. That is not enough: it
//! checks its heap once in a thousand steps, does not count what dictionaries and YAML nodes take,
//! and walks values recursively. So each operation that may grow or walk without bound checks
//! first:
//!
//! - [`size`]: how long one string or list may become;
//! - [`memory`]: what one evaluation may allocate;
//! - [`walk`]: how many values a comparison may visit;
//! - [`nesting`]: how deep values may nest that are frozen;
//! - [`ArgumentLimit`]: which of these a function of the crate needs.

mod arguments;
pub(super) mod memory;
pub(super) mod nesting;
mod settings;
pub(super) mod size;
pub(super) mod walk;

pub(super) use arguments::ArgumentLimit;
pub use settings::{Limits, on_large_stack};
