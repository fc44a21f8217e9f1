//! Paths of files in a workspace.

use std::fmt;
use std::sync::Arc;

use crate::source::{Code, Diagnostic, Result};

/// A path may have this many parts. Whatever walks the library tree is bounded by it.
const DEPTH_LIMIT: usize = 255;

/// The path of a file in a workspace, with `/` between its parts, and the path of what it becomes in an output folder.
///
/// It is relative, and no part is empty, `.` or `..`: joined to any folder, it stays below that folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VirtualPath(Arc<str>);

impl VirtualPath {
    /// Reads a path as a flag, a file mark or a list of files gives it. Empty parts and `.` are left out.
    ///
    /// # Errors
    /// A path that is absolute, that has a part `..`, that names nothing, or that has more than 255 parts.
    pub fn new(path: &str) -> Result<VirtualPath> {
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
            _ if parts.contains(&"..") => return refuse("`..` would leave the workspace"),
            _ if path.contains('\0') => return refuse("a path has no NUL characters"),
            _ if parts.len() > DEPTH_LIMIT => return refuse("the path has more than 255 parts"),
            _ => {}
        }
        Ok(VirtualPath(parts.join("/").into()))
    }

    /// The whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The parts before the last, from the outermost.
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
    fn a_path_that_could_leave_a_folder_cannot_be_built() {
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
    fn a_path_is_known_by_its_folders_and_its_name() {
        let path = VirtualPath::new("./a//b/c.yml").unwrap();
        assert_eq!(path.as_str(), "a/b/c.yml");
        assert_eq!(path.name(), "c.yml");
        assert_eq!(path.folders().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(VirtualPath::new("c.yml").unwrap().folders().count(), 0);
    }

    proptest! {
        #[test]
        fn a_path_joined_to_a_folder_stays_below_it(text in "[./a]{0,12}") {
            if let Ok(path) = VirtualPath::new(&text) {
                prop_assert!(path.as_str().split('/').all(|part| !matches!(part, "" | "." | "..")));
            }
        }
    }
}
