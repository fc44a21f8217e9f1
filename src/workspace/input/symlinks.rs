//! Which links may be followed.
//!
//! A folder with configuration may come from anywhere, and a link in it could put any file of the machine into the
//! output. So links are refused, but for those to places that the user names.

use std::path::{Path, PathBuf};

use crate::source::world::{FileKind, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// The places that links may lead to.
#[derive(Clone, Debug)]
pub enum SymlinkDestinations {
    /// Anywhere.
    All,
    /// To these files and folders, and what is below them.
    Below(Vec<PathBuf>),
}

impl Default for SymlinkDestinations {
    /// Nowhere.
    fn default() -> SymlinkDestinations {
        SymlinkDestinations::Below(Vec::new())
    }
}

/// Whether the thing of kind `kind` at `place` may be read as a file: a regular file, a pipe, or a link to where links
/// may lead. What is checked is where all links of the way end.
///
/// # Errors
/// A link that may not be followed or that leads nowhere, and anything that is no file.
pub(super) fn check(
    world: &dyn World,
    place: &Path,
    kind: FileKind,
    destinations: &SymlinkDestinations,
) -> Result<()> {
    match kind {
        FileKind::File | FileKind::Pipe => Ok(()),
        FileKind::Link => follow(world, place, destinations),
        FileKind::Folder | FileKind::Other => {
            let message = format!(
                "expected a file, a folder or a pipe, found another thing at `{}`",
                place.display()
            );
            Err(Diagnostic::error(Code::File, message))
        }
    }
}

fn follow(world: &dyn World, link: &Path, destinations: &SymlinkDestinations) -> Result<()> {
    let canonical = |path: &Path| {
        world.canonical(path).map_err(|error| {
            Diagnostic::error(
                Code::File,
                format!(
                    "cannot follow the link `{}`: {}",
                    path.display(),
                    reason(&error)
                ),
            )
        })
    };
    let SymlinkDestinations::Below(allowed) = destinations else {
        return Ok(());
    };
    let target = canonical(link)?;
    // A destination that is not there is the target of nothing.
    if allowed
        .iter()
        .filter_map(|place| world.canonical(place).ok())
        .any(|place| target.starts_with(place))
    {
        return Ok(());
    }
    let message = format!(
        "expected no link, found `{}`, which leads to `{}`",
        link.display(),
        target.display()
    );
    Err(Diagnostic::error(Code::File, message)
        .note("a link could bring any file of the machine into the output")
        .help(format!(
            "allow it with `--allow-symlink-destination {}`",
            target.display()
        )))
}
