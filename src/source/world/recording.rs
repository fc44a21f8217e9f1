//! A world that remembers which files were read, for build systems that run a command again when one of them changes.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{FileKind, NewFile, Replaced, Replacement, World, WriteError};

/// Another world, and the files that were read from it.
pub struct Recording<'w> {
    world: &'w dyn World,
    /// The paths that were read. Parts of a build run on several threads.
    read: Mutex<BTreeSet<PathBuf>>,
}

impl<'w> Recording<'w> {
    /// Starts with no files.
    pub fn new(world: &'w dyn World) -> Recording<'w> {
        Recording {
            world,
            read: Mutex::default(),
        }
    }

    /// Returns the files that were read, sorted. Those below the working folder are relative to it, as build systems
    /// name them.
    pub fn files(&self) -> Vec<PathBuf> {
        let working_folder = self.world.canonical(Path::new(".")).unwrap_or_default();
        let mut files = BTreeSet::new();
        for path in self
            .read
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
        {
            let below = path.strip_prefix(&working_folder).unwrap_or(path);
            let below = below.strip_prefix(".").unwrap_or(below);
            files.insert(below.to_owned());
        }
        files.into_iter().collect()
    }

    fn record(&self, path: &Path) {
        // A thread that panicked while it added a path has added it or not; the others are whole.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.insert(path.to_owned());
    }
}

impl World for Recording<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.record(path);
        self.world.read(path)
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        self.record(real);
        self.world.read_regular(real)
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
