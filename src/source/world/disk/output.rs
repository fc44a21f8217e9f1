//! Writes the files of an output folder: all of them or none.
//!
//! A new or emptied folder is written completely next to its place, and then swapped with the
//! existing one. Files that are added to a folder are written into a temporary folder inside it,
//! and then moved to their places.
//!
//! ```text
//! emptied                       kept
//! .inlay-x/a.yml  write         out/.inlay-x/0  write
//! .inlay-x/d/b.yml              out/.inlay-x/1
//! .inlay-x <-> out  swap        out/.inlay-x/0 -> out/a.yml   move, without following links
//! .inlay-x        remove        out/.inlay-x/1 -> out/d/b.yml
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[cfg(unix)]
use super::keep_owner;
use super::open_folder::OpenFolder;
use super::temporary::{Temporary, commit};
use crate::source::world::{NewFile, OtherFiles, WriteError, folder_of};

/// Creates a file. See [`World::create`](crate::source::world::World::create).
pub(super) fn create_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let (mut new, mut file) = Temporary::new(folder, |place| {
        // The default mode. The system removes the permissions in the user's mask.
        fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(place)
    })?;
    file.write_all(content)?;
    file.sync_all()?;
    let mut commit = commit();
    fs::rename(new.path(), path)?;
    commit.keep(&mut new);
    Ok(())
}

/// Writes files below `root`. See
/// [`World::write_folder`](crate::source::world::World::write_folder).
pub(super) fn write_folder(
    root: &Path,
    files: &[NewFile<'_>],
    others: OtherFiles,
) -> Result<(), WriteError> {
    let failed = |error| WriteError::new(root, error);
    let existing = match fs::canonicalize(root) {
        Ok(real) => Some(real),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    match existing {
        Some(real) if others == OtherFiles::Kept => add(root, &real, files),
        Some(real) => {
            check_can_be_emptied(&real)?;
            match Temporary::new(folder_of(&real), |place| fs::create_dir(place)) {
                Ok((new, ())) => swap(root, &real, new, files),
                // The folder around it belongs to another user, so it cannot be swapped as a whole.
                Err(_) => replace_content(root, &real, files),
            }
        }
        None => {
            let around = folder_of(root);
            fs::create_dir_all(around).map_err(failed)?;
            let around = fs::canonicalize(around).map_err(failed)?;
            let (new, ()) =
                Temporary::new(&around, |place| fs::create_dir(place)).map_err(failed)?;
            let name = root.file_name().unwrap_or_default();
            create(root, &around.join(name), new, files)
        }
    }
}

/// Creates a folder that does not exist yet.
fn create(
    root: &Path,
    real: &Path,
    mut new: Temporary,
    files: &[NewFile<'_>],
) -> Result<(), WriteError> {
    write_tree(root, new.path(), files)?;
    let mut commit = commit();
    fs::rename(new.path(), real).map_err(|error| WriteError::new(root, error))?;
    commit.keep(&mut new);
    Ok(())
}

/// Replaces the old folder by a new one.
fn swap(root: &Path, real: &Path, new: Temporary, files: &[NewFile<'_>]) -> Result<(), WriteError> {
    let failed = |error| WriteError::new(root, error);
    write_tree(root, new.path(), files)?;
    keep_attributes(real, new.path()).map_err(failed)?;
    let commit = commit();
    let swapped = exchange(new.path(), real);
    drop(commit);
    match swapped {
        // The old content is now at the temporary path, which is removed when its value is dropped.
        Ok(()) => Ok(()),
        Err(_) => {
            drop(new);
            replace_content(root, real, files)
        }
    }
}

/// Moves the new files into a folder that cannot be replaced itself, after removing its content.
fn replace_content(root: &Path, real: &Path, files: &[NewFile<'_>]) -> Result<(), WriteError> {
    let failed = |error| WriteError::new(root, error);
    let (new, ()) = Temporary::new(real, |place| fs::create_dir(place)).map_err(failed)?;
    write_tree(root, new.path(), files)?;
    let commit = commit();
    for entry in fs::read_dir(real).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.path() != new.path() {
            remove(&entry).map_err(failed)?;
        }
    }
    for entry in fs::read_dir(new.path()).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        fs::rename(entry.path(), real.join(entry.file_name())).map_err(failed)?;
    }
    drop(commit);
    drop(new);
    Ok(())
}

/// Checks that everything below a folder can be removed. Otherwise some of the old content would
/// stay next to the new one.
fn check_can_be_emptied(folder: &Path) -> Result<(), WriteError> {
    let failed = |error| WriteError::new(folder, error);
    let mut is_empty = true;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        is_empty = false;
        // A link is removed and not followed.
        if entry.file_type().map_err(failed)?.is_dir() {
            check_can_be_emptied(&entry.path())?;
        }
    }
    match is_empty {
        true => Ok(()),
        false => check_can_remove_from(folder).map_err(failed),
    }
}

/// Checks that entries of a folder can be removed.
#[cfg(unix)]
fn check_can_remove_from(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

#[cfg(not(unix))]
fn check_can_remove_from(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn remove(entry: &fs::DirEntry) -> io::Result<()> {
    if entry.file_type()?.is_dir() {
        fs::remove_dir_all(entry.path())
    } else {
        fs::remove_file(entry.path())
    }
}

/// Adds files to a folder.
fn add(root: &Path, real: &Path, files: &[NewFile<'_>]) -> Result<(), WriteError> {
    let failed = |error| WriteError::new(root, error);
    let (new, ()) = Temporary::new(real, |place| fs::create_dir(place)).map_err(failed)?;
    for (number, file) in files.iter().enumerate() {
        let place = new.path().join(number.to_string());
        let _commit = commit();
        write(&place, file.content).map_err(|error| at(root, file, error))?;
    }
    let from = OpenFolder::open(new.path()).map_err(failed)?;
    let root_folder = OpenFolder::open(real).map_err(failed)?;
    let commit = commit();
    // All places are checked before the first file is moved: all files are written, or none.
    for file in files {
        check_place(&root_folder, file.path).map_err(|error| at(root, file, error))?;
    }
    for (number, file) in files.iter().enumerate() {
        let number = PathBuf::from(number.to_string());
        move_below(&from, &number, &root_folder, file.path)
            .map_err(|error| at(root, file, error))?;
    }
    drop(commit);
    Ok(())
}

/// Checks that a file can be moved to a path below a folder: there is no folder at its place, and
/// the nearest existing folder around it can be changed.
fn check_place(root: &OpenFolder, path: &str) -> io::Result<()> {
    let (folders, last) = path.rsplit_once('/').unwrap_or(("", path));
    let mut inner = None;
    for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
        let around = inner.as_ref().unwrap_or(root);
        match around.enter(Path::new(folder)) {
            Ok(entered) => inner = Some(entered),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return around.check_can_change();
            }
            Err(error) => return Err(error),
        }
    }
    let folder = inner.as_ref().unwrap_or(root);
    folder.check_can_change()?;
    match folder.has_folder(Path::new(last))? {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(()),
    }
}

/// Moves a file to a path below a folder. Missing folders are created, links are not followed. If
/// there is already a file, its permissions are kept.
fn move_below(from: &OpenFolder, name: &Path, root: &OpenFolder, path: &str) -> io::Result<()> {
    let (folders, last) = path.rsplit_once('/').unwrap_or(("", path));
    let mut inner = None;
    for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
        let around = inner.as_ref().unwrap_or(root);
        inner = Some(around.enter_or_create(Path::new(folder))?);
    }
    let folder = inner.as_ref().unwrap_or(root);
    folder.keep_permissions(Path::new(last), from, name)?;
    from.rename(name, folder, Path::new(last))
}

/// Writes all files below a folder that no other process uses.
fn write_tree(root: &Path, place: &Path, files: &[NewFile<'_>]) -> Result<(), WriteError> {
    for file in files {
        let place = place.join(file.path);
        let _commit = commit();
        let written =
            fs::create_dir_all(folder_of(&place)).and_then(|()| write(&place, file.content));
        written.map_err(|error| at(root, file, error))?;
    }
    Ok(())
}

fn at(root: &Path, file: &NewFile<'_>, error: io::Error) -> WriteError {
    WriteError::new(&root.join(file.path), error)
}

/// Writes a new file with the default mode, from which the system removes the permissions in the
/// user's mask.
fn write(place: &Path, content: &[u8]) -> io::Result<()> {
    fs::File::create_new(place)?.write_all(content)
}

/// Gives a folder the permissions and the owner of another.
fn keep_attributes(old: &Path, new: &Path) -> io::Result<()> {
    let before = fs::metadata(old)?;
    // Windows cannot open a folder as a file, and its folders have no owner to keep.
    #[cfg(unix)]
    keep_owner(&fs::File::open(new)?, &before);
    fs::set_permissions(new, before.permissions())
}

/// Exchanges two folders in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
