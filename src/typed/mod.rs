//! Typed configuration from the tree, through `serde`.
//!
//! A configuration is read from the same tree as everything else, so every error shows the line that is wrong, also
//! when the configuration stands inside another document. Reading is strict: a field given twice, a number where text
//! is wanted, and (for types with `deny_unknown_fields`) an unknown field are errors, because a setting that is quietly
//! dropped or changed is found much later, in the output.
//!
//! [`Spanned`] keeps the place of a value for errors that are found after reading, [`RawNode`] keeps a part of the tree
//! as it is. [`from_node`] stops at the first mistake, [`read`] tells all of them.

mod access;
mod capture;
mod deserializer;
mod error;
mod key;
mod path;
#[cfg(test)]
mod tests;
mod whole;

use std::sync::Arc;

use serde::de::DeserializeOwned;

pub use capture::{RawNode, Spanned};
use deserializer::NodeDeserializer;
pub use whole::read;

use crate::source::Result;
use crate::yaml::Node;

/// Reads a value of type `T` from `node`, following aliases.
///
/// # Errors
/// A diagnostic of [`Code::Config`](crate::source::Code::Config) at the value or key that does not fit `T`, with its
/// path in `node` as a note.
pub fn from_node<T: DeserializeOwned>(node: &Arc<Node>) -> Result<T> {
    T::deserialize(NodeDeserializer::new(node)).map_err(|error| error.into_diagnostic())
}
