//! The table of commands and flags. The parser, the help, the completions and the manual come from
//! here.
//!
//! A doc comment on a group of arguments would replace the description of the command that has them,
//! because the arguments of a command are added after its description. So they have other comments.

mod build;
mod checks;
mod comparison;
mod data_values;
mod edit;
mod explain;
mod help;
mod hints;
mod kustomize;
mod playground;
mod single;
mod tools;

use std::ffi::OsString;
use std::num::NonZero;
use std::path::Path;

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{
    Args, Command as Program, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
};

use self::checks::{
    INPUT_TWICE, check_build_comparison, check_in_place, check_kustomize_command,
    check_kustomize_comparison, check_one_dash, conflict, is_dash,
};
use self::help::{
    BUILD_EXAMPLES, DELETE_EXAMPLES, EXAMPLES, FMT_EXAMPLES, GET_EXAMPLES, KUSTOMIZE_EXAMPLES,
    MIGRATE_EXAMPLES, PLAYGROUND_EXAMPLES, PLUGIN_EXAMPLES, RUN_EXAMPLES, SET_EXAMPLES,
};

pub(super) use self::build::{
    BuildArguments, BuildInputArguments, FmtArguments, LinkArguments, OutputFileArguments,
    OutputName, SchemaLanguage,
};
pub(super) use self::comparison::{BaseArguments, ComparisonArguments, DiffForm, WatchArguments};
pub(super) use self::edit::{
    DeleteArguments, FieldEditArguments, GetArguments, RunArguments, RunInputArguments, RunOutput,
    SetArguments, ValueOutput,
};
pub(super) use self::explain::{ExplainArguments, ExplainCommand, ExplainFormat, ExplainQuestions};
pub(super) use self::kustomize::{
    KustomizeArguments, KustomizeBuildArguments, KustomizeCommand, KustomizeFixArguments,
    KustomizeInputArguments, LoadRestrictor, Reorder,
};
pub(super) use self::playground::PlaygroundArguments;
pub(super) use self::tools::{
    CmpCommand, DoctorArguments, MigrateArguments, PluginArguments, PluginCommand, SchemaCommand,
};
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

// The flags of every command.
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
    /// Do not list the files that a build writes, and do not show the progress of a command that
    /// takes long. Only terminals outside CI get the progress.
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
    /// On a terminal, unless NO_COLOR is set or TERM is `dumb`.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Other names of `build`, which ytt has.
const BUILD_ALIASES: [&str; 3] = ["template", "tpl", "t"];

// The commands. The arguments of a command are made when it is the one that was typed, because all
// of them together take long; see `single` too.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Render files and folders, as ytt does
    ///
    /// This is the same as inlay without a command.
    #[command(aliases = BUILD_ALIASES, after_help = BUILD_EXAMPLES)]
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
    /// Remove values at field paths
    ///
    /// Prints the file without the values, their keys and their comments, or writes the files with
    /// `--in-place`. All other bytes stay the same.
    #[command(after_help = DELETE_EXAMPLES)]
    Delete(DeleteArguments),
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
    Lsp {
        /// Serve the process that the editor has started.
        #[arg(long, hide = true)]
        worker: bool,
    },
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
    #[command(alias = "completion")]
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

impl CommandLine {
    /// Parses what was typed.
    ///
    /// # Errors
    /// What to print instead of running: a mistake in the command line, the help, or the version.
    pub(super) fn parse_from_typed(typed: Vec<OsString>) -> Result<CommandLine, clap::Error> {
        // Before clap, for which a switch cannot have a value.
        let plain = switches::remove_values(CommandLine::program, typed);
        let plain = with_version_command(plain);
        check_kustomize_command(&plain)?;
        if let Some(command_line) = single::parse(&plain) {
            command_line.check()?;
            return Ok(command_line);
        }
        let parse = |mut program: Program| {
            let matches = program.try_get_matches_from_mut(&plain)?;
            CommandLine::from_arg_matches(&matches).map_err(|error| error.format(&mut program))
        };
        // Help and messages describe the program with all arguments and exit codes.
        let command_line = parse(CommandLine::command())
            .or_else(|_| parse(CommandLine::program()))
            .map_err(hints::with_hint)?;
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
                let dashes = run.input.paths.iter().filter(|path| is_dash(path)).count();
                // clap knows only which arguments exclude each other, and not their values.
                if dashes + usize::from(is_dash(&run.input.config)) > 1 {
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
                let has_dash = check_one_dash("set", set.files())?;
                check_in_place("set", set.edit.in_place, has_dash)
            }
            Some(Command::Delete(delete)) => {
                if let Some(fault) = delete.fault() {
                    return Err(conflict("delete", &fault));
                }
                let has_dash = check_one_dash("delete", delete.files())?;
                check_in_place("delete", delete.edit.in_place, has_dash)
            }
            Some(Command::Get(get)) => {
                if let Some(fault) = get.fault() {
                    return Err(conflict("get", &fault));
                }
                check_one_dash("get", get.files.iter()).map(|_| ())
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

    /// Returns clap's description of the program, complete with the arguments and the global flags
    /// of each command.
    pub(super) fn program() -> Program {
        let mut program = CommandLine::command();
        program.build();
        help::with_exit_codes(program)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the commands below `program`, which has the path `name`.
    fn check_descriptions(program: &Program, name: &str) {
        let mut descriptions = Vec::new();
        for command in program.get_subcommands() {
            let name = format!("{name} {}", command.get_name());
            let description = command.get_about().map(ToString::to_string);
            let description = description.unwrap_or_default();
            assert!(
                description.starts_with(|first: char| first.is_ascii_uppercase()),
                "{name}: {description:?}"
            );
            // The comment on a group of arguments that several commands have would be repeated.
            assert!(
                !descriptions.contains(&description),
                "{name}: {description}"
            );
            descriptions.push(description);
            check_descriptions(command, &name);
        }
    }

    #[test]
    fn every_command_has_a_description_of_its_own() {
        let mut program = CommandLine::command();
        program.build();
        check_descriptions(&program, "inlay");
    }
}
