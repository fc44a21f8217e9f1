//! `inlay lsp`: starts the language server for an editor.

use std::io::{stdin, stdout};

use super::ending::{CommandFailure, CommandResult, Ending};
use crate::lsp::{self, Supervised};
use crate::source::world::{PipedWorker, World};

/// Serves an editor on standard input and output: either with a worker process, or as the worker.
pub(super) fn serve(world: &dyn World, is_worker: bool) -> CommandResult {
    if is_worker {
        lsp::serve_streams(world, stdin(), stdout())?;
        return Ok(Ending::Success);
    }
    let start = || PipedWorker::again_with("--worker");
    match lsp::supervise(stdin(), stdout(), start)? {
        Supervised::Done => Ok(Ending::Success),
        Supervised::WorkerFailed => Err(CommandFailure::Reported),
    }
}
