//! How a text is spelled as a scalar, in both directions.
//!
//! [`decode`] undoes the quotes, escapes, folding and indentation of a scalar and says where each byte of the text is
//! spelled, so that a place inside an embedded document is a place in the file. [`encode`] spells a text in the style
//! wanted, or in the nearest style that can hold it. [`splice`] changes a part of a text and spells only that part anew.

mod block;
mod decode;
mod double_quoted;
mod encode;
mod flow;
mod splice;
mod text_source;

pub(crate) use decode::content_indent;
pub use decode::{Spelled, decode};
pub use encode::{Place, encode};
pub use splice::splice;
pub use text_source::{encoded_source, mapped_source, text_source};
