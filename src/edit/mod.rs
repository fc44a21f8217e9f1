//! Field paths, the documents inside strings, and changes to the values that paths lead to.
//!
//! A path continues into strings that contain documents, to any depth: [`find`] reads there,
//! [`update`] writes there. This module does not know Kubernetes. The facts that depend on the kind
//! of an object (which fields are text, and which text is base64) are passed in as [`TextFields`].

mod access;
mod base64_text;
mod embedded;
mod failure;
mod field_place;
mod fit;
mod json_patch;
mod lookup;
mod merge;
mod merge_text;
mod options;
mod path;
mod string_document;
mod text_fields;
#[cfg(test)]
mod toml_tests;
mod walk;

pub use crate::formats::{DocumentFormat, Documents, parse_as, settings_formats};
pub use access::{
    FoundPlace, FoundValue, delete, find, find_places, update, update_all, update_in_string,
};
pub use base64_text::{decode as decode_base64, encode as encode_base64, is_base64};
pub use embedded::{EditedString, text_warnings};
pub use failure::{EditFailure, EditResult, Missing};
pub use field_place::FieldPlace;
pub use fit::{TypePolicy, fit, fit_own_type, remake};
pub use json_patch::{add, copy, get, move_item, move_value, remove, replace};
pub use lookup::{KeyPositions, merged, refuse_duplicates};
pub use merge::{
    EntryChanges, KindMismatch, Lists, MergeOptions, Nulls, check_keys, is_same, merge,
};
pub use merge_text::{MergedText, TextMerge, change_text, keys_lost_to, merge_text};
pub use options::{DocumentLayout, EditOptions, EditTarget, Visit};
pub use path::{FieldPath, PathSegment, PathStep, Pointer, Query, spelled_key};
pub use string_document::StringDocument;
pub use text_fields::{Encoding, FieldType, FieldsOf, ITEM, TextFields, TypeOf};
pub use walk::{LooseMatch, ShortList, Updated};
