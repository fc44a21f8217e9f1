//! `inlay lsp`

use lsp_server::Connection;

use super::ending::{CommandResult, Ending};
use crate::lsp;
use crate::source::world::World;

/// Serves an editor on standard input and output.
pub(super) fn serve(world: &dyn World) -> CommandResult {
    let (connection, threads) = Connection::stdio();
    lsp::serve(world, &connection)?;
    // The threads end when nobody can send to them any more.
    drop(connection);
    // An error here means that the editor went away after it had asked for the end.
    let _ = threads.join();
    Ok(Ending::Success)
}
