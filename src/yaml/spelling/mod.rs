//! Converts between the text of a scalar and the bytes that spell it.
//!
//! ```text
//! config: "a: 1\nb: 2\n"         bytes in the file
//!    decode ↓     ↑ encode, splice
//! a: 1⏎b: 2⏎                     text, parsed and edited as a separate document
//! ```
//!
//! - [`mod@decode`] removes quotes, escapes, folding and indentation, and maps each byte of the text to
//!   the file.
//! - [`mod@encode`] writes a whole text in a given style, or in the most similar style that can express
//!   it.
//! - [`mod@splice`] writes only the changed parts of a text, in the style of the scalar, and keeps all
//!   other bytes.
//!
//! Invariant: written text always reads back as the same text. [`mod@splice`] checks it and gives up
//! otherwise.

mod block;
mod decode;
mod double_quoted;
mod encode;
mod flow;
mod splice;

pub(crate) use decode::content_indent;
pub use decode::{DecodedText, decode, encoded_source, mapped_source, text_source};
pub use encode::{ScalarPlace, encode};
pub use splice::splice;
