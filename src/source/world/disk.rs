//! The real file system and environment.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{FileKind, Staged, World};

/// The file system, standard input and environment of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Disk {
    /// Returns the arguments of the process; the first is the name of the program.
    pub fn arguments(self) -> Vec<OsString> {
        std::env::args_os().collect()
    }
}

/// The prefix of the names of temporary files.
const TEMPORARY: &str = ".inlay-";

impl World for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    /// Writes the file beside its place, to rename it later: renaming is atomic only within a file
    /// system.
    ///
    /// A link stays a link, its target is replaced. Permissions and owner are kept.
    fn stage(&self, path: &Path, content: &[u8]) -> io::Result<Box<dyn Staged + '_>> {
        let place = if path.exists() {
            fs::canonicalize(path)?
        } else {
            path.to_owned()
        };
        let before = fs::metadata(&place).ok();
        if before.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is not a regular file",
            ));
        }
        let mut file = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .tempfile_in(folder_of(&place))?;
        file.write_all(content)?;
        if let Some(metadata) = before {
            keep_owner(&file, &metadata);
            file.as_file().set_permissions(metadata.permissions())?;
        }
        file.as_file().sync_all()?;
        Ok(Box::new(StagedOnDisk { file, place }))
    }

    fn link_program(&self, place: &Path, force: bool) -> io::Result<()> {
        let program = std::env::current_exe()?;
        let folder = folder_of(place);
        fs::create_dir_all(folder)?;
        match fs::symlink_metadata(place) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(
                    io::ErrorKind::IsADirectory,
                    "a folder is there",
                ));
            }
            Ok(found) if found.is_file() && !force => {
                return Err(io::Error::new(
                    io::ErrorKind::AlreadyExists,
                    "another file is there",
                ));
            }
            _ => {}
        }
        let link = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .make_in(folder, |path| link(&program, path))?;
        link.into_temp_path()
            .persist(place)
            .map_err(|error| error.error)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        let found = fs::symlink_metadata(path)?.file_type();
        Ok(if found.is_file() {
            FileKind::File
        } else if found.is_dir() {
            FileKind::Folder
        } else if found.is_symlink() {
            if is_anonymous_pipe(path) {
                FileKind::Pipe
            } else {
                FileKind::Link
            }
        } else if is_pipe(found) {
            FileKind::Pipe
        } else {
            FileKind::Other
        })
    }

    /// Writes a temporary file beside the place and renames it, so that a link there is replaced
    /// and not followed.
    fn create(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(PRIVATE));
        let mut temporary = builder.tempfile_in(folder_of(path))?;
        temporary.write_all(content)?;
        temporary.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, PRIVATE);
        builder.recursive(true).create(path)
    }

    fn empty_folder(&self, path: &Path) -> io::Result<()> {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?
            } else {
                fs::remove_file(entry.path())?
            }
        }
        Ok(())
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let mut paths = fs::read_dir(path)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<_>>>()?;
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

    fn variables(&self) -> Vec<(String, Option<String>)> {
        let variables = std::env::vars_os();
        let named = variables
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok())));
        let mut named: Vec<(String, Option<String>)> = named.collect();
        named.sort();
        named
    }
}

/// A temporary file beside its place.
struct StagedOnDisk {
    file: NamedTempFile,
    place: PathBuf,
}

impl Staged for StagedOnDisk {
    fn commit(self: Box<Self>) -> io::Result<()> {
        self.file
            .persist(&self.place)
            .map(drop)
            .map_err(|error| error.error)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Gives a new file the owner of the old one, if this process may. Otherwise an edit by an
/// administrator would take the file away from its user.
#[cfg(unix)]
fn keep_owner(file: &NamedTempFile, before: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owned = file
        .as_file()
        .metadata()
        .is_ok_and(|now| (now.uid(), now.gid()) == (before.uid(), before.gid()));
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

/// Read, write and run for the user, nothing for others. ytt creates files and folders with the
/// same mode.
#[cfg(unix)]
const PRIVATE: u32 = 0o700;

/// Returns true for a link that Linux shows for an open pipe, as in `<(command)`. It leads to no
/// file, so it cannot be followed by name.
fn is_anonymous_pipe(link: &Path) -> bool {
    fs::canonicalize(link).is_err()
        && fs::metadata(link).is_ok_and(|target| is_pipe(target.file_type()))
}

#[cfg(unix)]
fn is_pipe(found: fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found)
}

#[cfg(not(unix))]
fn is_pipe(_found: fs::FileType) -> bool {
    false
}
