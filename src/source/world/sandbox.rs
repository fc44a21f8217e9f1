//! The world of a KRM function: read-only, without input and environment.

use std::io;
use std::path::{Path, PathBuf};

use super::{FileKind, NewFile, Replaced, Replacement, World, WriteError};

/// Restricts a world to reading files.
///
/// Writing is refused, and there are no environment variables: the result of a function depends
/// only on its input. Which files can be read is decided by the [`Folder`](super::Folder) that uses
/// the sandbox.
#[derive(Clone, Copy)]
pub struct Sandbox<'w>(pub &'w dyn World);

fn refused() -> io::Error {
    io::Error::new(
        io::ErrorKind::PermissionDenied,
        "a function has no access to it",
    )
}

impl World for Sandbox<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // A pipe or a device has no end, or changes something when it is read.
        self.0.read_regular(&self.0.canonical(path)?)
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        self.0.read_regular(real)
    }

    fn replace(&self, files: &[Replacement<'_>]) -> Result<Replaced, WriteError> {
        let place = files.first().map_or(Path::new(""), |file| file.place);
        Err(WriteError::new(place, refused()))
    }

    fn create(&self, _path: &Path, _content: &[u8]) -> io::Result<()> {
        Err(refused())
    }

    fn write_folder(
        &self,
        root: &Path,
        _files: &[NewFile<'_>],
        _is_emptied: bool,
    ) -> Result<(), WriteError> {
        Err(WriteError::new(root, refused()))
    }

    fn link_program(&self, _place: &Path, _force: bool) -> io::Result<()> {
        Err(refused())
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        self.0.kind(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.0.is_folder(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.list(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonical(path)
    }

    fn is_mount_point(&self, real: &Path) -> bool {
        self.0.is_mount_point(real)
    }

    fn homes(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        Err(refused())
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }

    fn variables(&self) -> Vec<(String, Option<String>)> {
        Vec::new()
    }
}
