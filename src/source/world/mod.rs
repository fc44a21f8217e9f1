//! Everything outside the process, after one trait.
//!
//! Other modules never access the disk, the environment or standard input directly; they get a
//! [`World`]. The real one is [`Disk`], and tests use [`Memory`]. A KRM function reads the files
//! that its configuration names through [`Sandbox`], which can only read. A page in the browser
//! talks to a [`Loopback`], and a [`Worker`] does its work in [`Memory`].
//!
//! Invariant: `std::fs` and `std::env` are used only below this module (`tests/architecture.rs`).

mod disk;
mod folder;
mod layer;
mod links;
mod loopback;
mod memory;
mod names;
mod platform;
mod program;
mod recording;
mod sandbox;
mod walk;
mod watched_places;
mod windows_names;
mod worker;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tempfile::TempDir;

use super::suggest::did_you_mean;
use super::{Code, Diagnostic, Result, Source};

pub use disk::{Disk, FileWatcher};
pub use folder::{Folder, FolderReach, RelativePath, cleaned};
pub use layer::WorldLayer;
pub use links::SymlinkDestinations;
pub use loopback::{Connection, Loopback};
pub use memory::Memory;
use names::TEMPORARY;
pub use platform::{
    HAS_WINDOWS_PATHS, IGNORES_CASE, comparable_name, name_fault, without_verbatim_prefix,
};
pub use program::{ProgramCall, ProgramOutput};
pub use recording::Recording;
pub use sandbox::Sandbox;
pub use walk::Walk;
pub use watched_places::WatchedPlaces;
pub use windows_names::windows_fault;
pub use worker::{PipedWorker, Worker, open_in_browser};

/// Returns the folder of a file: `.` for a name alone.
pub fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// The identity of a version of a file: the file, its size, and the time of its last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    size: u64,
    modified: Option<SystemTime>,
    /// Device and number of the file, and the time of its last change of any kind; zero on systems
    /// without them.
    identity: [i128; 4],
}

/// The maximum size of a file: positions in a text have 32 bits.
const SIZE_LIMIT: u64 = u32::MAX as u64;

/// The kind of a file. Links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link to a file or folder, or to nothing.
    Link,
    /// A named pipe, or a pipe that a shell opened for `<(command)`.
    Pipe,
    /// A device, a socket, or another kind of file that cannot be input.
    Other,
}

/// Files, standard input and the environment.
pub trait World: Sync {
    /// Returns the bytes of a file that the user names. Links are followed, and pipes are read.
    ///
    /// # Errors
    /// The error of the operating system; also for a device or a socket.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Returns the bytes of the regular file at a canonical path.
    ///
    /// A caller that decides by the canonical path whether a file may be read uses this function.
    /// It reads the file at exactly this path, even if a part of the path is replaced in the
    /// meantime.
    ///
    /// # Errors
    /// The error of the operating system; also if a part of the path has become a link, or the file
    /// is not a regular one.
    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>>;

    /// Returns at most the first `most` bytes of the regular file at a canonical path.
    ///
    /// # Errors
    /// As [`read_regular`](Self::read_regular).
    fn read_start(&self, real: &Path, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = self.read_regular(real)?;
        bytes.truncate(most);
        Ok(bytes)
    }

    /// Replaces the contents of files: all of them, or none after an error. A reader sees the old
    /// content or the new one, never a part.
    ///
    /// Waits while another process has locked the folder of a file (`flock`). `on_wait` is called
    /// if that takes longer than a moment.
    ///
    /// # Errors
    /// A file that cannot be written, or whose content has changed since it was read. The error of
    /// `on_wait`.
    fn replace(
        &self,
        files: &[Replacement<'_>],
        on_wait: OnWait<'_>,
    ) -> Result<Replaced, WriteError>;

    /// Creates a file and missing folders on the way, with the default permissions. A reader sees
    /// the whole file or none. An existing file is replaced.
    ///
    /// # Errors
    /// The error of the operating system. Then nothing but folders is created.
    fn create(&self, path: &Path, content: &[u8]) -> io::Result<()>;

    /// Writes files below a folder, which is created if it is missing: all of them, or none after
    /// an error. Only the user can access the created files. `others` decides about the other files
    /// in the folder.
    ///
    /// # Errors
    /// A file that cannot be written, or a link in the folder that would lead out of it.
    fn write_folder(
        &self,
        root: &Path,
        files: &[NewFile<'_>],
        others: OtherFiles,
    ) -> Result<(), WriteError>;

    /// Creates a link to this program at `place` (a copy on systems without links) and the folders
    /// on the way. An existing link is replaced, another file only with `force`.
    ///
    /// # Errors
    /// The error of the operating system; [`io::ErrorKind::AlreadyExists`] if there is another file
    /// at `place`.
    fn link_program(&self, place: &Path, force: bool) -> io::Result<()>;

    /// Returns the kind of file at `path`.
    ///
    /// # Errors
    /// The error of the operating system; also if there is no file.
    fn kind(&self, path: &Path) -> io::Result<FileKind>;

    /// Returns whether `path` is a folder or a link to one.
    fn is_folder(&self, path: &Path) -> bool;

    /// Returns the paths of the files and folders directly in a folder, sorted by name.
    ///
    /// # Errors
    /// The error of the operating system.
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>>;

    /// Returns the path of an existing file or folder without links and `..`.
    ///
    /// # Errors
    /// The error of the operating system.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// Returns the stamp that identifies the version of the file at a canonical path. `None` if the
    /// world does not know it.
    fn stamp(&self, _real: &Path) -> Option<FileStamp> {
        None
    }

    /// Returns whether a file system begins at a canonical path.
    fn is_mount_point(&self, real: &Path) -> bool;

    /// Returns the home folders of the users that the system knows.
    fn homes(&self) -> Vec<PathBuf>;

    /// Returns all of standard input.
    ///
    /// # Errors
    /// The error of the operating system.
    fn standard_input(&self) -> io::Result<Vec<u8>>;

    /// Runs a program until it ends. Only the disk has programs.
    ///
    /// # Errors
    /// A program that cannot be started, or whose output cannot be read.
    fn run_program(&self, call: &ProgramCall<'_>) -> io::Result<ProgramOutput> {
        let message = format!("`{}` cannot run here", call.program.display());
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    /// Returns the path of this program. Only the disk has programs.
    ///
    /// # Errors
    /// The error of the operating system.
    fn own_program(&self) -> io::Result<PathBuf> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the path of a program that a shell would run: the file itself if the name has a
    /// slash, and otherwise the first on `PATH`.
    fn find_program(&self, _name: &str) -> Option<PathBuf> {
        None
    }

    /// Runs a program without input, and returns the start of its standard output. A program that
    /// takes too long is killed.
    ///
    /// # Errors
    /// A program that cannot be started, fails, or takes too long.
    fn ask_program(&self, _program: &Path, _arguments: &[&str]) -> io::Result<String> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Creates a folder that only the user can access. It is removed when the returned value is
    /// dropped. Only the disk has one, for the files of programs.
    ///
    /// # Errors
    /// The error of the operating system.
    fn temporary_folder(&self, prefix: &str) -> io::Result<TempDir> {
        let message = format!("no folder `{prefix}` can be created here");
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    /// Returns the value of an environment variable, if it is set to UTF-8 text.
    fn variable(&self, name: &str) -> Option<String>;

    /// Returns all environment variables with a name in UTF-8, sorted by name; `None` for a value
    /// that is not UTF-8.
    fn variables(&self) -> Vec<(String, Option<String>)>;
}

/// Is called with the folder that another process has locked. An error ends the wait.
pub type OnWait<'c> = &'c dyn Fn(&Path) -> io::Result<()>;

/// A file with its new content.
#[derive(Clone, Copy, Debug)]
pub struct Replacement<'r> {
    /// The canonical path.
    pub place: &'r Path,
    /// The content that was read.
    pub before: &'r [u8],
    /// The new content.
    pub after: &'r [u8],
}

/// The properties that [`World::replace`] could not preserve.
#[derive(Clone, Debug, Default)]
pub struct Replaced {
    /// Files with further names (hard links). These names keep the old content.
    pub separated: Vec<PathBuf>,
}

/// The treatment of the files of a folder that are not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherFiles {
    /// They stay.
    Kept,
    /// They are removed. A link is removed and not followed.
    Removed,
}

/// A file that is written below a folder.
#[derive(Clone, Copy, Debug)]
pub struct NewFile<'f> {
    /// The path below the folder: names that are separated by `/`, without `.` and `..`.
    pub path: &'f str,
    /// The content.
    pub content: &'f [u8],
}

/// The error of writing, with its place.
#[derive(Debug)]
pub struct WriteError {
    /// The file or folder.
    pub place: PathBuf,
    /// The error of the operating system.
    pub error: io::Error,
}

impl WriteError {
    pub(in crate::source) fn new(place: &Path, error: io::Error) -> WriteError {
        WriteError {
            place: place.to_owned(),
            error,
        }
    }
}

/// Removes the temporary files of this process, which is about to end without dropping its values.
pub fn remove_temporaries() {
    disk::remove_temporaries();
}

/// The name of standard input in diagnostics.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Reads a file as a source with the name that the user wrote; `-` is standard input.
///
/// # Errors
/// A file that cannot be read, is not UTF-8, or is too large.
pub fn read_source(world: &dyn World, path: &Path) -> Result<Arc<Source>> {
    if path == Path::new("-") {
        let bytes = world.standard_input().map_err(|error| {
            let message = format!("cannot read standard input: {}", reason(&error));
            Diagnostic::error(Code::File, message)
        })?;
        return source_of(STANDARD_INPUT.to_owned(), bytes);
    }
    let bytes = world
        .read(path)
        .map_err(|error| unreadable(world, path, &error))?;
    source_of(path.to_string_lossy().into_owned(), bytes)
}

/// Reads the text of a file that was found and not named by the user, such as the
/// `kustomization.yaml` of a folder. Links are followed. A pipe is not read, because there may
/// never be a writer.
///
/// # Errors
/// A file that cannot be read, is not a regular file, or is not UTF-8 ([`Code::File`]).
pub fn read_found(world: &dyn World, path: &Path) -> Result<Arc<Source>> {
    let bytes = read_found_bytes(world, path).map_err(|error| unreadable(world, path, &error))?;
    source_of(path.to_string_lossy().into_owned(), bytes)
}

/// Returns the bytes of a file that was found, as [`read_found`] does.
///
/// # Errors
/// The error of the operating system; also if the file is not a regular one.
pub fn read_found_bytes(world: &dyn World, path: &Path) -> io::Result<Vec<u8>> {
    world.read_regular(&world.canonical(path)?)
}

/// Returns the error for a file that cannot be read. If the file does not exist, the help contains
/// a similar name.
fn unreadable(world: &dyn World, path: &Path, error: &io::Error) -> Box<Diagnostic> {
    // The messages of the systems for reading a folder differ, and some are hard to understand.
    let reason = if world.is_folder(path) {
        "it is a folder".to_owned()
    } else {
        reason(error)
    };
    let message = format!("cannot read `{}`: {reason}", path.display());
    let help = match error.kind() {
        io::ErrorKind::NotFound if is_address(path) => Some(
            "Inlay downloads nothing: save it as a file, or read it from standard input as `-`"
                .to_owned(),
        ),
        io::ErrorKind::NotFound => similar_file(world, path),
        _ => None,
    };
    Diagnostic::error(Code::File, message).help_if(help)
}

/// Returns whether a path is an address on the network: `https://example.com/a.yaml`.
fn is_address(path: &Path) -> bool {
    let path = path.to_str().unwrap_or_default();
    path.starts_with("https://") || path.starts_with("http://")
}

/// Returns the canonical path of a place that need not exist: links are followed in the part of its
/// path that exists. `None` if not even the working folder can be found.
pub fn real_place(world: &dyn World, place: &Path) -> Option<PathBuf> {
    let place = Path::new(".").join(place);
    let mut ancestors = place.ancestors();
    let (existing, real) =
        ancestors.find_map(|place| Some((place, world.canonical(place).ok()?)))?;
    Some(real.join(place.strip_prefix(existing).ok()?))
}

/// Returns a help text that names a file in the same folder with a name similar to that of `path`.
///
/// `values.yml` is similar to `values.yaml`, because names are also compared without their
/// extensions.
pub fn similar_file(world: &dyn World, path: &Path) -> Option<String> {
    let (name, stem) = (file_name(path)?, file_stem(path)?);
    let listed = world.list(folder_of(path)).ok()?;
    let mut similar = Vec::new();
    for found in &listed {
        let (Some(name), Some(found_stem)) = (file_name(found), file_stem(found)) else {
            continue;
        };
        if found_stem == stem || did_you_mean(stem, [found_stem]).is_some() {
            similar.push(name);
        }
    }
    did_you_mean(name, similar)
}

fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

fn file_stem(path: &Path) -> Option<&str> {
    path.file_stem()?.to_str()
}

/// Returns the reason of the operating system for an error, without the error number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// Creates a source from bytes.
///
/// # Errors
/// Bytes that are not UTF-8, or too many.
pub fn source_of(name: String, bytes: Vec<u8>) -> Result<Arc<Source>> {
    source_shown_as(&name, &name, bytes)
}

/// Creates the source of the file at `path` of a build from bytes. Diagnostics print `name`; see
/// [`Source::shown_as`].
///
/// # Errors
/// Bytes that are not UTF-8, or too many.
pub fn source_shown_as(path: &str, name: &str, bytes: Vec<u8>) -> Result<Arc<Source>> {
    crate::source::limits::count_read(bytes.len());
    let text = String::from_utf8(bytes).map_err(|error| {
        // There is no source yet, so the line is computed here for the message.
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let message = format!("expected UTF-8 text in `{name}`, found other bytes on line {line}");
        Diagnostic::error(Code::File, message).help("convert the file to UTF-8")
    })?;
    Source::shown_as(path, name, text).map_err(|length| {
        let message = format!("`{name}` has {length} bytes, and 4 GiB is the limit");
        Diagnostic::error(Code::Limit, message)
    })
}
