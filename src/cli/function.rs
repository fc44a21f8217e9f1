//! Bare `inlay`: the KRM function.

use std::path::Path;

use super::{Ending, Outcome, output};
use crate::krm;
use crate::source::Diagnostics;
use crate::source::world::{Folder, Sandbox, World, read_source};

/// Answers the ResourceList on standard input. Files that its functionConfig names are read below the working folder.
pub(super) fn function(world: &dyn World, diagnostics: &mut Diagnostics) -> Outcome {
    let input = read_source(world, Path::new("-"))?;
    let sandbox = Sandbox(world);
    let answer = krm::call(&input, &Folder::new(&sandbox, ""), diagnostics);
    output::print_pieces(answer.pieces())?;
    Ok(Ending::Success)
}
