//! The commands: what was typed, and nothing else.
//!
//! Exit codes: 0 for success, 1 for an error or, with `--check`, a difference, 2 for a command line that cannot be
//! understood.

mod arguments;
mod diff;
mod function;
mod get;
mod input;
mod output;
mod plugin;
mod run;
mod set;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use self::arguments::{Arguments, Command};
use self::output::Reporter;
use crate::source::Diagnostic;
use crate::source::world::Disk;

/// How a command ends.
enum Ending {
    /// All is well.
    Success,
    /// The command did its work and found a difference that it was asked to look for.
    Difference,
    /// The command failed; these are the reasons.
    Failure(Vec<Diagnostic>),
}

impl From<Box<Diagnostic>> for Ending {
    fn from(diagnostic: Box<Diagnostic>) -> Ending {
        Ending::Failure(vec![*diagnostic])
    }
}

/// What a command returns: it may end early with a failure.
type Outcome = Result<Ending, Ending>;

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(config) = plugin::invocation(&Disk, &arguments) {
        let reporter = Reporter::default();
        return finish(plugin::transform(&Disk, &config, &reporter), &reporter);
    }
    // Clap prints usage errors and exits with 2 by itself.
    let arguments = Arguments::parse_from(arguments);
    let reporter = Reporter::new(&arguments.global);
    let outcome = match &arguments.command {
        Some(Command::Run(arguments)) => run::run(&Disk, arguments, &reporter),
        Some(Command::Get(arguments)) => get::get(&Disk, arguments),
        Some(Command::Set(arguments)) => set::set(&Disk, arguments, &reporter),
        Some(Command::Plugin(arguments)) => plugin::command(&Disk, arguments),
        Some(Command::Completions { shell }) => {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "inlay", &mut text);
            output::print(&text).map_err(Ending::from).map(|()| Ending::Success)
        }
        None if std::io::stdin().is_terminal() => {
            eprintln!("{}", Arguments::command().render_help());
            return ExitCode::from(2);
        }
        None => function::function(&Disk, &reporter),
    };
    finish(outcome, &reporter)
}

fn finish(outcome: Outcome, reporter: &Reporter) -> ExitCode {
    match outcome.unwrap_or_else(|ending| ending) {
        Ending::Success => ExitCode::SUCCESS,
        Ending::Difference => ExitCode::from(1),
        Ending::Failure(diagnostics) => {
            reporter.report(&diagnostics);
            ExitCode::from(1)
        }
    }
}
