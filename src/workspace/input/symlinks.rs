//! Which links may be followed.
//!
//! A folder of configuration may come from anywhere, and a link in it could put any file of the
//! machine into the output. So links are refused unless they lead to places that the user names.

use std::path::{Path, PathBuf};

use crate::source::world::{FileKind, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// Where links may lead.
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

/// Checks that `place` may be read: a regular file, a pipe, or a link to an allowed place. For a
/// chain of links, its end decides.
///
/// # Errors
/// A link that may not be followed or leads nowhere, and anything that is not a file.
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
                "`{}` is neither a file, a folder nor a pipe",
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
    // Both sides are made canonical. Otherwise `allowed/../secret` would pass as being below
    // `allowed`.
    let target = canonical(link)?;
    // A destination that does not exist is the target of no link.
    if allowed
        .iter()
        .filter_map(|place| world.canonical(place).ok())
        .any(|place| target.starts_with(place))
    {
        return Ok(());
    }
    let message = format!(
        "the link `{}` leads to `{}`, which is not allowed",
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
