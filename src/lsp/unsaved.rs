//! A world in which some files have different content than on disk: the unsaved texts of an editor.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::source::Cancellation;
use crate::source::world::{FileKind, World, WorldLayer};

/// Another world, with texts that replace some of its files.
pub(super) struct Unsaved<'w> {
    world: &'w dyn World,
    /// The texts by canonical path.
    texts: BTreeMap<PathBuf, Arc<str>>,
}

impl<'w> Unsaved<'w> {
    /// Creates the world in which the files at these canonical paths contain `texts`.
    pub(super) fn new(world: &'w dyn World, texts: BTreeMap<PathBuf, Arc<str>>) -> Unsaved<'w> {
        Unsaved { world, texts }
    }

    /// Returns the text of a file that exists only in the editor.
    fn new_text(&self, path: &Path) -> Option<(PathBuf, &Arc<str>)> {
        // Most worlds have no file that is open, and most files that are open exist.
        if self.texts.is_empty() || self.world.kind(path).is_ok() {
            return None;
        }
        let real = canonical_place(self.world, path)?;
        let text = self.texts.get(&real)?;
        Some((real, text))
    }
}

/// Returns the canonical path of a file that does not exist yet; `None` if its folder does not
/// exist either.
pub(super) fn canonical_place(world: &dyn World, path: &Path) -> Option<PathBuf> {
    let folder = world.canonical(path.parent()?).ok()?;
    Some(folder.join(path.file_name()?))
}

impl WorldLayer for Unsaved<'_> {
    fn beneath(&self) -> &dyn World {
        self.world
    }

    /// Returns what somebody types must neither change a file nor run a program.
    fn refusal(&self, _: &Path) -> Option<io::Error> {
        Some(io::Error::new(
            io::ErrorKind::Unsupported,
            "an editor only looks at files",
        ))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // A build reads its files before anything else, so this ends one that just began.
        if Cancellation::current().is_cancelled() {
            return Err(io::Error::other("the build is cancelled"));
        }
        // Most files are not open, and most worlds have few that are.
        if !self.texts.is_empty()
            && let Ok(real) = self.world.canonical(path)
            && let Some(text) = self.texts.get(&real)
        {
            return Ok(text.as_bytes().to_vec());
        }
        if let Some((_, text)) = self.new_text(path) {
            return Ok(text.as_bytes().to_vec());
        }
        self.world.read(path)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        match self.new_text(path) {
            Some(_) => Ok(FileKind::File),
            None => self.world.kind(path),
        }
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        match self.new_text(path) {
            Some((real, _)) => Ok(real),
            None => self.world.canonical(path),
        }
    }

    /// A new file in the editor is part of the build before it is saved, so that the author of a
    /// new overlay sees its effect.
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let mut paths = self.world.list(path)?;
        if self.texts.is_empty() {
            return Ok(paths);
        }
        let folder = self.world.canonical(path)?;
        for real in self.texts.keys() {
            if let Some(name) = real.file_name()
                && real.parent() == Some(folder.as_path())
                && self.world.kind(real).is_err()
            {
                paths.push(path.join(name));
            }
        }
        paths.sort();
        Ok(paths)
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        match self.texts.get(real) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.world.read_regular(real),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    #[test]
    fn reads_the_text_of_an_open_file_and_other_files_from_disk() {
        let disk = Memory::with_files([("a.yml", "a: 1"), ("b.yml", "b: 1")]);
        let texts = BTreeMap::from([(PathBuf::from("a.yml"), Arc::from("a: 2"))]);
        let world = Unsaved::new(&disk, texts);
        assert_eq!(World::read(&world, Path::new("./a.yml")).unwrap(), b"a: 2");
        assert_eq!(
            World::read_regular(&world, Path::new("a.yml")).unwrap(),
            b"a: 2"
        );
        assert_eq!(World::read(&world, Path::new("b.yml")).unwrap(), b"b: 1");
    }

    #[test]
    fn has_files_that_are_only_in_the_editor() {
        let disk = Memory::with_files([("w/a.yml", "a: 1"), ("w/c/d.yml", "d: 1")]);
        let texts = ["w/b.yml", "w/c/e.yml"];
        let texts = texts.map(|path| (PathBuf::from(path), Arc::from("b: 2")));
        let world = Unsaved::new(&disk, BTreeMap::from(texts));
        let listed = World::list(&world, Path::new("w")).unwrap();
        let expected = ["w/a.yml", "w/b.yml", "w/c"].map(PathBuf::from);
        assert_eq!(listed, expected);
        let new = Path::new("w/b.yml");
        assert!(matches!(World::kind(&world, new), Ok(FileKind::File)));
        assert_eq!(World::read(&world, new).unwrap(), b"b: 2");
        assert_eq!(World::canonical(&world, new).unwrap(), new);
        assert!(World::kind(&world, Path::new("w/other.yml")).is_err());
    }
}
