//! Texts that are one mapping of strings, one key a line: Java's `.properties` and environment
//! files.
//!
//! A dialect describes its lines; the edits are those of `key_values`.

mod env;
mod properties;
#[cfg(test)]
mod tests;
mod text;

pub(super) use env::LANGUAGE as ENV;
pub(super) use properties::LANGUAGE as PROPERTIES;
