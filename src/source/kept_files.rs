//! A world that keeps files in memory from one run of a command to the next, for `--watch`.
//!
//! ```text
//! run 1    a.yml read    b.yml read
//!          b.yml changes
//! run 2    a.yml kept    b.yml read
//! ```
//!
//! Invariant: a file is kept only as long as its stamp is the same and the watcher has not reported
//! a change. Each of them finds changes that the other may miss: two changes within a tick of the
//! clock, and a change on a file system that reports none.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::world::{FileStamp, World, WorldLayer};

/// Another world, and the files that were read from it.
pub struct KeptFiles<'w> {
    world: &'w dyn World,
    files: Mutex<HashMap<PathBuf, KeptFile>>,
}

struct KeptFile {
    stamp: FileStamp,
    bytes: Vec<u8>,
}

impl<'w> KeptFiles<'w> {
    /// Creates a world without kept files.
    pub fn new(world: &'w dyn World) -> KeptFiles<'w> {
        KeptFiles {
            world,
            files: Mutex::default(),
        }
    }

    /// Forgets files that changed, and all files in folders that changed.
    pub fn forget(&self, changed: &BTreeSet<PathBuf>) {
        let mut files = self.lock();
        files.retain(|kept, _| {
            let mut around = kept.ancestors();
            !around.any(|place| changed.contains(place))
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, KeptFile>> {
        // A thread that panicked while it added a file either added it or did not.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WorldLayer for KeptFiles<'_> {
    fn beneath(&self) -> &dyn World {
        self.world
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        let Some(stamp) = self.world.stamp(real) else {
            return self.world.read_regular(real);
        };
        if let Some(kept) = self.lock().get(real)
            && kept.stamp == stamp
        {
            return Ok(kept.bytes.clone());
        }
        // The stamp was read before the bytes, so a change in between makes the stamp outdated, not
        // the bytes.
        let bytes = self.world.read_regular(real)?;
        let kept = KeptFile {
            stamp,
            bytes: bytes.clone(),
        };
        self.lock().insert(real.to_owned(), kept);
        Ok(bytes)
    }
}
