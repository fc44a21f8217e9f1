//! The library tree: the files of a workspace by their folders.
//!
//! A folder is a library, and what stands below a folder `_ytt_lib` is private: it takes no part until a template asks
//! for it. Templates are evaluated in the order of the tree; output stands in the order of the files.

use std::collections::HashMap;

use super::file::InputFile;

/// The folder whose libraries are private.
pub const PRIVATE_FOLDER: &str = "_ytt_lib";

/// A folder of the tree. Files are known by their index in the list that the tree was made from.
#[derive(Debug, Default)]
pub struct Library {
    files: Vec<usize>,
    folders: Vec<(Box<str>, Library)>,
    by_name: HashMap<Box<str>, usize>,
}

impl Library {
    /// The tree of `files`.
    pub fn new(files: &[InputFile]) -> Library {
        let mut root = Library::default();
        for (index, file) in files.iter().enumerate() {
            let folder = file.path.folders().fold(&mut root, |library, name| library.folder(name));
            folder.files.push(index);
        }
        root
    }

    /// The files that are not private: those right in the folder, then those of each folder in it, in the order in which
    /// the folders came first.
    pub fn accessible(&self) -> Vec<usize> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    /// The depth is that of a path, which is bounded.
    fn collect(&self, found: &mut Vec<usize>) {
        found.extend(&self.files);
        for (_, folder) in self.folders.iter().filter(|(name, _)| &**name != PRIVATE_FOLDER) {
            folder.collect(found);
        }
    }

    fn folder(&mut self, name: &str) -> &mut Library {
        let next = self.folders.len();
        let index = *self.by_name.entry(name.into()).or_insert(next);
        if index == next {
            self.folders.push((name.into(), Library::default()));
        }
        &mut self.folders[index].1
    }

    /// The tree for people, with the names of its files.
    pub fn describe(&self, files: &[InputFile]) -> String {
        let mut text = String::new();
        self.describe_below(files, 0, &mut text);
        text
    }

    fn describe_below(&self, files: &[InputFile], depth: usize, text: &mut String) {
        let line = |name: &str, mark: &str, text: &mut String| {
            text.extend(std::iter::repeat_n("  ", depth));
            text.extend([name, mark, "\n"]);
        };
        for file in self.files.iter().filter_map(|&index| files.get(index)) {
            line(file.path.name(), if file.is_output() { "" } else { " (no output)" }, text);
        }
        for (name, folder) in &self.folders {
            line(name, if &**name == PRIVATE_FOLDER { "/ (private)" } else { "/" }, text);
            folder.describe_below(files, depth + 1, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::VirtualPath;

    fn files(paths: &[&str]) -> Vec<InputFile> {
        paths.iter().map(|path| InputFile::in_memory(VirtualPath::new(path).unwrap(), "")).collect()
    }

    #[test]
    fn files_come_before_folders_and_folders_in_the_order_they_came_first() {
        let files = files(&["b/x.yml", "a/y.yml", "z.yml", "b/c/v.yml", "b/w.yml"]);
        assert_eq!(Library::new(&files).accessible(), [2, 0, 4, 3, 1]);
    }

    #[test]
    fn private_libraries_take_no_part() {
        let files = files(&["_ytt_lib/a.yml", "b/_ytt_lib/c.yml", "b/_ytt_lib.yml", "_ytt_library/d.yml"]);
        assert_eq!(Library::new(&files).accessible(), [2, 3]);
    }

    #[test]
    fn the_tree_is_described_with_what_each_file_is() {
        let files = files(&["a.yml", "b/f.star", "b/_ytt_lib/c.yml"]);
        let expected = "a.yml\nb/\n  f.star (no output)\n  _ytt_lib/ (private)\n    c.yml\n";
        assert_eq!(Library::new(&files).describe(&files), expected);
    }
}
