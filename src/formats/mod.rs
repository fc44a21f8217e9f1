//! The languages that embedded text can have.
//!
//! Every language is parsed into the one tree of `yaml`, and a changed tree becomes edits of the
//! text. The table of languages is in `table.rs`; [`Documents`] is what `edit` works with.
//!
//! This module knows no paths, no files and no Kubernetes.

mod documents;
mod flat;
mod ini;
mod json_yaml;
mod key_values;
mod language;
mod lines;
mod settings;
mod table;
mod toml;

pub use documents::{Documents, LenientDocuments};
pub use json_yaml::parse_as;
pub use language::DocumentFormat;
pub use settings::settings_formats;
