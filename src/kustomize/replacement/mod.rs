//! `replacements`: values that are copied from one field to others.
//!
//! An entry passes through three types:
//! 1. [`ReplacementConfig`] is the entry as written (`config`).
//! 2. [`Replacement`] is the entry with every path, pattern and template parsed (`model`).
//!    [`check_all`] creates it when the configuration is read, so a mistake is reported even if the
//!    entry would not select any object.
//! 3. [`mod@apply`] reads the value (`source`), transforms it (`value`), and writes it to every target.

mod apply;
mod check;
mod config;
mod model;
mod options;
mod source;
mod template;
#[cfg(test)]
mod tests;
mod value;

use crate::typed::FieldComments;

pub use apply::{ReplacementRun, apply};
pub use check::check_all;
pub use config::ReplacementConfig;
pub use model::Replacement;

/// The documentation of the types of an entry, for schemas.
pub const DOCUMENTED: &[FieldComments] = &[
    config::ReplacementConfig::DOCUMENTATION,
    config::SourceConfig::DOCUMENTATION,
    config::TargetConfig::DOCUMENTATION,
    options::ReplacementOptions::DOCUMENTATION,
];
