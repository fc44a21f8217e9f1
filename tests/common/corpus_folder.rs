//! The location of the recorded corpus. It is not part of the repository, so a checkout without it
//! must pass too.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the folder of the corpus: `INLAY_CORPUS`, or else `../shared/corpus` beside the
/// checkout. If neither exists, prints a note and returns `None`.
pub(crate) fn find(test: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let folder = env::var_os("INLAY_CORPUS").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!(
        "{test}: left out, there is no corpus at {} (INLAY_CORPUS names another folder)",
        folder.display()
    );
    None
}

/// Returns every file below `folder`, as paths that start with `folder`, sorted by name.
pub(crate) fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path)
            } else {
                files.push(path)
            }
        }
    }
    files.sort();
    Ok(files)
}
