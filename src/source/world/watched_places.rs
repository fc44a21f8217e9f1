//! What a run depends on: the files that it read, and the folders that it listed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files and folders whose change changes the result.
#[derive(Clone, Debug, Default)]
pub struct WatchedPlaces {
    /// Canonical paths of files, also of those that do not exist yet.
    pub files: BTreeSet<PathBuf>,
    /// Canonical paths of folders: a file that is added there is a change too.
    pub folders: BTreeSet<PathBuf>,
    /// Canonical paths that were looked for, whether or not something is there. They may become
    /// files that are read.
    pub probes: BTreeSet<PathBuf>,
}

impl WatchedPlaces {
    /// Returns the folders to watch.
    pub fn parents(&self) -> BTreeSet<PathBuf> {
        let mut parents = self.folders.clone();
        parents.extend(
            self.files
                .iter()
                .chain(&self.probes)
                .filter_map(|file| file.parent())
                .map(Path::to_owned),
        );
        parents
    }

    /// Adds the places of an earlier run.
    pub fn extend(&mut self, others: WatchedPlaces) {
        self.files.extend(others.files);
        self.folders.extend(others.folders);
        self.probes.extend(others.probes);
    }

    /// Returns whether a change of this path can change the result.
    pub fn contain(&self, path: &Path) -> bool {
        let is_listed = path
            .parent()
            .is_some_and(|parent| self.folders.contains(parent));
        let is_probed = self.probes.contains(path);
        is_listed || is_probed || self.files.contains(path) || self.folders.contains(path)
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
            probes: [PathBuf::from("/b/kustomization.yaml")].into(),
        };
        let cases = [
            ("/a/values.yml", true),
            ("/a/other.yml", false),
            ("/a/config/new.yml", true),
            ("/a/config/deeper/new.yml", false),
            ("/b/kustomization.yaml", true),
            ("/b/other.yaml", false),
        ];
        for (path, expected) in cases {
            assert_eq!(places.contain(Path::new(path)), expected, "{path}");
        }
        assert_eq!(places.parents().len(), 3);
    }
}
