//! Reads typed configuration from the YAML tree, through `serde`.
//!
//! Configuration types derive `serde::Deserialize`, as they would for any format. The deserializer
//! of this module reads them from [`Node`]s instead of text. So a configuration is parsed once, and
//! every error can show its line, even if the configuration is embedded in another document.
//!
//! # How places survive serde
//!
//! serde's data model has no positions: it passes `visit_str("x")` from the deserializer to a type,
//! and a type that refuses the value returns an error made of text. Places are added in both
//! directions:
//!
//! - *Errors* start without a place. Each level of the tree that an error passes on its way out
//!   adds the missing parts: the innermost level sets the node, and each level above prepends one
//!   step of the path (`steps`, `[2]`, `run`).
//! - *Values* that are checked after reading use [`Spanned<T>`], which keeps the location of the
//!   value, or [`RawNode`], which keeps the node itself. See `capture.rs` for how a node gets
//!   through serde.
//!
//! # Strictness
//!
//! A duplicate key, a number where a string is expected, and (for types with `deny_unknown_fields`)
//! an unknown field are errors. If a setting was silently dropped or converted, users would notice
//! it much later, in the output.
//!
//! # How all mistakes are reported
//!
//! serde stops at the first error. [`read`] therefore removes the wrong part from the tree and
//! reads again, until there are no more mistakes; see `recover.rs`. [`from_node`] stops at the
//! first error.

mod access;
mod capture;
mod deserializer;
mod documentation;
mod error;
mod json_schema;
mod path;
mod recover;
mod shape;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::de::DeserializeOwned;

pub use capture::{RawNode, Spanned};
use deserializer::{FieldReading, NodeDeserializer};
pub use documentation::FieldComments;
pub(crate) use documentation::{documented, documented_object};
pub use json_schema::json_schema;
pub use recover::{read, read_any_case, read_known_fields};
pub use shape::{ShapeStep, TypeShape, shape_at};

use crate::source::Result;
use crate::yaml::Node;

/// Reads a value of type `T` from `node`, following aliases, and stops at the first mistake.
///
/// # Errors
/// A diagnostic of [`Code::Config`](crate::source::Code::Config) at the value or key that does not
/// fit `T`, with its path in `node` as a note; of [`Code::Limit`](crate::source::Code::Limit) if
/// aliases nest the value too deep.
pub fn from_node<T: DeserializeOwned>(node: &Arc<Node>) -> Result<T> {
    T::deserialize(NodeDeserializer::new(node, FieldReading::default()))
        .map_err(|error| error.into_diagnostic())
}
