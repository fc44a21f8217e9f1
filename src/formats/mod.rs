//! The languages of embedded texts.
//!
//! Every language is parsed into the tree of `yaml`, and a changed tree becomes edits of the text.
//! The table of languages is in `table.rs`. `edit` works with [`Documents`].
//!
//! This module knows no paths, no files and no Kubernetes.

mod documents;
mod flat;
mod ini;
mod json_yaml;
mod key_values;
mod language;
mod lines;
mod moved_lines;
mod settings;
mod table;
mod toml;

pub use documents::{Documents, LenientDocuments};
pub use json_yaml::parse_as;
pub use language::DocumentFormat;
pub use settings::settings_formats;
