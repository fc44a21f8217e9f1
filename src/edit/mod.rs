//! Field paths, the documents inside strings, and changes to the values that paths lead to.
//!
//! A path goes on below a string that holds JSON or YAML, to any depth: [`find`] reads there and [`update`] writes
//! there. The room knows nothing of Kubernetes; what only an object's kind can tell (which fields are text, which are
//! base64) comes in as [`TextFields`].

mod base64_text;
mod embedded;
mod find;
mod fit;
mod in_string;
mod json_path;
mod lookup;
mod merge;
mod merge_text;
mod missing;
mod path;
mod pointer;
mod remake;
mod string_document;
mod text_fields;
#[cfg(test)]
mod toml_tests;
mod update;
mod walk;

pub use crate::formats::{Format, parse_as};
pub use base64_text::{decode as decode_base64, encode as encode_base64};
pub use embedded::Layout;
pub use find::{Found, find};
pub use fit::{TypePolicy, fit, fit_own_type};
pub use in_string::update_in_string;
pub use json_path::Query;
pub use lookup::{merged, refuse_duplicates};
pub use merge::{EntryChanges, Lists, MergeOptions, Nulls, Unlike, check_keys, is_same, merge};
pub use merge_text::{MergedText, TextMerge, change_text, merge_text};
pub use missing::Missing;
pub use path::{FieldPath, Segment};
pub use pointer::{Pointer, add, get, remove, replace};
pub use remake::remake;
pub use string_document::StringDocument;
pub use text_fields::{Encoding, FieldsOf, TextFields};
pub use update::{Failure, Options, Target, Visit, update};
