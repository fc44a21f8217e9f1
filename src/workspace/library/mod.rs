//! The library tree: the files of a workspace by their folders.
//!
//! A folder is a library, and what stands below a folder `_ytt_lib` is private: it takes no part until a template asks
//! for it. Templates are evaluated in the order of the tree; output stands in the order of the files.

mod lookup;

use std::collections::HashMap;

pub use self::lookup::Place;
use super::file::InputFile;

/// The folder whose libraries are private.
pub const PRIVATE_FOLDER: &str = "_ytt_lib";

/// The folder that holds all others, which is the root library.
pub(super) const ROOT: FolderId = FolderId(0);

/// The files of a workspace as a tree.
pub struct LibraryTree<'f> {
    files: &'f [InputFile],
    folders: Vec<Folder<'f>>,
    /// The folder of each file.
    places: Vec<FolderId>,
}

/// A folder of one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FolderId(usize);

#[derive(Default)]
struct Folder<'f> {
    name: &'f str,
    /// How many folders lead to it.
    depth: usize,
    /// The files right in it, by their indices.
    files: Vec<usize>,
    /// The folders right in it, in the order in which they came first.
    folders: Vec<FolderId>,
    by_name: HashMap<&'f str, FolderId>,
    /// The files right in it; of several with one name, the first.
    file_by_name: HashMap<&'f str, usize>,
}

impl<'f> LibraryTree<'f> {
    /// The tree of `files`, which are known by their indices.
    pub fn new(files: &'f [InputFile]) -> LibraryTree<'f> {
        let mut tree = LibraryTree {
            files,
            folders: vec![Folder::default()],
            places: Vec::with_capacity(files.len()),
        };
        for (index, file) in files.iter().enumerate() {
            let place = file
                .path
                .folders()
                .fold(ROOT, |folder, name| tree.subfolder(folder, name));
            tree.folders[place.0].files.push(index);
            tree.folders[place.0]
                .file_by_name
                .entry(file.path.name())
                .or_insert(index);
            tree.places.push(place);
        }
        tree
    }

    fn subfolder(&mut self, folder: FolderId, name: &'f str) -> FolderId {
        if let Some(&found) = self.folders[folder.0].by_name.get(name) {
            return found;
        }
        let new = FolderId(self.folders.len());
        let depth = self.folders[folder.0].depth + 1;
        self.folders.push(Folder {
            name,
            depth,
            ..Folder::default()
        });
        let parent = &mut self.folders[folder.0];
        parent.folders.push(new);
        parent.by_name.insert(name, new);
        new
    }

    /// The files of the root library that are not private, in the order of the tree: those right in a folder, then those
    /// of each folder in it.
    pub fn accessible(&self) -> Vec<usize> {
        self.accessible_below(ROOT)
    }

    /// The path of a file as seen from a folder around it.
    pub fn path_below(&self, folder: FolderId, file: usize) -> &'f str {
        let depth = self.folders.get(folder.0).map_or(0, |folder| folder.depth);
        let path = self.files.get(file).map_or("", |file| file.path.as_str());
        path.splitn(depth + 1, '/').last().unwrap_or_default()
    }

    /// The same for the library that is a folder.
    pub fn accessible_below(&self, folder: FolderId) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![folder];
        while let Some(folder) = open.pop() {
            let folder = &self.folders[folder.0];
            found.extend(&folder.files);
            open.extend(
                folder
                    .folders
                    .iter()
                    .rev()
                    .filter(|inner| self.folders[inner.0].name != PRIVATE_FOLDER),
            );
        }
        found
    }

    /// The tree for people, with the names of its files.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            let folder = &self.folders[id.0];
            if id != ROOT {
                let mark = if folder.name == PRIVATE_FOLDER {
                    "/ (private)\n"
                } else {
                    "/\n"
                };
                text.extend([
                    "  ".repeat(folder.depth.saturating_sub(1)).as_str(),
                    folder.name,
                    mark,
                ]);
            }
            for file in folder
                .files
                .iter()
                .filter_map(|&index| self.files.get(index))
            {
                let mark = if file.is_output() {
                    "\n"
                } else {
                    " (no output)\n"
                };
                text.extend(["  ".repeat(folder.depth).as_str(), file.path.name(), mark]);
            }
            open.extend(folder.folders.iter().rev());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::VirtualPath;

    fn files(paths: &[&str]) -> Vec<InputFile> {
        paths
            .iter()
            .map(|path| InputFile::in_memory(VirtualPath::new(path).unwrap(), ""))
            .collect()
    }

    #[test]
    fn files_come_before_folders_and_folders_in_the_order_they_came_first() {
        let files = files(&["b/x.yml", "a/y.yml", "z.yml", "b/c/v.yml", "b/w.yml"]);
        assert_eq!(LibraryTree::new(&files).accessible(), [2, 0, 4, 3, 1]);
    }

    #[test]
    fn private_libraries_take_no_part() {
        let files = files(&[
            "_ytt_lib/a.yml",
            "b/_ytt_lib/c.yml",
            "b/_ytt_lib.yml",
            "_ytt_library/d.yml",
        ]);
        assert_eq!(LibraryTree::new(&files).accessible(), [2, 3]);
    }

    #[test]
    fn the_tree_is_described_with_what_each_file_is() {
        let files = files(&["a.yml", "b/f.star", "b/_ytt_lib/c.yml", "d.md"]);
        let expected =
            "a.yml\nd.md (no output)\nb/\n  f.star (no output)\n  _ytt_lib/ (private)\n    c.yml\n";
        assert_eq!(LibraryTree::new(&files).describe(), expected);
    }
}
