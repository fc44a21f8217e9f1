//! Waiting for files to change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::EventKind;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use crate::source::world::names::TEMPORARY;
use crate::source::world::watched_places::WatchedPlaces;

/// A build begins when nothing has changed for this long: programs write a file in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// A build begins at the latest this long after the first change.
const LATEST: Duration = Duration::from_millis(500);

/// Watches folders. A file that is replaced by renaming, as editors do, is a change of its folder.
pub struct FileWatcher {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    folders: BTreeSet<PathBuf>,
    places: WatchedPlaces,
}

impl FileWatcher {
    /// Starts to watch nothing.
    ///
    /// # Errors
    /// What the system says, such as too many watchers.
    pub fn new() -> Result<FileWatcher, String> {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(sender).map_err(|error| error.to_string())?;
        Ok(FileWatcher {
            watcher,
            events,
            folders: BTreeSet::new(),
            places: WatchedPlaces::default(),
        })
    }

    /// Watches these places, and no longer those before.
    ///
    /// # Errors
    /// What the system says about a folder that exists.
    pub fn watch(&mut self, places: WatchedPlaces) -> Result<(), String> {
        let wanted = places.parents();
        for folder in self.folders.difference(&wanted) {
            // A folder that was deleted is no longer watched anyway.
            let _ = self.watcher.unwatch(folder);
        }
        let mut watched = BTreeSet::new();
        for folder in wanted {
            if !self.folders.contains(&folder) && folder.is_dir() {
                let added = self.watcher.watch(&folder, RecursiveMode::NonRecursive);
                added.map_err(|error| format!("{}: {error}", folder.display()))?;
            }
            watched.insert(folder);
        }
        self.folders = watched;
        self.places = places;
        Ok(())
    }

    /// Waits until a watched place changes and the changes have come to an end, and returns what
    /// changed.
    ///
    /// # Errors
    /// The system does not watch any more.
    pub fn wait(&self) -> Result<BTreeSet<PathBuf>, String> {
        let mut changed = BTreeSet::new();
        let mut first: Option<Instant> = None;
        loop {
            let event = match first {
                None => self.events.recv().map_err(|error| error.to_string())?,
                Some(first) => {
                    let left = LATEST.saturating_sub(first.elapsed()).min(QUIET);
                    match self.events.recv_timeout(left) {
                        Ok(event) => event,
                        Err(RecvTimeoutError::Timeout) => return Ok(changed),
                        Err(error) => return Err(error.to_string()),
                    }
                }
            };
            let event = event.map_err(|error| error.to_string())?;
            if event.need_rescan() {
                // The system has lost changes, so anything may have changed.
                changed.extend(self.folders.iter().cloned());
            }
            // Reading a file is not a change, and this program reads all of them.
            if matches!(event.kind, EventKind::Access(_)) {
                continue;
            }
            changed.extend(
                event
                    .paths
                    .into_iter()
                    .filter(|path| self.is_of_interest(path)),
            );
            if !changed.is_empty() && first.is_none() {
                first = Some(Instant::now());
            }
        }
    }

    fn is_of_interest(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(TEMPORARY) || name == ".git" {
            return false;
        }
        self.places.contain(path)
    }
}
