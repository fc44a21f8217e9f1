//! Waits until files change.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use crate::source::world::names::TEMPORARY;
use crate::source::world::watched_places::WatchedPlaces;

/// The time without changes after which a build starts. Programs write a file in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// The maximum time between the first change and the start of a build.
const LATEST: Duration = Duration::from_millis(500);

/// Watches folders. If a file is replaced by renaming, as editors do, the folder changes.
///
/// The system watches the folder that it finds at a path, not the path. A folder that is deleted and
/// created again, as a checkout does, has to be watched again.
pub struct FileWatcher {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    /// The watched folders, as they were when the system was asked to watch them.
    folders: BTreeMap<PathBuf, FolderIdentity>,
    places: WatchedPlaces,
}

/// Tells a folder apart from a later one at the same path: its device and number, which a system may
/// use again, and the time when it was created.
type FolderIdentity = ([u64; 2], Option<SystemTime>);

impl FileWatcher {
    /// Creates a watcher without folders.
    ///
    /// # Errors
    /// The error of the system, such as too many watchers.
    pub fn new() -> Result<FileWatcher, String> {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(sender).map_err(|error| error.to_string())?;
        Ok(FileWatcher {
            watcher,
            events,
            folders: BTreeMap::new(),
            places: WatchedPlaces::default(),
        })
    }

    /// Watches these places instead of the previous ones. Returns whether any of their folders was
    /// not watched before, so that earlier changes in it were missed.
    ///
    /// # Errors
    /// The error of the system about a folder that exists.
    pub fn watch(&mut self, places: WatchedPlaces) -> Result<bool, String> {
        let parents = places.parents();
        let wanted = existing_folders(&parents);
        for folder in self.folders.keys() {
            if !wanted.contains_key(folder) {
                // A folder that was deleted is no longer watched anyway.
                let _ = self.watcher.unwatch(folder);
            }
        }
        let mut has_new = false;
        for (folder, identity) in &wanted {
            if self.folders.get(folder) != Some(identity) {
                let added = self.watcher.watch(folder, RecursiveMode::NonRecursive);
                // A folder around a missing one may be closed to this user.
                if let Err(error) = added
                    && parents.contains(folder)
                {
                    return Err(format!("{}: {error}", folder.display()));
                }
                has_new = true;
            }
        }
        self.folders = wanted;
        self.places = places;
        Ok(has_new)
    }

    /// Waits until a watched place changes and no further changes follow, and returns the changed
    /// paths.
    ///
    /// # Errors
    /// The error if the system has stopped watching.
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
                // The system has dropped changes, so anything may have changed.
                changed.extend(self.folders.keys().cloned());
            }
            // Reading a file is not a change, and this program reads all of them.
            if matches!(event.kind, EventKind::Access(_)) {
                continue;
            }
            let is_content = is_of_content(event.kind);
            changed.extend(
                event
                    .paths
                    .into_iter()
                    .filter(|path| self.is_of_interest(path, is_content)),
            );
            if !changed.is_empty() && first.is_none() {
                first = Some(Instant::now());
            }
        }
    }

    /// Returns whether a change of this path can change the result. `is_content` is set if only the
    /// content or the attributes of a file changed.
    fn is_of_interest(&self, path: &Path, is_content: bool) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(TEMPORARY) || name == ".git" {
            return false;
        }
        match is_content {
            true => self.places.contain_content(path),
            false => self.places.contain(path),
        }
    }
}

/// Returns whether an event is about the content or the attributes of a file, so that the folder
/// around it still contains the same names.
fn is_of_content(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_))
    )
}

/// Returns the folders to watch with their identities. A folder that does not exist is replaced by
/// the nearest existing one around it, in which a part of the path may be created.
fn existing_folders(wanted: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, FolderIdentity> {
    let mut existing = BTreeMap::new();
    for parent in wanted {
        let found = parent
            .ancestors()
            .find_map(|folder| Some((folder, folder_identity(folder)?)));
        if let Some((folder, identity)) = found {
            existing.insert(folder.to_owned(), identity);
        }
    }
    existing
}

/// Returns the identity of a folder; `None` if there is no folder at the path.
fn folder_identity(path: &Path) -> Option<FolderIdentity> {
    let found = fs::metadata(path).ok().filter(fs::Metadata::is_dir)?;
    Some((folder_number(&found), found.created().ok()))
}

/// Returns the device and the number of a folder; zero on systems without them.
#[cfg(unix)]
fn folder_number(found: &fs::Metadata) -> [u64; 2] {
    use std::os::unix::fs::MetadataExt;
    [found.dev(), found.ino()]
}

#[cfg(not(unix))]
fn folder_number(_found: &fs::Metadata) -> [u64; 2] {
    [0; 2]
}
