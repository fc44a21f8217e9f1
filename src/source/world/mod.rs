//! Everything outside the process, behind one trait.
//!
//! Rooms above never touch the disk, the environment or standard input themselves: they are handed a [`World`]. The
//! real one is [`Disk`]; tests use [`Memory`]; a KRM function reads the files that its configuration names through
//! [`Sandbox`], which can do nothing else.

mod disk;
mod folder;
mod memory;
mod sandbox;
mod walk;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::suggest::did_you_mean;
use super::{Code, Diagnostic, Result, Source};

pub use disk::Disk;
pub use folder::{Folder, RelativePath};
pub use memory::Memory;
pub use sandbox::Sandbox;
pub use walk::Walk;

/// What stands at a path; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link to what stands on a disk, or to nothing.
    Link,
    /// A pipe: one with a name, or one that a shell opened for `<(command)`.
    Pipe,
    /// A device, a socket, or another thing that is no input.
    Other,
}

/// Files, standard input and the environment.
pub trait World: Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// As the operating system says.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Writes a file whole, to be put in its place later: a reader sees the old content or the new, never a part.
    ///
    /// # Errors
    /// As the operating system says, and for what is there but is no regular file.
    fn stage(&self, path: &Path, content: &[u8]) -> io::Result<Box<dyn Staged + '_>>;

    /// Puts a link to this program at `place`, or a copy where links are not to be had, and makes the folders on the
    /// way. A link that is there is replaced, any other file only with `force`.
    ///
    /// # Errors
    /// As the operating system says; [`io::ErrorKind::AlreadyExists`] for a file that is in the way.
    fn link_program(&self, place: &Path, force: bool) -> io::Result<()>;

    /// What stands at `path`.
    ///
    /// # Errors
    /// As the operating system says, also where nothing stands there.
    fn kind(&self, path: &Path) -> io::Result<FileKind>;

    /// Puts a file of its own at `path`, for the user alone to read, write and run: a link that stands there is replaced,
    /// not followed.
    ///
    /// # Errors
    /// As the operating system says; nothing is at `path` then but what was there.
    fn create(&self, path: &Path, content: &[u8]) -> io::Result<()>;

    /// Makes a folder for the user alone, and those around it that are missing.
    ///
    /// # Errors
    /// As the operating system says.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Removes everything in a folder; links are removed, not followed.
    ///
    /// # Errors
    /// As the operating system says; a part may be gone by then.
    fn empty_folder(&self, path: &Path) -> io::Result<()>;

    /// Whether `path` is a folder.
    fn is_folder(&self, path: &Path) -> bool;

    /// The files and folders right in a folder, sorted by name.
    ///
    /// # Errors
    /// As the operating system says.
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>>;

    /// The path without links and `..`, for a file or folder that exists.
    ///
    /// # Errors
    /// As the operating system says.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// All of standard input.
    ///
    /// # Errors
    /// As the operating system says.
    fn standard_input(&self) -> io::Result<Vec<u8>>;

    /// The value of an environment variable, if it is set to UTF-8 text.
    fn variable(&self, name: &str) -> Option<String>;

    /// All environment variables with a name in UTF-8, sorted by name; `None` for a value that is not UTF-8.
    fn variables(&self) -> Vec<(String, Option<String>)>;
}

/// A file that was written and is not in its place yet. Dropped, it leaves no trace.
pub trait Staged {
    /// Puts the file in its place.
    ///
    /// # Errors
    /// As the operating system says; what was in its place is then still there.
    fn commit(self: Box<Self>) -> io::Result<()>;
}

/// The name by which diagnostics call standard input.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Reads a file as a source, named as `path` is written; `-` is standard input.
///
/// # Errors
/// A file that cannot be read, is not UTF-8, or is too large.
pub fn read_source(world: &dyn World, path: &Path) -> Result<Arc<Source>> {
    if path == Path::new("-") {
        let cannot = |error| {
            Diagnostic::error(
                Code::File,
                format!("cannot read standard input: {}", reason(&error)),
            )
        };
        return source_of(
            STANDARD_INPUT.to_owned(),
            world.standard_input().map_err(cannot)?,
        );
    }
    let name = path.to_string_lossy().into_owned();
    let cannot = |error: io::Error| {
        let reason = if world.is_folder(path) {
            "it is a folder".to_owned()
        } else {
            reason(&error)
        };
        let diagnostic = Diagnostic::error(Code::File, format!("cannot read `{name}`: {reason}"));
        diagnostic.help_if(
            (error.kind() == io::ErrorKind::NotFound)
                .then(|| similar_file(world, path))
                .flatten(),
        )
    };
    source_of(name.clone(), world.read(path).map_err(cannot)?)
}

/// A help text that names a file in the same folder whose name is like that of `path`, also without its ending.
pub fn similar_file(world: &dyn World, path: &Path) -> Option<String> {
    let (name, stem) = (path.file_name()?.to_str()?, path.file_stem()?.to_str()?);
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let listed = world.list(folder).ok()?;
    let stems = listed
        .iter()
        .filter_map(|found| Some((found.file_name()?.to_str()?, found.file_stem()?.to_str()?)));
    let similar =
        stems.filter(|(_, found)| *found == stem || did_you_mean(stem, [*found]).is_some());
    did_you_mean(name, similar.map(|(name, _)| name))
}

/// Why the operating system refused, without its number for that.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// A source of bytes that were read.
///
/// # Errors
/// Bytes that are not UTF-8, or too many.
pub fn source_of(name: String, bytes: Vec<u8>) -> Result<Arc<Source>> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            + 1;
        Diagnostic::error(
            Code::File,
            format!("expected UTF-8 text in `{name}`, found other bytes on line {line}"),
        )
        .help("convert the file to UTF-8")
    })?;
    Source::new(name.clone(), text).map_err(|length| {
        Diagnostic::error(
            Code::Limit,
            format!("`{name}` has {length} bytes, and 4 GiB is the limit"),
        )
    })
}
