//! Everything outside the process, behind one trait.
//!
//! Rooms above never touch the disk, the environment or standard input themselves: they are handed a [`World`]. The
//! real one is [`Disk`]; tests use [`Memory`]; a KRM function reads the files that its configuration names through
//! [`Sandbox`], which can do nothing else.

mod disk;
mod folder;
mod memory;
mod sandbox;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Code, Diagnostic, Result, Source};

pub use disk::Disk;
pub use folder::{Folder, RelativePath};
pub use memory::Memory;
pub use sandbox::Sandbox;

/// Files, standard input and the environment.
pub trait World {
    /// The bytes of a file.
    ///
    /// # Errors
    /// As the operating system says.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Puts a file in place as a whole: a reader sees the old content or the new, never a part.
    ///
    /// # Errors
    /// As the operating system says; the file is then as it was.
    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()>;

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
}

/// The name by which diagnostics call standard input.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Reads a file as a source, named as `path` is written; `-` is standard input.
///
/// # Errors
/// A file that cannot be read, is not UTF-8, or is too large.
pub fn read_source(world: &dyn World, path: &Path) -> Result<Arc<Source>> {
    let standard_input = path == Path::new("-");
    let name = if standard_input { STANDARD_INPUT.to_owned() } else { path.to_string_lossy().into_owned() };
    let bytes = if standard_input { world.standard_input() } else { world.read(path) };
    let bytes = bytes.map_err(|error| Diagnostic::error(Code::File, format!("cannot read `{name}`: {error}")))?;
    source_of(name, bytes)
}

/// A source of bytes that were read.
///
/// # Errors
/// Bytes that are not UTF-8, or too many.
pub fn source_of(name: String, bytes: Vec<u8>) -> Result<Arc<Source>> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Diagnostic::error(Code::File, format!("expected UTF-8 text in `{name}`, found other bytes on line {line}"))
            .help("convert the file to UTF-8")
    })?;
    Source::new(name.clone(), text).map_err(|length| {
        Diagnostic::error(Code::Limit, format!("`{name}` has {length} bytes, and 4 GiB is the limit"))
    })
}
