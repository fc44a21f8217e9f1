//! Bare `inlay`: the KRM function.

use std::path::Path;

use super::output::{self, Reporter};
use super::{Ending, Outcome};
use crate::krm;
use crate::source::world::{Folder, Sandbox, World, read_source};

/// Answers the ResourceList on standard input. Files that its functionConfig names are read below the working folder.
pub(super) fn function(world: &dyn World, reporter: &Reporter) -> Outcome {
    let input = read_source(world, Path::new("-"))?;
    let sandbox = Sandbox(world);
    let reply = krm::call(&input, &Folder::new(&sandbox, ""));
    output::print(reply.output.as_bytes())?;
    if reply.failed {
        return Err(Ending::Failure(reply.diagnostics));
    }
    reporter.report(&reply.diagnostics);
    Ok(Ending::Success)
}
