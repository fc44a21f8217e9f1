//! `inlay schema config [KIND]`: prints the JSON Schema of configurations, for editors and checks.

use super::arguments::SchemaCommand;
use super::ending::{CommandResult, Ending};
use super::output;
use crate::krm::{any_configuration_schema, configuration_schema};
use crate::source::{Code, Diagnostic};

/// Prints a JSON Schema.
pub(super) fn schema(command: &SchemaCommand) -> CommandResult {
    let SchemaCommand::Config { kind } = command;
    let schema = match kind {
        // clap accepts only existing kinds.
        Some(kind) => configuration_schema(kind).unwrap_or_default(),
        None => any_configuration_schema(),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(|error| {
        Diagnostic::error(Code::Internal, format!("cannot write the schema: {error}"))
    })?;
    output::print(format!("{text}\n").as_bytes())?;
    Ok(Ending::Success)
}
