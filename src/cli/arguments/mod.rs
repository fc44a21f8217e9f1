//! The command line, in one place: parser, help, completions and manual come from here.

mod build;
mod values;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{Args, Command as Program, CommandFactory, Parser, Subcommand, ValueEnum};

pub(super) use self::build::{Build, Fmt, OutputName, SchemaLanguage};
pub(super) use self::values::Values;
use super::assignment::Assignment;
use super::switches;
use crate::edit::{DocumentFormat, FieldPath};
use crate::source::DiagnosticFormat;

/// Builds declarative configuration, and edits it byte for byte, also inside strings that hold JSON or YAML.
#[derive(Debug, Parser)]
#[command(name = "inlay", version, after_help = EXAMPLES, max_term_width = 100)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) build: Build,
}

const EXAMPLES: &str = "\
Without a command, inlay takes the options of build; without options too, it is a KRM function: it
reads a ResourceList from standard input.

Examples:
  inlay -f config/ -v domain=example.com          render templates with a data value
  inlay -f manifests/ -f overlay.yml --faithful   apply an overlay, and keep all else as it is written
  inlay run inlay.yaml manifests/ --diff          show what a configuration would change
  inlay get cm.yaml 'data.app\\.json.port'         print a value inside a JSON string
  inlay set cm.yaml 'data.app\\.json.port=8080'    print the file with another value there
  kpt fn eval manifests --exec inlay --fn-config inlay.yaml

Exit codes:
  0   done; with --check, nothing would change
  1   an error, or with --check a difference
  2   the command line is wrong
  70  a fault in inlay itself";

const BUILD_EXAMPLES: &str = "\
Examples:
  inlay build -f config/ -f override.yml          print what the files render to, in their order
  inlay build -f config/ -d production.yml        with the data values of a file
  inlay build -f config/ -v name=shop --data-value-yaml replicas=3
  inlay build -f config/ --data-values-inspect    print the data values that templates see
  inlay build -f config/ --output-files out       write a folder, a file for each file
  inlay build -f config/ -o json                  print compact JSON
  curl -fsSL URL | inlay build -f base.yml=- -f config/";

const FMT_EXAMPLES: &str = "\
Examples:
  inlay fmt -f config/                            print the files in the one layout
  inlay fmt -f config/ --in-place                 write the files that have another
  inlay fmt -f config/ --check                    exit with 1 if a file has another";

const RUN_EXAMPLES: &str = "\
Examples:
  inlay run inlay.yaml manifests/                 print the edited documents
  inlay run inlay.yaml manifests/ --diff          show what would change
  inlay run inlay.yaml manifests/ --check         exit with 1 if something would change
  inlay run inlay.yaml manifests/ --in-place      write the files that change
  kustomize build . | inlay run inlay.yaml -      edit what another program prints

A configuration:
  apiVersion: inlay.dev/v1alpha1
  kind: Inlay
  metadata: {name: hostname}
  spec:
    replacements:
    - source: {kind: ConfigMap, name: environment, fieldPath: data.HOSTNAME}
      targets:
      - select: {kind: ConfigMap, name: storefront}
        fieldPaths: ['data.config\\.json.server.hostname']";

const GET_EXAMPLES: &str = "\
Examples:
  inlay get deployment.yaml spec.replicas
  inlay get deployment.yaml 'spec.template.spec.containers.[name=web].image'
  inlay get cm.yaml 'data.app\\.json'                 the string
  inlay get cm.yaml 'data.app\\.json.server.port'     a value inside of it";

const SET_EXAMPLES: &str = "\
Examples:
  inlay set deployment.yaml spec.replicas=3
  inlay set cm.yaml 'data.app\\.json.server.port=8080' 'data.LEVEL=debug' --in-place
  inlay set cm.yaml 'data.app\\.json.tags=[a, b]' --create
  kubectl get cm app -o yaml | inlay set - 'data.LEVEL=debug' | kubectl apply -f -";

const PLUGIN_EXAMPLES: &str = "\
Examples:
  inlay plugin install                            once, for kustomize and kubectl
  kustomize build --enable-alpha-plugins .
  kubectl kustomize --enable-alpha-plugins .";

impl Arguments {
    /// Reads what was typed.
    ///
    /// # Errors
    /// What to print instead of running: a mistake in the command line, the help, or the version.
    pub(super) fn read(typed: Vec<OsString>) -> Result<Arguments, clap::Error> {
        let arguments =
            Arguments::try_parse_from(switches::without_values(&Arguments::command(), typed))?;
        match &arguments.command {
            Some(_) if arguments.is_bare_build() => {
                let message = "the options of build stand after `build`, or without a command";
                return Err(Arguments::program().error(ErrorKind::ArgumentConflict, message));
            }
            Some(Command::Run(run)) => {
                let dashes = run.paths.iter().filter(|path| is_dash(path)).count();
                if dashes + usize::from(is_dash(&run.config)) > 1 {
                    return Err(conflict(
                        "run",
                        "standard input can be read only once: `-` is given twice",
                    ));
                }
                if run.in_place && dashes > 0 {
                    return Err(conflict("run", NOT_IN_PLACE));
                }
            }
            Some(Command::Set(set)) if set.in_place && is_dash(&set.file) => {
                return Err(conflict("set", NOT_IN_PLACE));
            }
            Some(Command::Fmt(fmt))
                if fmt.in_place && fmt.files.iter().any(|file| is_dash(Path::new(file))) =>
            {
                return Err(conflict("fmt", NOT_IN_PLACE));
            }
            _ => {}
        }
        Ok(arguments)
    }

    /// Whether an option of `build` was given without the command.
    pub(super) fn is_bare_build(&self) -> bool {
        self.build != Build::default()
    }

    /// The program as clap knows it, with everything worked out.
    pub(super) fn program() -> Program {
        let mut program = Arguments::command();
        program.build();
        program
    }
}

const NOT_IN_PLACE: &str =
    "standard input cannot be written in place: leave `--in-place` out to print the outcome";

fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// Arguments of `command` that do not go together.
fn conflict(command: &str, message: &str) -> clap::Error {
    let mut program = Arguments::program();
    let command = program
        .find_subcommand_mut(command)
        .map(|command| command.clone());
    command
        .unwrap_or(program)
        .error(ErrorKind::ArgumentConflict, message)
}

/// What every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Global {
    /// How errors and warnings are printed on standard error.
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub(super) diagnostics: DiagnosticFormat,
    /// When to use colour; `auto` means on a terminal where NO_COLOR is not set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Color,
}

impl ValueEnum for DiagnosticFormat {
    fn value_variants<'a>() -> &'a [DiagnosticFormat] {
        &DiagnosticFormat::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            DiagnosticFormat::Human => "With the source line, a caret and a remedy",
            DiagnosticFormat::Short => "One line each: file:line:column: severity[code]: message",
            DiagnosticFormat::Json => "One JSON object a line",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
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
    /// Render files and folders, as ytt does
    ///
    /// The same as inlay without a command.
    #[command(aliases = ["template", "tpl", "t"], after_help = BUILD_EXAMPLES)]
    Build(Box<Build>),
    /// Print YAML files in one layout, with their comments
    #[command(after_help = FMT_EXAMPLES)]
    Fmt(Fmt),
    /// Apply a configuration to files and folders
    ///
    /// The resources are printed as multi-document YAML in the order given; what the configuration does not touch is
    /// printed byte for byte. If anything fails, no file is written.
    #[command(after_help = RUN_EXAMPLES)]
    Run(Run),
    /// Print the values that a field path leads to
    ///
    /// A scalar is printed as its text, anything else as it is written. A path goes on below a string that holds JSON
    /// or YAML.
    #[command(after_help = GET_EXAMPLES)]
    Get(Get),
    /// Write values at field paths
    ///
    /// The file is printed with the new values, or written with `--in-place`. Every other byte stays as it is.
    #[command(after_help = SET_EXAMPLES)]
    Set(Set),
    /// Work with kustomize's exec plugins
    #[command(after_help = PLUGIN_EXAMPLES)]
    Plugin(Plugin),
    /// Print the version
    Version,
    /// Print the completions of a shell
    ///
    /// For bash: `source <(inlay completions bash)`. For others, put the output where the shell looks for it.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    ///
    /// To read it: `inlay man run | man -l -`.
    Man {
        /// The commands to tell of, such as `run` or `plugin install`; inlay as a whole if none is given.
        commands: Vec<String>,
    },
}

/// `inlay run`
#[derive(Debug, Args)]
pub(super) struct Run {
    /// The configuration: kind Inlay, a ConfigMap, ApplyReplacements, or a builtin transformer or generator of kustomize;
    /// several documents are carried out in their order. `-` is standard input.
    #[arg(value_name = "CONFIG")]
    pub(super) config: PathBuf,
    /// Files, folders (their .yaml, .yml and .json files, at any depth) or `-`. What is named twice is read once. None
    /// are needed where the configuration makes all resources.
    #[arg(value_name = "PATH")]
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
    /// A field path, such as `spec.replicas` or `data.app\.json.port`, or a JSONPath, which begins with `$`.
    #[arg(value_name = "PATH", value_parser = field_path)]
    pub(super) path: FieldPath,
    /// The format of strings that the path goes into; found out by default.
    #[arg(long)]
    pub(super) format: Option<DocumentFormat>,
}

fn field_path(text: &str) -> Result<FieldPath, String> {
    FieldPath::parse(text).map_err(|error| error.message)
}

/// `inlay set`
#[derive(Debug, Args)]
pub(super) struct Set {
    /// A YAML or JSON file, or `-`.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// A field path and the value to write there, written as YAML: `3` is a number, `"3"` a string, `{a: 1}` a mapping.
    #[arg(value_name = "PATH=VALUE", required = true, value_parser = Assignment::parse)]
    pub(super) assignments: Vec<Assignment>,
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
    pub(super) format: Option<DocumentFormat>,
    /// How documents in strings are written back: byte for byte but for the change, or anew.
    #[arg(long, default_value = "keep")]
    pub(super) layout: LayoutName,
}

impl ValueEnum for DocumentFormat {
    fn value_variants<'a>() -> &'a [DocumentFormat] {
        &DocumentFormat::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.summary()))
    }
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
    /// Anew: JSON with sorted keys and no white space, YAML as a build prints it.
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
    #[command(after_help = PLUGIN_EXAMPLES)]
    Install {
        /// The folder that KUSTOMIZE_PLUGIN_HOME is to name.
        #[arg(long, value_name = "DIR")]
        home: Option<PathBuf>,
        /// Replace another file that is there.
        #[arg(long)]
        force: bool,
    },
}
