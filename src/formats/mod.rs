//! Which language a string holds, and how it is read and written.
//!
//! Every language is read into the same tree. JSON and YAML are those of `yaml`; TOML, properties and environment files
//! have a folder each, which reads a text into a tree and writes a changed tree as changes of the text.

mod documents;
mod flat;
mod lines;
mod toml;

use std::sync::Arc;

use serde::Deserialize;

pub use documents::Documents;
pub use toml::{Kind as TomlKind, kind as toml_kind};

use self::flat::Dialect;
use crate::source::{Code, Diagnostic, OffsetMap, Result, Source};
use crate::yaml::{
    CollectionStyle, Content, Node, Stream, Syntax, faithful, looks_like_json, parse_data,
    parse_json, spelling,
};

/// The language of a document in a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// JSON, with comments and trailing commas allowed.
    Json,
    /// YAML.
    #[default]
    Yaml,
    /// TOML.
    Toml,
    /// Java's properties: a mapping of strings.
    Properties,
    /// Lines of `KEY=value`: a mapping of strings.
    Env,
}

impl From<Syntax> for Format {
    fn from(syntax: Syntax) -> Format {
        match syntax {
            Syntax::Json => Format::Json,
            Syntax::Yaml => Format::Yaml,
        }
    }
}

impl Format {
    /// The names that a configuration gives the formats.
    pub const NAMES: [&'static str; 5] = ["json", "yaml", "toml", "properties", "env"];

    /// The format that a key suggests by its file extension.
    pub fn of_key(key: &str) -> Option<Format> {
        let (_, extension) = key.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "json" | "jsonc" | "json5" | "ndjson" | "jsonl" => Some(Format::Json),
            "yaml" | "yml" => Some(Format::Yaml),
            "toml" => Some(Format::Toml),
            "properties" => Some(Format::Properties),
            "env" => Some(Format::Env),
            _ => None,
        }
    }

    /// The format in which the text under `key` is read if nobody says which it is; `None` where the text shows whether it
    /// is JSON or YAML. Of the others nothing in a text tells for sure, so only the key does.
    pub fn of_text_under(key: &str) -> Option<Format> {
        Format::of_key(key).filter(|format| format.syntax().is_none())
    }

    /// The grammar that the format is written in, if it is one of `yaml`.
    pub fn syntax(self) -> Option<Syntax> {
        match self {
            Format::Json => Some(Syntax::Json),
            Format::Yaml => Some(Syntax::Yaml),
            Format::Toml | Format::Properties | Format::Env => None,
        }
    }

    fn dialect(self) -> Option<Dialect> {
        match self {
            Format::Properties => Some(Dialect::Properties),
            Format::Env => Some(Dialect::Env),
            Format::Json | Format::Yaml | Format::Toml => None,
        }
    }

    /// The format with the name that a configuration gives it.
    pub fn named(name: &str) -> Option<Format> {
        let at = Format::NAMES.iter().position(|own| *own == name)?;
        [
            Format::Json,
            Format::Yaml,
            Format::Toml,
            Format::Properties,
            Format::Env,
        ]
        .get(at)
        .copied()
    }

    /// The name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "JSON",
            Format::Yaml => "YAML",
            Format::Toml => "TOML",
            Format::Properties => "properties",
            Format::Env => "an environment file",
        }
    }

    /// Whether every value is a string.
    pub fn holds_only_text(self) -> bool {
        self.dialect().is_some()
    }

    /// Where the text of the string `node`, which stands in a text of this format, is spelled there.
    pub fn offsets(self, node: &Node) -> Option<OffsetMap> {
        match self {
            Format::Json | Format::Yaml => spelling::decode(node).map(|spelled| spelled.map),
            Format::Toml => toml::offsets(node),
            Format::Properties => flat::offsets(node, Dialect::Properties),
            Format::Env => flat::offsets(node, Dialect::Env),
        }
    }

    /// The text of `value`, which stands in a text of this format, as a person expects to see a part of a file.
    pub fn excerpt(self, value: &Arc<Node>) -> String {
        let whole = |node: &Node| {
            let origin = node.origin.as_ref();
            origin.is_none_or(|origin| {
                origin.span.start() == 0 && origin.span.end() == origin.source.text().len()
            })
        };
        let style = match &value.content {
            Content::Mapping(mapping) => Some(mapping.style),
            Content::Sequence(sequence) => Some(sequence.style),
            Content::Scalar(_) | Content::Alias(_) => None,
        };
        match (self, style) {
            // The lines of a table may stand anywhere.
            (Format::Toml, Some(CollectionStyle::Block)) if !whole(value) => toml::excerpt(value),
            _ => faithful::excerpt(value),
        }
    }
}

/// Parses a text in the grammar given, or else in the one it shows.
///
/// A text that begins with a brace or a bracket is JSON if it parses as that, and flow YAML if not: `{a: x} # note` is
/// YAML. Where neither parses, the complaint is that of the language it looks like.
///
/// # Errors
/// As [`parse_json`] and [`parse_data`].
pub fn parse_as(source: &Arc<Source>, syntax: Option<Syntax>) -> Result<Stream> {
    match syntax {
        Some(Syntax::Json) => parse_json(source),
        Some(Syntax::Yaml) => parse_data(source),
        None if looks_like_json(source.text()) => {
            parse_json(source).or_else(|error| parse_data(source).map_err(|_| error))
        }
        None => parse_data(source),
    }
}

/// Reads a text in the format given, also JSON that only YAML can read, such as `{"level": debug}`: that is kept as it is,
/// with a warning, and what is written into it is JSON.
///
/// # Errors
/// A text that is not in the format.
pub fn read_leniently(
    source: &Arc<Source>,
    format: Format,
) -> Result<(Documents, Option<Box<Diagnostic>>)> {
    let error = match Documents::read(source, Some(format)) {
        Ok(documents) => return Ok((documents, None)),
        Err(error) if format == Format::Json && error.code == Code::JsonSyntax => error,
        Err(error) => return Err(error),
    };
    let Ok(stream) = parse_data(source) else {
        return Err(error);
    };
    let [document] = &stream.documents[..] else {
        return Err(error);
    };
    let style = match &document.root.content {
        Content::Mapping(mapping) => mapping.style,
        Content::Sequence(sequence) => sequence.style,
        Content::Scalar(_) | Content::Alias(_) => return Err(error),
    };
    if style != CollectionStyle::Flow {
        return Err(error);
    }
    let mut warning = Diagnostic::warning(
        error.code,
        "the text is no strict JSON; it is kept as it is",
    )
    .note(error.message.clone())
    .help("mend the text, or use `format: yaml` if YAML is meant");
    warning.labels = error.labels;
    Ok((
        Documents::Stream(Stream {
            syntax: Syntax::Json,
            ..stream
        }),
        Some(warning),
    ))
}
