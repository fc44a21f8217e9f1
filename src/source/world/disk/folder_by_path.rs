//! Folders on systems whose standard library can open files only by their whole path.
//!
//! This module has the same functions as `open_folder.rs`. A path is compared with its canonical
//! form before each use. There is a short time between them in which another process may replace a
//! part of it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A folder that is identified by its path.
pub(super) struct OpenFolder(PathBuf);

impl OpenFolder {
    /// Opens a folder by its canonical path.
    ///
    /// # Errors
    /// The error of the operating system; also if a part of the path has become a link.
    pub(super) fn open(real: &Path) -> io::Result<OpenFolder> {
        without_links(real)?;
        if real.is_dir() {
            Ok(OpenFolder(real.to_owned()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// Opens a folder in this folder.
    ///
    /// # Errors
    /// The errors of [`open`](OpenFolder::open).
    pub(super) fn enter(&self, name: &Path) -> io::Result<OpenFolder> {
        OpenFolder::open(&self.0.join(name))
    }

    /// Opens a folder in this folder, and creates it if it is missing.
    ///
    /// # Errors
    /// The errors of [`open`](OpenFolder::open).
    pub(super) fn enter_or_create(&self, name: &Path) -> io::Result<OpenFolder> {
        match fs::create_dir(self.0.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => self.enter(name),
        }
    }

    /// Returns `None`, because folders cannot be locked.
    pub(super) fn lock(&self, _on_wait: &dyn Fn() -> io::Result<()>) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Opens a regular file in the folder for reading.
    ///
    /// # Errors
    /// The error of the operating system; also if it is a link or not a regular file.
    pub(super) fn file(&self, name: &Path) -> io::Result<File> {
        open_file(&self.0.join(name))
    }

    /// Creates a new file in the folder.
    ///
    /// # Errors
    /// The error of the operating system.
    pub(super) fn create(&self, name: &Path, _mode: u32) -> io::Result<File> {
        File::create_new(self.0.join(name))
    }

    /// Returns without a check: only writing shows whether a folder can be changed.
    pub(super) fn check_can_change(&self) -> io::Result<()> {
        Ok(())
    }

    /// Returns whether there is a folder `name` in the folder. Links are not followed.
    pub(super) fn has_folder(&self, name: &Path) -> io::Result<bool> {
        let found = fs::symlink_metadata(self.0.join(name));
        Ok(found.is_ok_and(|found| found.is_dir()))
    }

    /// Gives the file `new` in the folder `from` the permissions of the file `name` in this folder,
    /// if there is one.
    ///
    /// # Errors
    /// The error of the operating system.
    pub(super) fn keep_permissions(
        &self,
        name: &Path,
        from: &OpenFolder,
        new: &Path,
    ) -> io::Result<()> {
        match fs::symlink_metadata(self.0.join(name)) {
            Ok(before) if before.is_file() => {
                fs::set_permissions(from.0.join(new), before.permissions())
            }
            _ => Ok(()),
        }
    }

    /// Renames a file or folder to `name` in the folder `to`, and replaces a file there.
    ///
    /// # Errors
    /// The error of the operating system.
    pub(super) fn rename(&self, from: &Path, to: &OpenFolder, name: &Path) -> io::Result<()> {
        fs::rename(self.0.join(from), to.0.join(name))
    }
}

/// Reads a regular file by its canonical path.
///
/// # Errors
/// The error of the operating system; also if a part of the path has become a link, or there is no
/// regular file.
pub(super) fn read(real: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(real)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn open_file(real: &Path) -> io::Result<File> {
    without_links(real)?;
    let file = File::open(real)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(super::not_a_file())
    }
}

fn without_links(real: &Path) -> io::Result<()> {
    if fs::canonicalize(real)? == real {
        Ok(())
    } else {
        Err(io::Error::other("a part of its path is a link by now"))
    }
}
