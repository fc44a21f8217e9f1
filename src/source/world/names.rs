//! The names of the files that Inlay creates.

/// The prefix of the names of temporary files and folders. Searches for files skip them, because
/// they may be from a run that was killed.
pub(super) const TEMPORARY: &str = ".inlay-";
