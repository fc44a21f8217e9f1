//! The world of a KRM function: read-only, without input and environment.

use std::io;
use std::path::{Path, PathBuf};

use super::{FileKind, Staged, World};

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
        if self.0.kind(&self.0.canonical(path)?)? != FileKind::File {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is not a regular file",
            ));
        }
        self.0.read(path)
    }

    fn stage(&self, _path: &Path, _content: &[u8]) -> io::Result<Box<dyn Staged + '_>> {
        Err(refused())
    }

    fn link_program(&self, _place: &Path, _force: bool) -> io::Result<()> {
        Err(refused())
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        self.0.kind(path)
    }

    fn create(&self, _path: &Path, _content: &[u8]) -> io::Result<()> {
        Err(refused())
    }

    fn make_folder(&self, _path: &Path) -> io::Result<()> {
        Err(refused())
    }

    fn empty_folder(&self, _path: &Path) -> io::Result<()> {
        Err(refused())
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
