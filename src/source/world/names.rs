//! Names that Inlay gives to files.

/// The prefix of the names of temporary files and folders. No walk finds them: they may be from a
/// run that was killed.
pub(super) const TEMPORARY: &str = ".inlay-";
