//! Which language a string holds.

use std::sync::Arc;

use serde::Deserialize;

use crate::source::{Result, Source};
use crate::yaml::{Stream, Syntax, looks_like_json, parse_data, parse_json};

/// The language of a document in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// JSON, with comments and trailing commas allowed.
    Json,
    /// YAML.
    Yaml,
}

impl Format {
    /// The format that a key suggests by its file extension.
    pub fn of_key(key: &str) -> Option<Format> {
        let (_, extension) = key.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "json" | "jsonc" | "json5" | "ndjson" | "jsonl" => Some(Format::Json),
            "yaml" | "yml" => Some(Format::Yaml),
            _ => None,
        }
    }

    /// The grammar that the format is written in.
    pub fn syntax(self) -> Syntax {
        match self {
            Format::Json => Syntax::Json,
            Format::Yaml => Syntax::Yaml,
        }
    }

    /// The name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "JSON",
            Format::Yaml => "YAML",
        }
    }
}

/// Parses a text in the format given, or else in the one it shows.
///
/// A text that begins with a brace or a bracket is JSON if it parses as that, and flow YAML if not: `{a: x} # note` is
/// YAML. Where neither parses, the complaint is that of the language it looks like.
///
/// # Errors
/// As [`parse_json`] and [`parse_data`].
pub fn parse_as(source: &Arc<Source>, format: Option<Format>) -> Result<Stream> {
    match format {
        Some(Format::Json) => parse_json(source),
        Some(Format::Yaml) => parse_data(source),
        None if looks_like_json(source.text()) => {
            parse_json(source).or_else(|error| parse_data(source).map_err(|_| error))
        }
        None => parse_data(source),
    }
}
