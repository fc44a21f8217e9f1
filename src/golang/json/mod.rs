//! JSON as Go's `encoding/json` writes and reads it, but for numbers, which are read without loss.

mod decode;
mod encode;
mod node;
mod syntax;

pub use decode::decode;
pub use encode::{JsonLayout, encode};
pub use node::encode_node;
