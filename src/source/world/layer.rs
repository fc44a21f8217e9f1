//! Worlds that change a part of the behaviour of another world.
//!
//! ```text
//! Recording    remembers what is read          Unsaved    reads the texts of an editor
//! Sandbox      reads files, and nothing else   Rebased    reads another folder
//!                         any other World
//! ```
//!
//! A layer defines only what it does differently. Everything else is passed to the world beneath
//! it.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{
    FileKind, FileStamp, NewFile, OnWait, OtherFiles, ProgramCall, ProgramOutput, Replaced,
    Replacement, World, WriteError,
};

/// A world on top of another one. The methods are those of [`World`].
#[allow(
    missing_docs,
    reason = "the methods are described in `World`, which this trait is implemented for"
)]
pub trait WorldLayer: Sync {
    /// Returns the world beneath.
    fn beneath(&self) -> &dyn World;

    /// Returns the error for writing at this place or running this program, if the layer refuses
    /// it.
    fn refusal(&self, _place: &Path) -> Option<io::Error> {
        None
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.beneath().read(path)
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        self.beneath().read_regular(real)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        self.beneath().kind(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.beneath().is_folder(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.beneath().list(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.beneath().canonical(path)
    }

    fn stamp(&self, real: &Path) -> Option<FileStamp> {
        self.beneath().stamp(real)
    }

    fn is_mount_point(&self, real: &Path) -> bool {
        self.beneath().is_mount_point(real)
    }

    fn homes(&self) -> Vec<PathBuf> {
        self.beneath().homes()
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        self.beneath().standard_input()
    }

    fn run_program(&self, call: &ProgramCall<'_>) -> io::Result<ProgramOutput> {
        match self.refusal(call.program) {
            Some(error) => Err(error),
            None => self.beneath().run_program(call),
        }
    }

    fn own_program(&self) -> io::Result<PathBuf> {
        self.beneath().own_program()
    }

    fn find_program(&self, name: &str) -> Option<PathBuf> {
        self.beneath().find_program(name)
    }

    fn ask_program(&self, program: &Path, arguments: &[&str]) -> io::Result<String> {
        match self.refusal(program) {
            Some(error) => Err(error),
            None => self.beneath().ask_program(program, arguments),
        }
    }

    fn temporary_folder(&self, prefix: &str) -> io::Result<TempDir> {
        match self.refusal(Path::new(prefix)) {
            Some(error) => Err(error),
            None => self.beneath().temporary_folder(prefix),
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.beneath().variable(name)
    }

    fn variables(&self) -> Vec<(String, Option<String>)> {
        self.beneath().variables()
    }
}

impl<L: WorldLayer> World for L {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        WorldLayer::read(self, path)
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        WorldLayer::read_regular(self, real)
    }

    fn replace(
        &self,
        files: &[Replacement<'_>],
        on_wait: OnWait<'_>,
    ) -> Result<Replaced, WriteError> {
        for file in files {
            if let Some(error) = self.refusal(file.place) {
                return Err(WriteError::new(file.place, error));
            }
        }
        self.beneath().replace(files, on_wait)
    }

    fn create(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        match self.refusal(path) {
            Some(error) => Err(error),
            None => self.beneath().create(path, content),
        }
    }

    fn write_folder(
        &self,
        root: &Path,
        files: &[NewFile<'_>],
        others: OtherFiles,
    ) -> Result<(), WriteError> {
        match self.refusal(root) {
            Some(error) => Err(WriteError::new(root, error)),
            None => self.beneath().write_folder(root, files, others),
        }
    }

    fn link_program(&self, place: &Path, force: bool) -> io::Result<()> {
        match self.refusal(place) {
            Some(error) => Err(error),
            None => self.beneath().link_program(place, force),
        }
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        WorldLayer::kind(self, path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        WorldLayer::is_folder(self, path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        WorldLayer::list(self, path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        WorldLayer::canonical(self, path)
    }

    fn stamp(&self, real: &Path) -> Option<FileStamp> {
        WorldLayer::stamp(self, real)
    }

    fn is_mount_point(&self, real: &Path) -> bool {
        WorldLayer::is_mount_point(self, real)
    }

    fn homes(&self) -> Vec<PathBuf> {
        WorldLayer::homes(self)
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        WorldLayer::standard_input(self)
    }

    fn run_program(&self, call: &ProgramCall<'_>) -> io::Result<ProgramOutput> {
        WorldLayer::run_program(self, call)
    }

    fn own_program(&self) -> io::Result<PathBuf> {
        WorldLayer::own_program(self)
    }

    fn find_program(&self, name: &str) -> Option<PathBuf> {
        WorldLayer::find_program(self, name)
    }

    fn ask_program(&self, program: &Path, arguments: &[&str]) -> io::Result<String> {
        WorldLayer::ask_program(self, program, arguments)
    }

    fn temporary_folder(&self, prefix: &str) -> io::Result<TempDir> {
        WorldLayer::temporary_folder(self, prefix)
    }

    fn variable(&self, name: &str) -> Option<String> {
        WorldLayer::variable(self, name)
    }

    fn variables(&self) -> Vec<(String, Option<String>)> {
        WorldLayer::variables(self)
    }
}
