//! The commands. Each reads its flags and its input, calls one function of a lower layer, and
//! writes the output.
//!
//! | exit code | meaning |
//! | --- | --- |
//! | 0 | done; with `--check`, nothing would change |
//! | 1 | an error; with `--check`, a difference |
//! | 2 | the command line is wrong |
//! | 3 | an error with `--check`, `--diff`, `--stat` or `--against` |
//! | 70 | a bug in Inlay |
//! | 141 | the output is not read any more |

mod arguments;
mod assigned_value;
mod assignment;
mod build;
mod build_input;
mod build_product;
mod build_target;
mod chosen_documents;
mod cmp;
mod comparison;
mod delete;
mod doctor;
mod documents;
mod edited_files;
mod ending;
mod explain;
mod fault;
mod field_edit;
mod fmt;
mod get;
mod idle_input;
mod input;
mod input_places;
mod kustomization_input;
mod kustomize;
mod kustomize_fix;
mod lsp;
mod matrix;
mod migrate;
mod open_file;
mod order;
mod output;
mod output_file;
mod playground;
mod plugin;
mod progress;
mod resources;
mod run;
mod run_input;
mod schema;
mod schema_inspect;
mod set;
mod switches;
mod watch;

use std::io::IsTerminal;
use std::path::Path;
use std::process;

pub use self::fault::report_faults;

use self::arguments::{Command, CommandLine};
use self::build::BuildCall;
use self::ending::{CommandFailure, CommandResult, Ending};
use self::output::Reporter;
use crate::krm;
use crate::source::world::{Disk, World, read_source};
use crate::source::{Code, Diagnostic, Diagnostics, limits, on_large_stack};

/// Runs the program with the arguments of this process, and ends the process with its exit code.
/// `is_output_closed` says that the caller has closed standard output.
///
/// Everything runs on one thread with a large stack. If only programs did, both threads would have
/// memory of each size from the allocator, which takes a small build a tenth of its time. For the
/// same reason, that thread ends the process itself: the system frees its stack and its memory
/// faster than the thread could.
pub fn main(is_output_closed: bool) -> ! {
    report_faults();
    let run = || -> u8 { process::exit(i32::from(run_process(is_output_closed))) };
    // Without such a thread, everything but a build still works, and a build says what is missing.
    let exit_code = on_large_stack(run).unwrap_or_else(|_| run_process(is_output_closed));
    process::exit(i32::from(exit_code))
}

fn run_process(is_output_closed: bool) -> u8 {
    let typed = Disk.arguments();
    let mut diagnostics = Diagnostics::default();
    // kustomize passes special arguments to plugins, so check this before clap.
    if let Some(config) = plugin::invocation(&Disk, &typed) {
        limits::name_fields();
        let result = match is_output_closed {
            true => Err(output_is_closed().into()),
            false => resources::set(&Disk, None)
                .map_err(Into::into)
                .and_then(|()| plugin::transform(&Disk, &config, &mut diagnostics)),
        };
        return finish(
            result,
            diagnostics,
            &Reporter::plain(&Disk),
            ending::FAILURE,
        );
    }
    match CommandLine::parse_from_typed(typed) {
        Ok(command_line) => {
            let reporter = Reporter::new(&command_line.global, &Disk);
            progress::start(&Disk, &command_line.global);
            let result = match is_output_closed {
                true => Err(output_is_closed().into()),
                false => run_command(&Disk, &command_line, &reporter, &mut diagnostics),
            };
            finish(result, diagnostics, &reporter, failure_code(&command_line))
        }
        Err(error) => {
            // Help and versions are output; messages about a wrong command line are not.
            let result = match is_output_closed && !error.use_stderr() {
                true => Err(output_is_closed().into()),
                false => Err(error.into()),
            };
            let reporter = Reporter::plain(&Disk);
            finish(result, diagnostics, &reporter, ending::FAILURE)
        }
    }
}

/// Returns the error for a call whose standard output is closed, because the output would be lost.
fn output_is_closed() -> Box<Diagnostic> {
    Diagnostic::error(Code::File, "cannot write standard output: it is closed")
        .help("to discard the output, redirect it: `>/dev/null`")
}

/// Returns the exit code for an error in this command.
fn failure_code(command_line: &CommandLine) -> u8 {
    let comparison = command_line.comparison();
    if comparison.is_some_and(|comparison| comparison.is_on()) {
        ending::COMPARISON_FAILED
    } else {
        ending::FAILURE
    }
}

fn run_command(
    world: &dyn World,
    command_line: &CommandLine,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let resources = resources::set(world, Some(&command_line.global));
    if is_function_call(command_line) {
        limits::name_fields();
        // The caller of a function reads the answer, so the error has to be in it.
        if let Err(error) = resources {
            diagnostics.push(error);
        }
        return krm_function(world, diagnostics);
    }
    resources?;
    match &command_line.command {
        Some(Command::Build(arguments)) => {
            BuildCall::new(world, arguments, reporter).run(diagnostics)
        }
        Some(Command::Fmt(arguments)) => fmt::fmt(world, arguments, reporter, diagnostics),
        Some(Command::Run(arguments)) => run::run(world, arguments, reporter, diagnostics),
        Some(Command::Kustomize(arguments)) => {
            kustomize::kustomize(world, arguments, reporter, diagnostics)
        }
        Some(Command::Explain(arguments)) => {
            let shows_secrets = command_line.global.show_secrets;
            explain::explain(world, arguments, shows_secrets, diagnostics)
        }
        Some(Command::Get(arguments)) => get::get(world, arguments, diagnostics),
        Some(Command::Playground(arguments)) => playground::playground(world, arguments),
        Some(Command::Delete(arguments)) => delete::delete(world, arguments, reporter, diagnostics),
        Some(Command::Set(arguments)) => set::set(world, arguments, reporter, diagnostics),
        Some(Command::Plugin(arguments)) => plugin::install(world, arguments),
        Some(Command::Cmp { command }) => cmp::cmp(world, command, diagnostics),
        Some(Command::Lsp { worker }) => lsp::serve(world, *worker),
        Some(Command::Schema { command }) => schema::schema(command),
        Some(Command::Migrate(arguments)) => migrate::migrate(world, arguments, diagnostics),
        Some(Command::Doctor(arguments)) => doctor::doctor(world, arguments, diagnostics),
        Some(Command::Version { verbose: false }) => documents::version(),
        Some(Command::Version { verbose: true }) => documents::version_verbose(),
        Some(Command::Completions { shell }) => documents::completions(*shell),
        Some(Command::Man { commands }) => documents::man(commands),
        None if command_line.is_bare_build() => {
            BuildCall::new(world, &command_line.build, reporter).run(diagnostics)
        }
        // The user typed only the name of the program, so there will be no ResourceList either.
        None => show_help(),
    }
}

/// Returns whether the program is called as a KRM function, with a ResourceList on standard input.
fn is_function_call(command_line: &CommandLine) -> bool {
    let has_command = command_line.command.is_some() || command_line.is_bare_build();
    !has_command && !std::io::stdin().is_terminal()
}

/// Answers the ResourceList on standard input. Files that its functionConfig refers to are read
/// below the folder that the host provides.
fn krm_function(world: &dyn World, diagnostics: &mut Diagnostics) -> CommandResult {
    let input = read_source(world, Path::new("-"))?;
    let answer = krm::call(&input, world, diagnostics);
    // Print the answer even if the call failed: it contains the results, and the unchanged items.
    output::print_pieces(answer.pieces())?;
    diagnostics.outcome()?;
    Ok(Ending::Success)
}

/// Prints the help on standard error, as for a wrong command line.
fn show_help() -> CommandResult {
    let program = CommandLine::program().arg_required_else_help(true);
    program.try_get_matches_from(["inlay"])?;
    Ok(Ending::Success)
}

/// Prints the diagnostics and returns the exit code. `failure` is the exit code of an error.
fn finish(
    result: CommandResult,
    mut diagnostics: Diagnostics,
    reporter: &Reporter,
    failure: u8,
) -> u8 {
    // clap returns an error for `--help`, although the user requested the help.
    let result = match result {
        Err(CommandFailure::Usage(error)) if !error.use_stderr() => print_requested(&error),
        result => result,
    };
    let (result, summary) = match result {
        Ok(Ending::Summary(summary)) => (Ok(Ending::Success), summary),
        Err(CommandFailure::Summary(summary)) => (Err(CommandFailure::Reported), summary),
        result => (result, String::new()),
    };
    let exit_code = match result {
        // Invariant: no error ends with exit code 0, even if a command violates its contract.
        Ok(Ending::Success) if !diagnostics.failed() => ending::SUCCESS,
        Ok(Ending::Difference(differences)) if !diagnostics.failed() => {
            for difference in differences {
                diagnostics.push(Box::new(difference));
            }
            ending::DIFFERENCE
        }
        Ok(_) => failure,
        Err(CommandFailure::Reported | CommandFailure::Summary(_)) => failure,
        Err(CommandFailure::Error(error)) => {
            diagnostics.push(error);
            failure
        }
        Err(CommandFailure::Usage(error)) => {
            // If standard error is closed, there is no way to report it.
            let _ = error.print();
            ending::USAGE
        }
        Err(CommandFailure::Bug(bug)) => {
            eprintln!("{}", fault::message(&bug));
            ending::BUG
        }
    };
    reporter.report(&mut diagnostics);
    reporter.summarize(&summary);
    exit_code
}

/// Prints the requested help or version. clap itself would ignore an error when writing standard
/// output.
fn print_requested(requested: &clap::Error) -> CommandResult {
    let text = requested.render();
    let text = if std::io::stdout().is_terminal() {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}
