//! JSON as Go's `encoding/json` writes and reads it, but for numbers, which are read without loss.

mod decode;
mod encode;

pub use decode::decode;
pub use encode::{Layout, encode};
