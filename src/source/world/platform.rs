//! What paths and file names mean on the system for which Inlay is compiled.
//!
//! Everything else asks here, so that each difference between systems is in one place.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::windows_names::windows_fault;

/// Whether file systems of this operating system usually ignore the case of names.
pub const IGNORES_CASE: bool = cfg!(any(windows, target_os = "macos"));

/// Whether a backslash separates folders, and a colon follows the letter of a drive.
pub const HAS_WINDOWS_PATHS: bool = cfg!(windows);

/// Returns a description of the problem that a file name has on this system: on Windows, `a:b` is
/// not a file `a:b`.
pub fn name_fault(name: &str) -> Option<&'static str> {
    if HAS_WINDOWS_PATHS {
        windows_fault(name)
    } else {
        None
    }
}

/// Returns a file name in a form that is the same for two names of one file.
pub fn comparable_name(name: &str) -> Cow<'_, str> {
    if IGNORES_CASE {
        Cow::Owned(name.to_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// Returns a canonical path as other programs read it. On Windows, canonical paths begin with
/// `\\?\`, which build systems do not understand.
pub fn without_verbatim_prefix(path: &Path) -> PathBuf {
    if HAS_WINDOWS_PATHS
        && let Some(text) = path.to_str()
        && let Some(rest) = text.strip_prefix(r"\\?\")
        // The prefix of a network path, `\\?\UNC\`, has another meaning.
        && rest.as_bytes().get(1) == Some(&b':')
    {
        return PathBuf::from(rest);
    }
    path.to_owned()
}
