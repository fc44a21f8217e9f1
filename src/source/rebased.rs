//! A world with another working folder.
//!
//! ```text
//! working folder /repo, base /tmp/main     config/app.yml         reads /tmp/main/config/app.yml
//!                                          /repo/config/app.yml   the same
//!                                          /etc/values.yml        is outside and stays
//! ```
//!
//! This way a command can run on another copy of its files. Its messages and its output still
//! contain the original names.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::world::{FileKind, ProgramCall, ProgramOutput, World, WorldLayer};

/// Another world, read-only, with another working folder.
pub struct Rebased<'w> {
    world: &'w dyn World,
    working_folder: PathBuf,
    base: PathBuf,
    /// Folders for the files of programs, which may be written.
    temporaries: Mutex<Vec<PathBuf>>,
}

impl<'w> Rebased<'w> {
    /// Creates the world with `base` as its working folder.
    ///
    /// # Errors
    /// A base that is not a folder.
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
            temporaries: Mutex::default(),
        })
    }

    /// Returns the path in the base.
    fn place(&self, path: &Path) -> PathBuf {
        // The base may be below the working folder. Paths in the base, as `canonical` returns them,
        // stay.
        match path.strip_prefix(&self.working_folder) {
            Ok(below) if !path.starts_with(&self.base) => self.base.join(below),
            _ => self.base.join(path),
        }
    }
}

fn lock(folders: &Mutex<Vec<PathBuf>>) -> MutexGuard<'_, Vec<PathBuf>> {
    folders.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorldLayer for Rebased<'_> {
    fn beneath(&self) -> &dyn World {
        self.world
    }

    fn refusal(&self, place: &Path) -> Option<io::Error> {
        let temporaries = lock(&self.temporaries);
        if temporaries.iter().any(|folder| place.starts_with(folder)) {
            return None;
        }
        Some(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "nothing is written in the folder that is compared with",
        ))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.world.read(&self.place(path))
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        self.world.read_regular(&self.place(real))
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        self.world.kind(&self.place(path))
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.world.is_folder(&self.place(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let mut paths = self.world.list(&self.place(path))?;
        // Use the original names.
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

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "it was read for the first of the two outputs that are compared",
        ))
    }

    /// Programs that the flags allow are also allowed in the other folder. The system searches for
    /// a name without folders.
    fn run_program(&self, call: &ProgramCall<'_>) -> io::Result<ProgramOutput> {
        let program = match call.program.components().count() {
            1 => call.program.to_owned(),
            _ => self.place(call.program),
        };
        self.world.run_program(&ProgramCall {
            program: &program,
            folder: &self.place(call.folder),
            ..*call
        })
    }

    /// The files of programs are in neither folder.
    fn temporary_folder(&self, prefix: &str) -> io::Result<TempDir> {
        let folder = self.world.temporary_folder(prefix)?;
        lock(&self.temporaries).push(folder.path().to_owned());
        Ok(folder)
    }
}
