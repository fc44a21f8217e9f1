//! A world in which the working folder is another folder.
//!
//! ```text
//! working folder /repo, base /tmp/main     config/app.yml         reads /tmp/main/config/app.yml
//!                                          /repo/config/app.yml   the same
//!                                          /etc/values.yml        is outside, and stays
//! ```
//!
//! A command can so be run on another copy of its files, and names them in its messages and its
//! output as in the first run.

use std::io;
use std::path::{Path, PathBuf};

use super::world::{FileKind, NewFile, Replaced, Replacement, World, WriteError};

/// Another world, read-only, with another working folder.
pub struct Rebased<'w> {
    world: &'w dyn World,
    working_folder: PathBuf,
    base: PathBuf,
}

impl<'w> Rebased<'w> {
    /// Returns the world with `base` as the working folder.
    ///
    /// # Errors
    /// The base is no folder.
    pub fn new(world: &'w dyn World, base: &Path) -> io::Result<Rebased<'w>> {
        let real = world.canonical(base)?;
        if !world.is_folder(&real) {
            return Err(io::Error::new(
                io::ErrorKind::NotADirectory,
                "it is not a folder",
            ));
        }
        Ok(Rebased {
            world,
            working_folder: world.canonical(Path::new("."))?,
            base: real,
        })
    }

    /// Returns the place in the base.
    fn place(&self, path: &Path) -> PathBuf {
        // The base may be below the working folder. Its own paths, which `canonical` returns, stay.
        match path.strip_prefix(&self.working_folder) {
            Ok(below) if !path.starts_with(&self.base) => self.base.join(below),
            _ => self.base.join(path),
        }
    }
}

fn refused() -> io::Error {
    io::Error::new(
        io::ErrorKind::PermissionDenied,
        "nothing is written in the folder that is compared with",
    )
}

impl World for Rebased<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.world.read(&self.place(path))
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        self.world.read_regular(&self.place(real))
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
        self.world.kind(&self.place(path))
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.world.is_folder(&self.place(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let mut paths = self.world.list(&self.place(path))?;
        // Named as in the first run.
        for place in &mut paths {
            if let Some(name) = place.file_name() {
                *place = path.join(name);
            }
        }
        Ok(paths)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.world.canonical(&self.place(path))
    }

    fn is_mount_point(&self, real: &Path) -> bool {
        self.world.is_mount_point(&self.place(real))
    }

    fn homes(&self) -> Vec<PathBuf> {
        self.world.homes()
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "it was read for the first of the two outputs that are compared",
        ))
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }

    fn variables(&self) -> Vec<(String, Option<String>)> {
        self.world.variables()
    }
}
