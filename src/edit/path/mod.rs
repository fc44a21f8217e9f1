//! The three languages of paths: kustomize's field paths, JSONPath (RFC 9535) and JSON pointers
//! (RFC 6901).
//!
//! Each is parsed into the segments of a [`FieldPath`], so that one walk follows them all.

mod json_path;
mod parse;
mod pattern;
mod pointer;
mod respell;
mod step;
mod types;

pub(super) use json_path::compile_pattern;
pub(super) use pattern::is_pattern;
pub use pointer::Pointer;
pub(super) use respell::is_index;
pub use step::{PathStep, spelled_key};
pub(super) use types::{Expression, MatchScope, Operand, QuerySelector, SubQuery, TextPattern};
pub use types::{FieldPath, PathSegment, Query};
