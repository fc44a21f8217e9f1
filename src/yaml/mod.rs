//! The lossless YAML tree, the meaning of its scalars, and its printers.
//!
//! One tree serves files, the YAML inside strings, and the JSON inside strings:
//!
//! - [`parse`](fn@parse) and [`parse_json`] read a text into a [`Stream`] of trees whose nodes know
//!   their bytes;
//! - [`faithful`] prints an edited tree with the bytes of everything that was not edited;
//! - [`canonical`](fn@canonical) prints values as ytt does, and [`push_sorted`] as kustomize does;
//! - [`formatted`](fn@formatted) rewrites a text in one layout and keeps its comments;
//! - [`spelling`] converts between the text of a scalar and the bytes that spell it.
//!
//! The module knows no files, no Kubernetes and no templates. Parsing never panics and is bounded
//! in depth and size.

mod block_scalar;
mod canonical;
mod character;
mod children;
mod data;
mod elements;
mod equality;
mod events;
mod expand;
pub mod faithful;
mod formatted;
mod json;
mod lenient_place;
mod limits;
mod lookup;
mod merge_key;
mod node;
mod parse;
mod parse_cache;
pub mod reader;
mod relink;
mod repair;
mod reprint;
mod sorted;
pub mod spelling;
mod strict;
mod text_edit;
mod tree_builder;
mod value;

pub use canonical::entries::repeated_keys;
pub(crate) use canonical::scalar::float;
pub use canonical::{
    AheadPrinter, PrintedRun, canonical, canonical_node, canonical_parts, is_empty,
};
pub use data::Data;
pub use elements::Elements;
pub use equality::is_equal;
pub use expand::{
    effective_entries, effective_text_entries, expand, expand_by_spelling, expand_written_first,
    has_plain_keys,
};
pub use formatted::{differs_from_formatted, formatted};
pub use json::{
    canonical_json, check_json, check_spellable, expand_to_text_keys, is_json_number, json_string,
    looks_like_json, parse_json, with_text_keys,
};
pub use limits::{NESTING_LIMIT, check_printable, length_of_texts, measure};
pub use merge_key::{is_merge, no_mapping_to_merge};
pub use node::{
    Alias, CollectionStyle, Content, DerivedText, Document, Entry, Item, Mapping, Node, Origin,
    Properties, Scalar, ScalarStyle, ScalarTyping, Sequence, Stream, Syntax, Text,
};
pub use parse::{documents_parsed, parse, parse_data};
pub use parse_cache::{forget_unused, keep_parsed, parses};
pub use relink::{relink, unlink};
pub use reprint::{Reprinted, print_separated, reprint, reprint_edited};
pub use sorted::push_sorted;
pub use strict::strict_faults;
pub use text_edit::{TextEdit, TextWithEdits, apply};
pub use value::{
    CoreValue, PlainContext, ShortestFloat, TagMismatch, Value, core_value, differs_by_version,
    is_plain_string, is_plain_string_of_go, resolve, tag_mismatch,
};
