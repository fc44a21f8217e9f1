//! Temporary files and folders. Only `kill -9` of the process leaves them behind.
//!
//! They contain what is about to be written, Secrets included. Rust removes them when a value is
//! dropped, but a signal ends a process without dropping anything. So their paths are in a list,
//! and a thread that waits for signals removes what is in it. The thread runs only in a process
//! that has written a temporary file.
//!
//! Renaming them to their places is one step for the outside: while [`commit`] waits, no signal
//! ends the process.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use crate::source::world::TEMPORARY;

/// What is removed when the process ends early.
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A path that is removed, with everything below it, when this is dropped.
pub(super) struct Temporary {
    path: PathBuf,
    is_kept: bool,
}

impl Temporary {
    /// Chooses a name in `folder` that is not in use, and creates a file or a folder there with
    /// `create`.
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
            // A signal waits until both are done: otherwise it could remove what does not exist
            // yet.
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
            // A signal waits: two threads that remove one folder would disturb each other.
            let mut temporaries = locked();
            remove(&self.path);
            temporaries.remove(&self.path);
        }
    }
}

/// While it exists, no signal ends the process.
pub(super) struct Commit(MutexGuard<'static, BTreeSet<PathBuf>>);

/// Begins to move temporary files to their places, or to create one below a temporary folder: what
/// is created while a signal removes the folder would stay.
pub(super) fn commit() -> Commit {
    Commit(locked())
}

impl Commit {
    /// Forgets a temporary path, whose file was moved to its place.
    pub(super) fn keep(&mut self, temporary: &mut Temporary) {
        self.0.remove(&temporary.path);
        temporary.is_kept = true;
    }
}

/// Removes all temporary files and folders of the process, which is about to end.
pub(in crate::source) fn remove_all() {
    // It may end because of a bug in the code that has locked the list.
    if let Ok(temporaries) = TEMPORARIES.try_lock() {
        temporaries.iter().for_each(|path| remove(path));
    }
}

fn locked() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove(path: &Path) {
    // Nothing more can be done about a temporary file that cannot be removed.
    let _ = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    };
}

/// Starts the thread that waits for signals, once.
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

    /// The signals that callers end a process with: terminals, `kill`, `timeout -s` and `ulimit -t`.
    const ENDING: [i32; 8] = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU,
    ];

    /// Waits for the signals that end a process, in a separate thread.
    pub(super) fn watch() {
        let ignored = ignored_signals();
        let mut wanted = ENDING.to_vec();
        // `nohup` ignores SIGHUP, and a shell ignores SIGINT for `command &`. That stays so.
        wanted.retain(|signal| ignored & (1 << (signal - 1)) == 0);
        // `ulimit -f`: with a handler, the write fails instead, and the error is reported.
        wanted.push(SIGXFSZ);
        let Ok(mut signals) = Signals::new(wanted) else {
            return;
        };
        let waiting = std::thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                if signal == SIGXFSZ {
                    continue;
                }
                // The lock is not released: nothing may be moved to its place any more.
                let temporaries = locked();
                temporaries.iter().for_each(|path| remove(path));
                // The caller sees that a signal ended the process.
                let _ = emulate_default_handler(signal);
            }
        });
        // Without the thread, a signal ends the process as usual.
        drop(waiting);
    }

    /// Returns the signals that the caller decided to ignore, as a set of bits. Other systems than
    /// Linux do not say it.
    fn ignored_signals() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok())
            .unwrap_or_default()
    }
}

#[cfg(not(unix))]
mod signals {
    /// Windows ends a process without a signal that could be waited for.
    pub(super) fn watch() {}
}
