//! The real world.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{Staged, World};

/// The file system, standard input and environment of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Disk {
    /// What was typed, the name of the program first.
    pub fn arguments(self) -> Vec<OsString> {
        std::env::args_os().collect()
    }
}

/// How the names of temporary files begin.
const TEMPORARY: &str = ".inlay-";

impl World for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    /// The file is written beside its place and renamed. A link stays a link: its target is replaced. Permissions and
    /// owner stay.
    fn stage(&self, path: &Path, content: &[u8]) -> io::Result<Box<dyn Staged + '_>> {
        let place = if path.exists() { fs::canonicalize(path)? } else { path.to_owned() };
        let before = fs::metadata(&place).ok();
        if before.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder_of(&place))?;
        file.write_all(content)?;
        if let Some(metadata) = before {
            keep_owner(&file, &metadata);
            file.as_file().set_permissions(metadata.permissions())?;
        }
        file.as_file().sync_all()?;
        Ok(Box::new(StagedFile { file, place }))
    }

    fn link_program(&self, place: &Path, force: bool) -> io::Result<()> {
        let program = std::env::current_exe()?;
        let folder = folder_of(place);
        fs::create_dir_all(folder)?;
        match fs::symlink_metadata(place) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder is there"));
            }
            Ok(found) if found.is_file() && !force => {
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, "another file is there"));
            }
            _ => {}
        }
        let link = tempfile::Builder::new().prefix(TEMPORARY).make_in(folder, |path| link(&program, path))?;
        link.into_temp_path().persist(place).map_err(|error| error.error)
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let mut paths =
            fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        Ok(paths)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// A temporary file beside its place.
struct StagedFile {
    file: NamedTempFile,
    place: PathBuf,
}

impl Staged for StagedFile {
    fn commit(self: Box<Self>) -> io::Result<()> {
        self.file.persist(&self.place).map(drop).map_err(|error| error.error)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Gives a new file the owner of the old one, where this process may: an administrator's edit takes no file away from
/// its user.
#[cfg(unix)]
fn keep_owner(file: &NamedTempFile, before: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owned = file.as_file().metadata().is_ok_and(|now| (now.uid(), now.gid()) == (before.uid(), before.gid()));
    if !owned {
        let _ = fchown(file.as_file(), Some(before.uid()), Some(before.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_file: &NamedTempFile, _before: &fs::Metadata) {}

#[cfg(unix)]
fn link(program: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(program, place)
}

#[cfg(not(unix))]
fn link(program: &Path, place: &Path) -> io::Result<()> {
    fs::copy(program, place).map(drop)
}
