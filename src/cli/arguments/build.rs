//! The flags of `inlay build`, which are ytt's, and of `inlay fmt`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::comparison::{BaseArguments, ComparisonArguments, WatchArguments};
use super::data_values::{DataValuesArguments, HEADING as DATA_VALUES};
use crate::source::world::{SymlinkDestinations, World};
use crate::workspace::output::OutputFormat;

// The input of a build: what is rendered, and with which values and rules. `inlay explain build`
// takes these flags, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct BuildInputArguments {
    /// Read a file, a folder, or standard input (`-`). PATH= before a file or `-` sets its path in
    /// the workspace.
    #[arg(help_heading = INPUT)]
    #[arg(
        short = 'f',
        long = "file",
        value_name = "[PATH=]INPUT",
        allow_hyphen_values = true
    )]
    pub(in crate::cli) files: Vec<String>,
    /// Build a kustomization, whose objects come before those of the files. Overlays change them.
    #[arg(help_heading = INPUT, short = 'k', long = "kustomization", value_name = "DIR")]
    pub(in crate::cli) kustomizations: Vec<PathBuf>,
    /// Change the role of files: `docs/**/*:exclude=true`, `notes.md:type=text-plain`.
    #[arg(help_heading = INPUT, long = "file-mark", value_name = "PATH:KEY=VALUE")]
    pub(in crate::cli) file_marks: Vec<String>,
    /// Read the files, and data values, from a JSON object, instead of `--file`.
    #[arg(help_heading = INPUT, long, value_name = "JSON")]
    pub(in crate::cli) bulk_in: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) links: LinkArguments,
    #[command(flatten)]
    pub(in crate::cli) data_values: DataValuesArguments,
    /// Skip the validations of the schema. Types are still checked.
    #[arg(help_heading = DATA_VALUES, long)]
    pub(in crate::cli) dangerous_data_values_disable_validation: bool,
    /// Refuse plain YAML scalars that some readers take for another value.
    #[arg(help_heading = TEMPLATES, short, long)]
    pub(in crate::cli) strict: bool,
    /// Accept `# …` comments in templates. Without this flag they are errors, and `#!` is a
    /// comment.
    #[arg(help_heading = TEMPLATES, long)]
    pub(in crate::cli) ignore_unknown_comments: bool,
    /// Let the later of two equal keys in a template win. Without this flag they are errors.
    #[arg(help_heading = TEMPLATES, long)]
    pub(in crate::cli) implicit_map_key_overrides: bool,
    /// Refuse unknown annotations, and arguments that an annotation does not take. Without this
    /// flag they are ignored with a warning, as far as ytt ignores them.
    #[arg(help_heading = TEMPLATES, long)]
    pub(in crate::cli) strict_annotations: bool,
}

// `inlay build`, and the bare call with any of these flags.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct BuildArguments {
    #[command(flatten)]
    pub(in crate::cli) input: BuildInputArguments,
    /// Render once for each of the data values that a file lists, such as those of many clusters:
    /// `kind: Matrix`. The file says where each output is written.
    #[arg(help_heading = INPUT, long, value_name = "FILE")]
    #[arg(conflicts_with_all = [
        "bulk_in", "output_files", "dangerous_emptied_output_directory", "output_file", "bulk_out",
        "files_inspect", "data_values_inspect", "data_values_schema_inspect", "watch", "debug",
    ])]
    pub(in crate::cli) matrix: Option<PathBuf>,
    /// Print the data values that templates see, and nothing else.
    #[arg(help_heading = DATA_VALUES, long)]
    #[arg(conflicts_with_all = ["diff", "stat", "check", "against"])]
    pub(in crate::cli) data_values_inspect: bool,
    /// Print the schema of the data values, and nothing else. Needs `-o openapi-v3` or
    /// `-o json-schema`.
    #[arg(help_heading = DATA_VALUES, long)]
    #[arg(conflicts_with_all = ["diff", "stat", "check", "against"])]
    pub(in crate::cli) data_values_schema_inspect: bool,
    /// Set the format of the output. If it is given several times, the first wins.
    #[arg(help_heading = OUTPUT, short, long, value_name = "FORMAT", value_delimiter = ',')]
    pub(in crate::cli) output: Vec<OutputName>,
    /// Keep the comments and the layout of files that are not templates. Only what overlays change
    /// is rewritten.
    #[arg(help_heading = OUTPUT, long)]
    pub(in crate::cli) faithful: bool,
    /// Write files into a folder, and keep what is in it.
    #[arg(help_heading = OUTPUT, long, value_name = "DIR")]
    pub(in crate::cli) output_files: Option<String>,
    /// Empty a folder, and write files into it. It must not contain inputs, your home or the
    /// working folder.
    #[arg(help_heading = OUTPUT, long, value_name = "DIR")]
    pub(in crate::cli) dangerous_emptied_output_directory: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) output_file: OutputFileArguments,
    #[command(flatten)]
    pub(in crate::cli) comparison: ComparisonArguments,
    #[command(flatten)]
    pub(in crate::cli) base: BaseArguments,
    #[command(flatten)]
    pub(in crate::cli) watch: WatchArguments,
    /// Print the output files, or the errors, as a JSON object.
    #[arg(help_heading = OUTPUT, long)]
    #[arg(conflicts_with_all = ["diff", "stat", "check", "against"])]
    pub(in crate::cli) bulk_out: bool,
    /// Print the paths of the files that take part, and nothing else.
    #[arg(help_heading = OUTPUT, long)]
    #[arg(conflicts_with_all = ["diff", "stat", "check", "against"])]
    pub(in crate::cli) files_inspect: bool,
    /// Print the library tree and the time on standard error.
    #[arg(help_heading = OUTPUT, long)]
    pub(in crate::cli) debug: bool,
}

impl BuildArguments {
    /// Asks for the data values in JSON, and for no other output.
    pub(in crate::cli) fn inspect_values(&mut self) {
        self.matrix = None;
        self.faithful = false;
        self.bulk_out = false;
        self.files_inspect = false;
        self.debug = false;
        self.output_file = OutputFileArguments::default();
        self.data_values_schema_inspect = false;
        self.data_values_inspect = true;
        self.output = vec![OutputName::Json];
    }
}

// Where symbolic links in folders may lead. The flags are ytt's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct LinkArguments {
    /// Follow symbolic links in the input to this file, or to files below this folder.
    #[arg(help_heading = INPUT)]
    #[arg(
        long = "allow-symlink-destination",
        value_name = "PATH",
        value_delimiter = ','
    )]
    symlink_destinations: Vec<PathBuf>,
    /// Follow all symbolic links in the input.
    #[arg(help_heading = INPUT, long)]
    dangerous_allow_all_symlink_destinations: bool,
}

impl LinkArguments {
    /// Returns the flag that follows all links, for a world that refuses the places that nobody may
    /// read.
    pub(in crate::cli) fn all() -> LinkArguments {
        LinkArguments {
            symlink_destinations: Vec::new(),
            dangerous_allow_all_symlink_destinations: true,
        }
    }

    /// Returns the places that the flags allow, and `others`.
    pub(in crate::cli) fn destinations(
        &self,
        world: &dyn World,
        others: &[PathBuf],
    ) -> SymlinkDestinations {
        if self.dangerous_allow_all_symlink_destinations {
            SymlinkDestinations::All
        } else {
            SymlinkDestinations::below(world, self.symlink_destinations.iter().chain(others))
        }
    }

    /// Returns the places that the flags name.
    pub(in crate::cli) fn places(&self) -> &[PathBuf] {
        &self.symlink_destinations
    }
}

// The file that gets the output, for build systems.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct OutputFileArguments {
    /// Write the output to this file, in one step and only if it changes.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["output_files", "dangerous_emptied_output_directory", "bulk_out"])]
    pub(in crate::cli) output_file: Option<PathBuf>,
    /// List the files that were read in this file, as a rule that make and ninja understand.
    // Clap does not miss `--output-file` where another argument is in conflict with it.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE", requires = "output_file")]
    #[arg(conflicts_with_all = ["output_files", "dangerous_emptied_output_directory", "bulk_out"])]
    // They write nothing.
    #[arg(conflicts_with_all = ["diff", "stat", "check", "against", "matrix"])]
    pub(in crate::cli) depfile: Option<PathBuf>,
}

const INPUT: &str = "Build input";
const OUTPUT: &str = "Build output";
const TEMPLATES: &str = "Templates";

/// The values of `--output`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum OutputName {
    /// YAML.
    Yaml,
    /// Compact JSON.
    Json,
    /// Values, with the file and line of each.
    Pos,
    /// YAML, each value that its file did not set with a comment that names what made it.
    Annotated,
    /// The schema of data values as OpenAPI 3.
    OpenapiV3,
    /// The schema of data values as JSON Schema 2020-12.
    JsonSchema,
}

/// The languages in which a schema can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum SchemaLanguage {
    OpenApi,
    JsonSchema,
}

impl OutputName {
    /// Returns the format of documents with this name.
    pub(in crate::cli) fn format(self) -> Option<OutputFormat> {
        match self {
            OutputName::Yaml => Some(OutputFormat::Yaml),
            OutputName::Json => Some(OutputFormat::Json),
            OutputName::Pos => Some(OutputFormat::Positions),
            OutputName::Annotated | OutputName::OpenapiV3 | OutputName::JsonSchema => None,
        }
    }

    /// Returns the language of schemas with this name.
    pub(in crate::cli) fn schema_language(self) -> Option<SchemaLanguage> {
        match self {
            OutputName::OpenapiV3 => Some(SchemaLanguage::OpenApi),
            OutputName::JsonSchema => Some(SchemaLanguage::JsonSchema),
            OutputName::Yaml | OutputName::Json | OutputName::Pos | OutputName::Annotated => None,
        }
    }
}

// `inlay fmt`
#[derive(Debug, Args)]
pub(in crate::cli) struct FmtArguments {
    /// YAML files, folders (their .yml and .yaml files), or standard input (`-`).
    #[arg(value_name = "INPUT", required_unless_present = "files")]
    inputs: Vec<String>,
    /// The same as INPUT, spelled as for build.
    #[arg(
        short = 'f',
        long = "file",
        value_name = "INPUT",
        conflicts_with = "inputs",
        allow_hyphen_values = true
    )]
    files: Vec<String>,
    /// Refuse plain YAML scalars that some readers take for another value.
    #[arg(short, long)]
    pub(in crate::cli) strict: bool,
    /// Write the files that change, instead of printing them.
    #[arg(short, long, conflicts_with_all = ["diff", "stat", "check"])]
    pub(in crate::cli) in_place: bool,
    #[command(flatten)]
    pub(in crate::cli) comparison: ComparisonArguments,
    /// Print the files and the time on standard error.
    #[arg(long)]
    pub(in crate::cli) debug: bool,
}

impl FmtArguments {
    /// Returns the files and folders to format, in either spelling.
    pub(in crate::cli) fn inputs(&self) -> &[String] {
        if self.inputs.is_empty() {
            &self.files
        } else {
            &self.inputs
        }
    }
}
