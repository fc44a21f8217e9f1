//! A world in which some files have another content than on disk: what an editor shows and has not saved.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::source::world::{FileKind, NewFile, Replaced, Replacement, World, WriteError};

/// Another world, and texts in place of some of its files.
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
}

impl World for Unsaved<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Most files are not open, and most worlds have few that are.
        if !self.texts.is_empty()
            && let Ok(real) = self.world.canonical(path)
            && let Some(text) = self.texts.get(&real)
        {
            return Ok(text.as_bytes().to_vec());
        }
        self.world.read(path)
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        match self.texts.get(real) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.world.read_regular(real),
        }
    }

    fn replace(&self, files: &[Replacement<'_>]) -> Result<Replaced, WriteError> {
        self.world.replace(files)
    }

    fn create(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.world.create(path, content)
    }

    fn write_folder(
        &self,
        root: &Path,
        files: &[NewFile<'_>],
        is_emptied: bool,
    ) -> Result<(), WriteError> {
        self.world.write_folder(root, files, is_emptied)
    }

    fn link_program(&self, place: &Path, force: bool) -> io::Result<()> {
        self.world.link_program(place, force)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        self.world.kind(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.world.is_folder(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.world.list(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.world.canonical(path)
    }

    fn is_mount_point(&self, real: &Path) -> bool {
        self.world.is_mount_point(real)
    }

    fn homes(&self) -> Vec<PathBuf> {
        self.world.homes()
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        self.world.standard_input()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }

    fn variables(&self) -> Vec<(String, Option<String>)> {
        self.world.variables()
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
        assert_eq!(world.read(Path::new("./a.yml")).unwrap(), b"a: 2");
        assert_eq!(world.read_regular(Path::new("a.yml")).unwrap(), b"a: 2");
        assert_eq!(world.read(Path::new("b.yml")).unwrap(), b"b: 1");
    }
}
