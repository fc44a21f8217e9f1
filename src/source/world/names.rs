//! The names of the files that Inlay creates.

/// The prefix of the names of temporary files and folders. No walk finds them: they may be from a
/// run that was killed.
pub(super) const TEMPORARY: &str = ".inlay-";
