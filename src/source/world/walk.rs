//! Finds the files of a folder, at any depth.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::{FileKind, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// The deepest level that is searched.
const DEPTH_LIMIT: usize = 255;

/// The options of a search for files.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// Whether a link to a folder is searched like a folder: once, however many links lead there.
    /// Otherwise every link counts as a file. Either way, the search cannot run in a circle.
    pub follow_links: bool,
    /// Whether files and folders with names that begin with a dot are found.
    pub hidden: bool,
}

impl Walk {
    /// Returns the files below `root` with their kinds, in the order of their names. The files of a
    /// folder are listed at the place of the folder.
    ///
    /// # Errors
    /// A folder cannot be listed, or folders nest deeper than 255 levels.
    pub fn files(self, world: &dyn World, root: &Path) -> Result<Vec<(PathBuf, FileKind)>> {
        let mut files = Vec::new();
        let mut searched = BTreeSet::new();
        // A stack of what is still to be visited. The entries of a folder are pushed in reverse
        // order, so that they are popped in order and before what follows the folder.
        let mut open = vec![(root.to_owned(), FileKind::Folder, 0)];
        while let Some((place, kind, depth)) = open.pop() {
            let is_folder =
                kind == FileKind::Folder || (self.follow_links && world.is_folder(&place));
            if !is_folder {
                files.push((place, kind));
                continue;
            }
            if self.follow_links {
                let canonical = world.canonical(&place);
                if !searched.insert(canonical.map_err(|error| unreadable(&place, &error))?) {
                    continue;
                }
            }
            if depth > DEPTH_LIMIT {
                let message = format!(
                    "folders nest deeper than {DEPTH_LIMIT} levels at `{}`",
                    place.display()
                );
                return Err(Diagnostic::error(Code::Limit, message));
            }
            let listed = world.list(&place);
            for inner in listed
                .map_err(|error| unreadable(&place, &error))?
                .into_iter()
                .rev()
            {
                if self.finds(&inner) {
                    let kind = world.kind(&inner);
                    let kind = kind.map_err(|error| unreadable(&place, &error))?;
                    open.push((inner, kind, depth + 1));
                }
            }
        }
        Ok(files)
    }

    /// Returns true if the file or folder is not hidden from this search.
    fn finds(self, place: &Path) -> bool {
        self.hidden
            || !place
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('.'))
    }
}

fn unreadable(folder: &Path, error: &io::Error) -> Box<Diagnostic> {
    let folder = folder.display();
    let message = format!("cannot read the folder `{folder}`: {}", reason(error));
    Diagnostic::error(Code::File, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    #[test]
    fn finds_files_in_the_order_of_their_names() {
        let files = [
            "d/c.yml",
            "d/a/z.yml",
            "d/b.yml",
            "d/.hidden",
            "d/.git/config",
            "e.yml",
        ];
        let world = Memory::with_files(files.map(|path| (path, "")));
        let found = |hidden| {
            let walk = Walk {
                follow_links: false,
                hidden,
            };
            let files = walk.files(&world, Path::new("d")).unwrap();
            files
                .into_iter()
                .map(|(path, _)| path.to_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(found(false), ["d/a/z.yml", "d/b.yml", "d/c.yml"]);
        assert_eq!(
            found(true),
            [
                "d/.git/config",
                "d/.hidden",
                "d/a/z.yml",
                "d/b.yml",
                "d/c.yml"
            ]
        );
    }
}
