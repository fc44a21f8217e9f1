//! The lossless tree, what its scalars mean, and the two ways to print it.
//!
//! One tree serves files, the YAML inside strings, and the JSON inside strings. It knows no files, no Kubernetes and no
//! templates. Parsing never panics and is bounded in depth and size.

mod block_scalar;
mod budget;
mod canonical;
mod character;
mod data;
mod elements;
mod events;
mod expand;
pub mod faithful;
mod formatted;
mod indicator;
mod json;
mod measure;
mod node;
mod parse;
mod relink;
mod repair;
mod says_same;
pub mod spelling;
mod stream;
mod strict;
mod text_edit;
mod value;

pub use canonical::entries::{is_merge, no_mapping_to_merge};
pub use canonical::{canonical, canonical_node, is_empty};
pub use data::Data;
pub use elements::{Element, Elements};
pub use events::NESTING_LIMIT;
pub use expand::{effective_entries, expand};
pub use formatted::formatted;
pub use json::{
    canonical_json, is_json_number, json_number, json_string, looks_like_json, parse_json,
    with_text_keys,
};
pub use measure::measure;
pub use node::{
    Alias, CollectionStyle, Content, DerivedText, Entry, Item, Mapping, Node, Origin, Properties,
    Scalar, ScalarStyle, Sequence, Text,
};
pub use parse::{ALIAS_LIMIT, parse, parse_data};
pub use relink::{relink, unlink};
pub use says_same::says_same;
pub use stream::{Document, Stream, Syntax};
pub use strict::strict_faults;
pub use text_edit::{EditedText, TextEdit, apply};
pub use value::{
    Misfit, Value, decode_binary, encode_binary, is_plain_string, resolve, tag_misfit,
};
