//! The real file system and environment.

#[cfg(not(unix))]
#[path = "folder_by_path.rs"]
mod open_folder;
#[cfg(unix)]
mod open_folder;
mod output;
mod program;
mod replace;
mod temporary;
mod users;
mod watcher;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub(in crate::source) use self::temporary::remove_all as remove_temporaries;
pub use self::watcher::FileWatcher;
use super::{
    FileKind, FileStamp, NewFile, OnWait, OtherFiles, ProgramCall, ProgramOutput, Replaced,
    Replacement, SIZE_LIMIT, TEMPORARY, World, WriteError, folder_of,
};

/// The file system, standard input and environment of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Disk {
    /// Returns the arguments of the process; the first is the name of the program.
    pub fn arguments(self) -> Vec<OsString> {
        std::env::args_os().collect()
    }
}

impl World for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let kind = fs::metadata(path)?.file_type();
        if !kind.is_file() && !kind.is_dir() && !is_pipe(kind) {
            return Err(not_a_file());
        }
        // Read one byte more than the limit, so that a larger file is refused and not truncated.
        let mut bytes = Vec::new();
        File::open(path)?
            .take(SIZE_LIMIT + 1)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        open_folder::read(real, SIZE_LIMIT + 1)
    }

    fn read_start(&self, real: &Path, most: usize) -> io::Result<Vec<u8>> {
        open_folder::read(real, most as u64)
    }

    fn replace(
        &self,
        files: &[Replacement<'_>],
        on_wait: OnWait<'_>,
    ) -> Result<Replaced, WriteError> {
        replace::replace(files, on_wait)
    }

    fn create(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        output::create_file(path, content)
    }

    fn write_folder(
        &self,
        root: &Path,
        files: &[NewFile<'_>],
        others: OtherFiles,
    ) -> Result<(), WriteError> {
        output::write_folder(root, files, others)
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
            Ok(found) if !found.is_symlink() && !force => {
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

    fn stamp(&self, real: &Path) -> Option<FileStamp> {
        let found = fs::symlink_metadata(real).ok()?;
        found.is_file().then(|| stamp(&found))
    }

    fn is_mount_point(&self, real: &Path) -> bool {
        is_mount_point(real)
    }

    fn homes(&self) -> Vec<PathBuf> {
        users::homes()
    }

    fn run_program(&self, call: &ProgramCall<'_>) -> io::Result<ProgramOutput> {
        super::program::run(call)
    }

    fn own_program(&self) -> io::Result<PathBuf> {
        std::env::current_exe()
    }

    fn find_program(&self, name: &str) -> Option<PathBuf> {
        program::find(name)
    }

    fn ask_program(&self, program: &Path, arguments: &[&str]) -> io::Result<String> {
        program::ask(program, arguments)
    }

    fn temporary_folder(&self, prefix: &str) -> io::Result<TempDir> {
        tempfile::Builder::new().prefix(prefix).tempdir()
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let input = io::stdin().lock();
        input.take(SIZE_LIMIT + 1).read_to_end(&mut bytes)?;
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

/// Returns the error for a file that has no end, or changes when it is read.
fn not_a_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

/// Gives a new file the owner of the old one, if this process may do so. Otherwise an edit by an
/// administrator would make the administrator the owner.
#[cfg(unix)]
fn keep_owner(file: &File, before: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owned = file
        .metadata()
        .is_ok_and(|now| (now.uid(), now.gid()) == (before.uid(), before.gid()));
    if !owned {
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _before: &fs::Metadata) {}

fn stamp(found: &fs::Metadata) -> FileStamp {
    FileStamp {
        size: found.len(),
        modified: found.modified().ok(),
        identity: identity(found),
    }
}

#[cfg(unix)]
fn identity(found: &fs::Metadata) -> [i128; 4] {
    use std::os::unix::fs::MetadataExt;
    [
        found.dev().into(),
        found.ino().into(),
        found.ctime().into(),
        found.ctime_nsec().into(),
    ]
}

#[cfg(not(unix))]
fn identity(_found: &fs::Metadata) -> [i128; 4] {
    [0; 4]
}

/// Returns whether a path is the root of a file system. On Linux this includes a folder that is
/// bound to another place of the same file system.
#[cfg(unix)]
fn is_mount_point(real: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        if let Ok(found) = statx(CWD, real, flags, StatxFlags::BASIC_STATS)
            && found
                .stx_attributes_mask
                .contains(StatxAttributes::MOUNT_ROOT)
        {
            return found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT);
        }
    }
    let device = |path: &Path| fs::metadata(path).map(|found| found.dev()).ok();
    real.parent()
        .is_none_or(|around| device(around) != device(real))
}

#[cfg(not(unix))]
fn is_mount_point(real: &Path) -> bool {
    real.parent().is_none()
}

#[cfg(unix)]
fn link(program: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(program, place)
}

#[cfg(not(unix))]
fn link(program: &Path, place: &Path) -> io::Result<()> {
    fs::copy(program, place).map(drop)
}

/// The mode that allows only the user to read and write. The file gets other permissions later.
const PRIVATE_FILE: u32 = 0o600;

/// Returns whether a path is a link that Linux shows for an open pipe, as in `<(command)`. Its
/// target is not a file, so it cannot be followed by name.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::KeptFiles;

    #[test]
    fn a_file_that_is_kept_is_read_again_after_it_changed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = fs::canonicalize(folder.path()).unwrap();
        let place = folder.join("a.yml");
        let world = KeptFiles::new(&Disk);
        let read = || String::from_utf8(World::read_regular(&world, &place).unwrap()).unwrap();
        fs::write(&place, "a: 1").unwrap();
        assert_eq!((read(), read()), ("a: 1".to_owned(), "a: 1".to_owned()));
        fs::write(&place, "a: 10").unwrap();
        assert_eq!(read(), "a: 10");
        // Replaced by renaming, as editors do, with a text of the same length.
        fs::write(folder.join("new"), "a: 20").unwrap();
        fs::rename(folder.join("new"), &place).unwrap();
        assert_eq!(read(), "a: 20");
        // Files that the watcher reports are read again.
        world.forget(&[folder.clone()].into());
        assert_eq!(read(), "a: 20");
    }
}
