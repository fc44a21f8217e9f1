//! A world that records which files were read and which folders were listed, for callers that run a
//! command again after a change: build systems, and `--watch`.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::platform::without_verbatim_prefix;
use super::{FileKind, ProgramCall, ProgramOutput, WatchedPlaces, World, WorldLayer};

/// Another world, and the files that were read from it.
pub struct Recording<'w> {
    world: &'w dyn World,
    /// The paths that were read. Parts of a build run on several threads.
    read: Mutex<BTreeSet<PathBuf>>,
    /// The read paths that may be links. A canonical path cannot be one.
    maybe_links: Mutex<BTreeSet<PathBuf>>,
    listed: Mutex<BTreeSet<PathBuf>>,
    /// The paths whose existence was checked, because it decides which files are read.
    probed: Mutex<BTreeSet<PathBuf>>,
    has_input: bool,
}

impl<'w> Recording<'w> {
    /// Creates a recording without files.
    pub fn new(world: &'w dyn World) -> Recording<'w> {
        Recording {
            world,
            read: Mutex::default(),
            maybe_links: Mutex::default(),
            listed: Mutex::default(),
            probed: Mutex::default(),
            has_input: true,
        }
    }

    /// Creates a recording without files, and with a standard input that cannot be read: it would
    /// be empty the next time.
    pub fn without_input(world: &'w dyn World) -> Recording<'w> {
        Recording {
            has_input: false,
            ..Recording::new(world)
        }
    }

    /// Returns the recorded places as canonical paths.
    pub fn places(&self) -> WatchedPlaces {
        let mut places = WatchedPlaces::default();
        let mut folders = RealFolders::new(self.world);
        for file in lock(&self.read).iter() {
            places.files.extend(folders.real_place(file));
        }
        for file in lock(&self.maybe_links).iter() {
            // A change of a link's target is a change too.
            if matches!(self.world.kind(file), Ok(FileKind::Link)) {
                places.files.extend(self.world.canonical(file).ok());
            }
        }
        let listed = lock(&self.listed).clone();
        for path in lock(&self.probed).iter() {
            // A listed folder is watched with everything in it anyway.
            if !path.parent().is_some_and(|folder| listed.contains(folder)) {
                places.probes.extend(folders.real_place(path));
            }
        }
        for folder in &listed {
            places.folders.extend(self.world.canonical(folder).ok());
        }
        places
    }

    /// Returns the files that were read, sorted. Files below the working folder are relative to it,
    /// as build systems name them.
    pub fn files(&self) -> Vec<PathBuf> {
        let working_folder = self.world.canonical(Path::new(".")).unwrap_or_default();
        let mut files = BTreeSet::new();
        for path in lock(&self.read).iter() {
            let below = path.strip_prefix(&working_folder).map(Path::to_owned);
            let below = below.unwrap_or_else(|_| without_verbatim_prefix(path));
            files.insert(below.strip_prefix(".").unwrap_or(&below).to_owned());
        }
        files.into_iter().collect()
    }

    fn record(&self, path: &Path) {
        lock(&self.read).insert(path.to_owned());
    }
}

/// The canonical paths of folders. A run may read many files in few folders, and computing each
/// canonical path takes a system call for every folder in it.
struct RealFolders<'w> {
    world: &'w dyn World,
    known: HashMap<PathBuf, Option<PathBuf>>,
}

impl<'w> RealFolders<'w> {
    fn new(world: &'w dyn World) -> RealFolders<'w> {
        RealFolders {
            world,
            known: HashMap::new(),
        }
    }

    /// Returns a path in its canonical folder. Neither has to exist, because they may be created
    /// later.
    fn real_place(&mut self, path: &Path) -> Option<PathBuf> {
        // `.` and `..` have no name. They end the recursion of `real_folder`.
        let name = path.file_name()?;
        let folder = path.parent();
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        let real = self.real_folder(folder.unwrap_or(Path::new(".")))?;
        Some(real.join(name))
    }

    /// Returns the canonical path of a folder, or the path that it would have if it existed.
    fn real_folder(&mut self, folder: &Path) -> Option<PathBuf> {
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let real = self.world.canonical(folder).ok();
        let real = real.or_else(|| self.real_place(folder));
        self.known.insert(folder.to_owned(), real.clone());
        real
    }
}

fn lock(paths: &Mutex<BTreeSet<PathBuf>>) -> MutexGuard<'_, BTreeSet<PathBuf>> {
    // A thread that panicked while it added a path either added it or did not. The other paths are
    // intact.
    paths.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorldLayer for Recording<'_> {
    fn beneath(&self) -> &dyn World {
        self.world
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.record(path);
        lock(&self.maybe_links).insert(path.to_owned());
        self.world.read(path)
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        self.record(real);
        self.world.read_regular(real)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        lock(&self.probed).insert(path.to_owned());
        self.world.kind(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        lock(&self.probed).insert(path.to_owned());
        self.world.is_folder(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        lock(&self.listed).insert(path.to_owned());
        self.world.list(path)
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
        lock(&self.maybe_links).insert(call.program.to_owned());
        self.world.run_program(call)
    }
}
