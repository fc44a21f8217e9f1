//! The world of a KRM function: read-only, without input and environment.

use std::io;
use std::path::{Path, PathBuf};

use super::{World, WorldLayer};

/// Restricts a world to reading files.
///
/// Writing is refused, and there are no environment variables, so the result of a function depends
/// only on its input. The [`Folder`](super::Folder) that uses the sandbox decides which files can
/// be read.
#[derive(Clone, Copy)]
pub struct Sandbox<'w>(pub &'w dyn World);

fn refused() -> io::Error {
    io::Error::new(
        io::ErrorKind::PermissionDenied,
        "a function has no access to it",
    )
}

impl WorldLayer for Sandbox<'_> {
    fn beneath(&self) -> &dyn World {
        self.0
    }

    fn refusal(&self, _: &Path) -> Option<io::Error> {
        Some(refused())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Reading a pipe or a device may never end, or may change its state.
        self.0.read_regular(&self.0.canonical(path)?)
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
