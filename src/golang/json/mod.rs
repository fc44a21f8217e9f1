//! JSON in the form that Go's `encoding/json` writes and reads, except that numbers are read
//! without loss of precision.

mod decode;
mod encode;
mod node;
mod syntax;

pub use decode::decode;
pub use encode::{JsonLayout, encode};
pub use node::encode_node;
