//! A world that remembers which files were read and which folders were listed, for those who run a command again when one
//! of them changes: build systems, and `--watch`.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{
    FileKind, NewFile, ProgramCall, ProgramOutput, Replaced, Replacement, WatchedPlaces, World,
    WriteError,
};

/// Another world, and the files that were read from it.
pub struct Recording<'w> {
    world: &'w dyn World,
    /// The paths that were read. Parts of a build run on several threads.
    read: Mutex<BTreeSet<PathBuf>>,
    listed: Mutex<BTreeSet<PathBuf>>,
    has_input: bool,
}

impl<'w> Recording<'w> {
    /// Starts with no files.
    pub fn new(world: &'w dyn World) -> Recording<'w> {
        Recording {
            world,
            read: Mutex::default(),
            listed: Mutex::default(),
            has_input: true,
        }
    }

    /// Starts with no files, and with a standard input that cannot be read: it would be empty the
    /// next time.
    pub fn without_input(world: &'w dyn World) -> Recording<'w> {
        Recording {
            has_input: false,
            ..Recording::new(world)
        }
    }

    /// Returns the files and folders as canonical paths.
    pub fn places(&self) -> WatchedPlaces {
        let mut places = WatchedPlaces::default();
        for file in lock(&self.read).iter() {
            // The folder has to exist, and not the file: it may be created.
            let folder = file
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            let folder = self.world.canonical(folder.unwrap_or(Path::new(".")));
            if let (Ok(folder), Some(name)) = (folder, file.file_name()) {
                places.files.insert(folder.join(name));
            }
            // A link that leads to another file instead is a change too.
            places.files.extend(self.world.canonical(file).ok());
        }
        for folder in lock(&self.listed).iter() {
            places.folders.extend(self.world.canonical(folder).ok());
        }
        places
    }

    /// Returns the files that were read, sorted. Those below the working folder are relative to it, as build systems
    /// name them.
    pub fn files(&self) -> Vec<PathBuf> {
        let working_folder = self.world.canonical(Path::new(".")).unwrap_or_default();
        let mut files = BTreeSet::new();
        for path in lock(&self.read).iter() {
            let below = path.strip_prefix(&working_folder).unwrap_or(path);
            let below = below.strip_prefix(".").unwrap_or(below);
            files.insert(below.to_owned());
        }
        files.into_iter().collect()
    }

    fn record(&self, path: &Path) {
        lock(&self.read).insert(path.to_owned());
    }
}

fn lock(paths: &Mutex<BTreeSet<PathBuf>>) -> MutexGuard<'_, BTreeSet<PathBuf>> {
    // A thread that panicked while it added a path has added it or not; the others are whole.
    paths.lock().unwrap_or_else(PoisonError::into_inner)
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
        lock(&self.listed).insert(path.to_owned());
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
        if !self.has_input {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "a command that watches its input reads files only",
            ));
        }
        self.world.standard_input()
    }

    fn run_program(&self, call: &ProgramCall<'_>) -> io::Result<ProgramOutput> {
        self.record(call.program);
        self.world.run_program(call)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }

    fn variables(&self) -> Vec<(String, Option<String>)> {
        self.world.variables()
    }
}
