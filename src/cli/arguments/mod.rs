//! The table of commands and flags. The parser, the help, the completions and the manual come from
//! here.

mod build;
mod data_values;
mod edit;
mod explain;
mod kustomize;
mod playground;

use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command as Program, CommandFactory, Parser, Subcommand, ValueEnum};

pub(super) use self::build::{
    BuildArguments, FmtArguments, OutputFileArguments, OutputName, SchemaLanguage,
};
pub(super) use self::edit::{GetArguments, RunArguments, RunOutput, SetArguments};
pub(super) use self::explain::{ExplainArguments, ExplainCommand, ExplainFormat, ExplainQuestions};
pub(super) use self::kustomize::{
    KustomizeArguments, KustomizeBuildArguments, KustomizeCommand, KustomizeFixArguments,
    LoadRestrictor, Reorder,
};
pub(super) use self::playground::PlaygroundArguments;
use super::switches;
use crate::source::DiagnosticFormat;

/// Build declarative configuration, and edit it byte for byte, also inside strings that contain
/// JSON or YAML.
#[derive(Debug, Parser)]
#[command(name = "inlay", version, after_help = EXAMPLES, max_term_width = 100)]
pub(super) struct CommandLine {
    #[command(flatten)]
    pub(super) global: GlobalArguments,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// The flags of `build`, without the command.
    #[command(flatten)]
    pub(super) build: BuildArguments,
}

const EXAMPLES: &str = "\
Without a command, inlay takes the options of build. Without options either, it is a KRM function
and reads a ResourceList from standard input.

Examples:
  inlay -f config/ -v domain=example.com          render templates with a data value
  inlay -f manifests/ -f overlay.yml --faithful   apply an overlay, and keep everything else
  inlay run inlay.yaml manifests/ --diff          show what a configuration would change
  inlay explain build -f config/ -- 'Deployment/web spec.replicas'
                                                  show where a value comes from
  inlay get cm.yaml 'data.app\\.json.port'         print a value inside a JSON string
  inlay set cm.yaml 'data.app\\.json.port=8080'    print the file with another value there
  kpt fn eval manifests --exec inlay --fn-config inlay.yaml

Exit codes:
  0   done; with --check, nothing would change
  1   an error; with --check, a difference
  2   the command line is wrong
  3   an error with --check or --diff
  70  a bug in inlay";

const BUILD_EXAMPLES: &str = "\
Examples:
  inlay build -f config/ -f override.yml          print what the files render to, in their order
  inlay build -f config/ -d production.yml        use the data values of a file
  inlay build -f config/ -v name=shop --data-value-yaml replicas=3
  inlay build -f config/ --data-values-inspect    print the data values that templates see
  inlay build -f config/ --output-files out       write a folder, one file for each input file
  inlay build -f config/ -o json                  print compact JSON
  curl -fsSL URL | inlay build -f base.yml=- -f config/";

const FMT_EXAMPLES: &str = "\
Examples:
  inlay fmt config/                               print the files in the standard layout
  inlay fmt config/ --in-place                    write the files that have another layout
  inlay fmt config/ --check                       exit with 1 if a file has another layout

Exit codes with --check: 0 same, 1 another layout, 2 wrong command line, 3 another error.";

const RUN_EXAMPLES: &str = "\
Examples:
  inlay run inlay.yaml manifests/                 print the edited documents
  inlay run inlay.yaml manifests/ --diff          show what would change
  inlay run inlay.yaml manifests/ --check         exit with 1 if something would change
  inlay run inlay.yaml manifests/ --in-place      write the files that change
  kustomize build . | inlay run inlay.yaml -      edit what another program prints

Exit codes with --check: 0 same, 1 would change, 2 wrong command line, 3 another error. With --diff
alone: 0 done, 2 wrong command line, 3 another error.

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

const KUSTOMIZE_EXAMPLES: &str = "\
Examples:
  inlay kustomize overlays/production             print the objects of a kustomization
  inlay kustomize build overlays/production       the same, with the words of kustomize
  inlay kustomize overlays/production -o out/     write a file for each object";

const GET_EXAMPLES: &str = "\
Examples:
  inlay get deployment.yaml spec.replicas
  inlay get deployment.yaml 'spec.template.spec.containers.[name=web].image'
  inlay get cm.yaml 'data.app\\.json'                 the string
  inlay get cm.yaml 'data.app\\.json.server.port'     a value inside the string";

const SET_EXAMPLES: &str = "\
Examples:
  inlay set deployment.yaml spec.replicas=3
  inlay set cm.yaml 'data.app\\.json.server.port=8080' 'data.LEVEL=debug' --in-place
  inlay set cm.yaml 'data.app\\.json.tags=[a, b]' --create
  kubectl get cm app -o yaml | inlay set - 'data.LEVEL=debug' | kubectl apply -f -";

const PLAYGROUND_EXAMPLES: &str = "\
Examples:
  inlay playground                                print the address of a page with examples
  inlay playground --open                         open it in the browser
  inlay playground config/ --open                 edit the files of a folder
  inlay playground config/ --read-only            render them without writing";

const PLUGIN_EXAMPLES: &str = "\
Examples:
  inlay plugin install                            once, for kustomize and kubectl
  kustomize build --enable-alpha-plugins .
  kubectl kustomize --enable-alpha-plugins .";

/// The flags of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct GlobalArguments {
    /// How errors and warnings are printed on standard error.
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub(super) diagnostics: DiagnosticFormat,
    /// When to use color.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Color,
    /// Show the values of Secrets in messages and diffs.
    #[arg(long, global = true)]
    pub(super) show_secrets: bool,
    /// Set a limit, such as `memory=8000000000`; docs/limits.md lists them. The variable
    /// INLAY_LIMITS sets several, with commas between them.
    #[arg(long = "limit", global = true, value_name = "NAME=VALUE")]
    pub(super) limits: Vec<String>,
    /// The number of threads; by default one per core, or INLAY_THREADS. It never changes the
    /// output.
    #[arg(long, global = true, value_name = "N")]
    pub(super) threads: Option<NonZero<usize>>,
}

impl ValueEnum for DiagnosticFormat {
    fn value_variants<'a>() -> &'a [DiagnosticFormat] {
        &DiagnosticFormat::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            DiagnosticFormat::Human => "With the line, a marker and a fix",
            DiagnosticFormat::Short => "One line each: file:line:column: severity[code]: message",
            DiagnosticFormat::Json => "One JSON object per line",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// When to use color.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set.
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
    /// This is the same as inlay without a command.
    #[command(aliases = ["template", "tpl", "t"], after_help = BUILD_EXAMPLES)]
    Build(Box<BuildArguments>),
    /// Print YAML files in a standard layout, with their comments
    #[command(after_help = FMT_EXAMPLES)]
    Fmt(FmtArguments),
    /// Apply a configuration to files and folders
    ///
    /// Prints the resources as YAML documents, in their order. Everything that the configuration
    /// does not change is printed byte for byte. If anything fails, no file is written.
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArguments),
    /// Build a kustomization, as `kustomize build` does
    ///
    /// Prints the same bytes as kustomize. What kustomize ignores silently is a warning here.
    #[command(after_help = KUSTOMIZE_EXAMPLES)]
    Kustomize(Box<KustomizeArguments>),
    /// Explain where a value of the output comes from
    ///
    /// Builds, and prints for each value what made it, the newest first: overlays, patches,
    /// replacements and transformers with the value before and after, the line of the template, and
    /// the data values that it read with who set them.
    #[command(after_help = explain::EXPLAIN_EXAMPLES)]
    Explain(Box<ExplainArguments>),
    /// Print the values at a field path
    ///
    /// Prints a scalar as its text, and anything else as it is written. A path can lead into a
    /// string that contains JSON or YAML.
    #[command(after_help = GET_EXAMPLES)]
    Get(GetArguments),
    /// Write values at field paths
    ///
    /// Prints the file with the new values, or writes it with `--in-place`. All other bytes stay
    /// the same.
    #[command(after_help = SET_EXAMPLES)]
    Set(SetArguments),
    /// Render in the browser while you type
    ///
    /// Serves a page on this machine only, from this program, without any network. Renders see the
    /// files of the page and nothing else of the machine.
    #[command(after_help = PLAYGROUND_EXAMPLES)]
    Playground(PlaygroundArguments),
    /// Install inlay as an exec plugin of kustomize
    #[command(after_help = PLUGIN_EXAMPLES)]
    Plugin(PluginArguments),
    /// Run as a config management plugin of Argo CD
    ///
    /// Argo CD calls these commands in the folder of an application, and sets its parameters in
    /// environment variables.
    Cmp {
        #[command(subcommand)]
        command: CmpCommand,
    },
    /// Serve an editor with the Language Server Protocol
    ///
    /// The editor starts this command, and talks to it on standard input and output. It shows the
    /// mistakes of a build while you type, completes annotations, functions and data values, and
    /// finds definitions. See docs/editors.md.
    Lsp,
    /// Print the version
    Version,
    /// Print the completions of a shell
    ///
    /// For bash: `source <(inlay completions bash)`. For other shells, write the output to where
    /// the shell looks for it.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    ///
    /// To read it: `inlay man run | man -l -`.
    Man {
        /// The command, such as `run` or `plugin install`. By default, the page describes inlay as
        /// a whole.
        commands: Vec<String>,
    },
}

/// `inlay plugin`
#[derive(Debug, Args)]
pub(super) struct PluginArguments {
    #[command(subcommand)]
    pub(super) command: PluginCommand,
}

/// The commands of `inlay plugin`.
#[derive(Debug, Subcommand)]
pub(super) enum PluginCommand {
    /// Install this program where kustomize looks for exec plugins
    ///
    /// Creates the folders and a link to this program. The home is the first of --home,
    /// KUSTOMIZE_PLUGIN_HOME, XDG_CONFIG_HOME/kustomize/plugin and HOME/.config/kustomize/plugin.
    #[command(after_help = PLUGIN_EXAMPLES)]
    Install {
        /// The folder of plugins. kustomize finds it if KUSTOMIZE_PLUGIN_HOME names it.
        #[arg(long, value_name = "DIR")]
        home: Option<PathBuf>,
        /// Replace another file.
        #[arg(long)]
        force: bool,
    },
}

/// The commands of `inlay cmp`.
#[derive(Debug, Subcommand)]
pub(super) enum CmpCommand {
    /// Print the configuration of the application, if it is one of Inlay's
    Discover,
    /// Print the objects of the application
    ///
    /// Builds the kustomization of the folder, or applies its inlay.yaml to it, or renders its
    /// templates, in this order; the parameter `mode` names another way.
    Generate,
    /// Print the parameters that an application can set, as JSON
    Parameters,
}

impl CommandLine {
    /// Parses what was typed.
    ///
    /// # Errors
    /// What to print instead of running: a mistake in the command line, the help, or the version.
    pub(super) fn parse_from_typed(typed: Vec<OsString>) -> Result<CommandLine, clap::Error> {
        // Before clap, for which a switch cannot have a value.
        let plain = switches::remove_values(&CommandLine::command(), typed);
        let command_line = CommandLine::try_parse_from(plain).map_err(with_file_hint)?;
        command_line.check()?;
        Ok(command_line)
    }

    /// Checks what clap cannot: arguments of different places that exclude each other.
    fn check(&self) -> Result<(), clap::Error> {
        match &self.command {
            Some(_) if self.is_bare_build() => {
                let message = "put the options of build after `build`, or leave the command out";
                Err(CommandLine::program().error(ErrorKind::ArgumentConflict, message))
            }
            Some(Command::Run(run)) => {
                let dashes = run.paths.iter().filter(|path| is_dash(path)).count();
                // clap knows only which arguments exclude each other, and not their values.
                if dashes + usize::from(is_dash(&run.config)) > 1 {
                    let message = "`-` is given twice, but standard input can be read only once";
                    return Err(conflict("run", message));
                }
                check_in_place("run", run.in_place, dashes > 0)
            }
            Some(Command::Set(set)) => check_in_place("set", set.in_place, is_dash(&set.file)),
            Some(Command::Fmt(fmt)) => {
                let has_dash = fmt.inputs().iter().any(|file| is_dash(Path::new(file)));
                check_in_place("fmt", fmt.in_place, has_dash)
            }
            _ => Ok(()),
        }
    }

    /// Returns whether options of `build` are given before a command, or without one.
    pub(super) fn is_bare_build(&self) -> bool {
        self.build != BuildArguments::default()
    }

    /// Returns clap's description of the program, complete with the global flags of each command.
    pub(super) fn program() -> Program {
        let mut program = CommandLine::command();
        program.build();
        program
    }
}

/// Adds a hint to the error of an input that is given to a build without `-f`: `inlay config/` or
/// `inlay build config/`. Inputs are not taken without it, as in ytt: a misspelt command would be
/// a file.
fn with_file_hint(mut error: clap::Error) -> clap::Error {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return error,
    };
    let Some(ContextValue::String(input)) = error.get(kind) else {
        return error;
    };
    let looks_like_a_path = input.contains(['/', '.', '\\']) || Path::new(input).exists();
    let is_for_build = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => {
            let usage = usage.to_string();
            usage.contains("inlay build") || usage.contains("inlay [OPTIONS]")
        }
        _ => false,
    };
    if input.starts_with('-') || !looks_like_a_path || !is_for_build {
        return error;
    }
    let mut hint = StyledStr::new();
    hint.push_str(&format!("to build a file or a folder, use '-f {input}'"));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint]));
    error
}

fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

fn check_in_place(command: &str, in_place: bool, has_dash: bool) -> Result<(), clap::Error> {
    if in_place && has_dash {
        let message = "standard input cannot be written in place; without `--in-place`, the output is printed";
        return Err(conflict(command, message));
    }
    Ok(())
}

/// Returns the error for arguments of `command` that exclude each other.
fn conflict(command: &str, message: &str) -> clap::Error {
    let mut program = CommandLine::program();
    let command = program.find_subcommand_mut(command).cloned();
    command
        .unwrap_or(program)
        .error(ErrorKind::ArgumentConflict, message)
}
