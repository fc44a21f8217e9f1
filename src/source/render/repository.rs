//! The names of files in a repository, which are the only names that GitHub knows.

use std::path::{Path, PathBuf};

use crate::source::world::{STANDARD_INPUT, cleaned};

/// The working folder and the repository that contains it. Without them, files keep the names that
/// the user knows.
#[derive(Clone, Debug, Default)]
pub struct RepositoryPaths {
    /// The canonical path of the checkout.
    pub root: PathBuf,
    /// The canonical path of the folder to which names are relative.
    pub working_folder: PathBuf,
}

impl RepositoryPaths {
    /// Returns the path of a file below the root, with `/` between its parts, given the name that
    /// the user knows. `None` for standard input. A file outside the repository keeps its name.
    pub(super) fn file(&self, shown_name: &str) -> Option<String> {
        if shown_name == STANDARD_INPUT || shown_name.is_empty() {
            return None;
        }
        let whole = cleaned(&self.working_folder.join(shown_name));
        let path = match whole.strip_prefix(&self.root) {
            Ok(below) => below,
            Err(_) => Path::new(shown_name),
        };
        let parts: Vec<_> = path.components().map(|part| part.as_os_str()).collect();
        match path.has_root() {
            true => Some(path.to_string_lossy().into_owned()),
            false => {
                let parts: Vec<_> = parts.iter().map(|part| part.to_string_lossy()).collect();
                Some(parts.join("/"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_files_from_the_root_of_the_repository() {
        let paths = RepositoryPaths {
            root: PathBuf::from("/repository"),
            working_folder: PathBuf::from("/repository/deploy"),
        };
        let cases = [
            ("app.yml", "deploy/app.yml"),
            ("../base/./app.yml", "base/app.yml"),
            ("/repository/base/app.yml", "base/app.yml"),
            ("/etc/values.yml", "/etc/values.yml"),
            ("../../other.yml", "../../other.yml"),
        ];
        for (name, expected) in cases {
            assert_eq!(paths.file(name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(paths.file("<stdin>"), None);
        let plain = RepositoryPaths::default();
        assert_eq!(plain.file("./a/b.yml").as_deref(), Some("a/b.yml"));
    }
}
