//! Folders that stay the same while they are used.
//!
//! Every system call resolves a path again. Between a check and a use, another process can replace
//! a part of it by a link. So a folder is opened once, without following links, and the files in it
//! are opened by their names relative to it:
//!
//! ```text
//! checked    /home/me/app/deploy/cm.yaml
//! replaced   /home/me/app/deploy -> /home/me/.ssh
//! opened     an error: `deploy` has become a link
//! ```

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fd::OwnedFd;
use rustix::fs::{Access, AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, RawMode};

/// The flags for opening any file. `NONBLOCK` is needed because opening a pipe without a writer
/// would never return, and the kind of a file is known only after opening it.
const OPEN: OFlags = OFlags::CLOEXEC
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY);

/// The time after which a caller learns that it waits for a locked folder.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two attempts to lock a folder until then. Other runs of Inlay lock a folder for
/// a few milliseconds.
const PERIOD: Duration = Duration::from_millis(2);

/// An open folder.
pub(super) struct OpenFolder(OwnedFd);

impl OpenFolder {
    /// Opens a folder by its canonical path.
    ///
    /// # Errors
    /// The error of the operating system; also if a part of the path has become a link.
    pub(super) fn open(real: &Path) -> io::Result<OpenFolder> {
        let flags = OPEN | OFlags::DIRECTORY | OFlags::RDONLY;
        let mut folder = OpenFolder(rustix::fs::openat(CWD, "/", flags, Mode::empty())?);
        for part in real.components() {
            match part {
                Component::RootDir => {}
                Component::Normal(_) => folder = folder.enter(part.as_ref())?,
                _ => return Err(io::ErrorKind::InvalidInput.into()),
            }
        }
        Ok(folder)
    }

    /// Opens a folder in this folder.
    ///
    /// # Errors
    /// As for [`open`](OpenFolder::open).
    pub(super) fn enter(&self, name: &Path) -> io::Result<OpenFolder> {
        let flags = OPEN | OFlags::DIRECTORY;
        // Folders that may be passed but not listed are opened for passing only.
        #[cfg(target_os = "linux")]
        let flags = flags | OFlags::PATH;
        Ok(OpenFolder(rustix::fs::openat(
            &self.0,
            name,
            flags,
            Mode::empty(),
        )?))
    }

    /// Opens a folder in this folder, and creates it if it is missing.
    ///
    /// # Errors
    /// As for [`open`](OpenFolder::open).
    pub(super) fn enter_or_create(&self, name: &Path) -> io::Result<OpenFolder> {
        // The system removes the permissions in the user's mask from this mode.
        match rustix::fs::mkdirat(&self.0, name, Mode::RWXU | Mode::RWXG | Mode::RWXO) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => self.enter(name),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until no other process has locked the folder, and locks it until it is closed. Calls
    /// `on_wait` if that takes longer than a moment.
    ///
    /// Folders of file systems without locks are not locked. The other checks still apply there.
    ///
    /// # Errors
    /// The error of `on_wait`.
    pub(super) fn lock(&self, on_wait: &dyn Fn() -> io::Result<()>) -> io::Result<Option<OwnedFd>> {
        let flags = OFlags::CLOEXEC | OFlags::DIRECTORY | OFlags::RDONLY;
        // A descriptor that was opened only for passing cannot be locked, so the folder is opened
        // again.
        let Ok(folder) = rustix::fs::openat(&self.0, ".", flags, Mode::empty()) else {
            return Ok(None);
        };
        let lock = |operation| rustix::io::retry_on_intr(|| rustix::fs::flock(&folder, operation));
        let start = Instant::now();
        let mut locked = lock(FlockOperation::NonBlockingLockExclusive);
        while locked == Err(rustix::io::Errno::WOULDBLOCK) && start.elapsed() < PATIENCE {
            thread::sleep(PERIOD);
            locked = lock(FlockOperation::NonBlockingLockExclusive);
        }
        if locked == Err(rustix::io::Errno::WOULDBLOCK) {
            on_wait()?;
            locked = lock(FlockOperation::LockExclusive);
        }
        Ok(locked.is_ok().then_some(folder))
    }

    /// Opens a regular file in the folder for reading.
    ///
    /// # Errors
    /// The error of the operating system; also if it is a link or not a regular file.
    pub(super) fn file(&self, name: &Path) -> io::Result<File> {
        let file = rustix::fs::openat(&self.0, name, OPEN | OFlags::RDONLY, Mode::empty())?;
        Ok(regular(File::from(file))?.0)
    }

    /// Creates a new file in the folder.
    ///
    /// # Errors
    /// The error of the operating system.
    pub(super) fn create(&self, name: &Path, mode: u32) -> io::Result<File> {
        let flags = OPEN | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let mode = Mode::from_raw_mode(mode as RawMode);
        Ok(File::from(rustix::fs::openat(&self.0, name, flags, mode)?))
    }

    /// Checks that files can be added to the folder and removed from it.
    ///
    /// # Errors
    /// The error of the operating system.
    pub(super) fn check_can_change(&self) -> io::Result<()> {
        let access = Access::WRITE_OK | Access::EXEC_OK;
        Ok(rustix::fs::accessat(
            &self.0,
            ".",
            access,
            AtFlags::empty(),
        )?)
    }

    /// Returns whether there is a folder `name` in the folder. Links are not followed.
    ///
    /// # Errors
    /// The error of the operating system.
    pub(super) fn has_folder(&self, name: &Path) -> io::Result<bool> {
        match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) => Ok(FileType::from_raw_mode(found.st_mode).is_dir()),
            Err(rustix::io::Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
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
        let before = match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(before) => before,
            Err(rustix::io::Errno::NOENT) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        // Anything that is not a file is replaced, or refused by the rename.
        if !FileType::from_raw_mode(before.st_mode).is_file() {
            return Ok(());
        }
        let mode = Mode::from_raw_mode(before.st_mode);
        Ok(rustix::fs::fchmod(from.file(new)?, mode)?)
    }

    /// Renames a file or folder to `name` in the folder `to`, and replaces a file there.
    ///
    /// # Errors
    /// The error of the operating system.
    pub(super) fn rename(&self, from: &Path, to: &OpenFolder, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &to.0, name)?)
    }
}

/// Reads a regular file by its canonical path.
///
/// # Errors
/// The error of the operating system; also if a part of the path has become a link, or there is no
/// regular file.
pub(super) fn read(real: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (file, size) = open_file(real)?;
    // With enough capacity, the whole file is read at once. One more byte detects its end.
    let room = size.min(limit).saturating_add(1);
    let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or_default());
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(target_os = "linux")]
fn open_file(real: &Path) -> io::Result<(File, u64)> {
    use rustix::fs::ResolveFlags;
    use rustix::io::Errno;
    let flags = OPEN | OFlags::RDONLY;
    match rustix::fs::openat2(CWD, real, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        Ok(file) => regular(File::from(file)),
        // Linux before 5.6, and sandboxes that do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => open_stepwise(real),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn open_file(real: &Path) -> io::Result<(File, u64)> {
    open_stepwise(real)
}

fn open_stepwise(real: &Path) -> io::Result<(File, u64)> {
    match (real.parent(), real.file_name()) {
        (Some(folder), Some(name)) => regular(OpenFolder::open(folder)?.file(Path::new(name))?),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// Returns a file and its size.
fn regular(file: File) -> io::Result<(File, u64)> {
    let found = file.metadata()?;
    if found.is_file() {
        Ok((file, found.len()))
    } else {
        Err(super::not_a_file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn opens_nothing_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(root.join("secret")).unwrap();
        fs::write(root.join("secret/key"), "private").unwrap();
        symlink(root.join("secret"), root.join("folder")).unwrap();
        symlink(root.join("secret/key"), root.join("key")).unwrap();
        for open in [open_file, open_stepwise] {
            assert!(open(&root.join("secret/key")).is_ok());
            assert!(open(&root.join("folder/key")).is_err());
            assert!(open(&root.join("key")).is_err());
            assert!(open(&root.join("secret")).is_err(), "a folder is no file");
            assert!(open(Path::new("/dev/null")).is_err(), "a device is no file");
        }
        assert!(OpenFolder::open(&root.join("folder")).is_err());
    }
}
