//! The command line, in one place: parser, help, completions and manual come from here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Edits Kubernetes configuration byte for byte, also inside strings that hold JSON or YAML.
#[derive(Debug, Parser)]
#[command(name = "inlay", version, disable_help_subcommand = true, after_help = EXAMPLES, max_term_width = 100)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

const EXAMPLES: &str = "\
Without a command, inlay is a KRM function: it reads a ResourceList from standard input.

Examples:
  inlay run config.yaml manifests/ --diff         what a configuration would change
  inlay set cm.yaml 'data.app\\.json.port=8080'    a value inside a JSON string
  inlay get cm.yaml 'data.app\\.json.port'
  kpt fn eval manifests --exec inlay --fn-config config.yaml

Exit codes: 0 success, 1 error (or a difference, with --check), 2 usage.";

/// What every command takes.
#[derive(Debug, Args)]
pub(super) struct Global {
    /// How errors and warnings are printed on standard error.
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub(super) diagnostics: Diagnostics,
    /// When to use colour; `auto` means on a terminal where NO_COLOR is not set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Color,
}

/// The forms of diagnostics.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Diagnostics {
    /// With the source line, a caret and a remedy.
    Human,
    /// One line each: file:line:column: severity[code]: message.
    Short,
    /// One JSON object a line.
    Json,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Apply a configuration to files and folders
    ///
    /// The resources are printed as multi-document YAML in the order given; what the configuration does not touch is
    /// printed byte for byte.
    Run(Run),
    /// Print the values that a field path leads to
    Get(Get),
    /// Write values at field paths
    Set(Set),
    /// Work with kustomize's exec plugins
    Plugin(Plugin),
    /// Print the completions of a shell
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// `inlay run`
#[derive(Debug, Args)]
pub(super) struct Run {
    /// The configuration: kind Inlay, ReplacementTransformer or ApplyReplacements; `-` is standard input.
    #[arg(value_name = "CONFIG")]
    pub(super) config: PathBuf,
    /// Files, folders (their .yaml, .yml and .json files) or `-`.
    #[arg(value_name = "PATH", required = true)]
    pub(super) paths: Vec<PathBuf>,
    /// Write the files that change instead of printing the resources.
    #[arg(short, long, conflicts_with_all = ["diff", "check"])]
    pub(super) in_place: bool,
    /// Print a unified diff of what would change.
    #[arg(long)]
    pub(super) diff: bool,
    /// Exit with 1 if something would change; print which files, unless a diff is printed.
    #[arg(long)]
    pub(super) check: bool,
}

/// `inlay get`
#[derive(Debug, Args)]
pub(super) struct Get {
    /// A YAML or JSON file, or `-`.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// A field path, such as `spec.replicas` or `data.app\.json.port`.
    #[arg(value_name = "PATH")]
    pub(super) path: String,
    /// The format of strings that the path goes into; found out by default.
    #[arg(long)]
    pub(super) format: Option<FormatName>,
}

/// `inlay set`
#[derive(Debug, Args)]
pub(super) struct Set {
    /// A YAML or JSON file, or `-`.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// A field path and the value to write there.
    #[arg(value_name = "PATH=VALUE", required = true)]
    pub(super) assignments: Vec<String>,
    /// Write the file instead of printing it.
    #[arg(short, long)]
    pub(super) in_place: bool,
    /// Make what is missing on the way.
    #[arg(long)]
    pub(super) create: bool,
    /// The type of the value: that of the value that is there, always a string, or what it looks like.
    #[arg(long = "type", value_name = "POLICY", default_value = "keep")]
    pub(super) type_policy: TypeName,
    /// The format of strings that the path goes into; found out by default.
    #[arg(long)]
    pub(super) format: Option<FormatName>,
    /// How documents in strings are written back: byte for byte but for the change, or anew.
    #[arg(long, default_value = "keep")]
    pub(super) layout: LayoutName,
}

/// Formats of embedded documents.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FormatName {
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}

/// Type policies.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum TypeName {
    /// The type of the value that is there, where the new text can have it.
    Keep,
    /// Always a string.
    String,
    /// What the text looks like.
    Infer,
}

/// Layouts of embedded documents.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LayoutName {
    /// Byte for byte but for the change.
    Keep,
    /// Anew, with sorted keys and no white space.
    Canonical,
}

/// `inlay plugin`
#[derive(Debug, Args)]
pub(super) struct Plugin {
    #[command(subcommand)]
    pub(super) command: PluginCommand,
}

/// The commands below `inlay plugin`.
#[derive(Debug, Subcommand)]
pub(super) enum PluginCommand {
    /// Lay this program where kustomize looks for exec plugins
    ///
    /// Makes the folders and a link to this program. The home is the first of --home, KUSTOMIZE_PLUGIN_HOME,
    /// XDG_CONFIG_HOME/kustomize/plugin and HOME/.config/kustomize/plugin.
    Install {
        /// The folder that KUSTOMIZE_PLUGIN_HOME is to name.
        #[arg(long, value_name = "DIR")]
        home: Option<PathBuf>,
    },
}
