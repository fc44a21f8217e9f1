//! A world in which some files have another content than on disk: what an editor shows and has not saved.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::source::Cancellation;
use crate::source::world::{World, WorldLayer};

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
        self.world.read(path)
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
}
