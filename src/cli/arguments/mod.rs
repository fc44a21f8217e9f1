//! The table of commands and flags. The parser, the help, the completions and the manual come from
//! here.

mod build;
mod comparison;
mod data_values;
mod edit;
mod explain;
mod kustomize;
mod playground;

use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command as Program, CommandFactory, Parser, Subcommand, ValueEnum};

pub(super) use self::build::{
    BuildArguments, FmtArguments, OutputFileArguments, OutputName, SchemaLanguage,
};
pub(super) use self::comparison::{BaseArguments, ComparisonArguments, DiffForm, WatchArguments};
pub(super) use self::edit::{
    DeleteArguments, FieldEditArguments, GetArguments, RunArguments, RunOutput, SetArguments,
    ValueOutput,
};
pub(super) use self::explain::{ExplainArguments, ExplainCommand, ExplainFormat, ExplainQuestions};
pub(super) use self::kustomize::{
    KustomizeArguments, KustomizeBuildArguments, KustomizeCommand, KustomizeFixArguments,
    LoadRestrictor, Reorder,
};
pub(super) use self::playground::PlaygroundArguments;
use super::switches;
use crate::krm::configuration_kinds;
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
  3   an error with --check, --diff, --stat or --against
  70  a bug in inlay";

/// The exit codes of commands that compare, for their help.
macro_rules! comparison_codes {
    () => {
        "\
Exit codes with --check: 0 same, 1 differs, 2 wrong command line, 3 another error. With --diff,
--stat or --against alone: 0 done, 2 wrong command line, 3 another error."
    };
}

const BUILD_EXAMPLES: &str = concat!(
    "\
Examples:
  inlay build -f config/ -f override.yml          print what the files render to, in their order
  inlay build -f config/ -d production.yml        use the data values of a file
  inlay build -f config/ -v name=shop --data-value-yaml replicas=3
  inlay build -f config/ --data-values-inspect    print the data values that templates see
  inlay build -f config/ --output-files out       write a folder, one file for each input file
  inlay build -f config/ --output-files out --check
  inlay build -f config/ --diff=semantic --against ../main
  inlay build -f config/ -o json                  print compact JSON
  curl -fsSL URL | inlay build -f base.yml=- -f config/

",
    comparison_codes!()
);

const FMT_EXAMPLES: &str = concat!(
    "\
Examples:
  inlay fmt config/                               print the files in the standard layout
  inlay fmt config/ --in-place                    write the files that have another layout
  inlay fmt config/ --check                       exit with 1 if a file has another layout
  inlay fmt config/ --diff                        show what would change

",
    comparison_codes!()
);

const RUN_EXAMPLES: &str = concat!(
    "\
Examples:
  inlay run inlay.yaml manifests/                 print the edited documents
  inlay run inlay.yaml manifests/ --diff          show what would change
  inlay run inlay.yaml manifests/ --check         exit with 1 if something would change
  inlay run inlay.yaml manifests/ --in-place      write the files that change
  kustomize build . | inlay run inlay.yaml -      edit what another program prints

",
    comparison_codes!(),
    "

A configuration:
  apiVersion: inlay.dev/v1alpha1
  kind: Inlay
  metadata: {name: hostname}
  spec:
    replacements:
    - source: {kind: ConfigMap, name: environment, fieldPath: data.HOSTNAME}
      targets:
      - select: {kind: ConfigMap, name: storefront}
        fieldPaths: ['data.config\\.json.server.hostname']"
);

const KUSTOMIZE_EXAMPLES: &str = concat!(
    "\
Examples:
  inlay kustomize overlays/production             print the objects of a kustomization
  inlay kustomize build overlays/production       the same, with the words of kustomize
  inlay kustomize overlays/production -o out/     write a file for each object
  inlay kustomize overlays/production -o out/ --check
  inlay kustomize overlays/production --diff=semantic --against ../main

",
    comparison_codes!()
);

const FIX_EXAMPLES: &str = concat!(
    "\
Examples:
  inlay kustomize fix                             rewrite the file of this folder
  inlay kustomize fix overlays/production --diff  show what would change

",
    comparison_codes!()
);

const GET_EXAMPLES: &str = "\
Examples:
  inlay get deployment.yaml spec.replicas
  inlay get deployment.yaml 'spec.template.spec.containers.[name=web].image'
  inlay get cm.yaml 'data.app\\.json'                 the string
  inlay get cm.yaml 'data.app\\.json.server.port'     a value inside the string
  inlay get deployment.yaml spec -o json            a mapping as JSON";

const DELETE_EXAMPLES: &str = concat!(
    "\
Examples:
  inlay delete deployment.yaml spec.replicas
  inlay delete cm.yaml 'data.app\\.json.debug' 'data.LEVEL' --in-place
  inlay delete app.yaml 'spec.containers.[name=sidecar]' --diff
  inlay delete app.yaml '$..resources' --ignore-missing

",
    comparison_codes!()
);

const SET_EXAMPLES: &str = concat!(
    "\
Examples:
  inlay set deployment.yaml spec.replicas=3
  inlay set cm.yaml 'data.app\\.json.server.port=8080' 'data.LEVEL=debug' --in-place
  inlay set cm.yaml 'data.app\\.json.tags=[a, b]' --create
  inlay set a.yaml b.yaml metadata.namespace=shop --in-place
  inlay set a.yaml b.yaml metadata.namespace=shop --diff --check
  kubectl get cm app -o yaml | inlay set - 'data.LEVEL=debug' | kubectl apply -f -

",
    comparison_codes!()
);

const MIGRATE_EXAMPLES: &str = "\
Examples:
  inlay migrate overlays/production > inlay.yaml
  inlay run inlay.yaml overlays/production/app.yaml";

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
    /// Do not show the progress of a command that takes long. Only terminals get it, outside CI.
    #[arg(long, global = true)]
    pub(super) quiet: bool,
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
            DiagnosticFormat::Github => "Workflow commands, which GitHub shows beside the lines",
            DiagnosticFormat::Sarif => "One SARIF 2.1.0 log, for code scanning",
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
    Run(Box<RunArguments>),
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
    /// Remove values at field paths
    ///
    /// Prints the file without the values, their keys and their comments, or writes it with
    /// `--in-place`. All other bytes stay the same.
    #[command(after_help = DELETE_EXAMPLES)]
    Delete(DeleteArguments),
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
    /// Print a configuration that does what another tool was told to do
    ///
    /// From a kustomization whose edits are generators, patches and replacements, or from a kpt
    /// package with apply-replacements and apply-setters. Writes nothing.
    #[command(after_help = MIGRATE_EXAMPLES)]
    Migrate(MigrateArguments),
    /// Print the JSON Schema of a kind of file
    Schema {
        #[command(subcommand)]
        command: SchemaCommand,
    },
    /// Show what is installed, and what would not run
    ///
    /// Lists the programs that call Inlay with their versions and the flags they need, and the
    /// plugin that they find. For each folder with a kustomization, shows the plugins that
    /// kustomize or kubectl would leave out without a message. Exits with 1 if something has to be
    /// repaired.
    Doctor(DoctorArguments),
    /// Print the version
    Version {
        /// Print also the commit, the programs that it is compatible with, and the limits.
        #[arg(long)]
        verbose: bool,
    },
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

/// `inlay migrate`
#[derive(Debug, Args)]
pub(super) struct MigrateArguments {
    /// The folder of the kustomization or the package.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(super) folder: PathBuf,
    /// The name of the configuration.
    #[arg(long, default_value = "migrated")]
    pub(super) name: String,
}

/// `inlay doctor`
#[derive(Debug, Args)]
pub(super) struct DoctorArguments {
    /// Folders with kustomizations.
    #[arg(value_name = "DIR")]
    pub(super) folders: Vec<PathBuf>,
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

/// The commands of `inlay schema`.
#[derive(Debug, Subcommand)]
pub(super) enum SchemaCommand {
    /// Print the JSON Schema of configurations, for editors and checks
    ///
    /// Without KIND, it is that of every kind, and `kind` decides.
    Config {
        /// The kind of configuration.
        #[arg(value_name = "KIND", value_parser = configuration_kind_parser())]
        kind: Option<String>,
    },
}

fn configuration_kind_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(configuration_kinds())
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
        let plain = with_version_command(plain);
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
                    return Err(conflict("run", INPUT_TWICE));
                }
                check_in_place("run", run.in_place, dashes > 0)
            }
            Some(Command::Build(build)) => check_build_comparison(build),
            Some(Command::Kustomize(kustomize)) => {
                let build = match &kustomize.command {
                    Some(KustomizeCommand::Build(build)) => build,
                    Some(KustomizeCommand::Fix(_)) => return Ok(()),
                    None => &kustomize.build,
                };
                check_kustomize_comparison(build)
            }
            None => check_build_comparison(&self.build),
            Some(Command::Set(set)) => {
                if let Some(fault) = set.fault() {
                    return Err(conflict("set", &fault));
                }
                let dashes = set.files().filter(|file| is_dash(file)).count();
                if dashes > 1 {
                    return Err(conflict("set", INPUT_TWICE));
                }
                check_in_place("set", set.edit.in_place, dashes > 0)
            }
            Some(Command::Delete(delete)) => {
                check_in_place("delete", delete.edit.in_place, is_dash(&delete.file))
            }
            Some(Command::Fmt(fmt)) => {
                let has_dash = fmt.inputs().iter().any(|file| is_dash(Path::new(file)));
                check_in_place("fmt", fmt.in_place, has_dash)
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the command runs until it is interrupted.
    pub(super) fn watches(&self) -> bool {
        match &self.command {
            Some(Command::Build(build)) => build.watch.watch,
            Some(Command::Run(run)) => run.watch.watch,
            Some(Command::Kustomize(kustomize)) => match &kustomize.command {
                Some(KustomizeCommand::Build(build)) => build.watch.watch,
                Some(KustomizeCommand::Fix(_)) => false,
                None => kustomize.build.watch.watch,
            },
            None => self.build.watch.watch,
            Some(_) => false,
        }
    }

    /// Returns the flags by which the command compares, if it has any.
    pub(super) fn comparison(&self) -> Option<ComparisonArguments> {
        let comparison = match &self.command {
            Some(Command::Build(build)) => build.comparison.with_base(&build.base),
            Some(Command::Run(run)) => run.comparison.with_base(&run.base),
            Some(Command::Kustomize(kustomize)) => match &kustomize.command {
                Some(KustomizeCommand::Fix(fix)) => fix.comparison.clone(),
                Some(KustomizeCommand::Build(build)) => build.comparison.with_base(&build.base),
                None => {
                    let build = &kustomize.build;
                    build.comparison.with_base(&build.base)
                }
            },
            Some(Command::Fmt(fmt)) => fmt.comparison.clone(),
            Some(Command::Set(set)) => set.edit.comparison.clone(),
            Some(Command::Delete(delete)) => delete.edit.comparison.clone(),
            None => self.build.comparison.with_base(&self.build.base),
            Some(_) => return None,
        };
        Some(comparison)
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

/// Replaces `inlay --version --verbose`, in any order, by the command that prints it: clap prints the
/// short version as soon as it sees the first flag.
fn with_version_command(typed: Vec<OsString>) -> Vec<OsString> {
    let flags = typed.get(1..).unwrap_or_default();
    let has = |names: &[&str]| {
        flags
            .iter()
            .any(|flag| names.iter().any(|name| flag == name))
    };
    if flags.len() == 2 && has(&["--version", "-V"]) && has(&["--verbose"]) {
        let program = typed.into_iter().take(1);
        return program
            .chain(["version".into(), "--verbose".into()])
            .collect();
    }
    typed
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

/// Checks that a build that compares has something to compare with.
fn check_build_comparison(build: &BuildArguments) -> Result<(), clap::Error> {
    let has_output = build.output_files.is_some()
        || build.dangerous_emptied_output_directory.is_some()
        || build.output_file.output_file.is_some();
    let targets = "`--output-files DIR`, `--output-file FILE` or `--against DIR`";
    if build.output.first() == Some(&OutputName::Annotated) {
        return check_annotated("build", &build.comparison, &build.base, &build.watch);
    }
    if build.watch.watch {
        return check_watch("build", has_output || build.bulk_out);
    }
    check_target("build", &build.comparison, &build.base, has_output, targets)
}

/// Checks that a build of a kustomization that compares has something to compare with.
fn check_kustomize_comparison(build: &KustomizeBuildArguments) -> Result<(), clap::Error> {
    let has_output = build.output.is_some();
    let targets = "`--output PATH` or `--against DIR`";
    if build.output.as_deref() == Some(Path::new("annotated")) {
        return check_annotated("kustomize", &build.comparison, &build.base, &build.watch);
    }
    if build.watch.watch {
        return check_watch("kustomize", has_output);
    }
    check_target(
        "kustomize",
        &build.comparison,
        &build.base,
        has_output,
        targets,
    )
}

/// Checks that a command that watches only prints.
fn check_watch(command: &str, has_output: bool) -> Result<(), clap::Error> {
    if has_output {
        let message = "`--watch` prints what changes, and writes no files";
        return Err(conflict(command, message));
    }
    Ok(())
}

/// Checks that annotated output, which is for reading, is only printed.
fn check_annotated(
    command: &str,
    comparison: &ComparisonArguments,
    base: &BaseArguments,
    watch: &WatchArguments,
) -> Result<(), clap::Error> {
    if comparison.is_on() || base.against.is_some() || watch.watch {
        let message = "`-o annotated` is printed, and not compared or watched";
        return Err(conflict(command, message));
    }
    Ok(())
}

fn check_target(
    command: &str,
    comparison: &ComparisonArguments,
    base: &BaseArguments,
    has_output: bool,
    targets: &str,
) -> Result<(), clap::Error> {
    if comparison.is_on() && !has_output && base.against.is_none() {
        let message = format!("there is nothing to compare with: add {targets}");
        return Err(conflict(command, &message));
    }
    if has_output && base.against.is_some() {
        let message = format!("the output is compared with one thing: give one of {targets}");
        return Err(conflict(command, &message));
    }
    Ok(())
}

const INPUT_TWICE: &str = "`-` is given twice, but standard input can be read only once";

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
