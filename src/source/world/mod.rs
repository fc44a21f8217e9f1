//! Everything outside the process, behind one trait.
//!
//! Other modules never access the disk, the environment or standard input directly; they get a
//! [`World`]. The real one is [`Disk`], tests use [`Memory`], and a KRM function reads the files
//! that its configuration names through [`Sandbox`], which can only read.
//!
//! Invariant: `std::fs` and `std::env` are used only below this module (`tests/architecture.rs`).

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
pub use folder::{Folder, FolderReach, RelativePath, cleaned};
pub use memory::Memory;
pub use sandbox::Sandbox;
pub use walk::Walk;

/// The kind of a file; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link to a file or folder, or to nothing.
    Link,
    /// A pipe: one with a name, or one that a shell opened for `<(command)`.
    Pipe,
    /// A device, a socket, or something else that cannot be input.
    Other,
}

/// Files, standard input and the environment.
pub trait World: Sync {
    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// The error of the operating system.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Writes a complete file that replaces the one at `path` when it is committed. A reader sees
    /// the old content or the new one, never a part.
    ///
    /// # Errors
    /// The error of the operating system; also if `path` exists and is not a regular file.
    fn stage(&self, path: &Path, content: &[u8]) -> io::Result<Box<dyn Staged + '_>>;

    /// Creates a link to this program at `place` (a copy on systems without links) and the folders
    /// on the way. An existing link is replaced, another file only with `force`.
    ///
    /// # Errors
    /// The error of the operating system; [`io::ErrorKind::AlreadyExists`] if a file is in the way.
    fn link_program(&self, place: &Path, force: bool) -> io::Result<()>;

    /// Returns the kind of file at `path`.
    ///
    /// # Errors
    /// The error of the operating system; also if nothing is there.
    fn kind(&self, path: &Path) -> io::Result<FileKind>;

    /// Creates a file at `path` that only the user can read, write and run. An existing link is
    /// replaced, not followed.
    ///
    /// # Errors
    /// The error of the operating system; then `path` is unchanged.
    fn create(&self, path: &Path, content: &[u8]) -> io::Result<()>;

    /// Creates a folder that only the user can access, and missing folders around it.
    ///
    /// # Errors
    /// The error of the operating system.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Removes everything in a folder; links are removed, not followed.
    ///
    /// # Errors
    /// The error of the operating system; a part may have been removed by then.
    fn empty_folder(&self, path: &Path) -> io::Result<()>;

    /// Returns true if `path` is a folder or a link to one.
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

    /// Returns all of standard input.
    ///
    /// # Errors
    /// The error of the operating system.
    fn standard_input(&self) -> io::Result<Vec<u8>>;

    /// Returns the value of an environment variable, if it is set to UTF-8 text.
    fn variable(&self, name: &str) -> Option<String>;

    /// Returns all environment variables with a name in UTF-8, sorted by name; `None` for a value
    /// that is not UTF-8.
    fn variables(&self) -> Vec<(String, Option<String>)>;
}

/// A file that was written but is not in its place yet. If it is dropped, it leaves no trace.
pub trait Staged {
    /// Replaces the file at the path by this one.
    ///
    /// # Errors
    /// The error of the operating system; then the old file is unchanged.
    fn commit(self: Box<Self>) -> io::Result<()>;
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

/// Creates the error of a file that cannot be read, with a similar name as help if the file does
/// not exist.
fn unreadable(world: &dyn World, path: &Path, error: &io::Error) -> Box<Diagnostic> {
    // The systems' own words for reading a folder differ, and some are hard to understand.
    let reason = if world.is_folder(path) {
        "it is a folder".to_owned()
    } else {
        reason(error)
    };
    let message = format!("cannot read `{}`: {reason}", path.display());
    let help = match error.kind() {
        io::ErrorKind::NotFound => similar_file(world, path),
        _ => None,
    };
    Diagnostic::error(Code::File, message).help_if(help)
}

/// Returns a help text that names a file in the same folder with a name similar to that of `path`.
///
/// `values.yml` is similar to `values.yaml`, because names are also compared without their
/// extensions.
pub fn similar_file(world: &dyn World, path: &Path) -> Option<String> {
    let (name, stem) = (file_name(path)?, file_stem(path)?);
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let listed = world.list(folder).ok()?;
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

/// Creates a source from bytes that were read.
///
/// # Errors
/// Bytes that are not UTF-8, or too many.
pub fn source_of(name: String, bytes: Vec<u8>) -> Result<Arc<Source>> {
    let text = String::from_utf8(bytes).map_err(|error| {
        // There is no source yet, so the line is counted here and is part of the message.
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let message = format!("expected UTF-8 text in `{name}`, found other bytes on line {line}");
        Diagnostic::error(Code::File, message).help("convert the file to UTF-8")
    })?;
    Source::new(name.clone(), text).map_err(|length| {
        let message = format!("`{name}` has {length} bytes, and 4 GiB is the limit");
        Diagnostic::error(Code::Limit, message)
    })
}
