//! Temporary files and folders. They are left after only if the process is killed by `kill -9`.
//!
//! They contain the new content of files, including Secrets. Rust removes them when a value is
//! dropped, but a signal ends a process without dropping anything. So there is a list of their
//! paths, and a thread that waits for signals removes the files in it. The thread runs only in a
//! process that has created a temporary file.
//!
//! Renaming several files to their places is a single step as seen from outside: while a [`commit`]
//! exists, no signal ends the process.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use crate::source::world::TEMPORARY;

/// The paths to remove when the process ends early.
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A path that is removed, with everything below it, when this value is dropped.
pub(super) struct Temporary {
    path: PathBuf,
    is_kept: bool,
}

impl Temporary {
    /// Chooses an unused name in `folder`, and creates a file or a folder there with `create`.
    ///
    /// # Errors
    /// The error of `create`.
    pub(super) fn new<R>(
        folder: &Path,
        mut create: impl FnMut(&Path) -> io::Result<R>,
    ) -> io::Result<(Temporary, R)> {
        watch_signals();
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY).disable_cleanup(true);
        let made = builder.make_in(folder, |path| {
            // A signal waits until both steps are done. Otherwise it could try to remove a file
            // that does not exist yet.
            let mut temporaries = locked();
            temporaries.insert(path.to_owned());
            create(path).inspect_err(|_| {
                temporaries.remove(path);
            })
        })?;
        let (created, path) = made.into_parts();
        let path = path.to_path_buf();
        let is_kept = false;
        Ok((Temporary { path, is_kept }, created))
    }

    /// Returns the path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_kept {
            // A signal waits, because two threads that remove the same folder would disturb each
            // other.
            let mut temporaries = locked();
            remove(&self.path);
            temporaries.remove(&self.path);
        }
    }
}

/// While this value exists, no signal ends the process.
pub(super) struct Commit(MutexGuard<'static, BTreeSet<PathBuf>>);

/// Starts moving temporary files to their places, or creating a file below a temporary folder. A
/// file that was created while a signal removes the folder would stay after.
pub(super) fn commit() -> Commit {
    Commit(locked())
}

impl Commit {
    /// Forgets a temporary path whose file was moved to its place.
    pub(super) fn keep(&mut self, temporary: &mut Temporary) {
        self.0.remove(&temporary.path);
        temporary.is_kept = true;
    }
}

/// Removes all temporary files and folders of the process, which is about to end.
pub(in crate::source) fn remove_all() {
    // The process may be ending because of a bug in the code that has locked the list.
    if let Ok(temporaries) = TEMPORARIES.try_lock() {
        temporaries.iter().for_each(|path| remove(path));
    }
}

fn locked() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove(path: &Path) {
    // Ignore errors: nothing more can be done about a temporary file that cannot be removed.
    let _ = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    };
}

/// Starts the thread that waits for signals, unless it is already running.
fn watch_signals() {
    static STARTED: Once = Once::new();
    STARTED.call_once(signals::watch);
}

#[cfg(unix)]
mod signals {
    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
    };
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{locked, remove};

    /// The signals that terminals, `kill`, `timeout -s` and `ulimit -t` end a process with.
    const ENDING: [i32; 8] = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU,
    ];

    /// Waits for the signals that end a process, in a separate thread.
    pub(super) fn watch() {
        let ignored = ignored_signals();
        let mut wanted = ENDING.to_vec();
        // `nohup` ignores SIGHUP, and a shell ignores SIGINT for `command &`. These stay ignored.
        wanted.retain(|signal| ignored & (1 << (signal - 1)) == 0);
        // For `ulimit -f`: with a handler, the write fails instead, and the error is reported.
        wanted.push(SIGXFSZ);
        let Ok(mut signals) = Signals::new(wanted) else {
            return;
        };
        let waiting = std::thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                if signal == SIGXFSZ {
                    continue;
                }
                // The lock is never released: no file may be moved to its place from now on.
                let temporaries = locked();
                temporaries.iter().for_each(|path| remove(path));
                // The caller must see that a signal ended the process.
                let _ = emulate_default_handler(signal);
            }
        });
        // Without the thread, a signal ends the process as usual.
        drop(waiting);
    }

    /// Returns the signals that the caller decided to ignore, as a set of bits. Only Linux reports
    /// them.
    fn ignored_signals() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok())
            .unwrap_or_default()
    }
}

#[cfg(not(unix))]
mod signals {
    /// Does nothing: on Windows, a process is ended without a signal that a thread could wait for.
    pub(super) fn watch() {}
}
