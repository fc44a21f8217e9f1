//! A world made up by a test.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::World;

/// Files, standard input and variables held in memory.
#[derive(Debug, Default)]
pub struct Memory {
    /// The files by path.
    pub files: RefCell<BTreeMap<PathBuf, Vec<u8>>>,
    /// What standard input holds.
    pub standard_input: Vec<u8>,
    /// The environment.
    pub variables: BTreeMap<String, String>,
}

impl Memory {
    /// A world with the files given.
    pub fn with_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Memory {
        let files = files.into_iter().map(|(path, content)| (PathBuf::from(path), content.into())).collect();
        Memory { files: RefCell::new(files), ..Memory::default() }
    }
}

/// The path with `.` and `..` worked out, as far as they can be.
fn clean(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

impl World for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.borrow().get(&clean(path)).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.files.borrow_mut().insert(clean(path), content.to_owned());
        Ok(())
    }

    fn is_folder(&self, path: &Path) -> bool {
        let path = clean(path);
        self.files.borrow().keys().any(|file| file != &path && file.starts_with(&path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let path = clean(path);
        let files = self.files.borrow();
        let names = files.keys().filter_map(|file| file.strip_prefix(&path).ok()?.components().next());
        let mut paths: Vec<PathBuf> = names.map(|name| path.join(name)).collect();
        paths.dedup();
        Ok(paths)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(clean(path))
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        Ok(self.standard_input.clone())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
}
