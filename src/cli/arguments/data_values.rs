//! The flags of `inlay build` and `inlay run` that give data values.

use clap::Args;

use crate::workspace::DataValuesFlags;

/// The heading of the flags in the help.
pub(super) const HEADING: &str = "Data values";

// Data values. `LIBRARY:` before an argument gives them to a private library: `@path:`,
// `@~alias:`, `@path@inner:`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct DataValuesArguments {
    /// Read data values from a file of plain YAML, from the YAML files of a folder, or from
    /// standard input (`-`).
    #[arg(
        help_heading = HEADING,
        short = 'd',
        long = "data-values-file",
        value_name = "[LIBRARY:]PATH",
        allow_hyphen_values = true
    )]
    data_values_files: Vec<String>,
    /// Set a data value to a string. Dots separate keys; `\.` is a dot in a key.
    #[arg(
        help_heading = HEADING,
        short = 'v',
        long = "data-value",
        value_name = "[LIBRARY:]KEY=VALUE",
        allow_hyphen_values = true
    )]
    data_values: Vec<String>,
    /// Set a data value to YAML.
    #[arg(
        help_heading = HEADING,
        long = "data-value-yaml",
        value_name = "[LIBRARY:]KEY=YAML",
        allow_hyphen_values = true
    )]
    data_values_yaml: Vec<String>,
    /// Set a data value to the content of a file, as a string.
    #[arg(
        help_heading = HEADING,
        long = "data-value-file",
        value_name = "[LIBRARY:]KEY=PATH",
        allow_hyphen_values = true
    )]
    data_value_files: Vec<String>,
    /// Read data values from the environment, as strings: PREFIX_db__port gives db.port.
    #[arg(
        help_heading = HEADING,
        long = "data-values-env",
        value_name = "[LIBRARY:]PREFIX",
        allow_hyphen_values = true
    )]
    data_values_env: Vec<String>,
    /// Read data values from the environment, as YAML.
    #[arg(
        help_heading = HEADING,
        long = "data-values-env-yaml",
        value_name = "[LIBRARY:]PREFIX",
        allow_hyphen_values = true
    )]
    data_values_env_yaml: Vec<String>,
}

impl DataValuesArguments {
    /// Returns the flags as the build reads them, without `clap`.
    pub(in crate::cli) fn flags(&self) -> DataValuesFlags {
        DataValuesFlags {
            data_values_files: self.data_values_files.clone(),
            data_values_env: self.data_values_env.clone(),
            data_values_env_yaml: self.data_values_env_yaml.clone(),
            data_values: self.data_values.clone(),
            data_values_yaml: self.data_values_yaml.clone(),
            data_value_files: self.data_value_files.clone(),
        }
    }
}
