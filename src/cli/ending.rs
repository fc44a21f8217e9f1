//! How commands end, and the exit codes.

use std::process::ExitCode;

use crate::source::world::remove_temporaries;
use crate::source::{Diagnostic, Reported};

/// How a command ends that did its work.
#[derive(Debug)]
pub(super) enum Ending {
    /// Everything is done.
    Success,
    /// Everything is done. This text is printed on standard error, after the diagnostics.
    Summary(String),
    /// `--check` found a difference. The diagnostics are for programs, which show them beside the
    /// lines; people have seen them in the output.
    Difference(Vec<Diagnostic>),
}

/// Why a command stopped before its work was done.
pub(super) enum CommandFailure {
    /// The diagnostics of the run say why.
    Reported,
    /// The diagnostics of the run say why. This text is printed on standard error after them.
    Summary(String),
    /// This error is the reason. It is not reported yet.
    Error(Box<Diagnostic>),
    /// The command line is wrong, or asks for help.
    Usage(clap::Error),
    /// Inlay has found a bug in itself, and describes it.
    Bug(String),
}

/// What a command returns.
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

/// The exit code of an error: what ytt and kustomize return.
pub(super) const FAILURE: u8 = 1;

/// The exit code of a difference that `--check` found: what `diff` and `git diff --exit-code`
/// return.
pub(super) const DIFFERENCE: u8 = 1;

/// The exit code of an error in a command that compares, with `--check` or `--diff`. There 1 means
/// "differs", and a script must not take a broken file for a file that would change.
pub(super) const COMPARISON_FAILED: u8 = 3;

/// Returns the exit code for a wrong command line, as clap and getopt have it.
pub(super) fn usage() -> ExitCode {
    ExitCode::from(2)
}

/// A bug in Inlay: `EX_SOFTWARE` of `sysexits.h`.
pub(super) const BUG: u8 = 70;

/// Ends the process because nobody reads its output any more, as in `inlay … | head`.
///
/// Other programs end here by the signal SIGPIPE, without a message. Shells show that as this exit
/// code.
pub(super) fn end_without_reader() -> ! {
    remove_temporaries();
    std::process::exit(BROKEN_PIPE);
}

/// 128 and the number of SIGPIPE.
const BROKEN_PIPE: i32 = 141;
