//! What a run depends on: the files that it read, and the folders that it listed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files and folders whose change leads to another result.
#[derive(Clone, Debug, Default)]
pub struct WatchedPlaces {
    /// Canonical paths of files, also of those that do not exist yet.
    pub files: BTreeSet<PathBuf>,
    /// Canonical paths of folders: a file that is added there counts too.
    pub folders: BTreeSet<PathBuf>,
}

impl WatchedPlaces {
    /// Returns the folders to watch.
    pub fn parents(&self) -> BTreeSet<PathBuf> {
        let mut parents = self.folders.clone();
        parents.extend(
            self.files
                .iter()
                .filter_map(|file| file.parent())
                .map(Path::to_owned),
        );
        parents
    }

    /// Whether a change of this path counts.
    pub fn contain(&self, path: &Path) -> bool {
        let is_listed = path
            .parent()
            .is_some_and(|parent| self.folders.contains(parent));
        is_listed || self.files.contains(path) || self.folders.contains(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_files_that_were_read_and_everything_in_folders_that_were_listed() {
        let places = WatchedPlaces {
            files: [PathBuf::from("/a/values.yml")].into(),
            folders: [PathBuf::from("/a/config")].into(),
        };
        let cases = [
            ("/a/values.yml", true),
            ("/a/other.yml", false),
            ("/a/config/new.yml", true),
            ("/a/config/deeper/new.yml", false),
        ];
        for (path, expected) in cases {
            assert_eq!(places.contain(Path::new(path)), expected, "{path}");
        }
        assert_eq!(places.parents().len(), 2);
    }
}
