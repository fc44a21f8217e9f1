//! Replaces files by new contents: all of them or none.
//!
//! ```text
//! stage     write .inlay-x1, .inlay-x2 next to the files, complete and on disk
//! lock      the folders, so that another `inlay` waits
//! compare   each file is still what was read; otherwise another writer's edit would be lost
//! rename    .inlay-x1 -> a.yaml, .inlay-x2 -> b.yaml; no signal ends the process here
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use super::open_folder::OpenFolder;
use super::temporary::{Commit, Temporary, commit};
use super::{PRIVATE_FILE, keep_owner};
use crate::source::world::{OnWait, Replaced, Replacement, WriteError, folder_of};

/// A new file next to its target.
struct Staged<'r> {
    new: Temporary,
    replacement: &'r Replacement<'r>,
    links: u64,
}

/// Replaces files. See [`World::replace`](crate::source::world::World::replace).
pub(super) fn replace(
    replacements: &[Replacement<'_>],
    on_wait: OnWait<'_>,
) -> Result<Replaced, WriteError> {
    let mut folders = BTreeMap::new();
    let mut staged = Vec::with_capacity(replacements.len());
    for replacement in replacements {
        let folder = folder_of(replacement.place);
        let failed = |error| WriteError::new(replacement.place, error);
        if !folders.contains_key(folder) {
            folders.insert(folder, OpenFolder::open(folder).map_err(failed)?);
        }
        staged.push(stage(&folders[folder], replacement).map_err(failed)?);
    }
    // In the order of their paths, so that two processes never wait for each other.
    let mut locks = Vec::with_capacity(folders.len());
    for (path, folder) in &folders {
        let locked = folder.lock(&|| on_wait(path));
        locks.push(locked.map_err(|error| WriteError::new(path, error))?);
    }
    let mut commit = commit();
    for file in &staged {
        let place = file.replacement.place;
        is_unchanged(&folders[folder_of(place)], file.replacement)
            .map_err(|error| WriteError::new(place, error))?;
    }
    let mut replaced = Replaced::default();
    for file in &mut staged {
        let place = file.replacement.place;
        rename(&folders[folder_of(place)], file, &mut commit)
            .map_err(|error| WriteError::new(place, error))?;
        if file.links > 1 {
            replaced.separated.push(place.to_owned());
        }
    }
    drop(locks);
    Ok(replaced)
}

fn stage<'r>(folder: &OpenFolder, replacement: &'r Replacement<'r>) -> io::Result<Staged<'r>> {
    let place = replacement.place;
    let before = folder.file(name_of(place))?.metadata()?;
    let (new, mut file) = Temporary::new(folder_of(place), |path| {
        folder.create(name_of(path), PRIVATE_FILE)
    })?;
    file.write_all(replacement.after)?;
    keep_owner(&file, &before);
    file.set_permissions(before.permissions())?;
    file.sync_all()?;
    Ok(Staged {
        new,
        replacement,
        links: links(&before),
    })
}

/// Checks that the file still has the content that was read.
fn is_unchanged(folder: &OpenFolder, replacement: &Replacement<'_>) -> io::Result<()> {
    let mut now = Vec::with_capacity(replacement.before.len() + 1);
    folder
        .file(name_of(replacement.place))?
        .take(replacement.before.len() as u64 + 1)
        .read_to_end(&mut now)?;
    if now == replacement.before {
        Ok(())
    } else {
        Err(io::Error::other("another program has changed it meanwhile"))
    }
}

fn rename(folder: &OpenFolder, file: &mut Staged<'_>, commit: &mut Commit) -> io::Result<()> {
    let place = name_of(file.replacement.place);
    folder.rename(name_of(file.new.path()), folder, place)?;
    commit.keep(&mut file.new);
    Ok(())
}

fn name_of(path: &Path) -> &Path {
    path.file_name().map_or(path, Path::new)
}

#[cfg(unix)]
fn links(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn links(_: &fs::Metadata) -> u64 {
    1
}
