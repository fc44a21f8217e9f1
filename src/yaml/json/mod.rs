//! Parses JSON into the lossless tree, and prints values as JSON.
//!
//! JSON has its own parser, although nearly all of it is flow YAML. Its errors should use the terms
//! of JSON (a missing quote, not a "flow mapping"), it must accept tabs and `//` comments, and
//! embedded JSON is parsed so often that speed matters.
//!
//! Values are read strictly by RFC 8259. Beyond it, the parser accepts what configuration files
//! contain: a byte order mark at the start, `//` and `/* */` comments, a comma after the last
//! entry, raw tabs in strings, and any number of values one after another (newline-delimited JSON),
//! each of which becomes a document.

mod blank;
mod canonical;
mod fault;
mod fit;
mod lexer;
mod number;
mod parser;
mod string;
mod text_keys;
mod writer;

#[cfg(test)]
mod tests;

pub use blank::looks_like_json;
pub use canonical::canonical_json;
pub use fit::{check_json, check_spellable};
pub use number::is_json_number;
pub(super) use number::json_number;
pub use parser::parse_json;
pub use text_keys::{expand_to_text_keys, with_text_keys};
pub use writer::json_string;
