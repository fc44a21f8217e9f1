//! The lossless tree, what its scalars mean, and the two ways to print it.
//!
//! One tree serves files, the YAML inside strings, and the JSON inside strings. It knows no files, no Kubernetes and no
//! templates. Parsing never panics and is bounded in depth and size.

mod json;
mod node;
mod stream;
mod text_edit;
mod value;

pub use json::{canonical_json, json_string, looks_like_json, parse_json};
pub use node::{
    Alias, CollectionStyle, Content, DerivedText, Entry, Item, Mapping, Node, Origin, Properties, Scalar, ScalarStyle,
    Sequence, Text,
};
pub use stream::{Document, Stream, Syntax};
pub use text_edit::{TextEdit, apply};
pub use value::{Value, resolve};
