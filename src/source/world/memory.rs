//! A world in memory, for tests and for the playground, whose renders must not access the machine.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{FileKind, NewFile, OnWait, OtherFiles, Replaced, Replacement, World, WriteError};

/// Files, standard input and environment variables in memory.
#[derive(Debug, Default)]
pub struct Memory {
    /// The files by path.
    pub files: Mutex<BTreeMap<PathBuf, Vec<u8>>>,
    /// The bytes of standard input.
    pub standard_input: Vec<u8>,
    /// The environment.
    pub variables: BTreeMap<String, String>,
}

impl Memory {
    /// Creates a world with these files.
    pub fn with_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Memory {
        let files = files
            .into_iter()
            .map(|(path, content)| (PathBuf::from(path), content.into()))
            .collect();
        Memory {
            files: Mutex::new(files),
            ..Memory::default()
        }
    }

    fn locked_files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Vec<u8>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the path with `.` and `..` resolved.
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
        self.locked_files()
            .get(&clean(path))
            .cloned()
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        self.read(real)
    }

    fn replace(
        &self,
        files: &[Replacement<'_>],
        _on_wait: OnWait<'_>,
    ) -> Result<Replaced, WriteError> {
        for file in files {
            self.locked_files()
                .insert(clean(file.place), file.after.to_owned());
        }
        Ok(Replaced::default())
    }

    fn create(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.locked_files().insert(clean(path), content.to_owned());
        Ok(())
    }

    fn write_folder(
        &self,
        root: &Path,
        files: &[NewFile<'_>],
        others: OtherFiles,
    ) -> Result<(), WriteError> {
        let root = clean(root);
        let mut all = self.locked_files();
        if others == OtherFiles::Removed {
            all.retain(|file, _| !file.starts_with(&root));
        }
        for file in files {
            all.insert(root.join(file.path), file.content.to_owned());
        }
        Ok(())
    }

    fn link_program(&self, place: &Path, force: bool) -> io::Result<()> {
        let mut files = self.locked_files();
        if files.contains_key(&clean(place)) && !force {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        files.insert(clean(place), Vec::new());
        Ok(())
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        if self.locked_files().contains_key(&clean(path)) {
            Ok(FileKind::File)
        } else if self.is_folder(path) {
            Ok(FileKind::Folder)
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    fn is_folder(&self, path: &Path) -> bool {
        let path = clean(path);
        self.locked_files()
            .keys()
            .any(|file| file != &path && file.starts_with(&path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let path = clean(path);
        let files = self.locked_files();
        let names = files
            .keys()
            .filter_map(|file| file.strip_prefix(&path).ok()?.components().next());
        let mut paths: Vec<PathBuf> = names.map(|name| path.join(name)).collect();
        // Files of one folder are neighbours in the sorted map, so equal names are neighbours too.
        paths.dedup();
        Ok(paths)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(clean(path))
    }

    fn is_mount_point(&self, _real: &Path) -> bool {
        false
    }

    fn homes(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        Ok(self.standard_input.clone())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn variables(&self) -> Vec<(String, Option<String>)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.clone(), Some(value.clone())))
            .collect()
    }
}
