//! The inputs of a run: the files that it read, and the folders that it listed.

use std::collections::BTreeSet;
use std::ops::Bound::{Included, Unbounded};
use std::path::{Path, PathBuf};

/// Files and folders whose change may change the result.
#[derive(Clone, Debug, Default)]
pub struct WatchedPlaces {
    /// The canonical paths of files, including files that do not exist yet.
    pub files: BTreeSet<PathBuf>,
    /// The canonical paths of folders. Adding a file to them is a change too.
    pub folders: BTreeSet<PathBuf>,
    /// The canonical paths whose existence was checked. They may become files that are read.
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

    /// Returns whether the result can change if something is created, removed, renamed or changed at
    /// this path.
    pub fn contain(&self, path: &Path) -> bool {
        let is_listed = path
            .parent()
            .is_some_and(|parent| self.folders.contains(parent));
        is_listed || self.contain_content(path) || self.is_around_one(path)
    }

    /// Returns whether the result can change if something is at this path before and afterwards.
    ///
    /// A file that was not read can be written to: a folder that was listed has the same names as
    /// before. The output of this program may be such a file.
    pub fn contain_content(&self, path: &Path) -> bool {
        self.files.contains(path) || self.folders.contains(path) || self.probes.contains(path)
    }

    /// Returns whether a folder at this path would contain a place. It may have been removed.
    fn is_around_one(&self, path: &Path) -> bool {
        [&self.files, &self.folders, &self.probes]
            .into_iter()
            .any(|places| {
                // Paths are ordered by their parts, so the first one that is not before a folder is
                // the folder, or is in it.
                let mut from_here = places.range::<Path, _>((Included(path), Unbounded));
                from_here
                    .next()
                    .is_some_and(|first| first.starts_with(path))
            })
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
            ("/b", true),
            ("/b.yaml", false),
        ];
        for (path, expected) in cases {
            assert_eq!(places.contain(Path::new(path)), expected, "{path}");
        }
        assert_eq!(places.parents().len(), 3);
        assert!(!places.contain_content(Path::new("/a/config/new.yml")));
        assert!(places.contain_content(Path::new("/a/values.yml")));
    }
}
