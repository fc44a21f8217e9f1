//! Finds the files of a folder, at any depth.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::{FileKind, SymlinkDestinations, TEMPORARY, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// The maximum depth of a search.
const DEPTH_LIMIT: usize = 255;

/// The options of a search for files.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'d> {
    /// The folders that links may refer to. They are searched like other folders. If this is
    /// `None`, every link is treated as a file. In both cases, the search cannot run in a circle.
    pub follow_links: Option<&'d SymlinkDestinations>,
    /// Whether files and folders with names that begin with a dot are found.
    pub hidden: bool,
}

impl Walk<'_> {
    /// Returns the files below `root` with their kinds, in the order of their names. The files of a
    /// folder are listed at the place of the folder.
    ///
    /// # Errors
    /// A folder that cannot be listed, folders that nest deeper than 255 levels, or a link to a
    /// folder that may not be followed.
    pub fn files(self, world: &dyn World, root: &Path) -> Result<Vec<(PathBuf, FileKind)>> {
        let mut files = Vec::new();
        let mut searched = BTreeSet::new();
        // A stack of the places to visit. The entries of a folder are pushed in reverse order, so
        // that they are popped in order and before the places after the folder.
        let mut open = vec![WalkedPlace {
            path: root.to_owned(),
            kind: FileKind::Folder,
            depth: 0,
        }];
        while let Some(place) = open.pop() {
            if !self.is_searched(world, &place) {
                files.push((place.path, place.kind));
                continue;
            }
            // Every folder is searched once, regardless of the number of links to it.
            if let Some(destinations) = self.follow_links
                && !searched.insert(real_path(world, &place, destinations)?)
            {
                continue;
            }
            if place.depth > DEPTH_LIMIT {
                let message = format!(
                    "folders nest deeper than {DEPTH_LIMIT} levels at `{}`",
                    place.path.display()
                );
                return Err(Diagnostic::error(Code::Limit, message));
            }
            let unreadable = |error: io::Error| unreadable(&place.path, &error);
            let listed = world.list(&place.path).map_err(unreadable)?;
            for path in listed.into_iter().rev() {
                if self.finds(&path) {
                    open.push(WalkedPlace {
                        kind: world.kind(&path).map_err(unreadable)?,
                        path,
                        depth: place.depth + 1,
                    });
                }
            }
        }
        Ok(files)
    }

    /// Returns whether the search continues inside a place: a folder, or a link to one if links are
    /// followed.
    fn is_searched(self, world: &dyn World, place: &WalkedPlace) -> bool {
        match place.kind {
            FileKind::Folder => true,
            FileKind::Link => self.follow_links.is_some() && world.is_folder(&place.path),
            _ => false,
        }
    }

    /// Returns whether the file or folder is visible to this search.
    fn finds(self, place: &Path) -> bool {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        // A mounted ConfigMap contains its files in a folder such as `..2026_11_22`, with a link to
        // each of them next to it: `app.yml -> ..data/app.yml`. The links count as the files.
        !name.starts_with(TEMPORARY)
            && !name.starts_with("..")
            && (self.hidden || !name.starts_with('.'))
    }
}

/// A file or folder that the search found.
struct WalkedPlace {
    path: PathBuf,
    kind: FileKind,
    depth: usize,
}

/// Returns the path of a folder without links.
fn real_path(
    world: &dyn World,
    folder: &WalkedPlace,
    destinations: &SymlinkDestinations,
) -> Result<PathBuf> {
    match folder.kind {
        FileKind::Link => destinations.follow(world, &folder.path),
        _ => world
            .canonical(&folder.path)
            .map_err(|error| unreadable(&folder.path, &error)),
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
            "d/.inlay-x/a.yml",
            "d/.git/config",
            "e.yml",
        ];
        let world = Memory::with_files(files.map(|path| (path, "")));
        let found = |hidden| {
            let walk = Walk {
                follow_links: None,
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
