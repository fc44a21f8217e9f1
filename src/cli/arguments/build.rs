//! The flags of `inlay build`, which are ytt's, and of `inlay fmt`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Values;
use super::values::HEADING as VALUES;
use crate::workspace::output::Format;

/// `inlay build`, and the bare call with any of these flags.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct Build {
    /// A file, a folder, or `-` for standard input; PATH= before a file or `-` is its path in the workspace.
    #[arg(help_heading = INPUT)]
    #[arg(
        short = 'f',
        long = "file",
        value_name = "[PATH=]INPUT",
        allow_hyphen_values = true
    )]
    pub(in crate::cli) files: Vec<String>,
    /// Say something about files, such as `docs/**/*:exclude=true` or `notes.md:type=text-plain`.
    #[arg(help_heading = INPUT, long = "file-mark", value_name = "PATH:KEY=VALUE")]
    pub(in crate::cli) file_marks: Vec<String>,
    /// Take the files from a JSON object instead of `--file`.
    #[arg(help_heading = INPUT, long, value_name = "JSON")]
    pub(in crate::cli) bulk_in: Option<String>,
    /// Follow links in the input that lead to this file or below this folder.
    #[arg(help_heading = INPUT)]
    #[arg(
        long = "allow-symlink-destination",
        value_name = "PATH",
        value_delimiter = ','
    )]
    pub(in crate::cli) symlink_destinations: Vec<PathBuf>,
    /// Follow every link in the input.
    #[arg(help_heading = INPUT, long)]
    pub(in crate::cli) dangerous_allow_all_symlink_destinations: bool,
    /// Allow inputs from the network.
    #[arg(help_heading = INPUT, long)]
    pub(in crate::cli) allow_network: bool,
    /// The format of the output; the first one counts.
    #[arg(help_heading = OUTPUT, short, long, value_name = "FORMAT", value_delimiter = ',')]
    pub(in crate::cli) output: Vec<OutputName>,
    /// Keep the files that are no templates as they are written, comments and layout, but for what overlays change.
    #[arg(help_heading = OUTPUT, long)]
    pub(in crate::cli) faithful: bool,
    /// Write files into a folder, beside what is in it.
    #[arg(help_heading = OUTPUT, long, value_name = "DIR")]
    pub(in crate::cli) output_files: Option<String>,
    /// Empty a folder and write files into it; refused for a folder that holds an input, your home or the working folder.
    #[arg(help_heading = OUTPUT, long, value_name = "DIR")]
    pub(in crate::cli) dangerous_emptied_output_directory: Option<String>,
    /// Print the output files, or what is wrong, as a JSON object.
    #[arg(help_heading = OUTPUT, long)]
    pub(in crate::cli) bulk_out: bool,
    /// Print the paths of the files that take part, and do nothing else.
    #[arg(help_heading = OUTPUT, long)]
    pub(in crate::cli) files_inspect: bool,
    /// Print the library tree and the time taken on standard error.
    #[arg(help_heading = OUTPUT, long)]
    pub(in crate::cli) debug: bool,
    #[command(flatten)]
    pub(in crate::cli) values: Values,
    /// Print the schema of the data values, and do nothing else; wants `-o openapi-v3` or `-o json-schema`.
    #[arg(help_heading = VALUES, long)]
    pub(in crate::cli) data_values_schema_inspect: bool,
    /// Do not hold data values to the validations of their schema; types are checked all the same.
    #[arg(help_heading = VALUES, long)]
    pub(in crate::cli) dangerous_data_values_disable_validation: bool,
    /// Accept only plain YAML scalars that every reader takes for the same value.
    #[arg(help_heading = TEMPLATES, short, long)]
    pub(in crate::cli) strict: bool,
    /// Take `# …` in templates for a comment; without the flag, an error that asks for `#!`.
    #[arg(help_heading = TEMPLATES, long)]
    pub(in crate::cli) ignore_unknown_comments: bool,
    /// Let the later of two equal keys in a template override the earlier.
    #[arg(help_heading = TEMPLATES, long)]
    pub(in crate::cli) implicit_map_key_overrides: bool,
}

const INPUT: &str = "Input of a build";
const OUTPUT: &str = "Output of a build";
const TEMPLATES: &str = "Reading of templates";

/// Formats of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum OutputName {
    /// YAML.
    Yaml,
    /// Compact JSON.
    Json,
    /// Values with the lines that they come from.
    Pos,
    /// The schema of data values as OpenAPI 3.
    OpenapiV3,
    /// The schema of data values as JSON Schema 2020-12.
    JsonSchema,
}

/// Languages that a schema is printed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum SchemaLanguage {
    OpenApi,
    JsonSchema,
}

impl OutputName {
    /// The format that the name means; none for the name of a language of schemas.
    pub(in crate::cli) fn format(self) -> Option<Format> {
        match self {
            OutputName::Yaml => Some(Format::Yaml),
            OutputName::Json => Some(Format::Json),
            OutputName::Pos => Some(Format::Positions),
            OutputName::OpenapiV3 | OutputName::JsonSchema => None,
        }
    }

    /// The language of schemas that the name means.
    pub(in crate::cli) fn schema_language(self) -> Option<SchemaLanguage> {
        match self {
            OutputName::OpenapiV3 => Some(SchemaLanguage::OpenApi),
            OutputName::JsonSchema => Some(SchemaLanguage::JsonSchema),
            OutputName::Yaml | OutputName::Json | OutputName::Pos => None,
        }
    }
}

/// `inlay fmt`
#[derive(Debug, Args)]
pub(in crate::cli) struct Fmt {
    /// A YAML file, a folder (its .yml and .yaml files), or `-`.
    #[arg(
        short = 'f',
        long = "file",
        value_name = "INPUT",
        required = true,
        allow_hyphen_values = true
    )]
    pub(in crate::cli) files: Vec<String>,
    /// Accept only plain YAML scalars that every reader takes for the same value.
    #[arg(short, long)]
    pub(in crate::cli) strict: bool,
    /// Write the files that change instead of printing them.
    #[arg(short, long, conflicts_with = "check")]
    pub(in crate::cli) in_place: bool,
    /// Exit with 1 if a file would change, and print which.
    #[arg(long)]
    pub(in crate::cli) check: bool,
    /// Print the files and the time taken on standard error.
    #[arg(long)]
    pub(in crate::cli) debug: bool,
}
