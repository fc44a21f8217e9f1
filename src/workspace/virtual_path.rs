//! Paths of files in a workspace.

use std::fmt;
use std::sync::Arc;

use crate::source::world::{HAS_WINDOWS_PATHS, windows_fault};
use crate::source::{Code, Diagnostic, Result};

/// The maximum number of parts of a path. This limits every recursion over the library tree.
const DEPTH_LIMIT: usize = 255;

/// The path of a file in a workspace, and of its output in an output folder. `/` separates its
/// parts.
///
/// Invariant: it is relative, and no part is empty, `.` or `..`. Joined to any folder, it therefore
/// stays below that folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VirtualPath(Arc<str>);

impl VirtualPath {
    /// Parses a path from a flag, a file mark or a list of files. Empty parts and `.` are removed.
    ///
    /// # Errors
    /// Fails if the path is absolute, contains a part `..`, is empty, or has more than 255 parts.
    /// On Windows, also fails if a part has a special meaning there (see [`windows_fault`]).
    pub fn new(path: &str) -> Result<VirtualPath> {
        VirtualPath::new_on(path, HAS_WINDOWS_PATHS)
    }

    fn new_on(path: &str, is_windows: bool) -> Result<VirtualPath> {
        let refuse = |why: &str| {
            Err(Diagnostic::error(
                Code::File,
                format!("expected a path relative to the workspace, found `{path}`"),
            )
            .note(why.to_owned()))
        };
        if path.starts_with('/') {
            return refuse("the path is absolute");
        }
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !matches!(*part, "" | "."))
            .collect();
        match parts[..] {
            [] => return refuse("the path names no file"),
            // Reject `..` even where it would stay inside (`a/../b`): joined to a folder with
            // links, it could lead elsewhere.
            _ if parts.contains(&"..") => return refuse("`..` would leave the workspace"),
            _ if path.contains('\0') => return refuse("a path has no NUL characters"),
            _ if parts.len() > DEPTH_LIMIT => return refuse("the path has more than 255 parts"),
            _ => {}
        }
        let fault = parts.iter().find_map(|part| windows_fault(part));
        if let Some(fault) = fault.filter(|_| is_windows) {
            return refuse(fault);
        }
        Ok(VirtualPath(parts.join("/").into()))
    }

    /// Returns the whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Returns the parts before the last, from the outermost.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        let folders = self.0.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').filter(|folder| !folder.is_empty())
    }
}

impl fmt::Display for VirtualPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_paths_that_could_leave_a_folder() {
        let deep = "a/".repeat(256);
        for path in [
            "",
            ".",
            "/",
            "/etc/passwd",
            "..",
            "../a",
            "a/../../b",
            "a/..",
            "a/../b",
            "a\0b",
            &deep,
        ] {
            assert_eq!(
                VirtualPath::new(path).unwrap_err().code,
                Code::File,
                "{path}"
            );
        }
    }

    #[test]
    fn refuses_paths_that_could_leave_a_folder_on_windows() {
        for path in [
            "a\\..\\..\\b",
            "C:/x",
            "a/C:x",
            "\\\\server/share",
            "a/nul.yml",
            "a./b",
            "..\\b",
        ] {
            assert!(VirtualPath::new_on(path, true).is_err(), "{path}");
            assert!(VirtualPath::new_on(path, false).is_ok(), "{path}");
        }
        assert!(VirtualPath::new_on("a/b.yml", true).is_ok());
    }

    #[test]
    fn splits_a_path_into_folders_and_name() {
        let path = VirtualPath::new("./a//b/c.yml").unwrap();
        assert_eq!(path.as_str(), "a/b/c.yml");
        assert_eq!(path.name(), "c.yml");
        assert_eq!(path.folders().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(VirtualPath::new("c.yml").unwrap().folders().count(), 0);
    }

    proptest! {
        #[test]
        fn stays_below_the_folder_that_it_is_joined_to(text in "[./a]{0,12}") {
            if let Ok(path) = VirtualPath::new(&text) {
                prop_assert!(path.as_str().split('/').all(|part| !matches!(part, "" | "." | "..")));
            }
        }
    }
}
