//! `--data-values-schema-inspect`: the schema of the data values in a language that other tools read.

use std::sync::Arc;

use super::arguments::{OutputName, SchemaLanguage};
use crate::golang::json::encode_node;
use crate::schema::Schema;
use crate::source::{Code, Diagnostic, Result};
use crate::workspace::output::{Format, print};

/// How a schema is printed: the language, and the format that it is written in.
///
/// # Errors
/// No language among the values of `--output`.
pub(super) fn form(output: &[OutputName]) -> Result<(SchemaLanguage, Format)> {
    let language = output.iter().find_map(|name| name.schema_language());
    let language = language.ok_or_else(|| {
        let message =
            "expected the language of the schema beside `--data-values-schema-inspect`, found none";
        Diagnostic::error(Code::Flag, message).help("add `-o openapi-v3` or `-o json-schema`")
    })?;
    let usual = match language {
        SchemaLanguage::OpenApi => Format::Yaml,
        SchemaLanguage::JsonSchema => Format::Json,
    };
    Ok((
        language,
        output
            .iter()
            .find_map(|name| name.format())
            .unwrap_or(usual),
    ))
}

/// The text of a schema.
///
/// # Errors
/// A default or an example that the format has no way to write.
pub(super) fn text(schema: &Schema, language: SchemaLanguage, format: Format) -> Result<String> {
    let document = match language {
        SchemaLanguage::OpenApi => schema.openapi(),
        SchemaLanguage::JsonSchema => schema.json_schema(),
    };
    match (language, format) {
        (SchemaLanguage::JsonSchema, Format::Json) => indented(&encode_node(&document)?),
        _ => print(&[Arc::clone(&document)], format),
    }
}

/// JSON that people can read.
fn indented(json: &str) -> Result<String> {
    let value: serde_json::Value = serde_json::from_str(json).map_err(|error| {
        Diagnostic::error(
            Code::Internal,
            format!("expected JSON that was just printed to be JSON, found: {error}"),
        )
    })?;
    Ok(format!("{value:#}\n"))
}
