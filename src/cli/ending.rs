//! The outcomes of commands, and the exit codes.

use crate::source::world::remove_temporaries;
use crate::source::{Diagnostic, Reported};

/// The outcome of a command that completed its work.
#[derive(Debug)]
pub(super) enum Ending {
    /// The command succeeded.
    Success,
    /// The command succeeded. This text is printed on standard error, after the diagnostics.
    Summary(String),
    /// `--check` found a difference. The diagnostics are for programs, which show them next to the
    /// lines; human users have seen the differences in the output.
    Difference(Vec<Diagnostic>),
}

/// The reason why a command could not complete its work.
pub(super) enum CommandFailure {
    /// The diagnostics of the run contain the reason.
    Reported,
    /// The diagnostics of the run contain the reason. This text is printed on standard error after
    /// them.
    Summary(String),
    /// This error is the reason. It is not reported yet.
    Error(Box<Diagnostic>),
    /// The command line is wrong, or requests help.
    Usage(clap::Error),
    /// Inlay has found a bug in itself, and describes it.
    Bug(String),
}

/// The result of a command.
///
/// Invariant: a command that reported an error returns a failure, never an ending.
pub(super) type CommandResult = Result<Ending, CommandFailure>;

impl From<Reported> for CommandFailure {
    fn from(_: Reported) -> CommandFailure {
        CommandFailure::Reported
    }
}

impl From<Box<Diagnostic>> for CommandFailure {
    fn from(error: Box<Diagnostic>) -> CommandFailure {
        CommandFailure::Error(error)
    }
}

impl From<clap::Error> for CommandFailure {
    fn from(error: clap::Error) -> CommandFailure {
        CommandFailure::Usage(error)
    }
}

/// The exit code of a command that completed its work.
pub(super) const SUCCESS: u8 = 0;

/// The exit code of an error, as in ytt and kustomize.
pub(super) const FAILURE: u8 = 1;

/// The exit code of a difference that `--check` found, as in `diff` and `git diff --exit-code`.
pub(super) const DIFFERENCE: u8 = 1;

/// The exit code of an error in a command that compares, with `--check` or `--diff`. There, 1 means
/// "differs", and a script must not confuse a broken file with a file that would change.
pub(super) const COMPARISON_FAILED: u8 = 3;

/// The exit code of a wrong command line, as in clap and getopt.
pub(super) const USAGE: u8 = 2;

/// The exit code of a bug in Inlay: `EX_SOFTWARE` of `sysexits.h`.
pub(super) const BUG: u8 = 70;

/// Ends the process because its output is not read any more, as in `inlay … | head`.
///
/// Other programs are then terminated by the signal SIGPIPE, without a message. Shells show that as
/// this exit code.
pub(super) fn end_without_reader() -> ! {
    remove_temporaries();
    std::process::exit(BROKEN_PIPE);
}

/// 128 plus the number of SIGPIPE.
const BROKEN_PIPE: i32 = 141;
