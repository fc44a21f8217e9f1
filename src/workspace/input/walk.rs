//! Lists the files of a folder.

use std::path::Path;

use crate::source::world::{FileKind, SymlinkDestinations, Walk, World, reason};
use crate::source::{Code, Diagnostic, Result};
use crate::workspace::file::InputFile;
use crate::workspace::virtual_path::VirtualPath;

/// The files of a folder, and warnings about the skipped ones.
#[derive(Default)]
pub(super) struct FilesOfFolder {
    pub(super) files: Vec<InputFile>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Returns all files below a folder, including hidden ones, sorted by the bytes of their paths. A
/// link is treated as a file, and its target may be below the folder or in one of `destinations`.
/// Pipes, sockets and devices are skipped, because reading one might never end.
///
/// # Errors
/// Fails if a folder cannot be listed, or if a link may not be followed.
pub(super) fn walk(
    world: &dyn World,
    root: &Path,
    destinations: &SymlinkDestinations,
) -> Result<FilesOfFolder> {
    let real_root = world.canonical(root).map_err(|error| {
        let message = format!("cannot read `{}`: {}", root.display(), reason(&error));
        Diagnostic::error(Code::File, message)
    })?;
    let destinations = destinations.and_below(&real_root);
    let mut found = FilesOfFolder::default();
    for (place, kind) in (Walk {
        follow_links: None,
        hidden: true,
    })
    .files(world, root)?
    {
        let real = match kind {
            // Computed without accessing the disk: it is a file now, and a link that appears on the
            // way must not turn it into another one later.
            FileKind::File => real_root.join(place.strip_prefix(root).unwrap_or(&place)),
            FileKind::Link => destinations.follow(world, &place)?,
            FileKind::Folder | FileKind::Pipe | FileKind::Other => {
                found.warnings.push(*left_out(&place));
                continue;
            }
        };
        found
            .files
            .push(InputFile::on_disk(path_below(root, &place)?, place, real));
    }
    // The order of a folder listing depends on the file system, and the output must not depend on
    // it.
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Returns the warning about an entry of a folder that is skipped.
pub fn left_out(place: &Path) -> Box<Diagnostic> {
    let place = place.display();
    Diagnostic::warning(
        Code::File,
        format!("`{place}` is left out: it is a pipe, a socket or a device"),
    )
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
