//! Which language a string holds.

use std::sync::Arc;

use serde::Deserialize;

use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::{CollectionStyle, Content, Stream, Syntax, looks_like_json, parse_data, parse_json};

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

/// Parses a text in the format given, also JSON that only YAML can read, such as `{"level": debug}`: that is kept as it is,
/// with a warning, and what is written into it is JSON.
///
/// # Errors
/// As [`parse_json`] and [`parse_data`].
pub(super) fn parse_leniently(source: &Arc<Source>, format: Format) -> Result<(Stream, Option<Box<Diagnostic>>)> {
    let error = match parse_as(source, Some(format)) {
        Ok(stream) => return Ok((stream, None)),
        Err(error) if format == Format::Json && error.code == Code::JsonSyntax => error,
        Err(error) => return Err(error),
    };
    let Ok(stream) = parse_data(source) else { return Err(error) };
    let [document] = &stream.documents[..] else { return Err(error) };
    let style = match &document.root.content {
        Content::Mapping(mapping) => mapping.style,
        Content::Sequence(sequence) => sequence.style,
        Content::Scalar(_) | Content::Alias(_) => return Err(error),
    };
    if style != CollectionStyle::Flow {
        return Err(error);
    }
    let mut warning = Diagnostic::warning(error.code, "the text is no strict JSON; it is kept as it is")
        .note(error.message.clone())
        .help("mend the text, or use `format: yaml` if YAML is meant");
    warning.labels = error.labels;
    Ok((Stream { syntax: Syntax::Json, ..stream }, Some(warning)))
}
