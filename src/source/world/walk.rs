//! The files of a folder, at any depth.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{FileKind, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// Folders deeper than this are not searched.
const DEPTH_LIMIT: usize = 255;

/// Which files of a folder are found.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// Whether a link to a folder is searched as that folder, once, however many links lead there. Else each link is a
    /// file, whatever it leads to, so that no walk goes in a circle.
    pub follow_links: bool,
    /// Whether files and folders are found whose names begin with a dot.
    pub hidden: bool,
}

impl Walk {
    /// The files below `root` and what each is, in the order of their names, those of a folder in its place.
    ///
    /// # Errors
    /// A folder that cannot be listed, and folders that nest deeper than 255 levels.
    pub fn files(self, world: &dyn World, root: &Path) -> Result<Vec<(PathBuf, FileKind)>> {
        let mut files = Vec::new();
        let mut searched = BTreeSet::new();
        let mut open = vec![(root.to_owned(), FileKind::Folder, 0)];
        while let Some((place, kind, depth)) = open.pop() {
            let is_folder =
                kind == FileKind::Folder || (self.follow_links && world.is_folder(&place));
            if !is_folder {
                files.push((place, kind));
                continue;
            }
            let failed = |error| {
                let message = format!(
                    "cannot read the folder `{}`: {}",
                    place.display(),
                    reason(&error)
                );
                Diagnostic::error(Code::File, message)
            };
            if self.follow_links && !searched.insert(world.canonical(&place).map_err(failed)?) {
                continue;
            }
            if depth > DEPTH_LIMIT {
                let message = format!(
                    "folders nest deeper than {DEPTH_LIMIT} levels at `{}`",
                    place.display()
                );
                return Err(Diagnostic::error(Code::Limit, message));
            }
            for inner in world
                .list(&place)
                .map_err(failed)?
                .into_iter()
                .rev()
                .filter(|inner| self.finds(inner))
            {
                let kind = world.kind(&inner).map_err(failed)?;
                open.push((inner, kind, depth + 1));
            }
        }
        Ok(files)
    }

    fn finds(self, place: &Path) -> bool {
        self.hidden
            || !place
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    #[test]
    fn files_are_found_in_the_order_of_names_those_of_a_folder_in_its_place() {
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
