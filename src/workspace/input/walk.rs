//! Lists the files of a folder.

use std::path::{Path, PathBuf};

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

/// A search for the files of a folder.
#[derive(Clone, Copy)]
pub(super) struct FolderWalk<'a> {
    pub(super) world: &'a dyn World,
    pub(super) root: &'a Path,
    /// The places that links may lead to, besides the folder itself.
    pub(super) destinations: &'a SymlinkDestinations,
    /// Whether linked folders are searched. Otherwise, every link is treated as a file.
    pub(super) follows_folders: bool,
}

impl FolderWalk<'_> {
    /// Returns all files below the folder, including hidden ones, sorted by the bytes of their
    /// paths. Pipes, sockets and devices are skipped, because reading one might never end.
    ///
    /// # Errors
    /// Fails if a folder cannot be listed, if a link may not be followed, or if it leads to a
    /// folder that contains a searched one.
    pub(super) fn files(self) -> Result<FilesOfFolder> {
        let real_root = self.real(self.root)?;
        let mut found = FilesOfFolder::default();
        let mut searched = vec![real_root.clone()];
        let mut open = vec![(self.root.to_owned(), real_root)];
        while let Some((folder, real_folder)) = open.pop() {
            let destinations = self.destinations.and_below(&real_folder);
            let walk = Walk {
                follow_links: None,
                hidden: true,
            };
            for (place, kind) in walk.files(self.world, &folder)? {
                let real = match kind {
                    // Computed without accessing the disk: it is a file now, and a link that
                    // appears on the way must not turn it into another one later.
                    FileKind::File => {
                        real_folder.join(place.strip_prefix(&folder).unwrap_or(&place))
                    }
                    FileKind::Link => destinations.follow(self.world, &place)?,
                    FileKind::Folder | FileKind::Pipe | FileKind::Other => {
                        found.warnings.push(*left_out(&place));
                        continue;
                    }
                };
                if self.follows_folders && kind == FileKind::Link && self.world.is_folder(&real) {
                    // The files of a folder that is searched, or is below one, are found there.
                    if !searched.iter().any(|folder| real.starts_with(folder)) {
                        if searched.iter().any(|folder| folder.starts_with(&real)) {
                            return Err(contains_another(&place));
                        }
                        searched.push(real.clone());
                        open.push((place, real));
                    }
                    continue;
                }
                let path = path_below(self.root, &place)?;
                found.files.push(InputFile::on_disk(path, place, real));
            }
        }
        // The order of a folder listing depends on the file system, and the output must not depend
        // on it.
        found.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    fn real(self, folder: &Path) -> Result<PathBuf> {
        self.world.canonical(folder).map_err(|error| {
            let message = format!("cannot read `{}`: {}", folder.display(), reason(&error));
            Diagnostic::error(Code::File, message)
        })
    }
}

/// Returns the error for a link to a folder above one that is searched, whose files would be found
/// twice.
fn contains_another(link: &Path) -> Box<Diagnostic> {
    let message = format!(
        "the link `{}` points to a folder that contains another searched folder",
        link.display()
    );
    Diagnostic::error(Code::File, message)
        .help("let it point to a folder that contains neither the link nor the target of another")
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
