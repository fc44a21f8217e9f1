//! `--data-values-schema-inspect`: the schema of the data values in a language of other tools.

use std::sync::Arc;

use super::arguments::{OutputName, SchemaLanguage};
use crate::golang::json::encode_node;
use crate::schema::Schema;
use crate::source::{Code, Diagnostic, Result};
use crate::workspace::output::{OutputFormat, print};

/// The language and format of a printed schema.
#[derive(Clone, Copy)]
pub(super) struct SchemaForm {
    language: SchemaLanguage,
    format: OutputFormat,
}

impl SchemaForm {
    /// Reads the values of `--output`, which may contain a language and a format.
    ///
    /// # Errors
    /// Fails if they contain no language.
    pub(super) fn from_flags(output: &[OutputName]) -> Result<SchemaForm> {
        let language = output.iter().find_map(|name| name.schema_language());
        let language = language.ok_or_else(|| {
            let message = "`--data-values-schema-inspect` needs the language of the schema";
            Diagnostic::error(Code::Flag, message).help("add `-o openapi-v3` or `-o json-schema`")
        })?;
        // `-o json-schema -o yaml` sets both, in any order.
        let format = output.iter().find_map(|name| name.format());
        let usual = match language {
            SchemaLanguage::OpenApi => OutputFormat::Yaml,
            SchemaLanguage::JsonSchema => OutputFormat::Json,
        };
        Ok(SchemaForm {
            language,
            format: format.unwrap_or(usual),
        })
    }

    /// Returns the text of a schema.
    ///
    /// # Errors
    /// Fails if a default or an example cannot be written in the format.
    pub(super) fn print(self, schema: &Schema) -> Result<String> {
        let document = match self.language {
            SchemaLanguage::OpenApi => schema.openapi(),
            SchemaLanguage::JsonSchema => schema.json_schema(),
        };
        match (self.language, self.format) {
            // Indent the file, because people read and commit it.
            (SchemaLanguage::JsonSchema, OutputFormat::Json) => {
                indented_json(&encode_node(&document)?)
            }
            _ => print(&[Arc::clone(&document)], self.format),
        }
    }
}

fn indented_json(json: &str) -> Result<String> {
    let value: serde_json::Value = serde_json::from_str(json).map_err(|error| {
        let message = format!("the schema was printed as invalid JSON: {error}");
        Diagnostic::error(Code::Internal, message)
    })?;
    Ok(format!("{value:#}\n"))
}
