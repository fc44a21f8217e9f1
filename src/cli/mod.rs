//! The commands: what was typed, and nothing else.
//!
//! Exit codes: 0 for success, 1 for an error or, with `--check`, a difference, 2 for a command line that cannot be
//! understood, 70 for a fault in the program.

mod arguments;
mod assignment;
mod build;
mod diff;
mod documents;
mod fault;
mod fmt;
mod function;
mod get;
mod input;
mod output;
mod plugin;
mod run;
mod schema_inspect;
mod set;
mod switches;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::CommandFactory;

pub use self::fault::report_faults;

use self::arguments::{Arguments, Command};
use self::output::Reporter;
use crate::source::world::{Disk, World};
use crate::source::{Diagnostics, Result};

/// How a command ends, if it adds no error to the diagnostics of the run.
enum Ending {
    /// All is well.
    Success,
    /// The command did its work and found a difference that it was asked to look for.
    Difference,
    /// The command line is wrong, or asks for help.
    Usage(clap::Error),
}

/// What a command returns: it may end early with one more error.
type Outcome = Result<Ending>;

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    report_faults();
    let typed = Disk.arguments();
    let mut diagnostics = Diagnostics::default();
    if let Some(config) = plugin::invocation(&Disk, &typed) {
        let outcome = plugin::transform(&Disk, &config, &mut diagnostics);
        return finish(outcome, diagnostics, &Reporter::plain(&Disk));
    }
    match Arguments::read(typed) {
        Ok(arguments) => {
            let reporter = Reporter::new(&arguments.global, &Disk);
            let outcome = command(&Disk, &arguments, &reporter, &mut diagnostics);
            finish(outcome, diagnostics, &reporter)
        }
        Err(instead) => finish(
            Ok(Ending::Usage(instead)),
            diagnostics,
            &Reporter::plain(&Disk),
        ),
    }
}

fn command(
    world: &dyn World,
    arguments: &Arguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> Outcome {
    match &arguments.command {
        None if arguments.is_bare_build() => build::build(world, &arguments.build, diagnostics),
        Some(Command::Build(arguments)) => build::build(world, arguments, diagnostics),
        Some(Command::Fmt(arguments)) => fmt::fmt(world, arguments, diagnostics),
        Some(Command::Run(arguments)) => run::run(world, arguments, reporter, diagnostics),
        Some(Command::Get(arguments)) => get::get(world, arguments),
        Some(Command::Set(arguments)) => set::set(world, arguments, diagnostics),
        Some(Command::Plugin(arguments)) => plugin::command(world, arguments),
        Some(Command::Version) => documents::version(),
        Some(Command::Completions { shell }) => documents::completions(*shell),
        Some(Command::Man { commands }) => documents::man(commands),
        None if std::io::stdin().is_terminal() => Ok(help_instead()),
        None => function::function(world, diagnostics),
    }
}

/// Somebody typed the name of the program and nothing else.
fn help_instead() -> Ending {
    let program = Arguments::command().arg_required_else_help(true);
    program
        .try_get_matches_from(["inlay"])
        .map_or_else(Ending::Usage, |_| Ending::Success)
}

/// Prints what there is to say and chooses the exit code.
fn finish(outcome: Outcome, mut diagnostics: Diagnostics, reporter: &Reporter) -> ExitCode {
    let ending = diagnostics.take(outcome.and_then(show_help));
    reporter.report(diagnostics.as_slice());
    match ending {
        _ if diagnostics.failed() => ExitCode::from(1),
        Some(Ending::Success) | None => ExitCode::SUCCESS,
        Some(Ending::Difference) => ExitCode::from(1),
        Some(Ending::Usage(error)) => {
            // Nothing can be done where standard error itself is gone.
            let _ = error.print();
            ExitCode::from(2)
        }
    }
}

/// Prints help and version on standard output, where a failure to write counts like any other.
fn show_help(ending: Ending) -> Outcome {
    match ending {
        Ending::Usage(asked) if !asked.use_stderr() => {
            let text = asked.render();
            let text = if std::io::stdout().is_terminal() {
                text.ansi().to_string()
            } else {
                text.to_string()
            };
            output::print(text.as_bytes())?;
            Ok(Ending::Success)
        }
        other => Ok(other),
    }
}
