//! The files of a workspace by their folders.

use std::collections::HashMap;

use crate::source::quoted_name;
use crate::workspace::file::InputFile;

/// The folder whose subfolders are private libraries.
pub const PRIVATE_FOLDER: &str = "_ytt_lib";

/// The folder that contains all others: the root library.
pub(in crate::workspace) const ROOT: FolderId = FolderId(0);

/// The files of a workspace as a tree. Files are identified by their indices, and folders by their
/// ids.
pub struct LibraryTree<'f> {
    pub(super) files: &'f [InputFile],
    folders: Vec<LibraryFolder<'f>>,
    /// The folder of each file.
    folder_of_file: Vec<FolderId>,
}

/// The id of a folder in one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::workspace) struct FolderId(usize);

/// The files and folders directly in a folder.
#[derive(Default)]
pub(super) struct LibraryFolder<'f> {
    pub(super) name: &'f str,
    /// The number of enclosing folders.
    depth: usize,
    pub(super) files: Vec<usize>,
    /// The subfolders, in the order in which their first files were given.
    pub(super) folders: Vec<FolderId>,
    pub(super) folder_by_name: HashMap<&'f str, FolderId>,
    /// The first file with each name.
    pub(super) file_by_name: HashMap<&'f str, usize>,
}

impl<'f> LibraryTree<'f> {
    /// Creates the tree of `files`.
    pub fn new(files: &'f [InputFile]) -> LibraryTree<'f> {
        let mut tree = LibraryTree {
            files,
            folders: vec![LibraryFolder::default()],
            folder_of_file: Vec::with_capacity(files.len()),
        };
        for (index, file) in files.iter().enumerate() {
            let mut id = ROOT;
            for name in file.path.folders() {
                id = tree.subfolder(id, name);
            }
            let folder = &mut tree.folders[id.0];
            folder.files.push(index);
            // Several inputs may have the same path. `load` and `data.read` use the first one, and
            // all of them are output.
            folder.file_by_name.entry(file.path.name()).or_insert(index);
            tree.folder_of_file.push(id);
        }
        tree
    }

    /// Returns the subfolder with this name, and creates it if it is missing.
    fn subfolder(&mut self, parent: FolderId, name: &'f str) -> FolderId {
        if let Some(&found) = self.folders[parent.0].folder_by_name.get(name) {
            return found;
        }
        let new = FolderId(self.folders.len());
        let depth = self.folders[parent.0].depth + 1;
        self.folders.push(LibraryFolder {
            name,
            depth,
            ..LibraryFolder::default()
        });
        let parent = &mut self.folders[parent.0];
        parent.folders.push(new);
        parent.folder_by_name.insert(name, new);
        new
    }

    /// Returns the folder with this id.
    pub(super) fn folder(&self, id: FolderId) -> &LibraryFolder<'f> {
        // Invariant: ids are indices of `folders`, and no folder is ever removed.
        &self.folders[id.0]
    }

    /// Returns the folder that contains a file.
    pub(super) fn folder_of(&self, file: usize) -> FolderId {
        self.folder_of_file.get(file).copied().unwrap_or(ROOT)
    }

    /// Returns the files of the root library that are not private, in the order of the tree: the
    /// files directly in a folder, then those of each of its subfolders.
    pub fn accessible(&self) -> Vec<usize> {
        self.accessible_below(ROOT)
    }

    /// Returns the files of the library in the folder `root`, as
    /// [`accessible`](LibraryTree::accessible) does.
    pub(in crate::workspace) fn accessible_below(&self, root: FolderId) -> Vec<usize> {
        let mut found = Vec::new();
        // A stack: the last element is the next folder.
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let folder = self.folder(id);
            found.extend(&folder.files);
            // Push in reverse, because the last folder pushed is visited first.
            for &inner in folder.folders.iter().rev() {
                if self.folder(inner).name != PRIVATE_FOLDER {
                    open.push(inner);
                }
            }
        }
        found
    }

    /// Returns the path of a file relative to a folder that contains it.
    pub(in crate::workspace) fn path_below(&self, folder: FolderId, file: usize) -> &'f str {
        let path = self.files.get(file).map_or("", |file| file.path.as_str());
        let depth = self.folder(folder).depth;
        // Everything after the first `depth` folders: `a/b/c.yml` seen from `a` is `b/c.yml`.
        path.splitn(depth + 1, '/').last().unwrap_or_default()
    }

    /// Returns the tree as text for the user: folders and the names of their files, indented.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            let folder = self.folder(id);
            if id != ROOT {
                // The root has depth 0 and no line, so its subfolders are not indented.
                text.push_str(&"  ".repeat(folder.depth.saturating_sub(1)));
                text.push_str(&quoted_name(folder.name));
                text.push_str(match folder.name {
                    PRIVATE_FOLDER => "/ (private)\n",
                    _ => "/\n",
                });
            }
            for &index in &folder.files {
                let Some(file) = self.files.get(index) else {
                    continue;
                };
                text.push_str(&"  ".repeat(folder.depth));
                text.push_str(&quoted_name(file.path.name()));
                text.push_str(match file.is_output() {
                    true => "\n",
                    false => " (no output)\n",
                });
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
    fn lists_files_before_folders_and_folders_in_the_order_they_came_first() {
        let files = files(&["b/x.yml", "a/y.yml", "z.yml", "b/c/v.yml", "b/w.yml"]);
        assert_eq!(LibraryTree::new(&files).accessible(), [2, 0, 4, 3, 1]);
    }

    #[test]
    fn leaves_private_libraries_out() {
        let files = files(&[
            "_ytt_lib/a.yml",
            "b/_ytt_lib/c.yml",
            "b/_ytt_lib.yml",
            "_ytt_library/d.yml",
        ]);
        assert_eq!(LibraryTree::new(&files).accessible(), [2, 3]);
    }

    #[test]
    fn describes_the_tree_for_people() {
        let files = files(&["a.yml", "b/f.star", "b/_ytt_lib/c.yml", "d.md"]);
        let expected =
            "a.yml\nd.md (no output)\nb/\n  f.star (no output)\n  _ytt_lib/ (private)\n    c.yml\n";
        assert_eq!(LibraryTree::new(&files).describe(), expected);
    }
}
