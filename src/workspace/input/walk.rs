//! The files of a folder.

use std::path::Path;

use super::symlinks::{SymlinkDestinations, check};
use crate::source::world::{Walk, World};
use crate::source::{Code, Diagnostic, Result};
use crate::workspace::file::InputFile;
use crate::workspace::virtual_path::VirtualPath;

/// Returns all files below a folder, hidden ones too, sorted by the bytes of their paths. A link
/// counts as a file.
///
/// # Errors
/// A folder cannot be listed, or [`check`] refuses a file.
pub(super) fn walk(
    world: &dyn World,
    root: &Path,
    destinations: &SymlinkDestinations,
) -> Result<Vec<InputFile>> {
    let mut files = Vec::new();
    for (place, kind) in (Walk {
        follow_links: false,
        hidden: true,
    })
    .files(world, root)?
    {
        check(world, &place, kind, destinations)?;
        files.push(InputFile::on_disk(path_below(root, &place)?, place));
    }
    // The order of a folder listing depends on the file system, and output must not.
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn path_below(root: &Path, place: &Path) -> Result<VirtualPath> {
    let below = place.strip_prefix(root).unwrap_or(place);
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    VirtualPath::new(&parts.ok_or_else(|| not_unicode(place))?.join("/"))
}

/// Returns the error for a name that is not UTF-8.
pub(super) fn not_unicode(place: &Path) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::File,
        format!("expected a file name in UTF-8, found `{}`", place.display()),
    )
}
