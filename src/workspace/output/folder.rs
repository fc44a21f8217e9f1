//! An output folder. Everything is written below it, and folders with content that matters are not
//! emptied.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::print::OutputFile;
use crate::source::world::{FileKind, World, reason};
use crate::source::{Code, Diagnostic, Result};
use crate::workspace::file::InputFile;

/// A folder that files are written to.
pub struct OutputFolder<'w> {
    world: &'w dyn World,
    root: PathBuf,
    /// The folders below the root that exist, without a link on the way.
    checked: RefCell<BTreeSet<PathBuf>>,
}

impl<'w> OutputFolder<'w> {
    /// Opens the folder at `path`, and creates it if it is missing. Its content is kept.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn kept(world: &'w dyn World, path: &str) -> Result<OutputFolder<'w>> {
        let root = clean(path);
        world
            .make_folder(&root)
            .map_err(|error| failed("create the folder", &root, &error))?;
        Ok(OutputFolder {
            world,
            root,
            checked: RefCell::default(),
        })
    }

    /// Opens the folder at `path`, and empties it.
    ///
    /// # Errors
    /// The folder is the root of the file system or contains the working folder, the user's home or
    /// one of `inputs`; or it cannot be emptied or created.
    pub fn emptied(
        world: &'w dyn World,
        path: &str,
        inputs: &[InputFile],
    ) -> Result<OutputFolder<'w>> {
        if path.is_empty() {
            let message = "expected an output folder, found an empty path";
            return Err(Diagnostic::error(Code::Output, message));
        }
        let root = clean(path);
        match world.canonical(&root) {
            // The real path decides, because the folder may be a link to something that matters.
            Ok(real) => {
                check_may_be_emptied(world, &root, &real, inputs)?;
                world
                    .empty_folder(&root)
                    .map_err(|error| failed("empty the folder", &root, &error))?;
            }
            // A folder that does not exist is empty.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed("empty the folder", &root, &error)),
        }
        OutputFolder::kept(world, path)
    }

    /// Writes a file, and returns its path.
    ///
    /// # Errors
    /// The file cannot be written, or a link in the folder would lead out of it.
    pub fn write(&self, file: &OutputFile) -> Result<PathBuf> {
        let mut place = self.root.clone();
        for folder in file.path.folders() {
            place.push(folder);
            self.create_folder(&place)?;
        }
        place.push(file.path.name());
        self.world
            .create(&place, &file.content)
            .map_err(|error| failed("write", &place, &error))?;
        Ok(place)
    }

    /// Creates a folder below the root, unless it exists.
    fn create_folder(&self, place: &Path) -> Result<()> {
        // A system call for each folder of each file would dominate the time of writing thousands
        // of files.
        if self.checked.borrow().contains(place) {
            return Ok(());
        }
        match self.world.kind(place) {
            Ok(FileKind::Folder) => {}
            Ok(_) => {
                let message = format!(
                    "expected a folder at `{}`, found a file or a link",
                    place.display()
                );
                return Err(Diagnostic::error(Code::Output, message)
                    .note("output is never written through links in the output folder"));
            }
            Err(_) => self
                .world
                .make_folder(place)
                .map_err(|error| failed("create the folder", place, &error))?,
        }
        self.checked.borrow_mut().insert(place.to_owned());
        Ok(())
    }
}

/// Refuses to empty a folder with content that matters. `real` is the path without links.
fn check_may_be_emptied(
    world: &dyn World,
    root: &Path,
    real: &Path,
    inputs: &[InputFile],
) -> Result<()> {
    let Some(content) = precious_content(world, real, inputs) else {
        return Ok(());
    };
    let message = format!(
        "the folder `{}` cannot be emptied: it contains {content}",
        root.display()
    );
    Err(Diagnostic::error(Code::Output, message)
        .help("name a folder of its own, or keep its content: `--output-files`"))
}

/// Returns what a folder contains that must not be deleted.
fn precious_content(world: &dyn World, real: &Path, inputs: &[InputFile]) -> Option<String> {
    if real.parent().is_none() {
        return Some("the root of the file system".to_owned());
    }
    if contains(world, real, Path::new(".")) {
        return Some("the working folder".to_owned());
    }
    match world.variable("HOME") {
        Some(home) if !home.is_empty() && contains(world, real, Path::new(&home)) => {
            return Some("your home".to_owned());
        }
        _ => {}
    }
    for place in inputs.iter().filter_map(InputFile::place) {
        // An input that is a link may lead elsewhere, but the link itself would be deleted.
        let parent_is_inside = place
            .parent()
            .is_some_and(|parent| contains(world, real, parent));
        if parent_is_inside || contains(world, real, place) {
            return Some(format!("the input `{}`", place.display()));
        }
    }
    None
}

fn contains(world: &dyn World, folder: &Path, place: &Path) -> bool {
    world
        .canonical(place)
        .is_ok_and(|place| place.starts_with(folder))
}

/// Returns the path without `.` in it.
fn clean(path: &str) -> PathBuf {
    let clean: PathBuf = Path::new(path)
        .components()
        .filter(|part| part.as_os_str() != ".")
        .collect();
    if clean.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        clean
    }
}

fn failed(action: &str, place: &Path, error: &io::Error) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Output,
        format!("cannot {action} `{}`: {}", place.display(), reason(error)),
    )
    .note("the output is not complete")
}
