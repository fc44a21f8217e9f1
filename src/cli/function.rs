//! `inlay` without arguments: the KRM function.

use std::path::Path;

use super::ending::{CommandResult, Ending};
use super::output;
use crate::krm;
use crate::source::Diagnostics;
use crate::source::world::{Folder, Sandbox, World, read_source};

/// Answers the ResourceList on standard input. Files that its functionConfig names are read below
/// the working folder.
pub(super) fn function(world: &dyn World, diagnostics: &mut Diagnostics) -> CommandResult {
    let input = read_source(world, Path::new("-"))?;
    // A function runs with the input of others, so it reads below its folder and nowhere else.
    let sandbox = Sandbox(world);
    let answer = krm::call(&input, &Folder::new(&sandbox, ""), diagnostics);
    // The answer is printed even if the call failed: it contains the results, and the items as they
    // came in.
    output::print_pieces(answer.pieces())?;
    diagnostics.outcome()?;
    Ok(Ending::Success)
}
