//! An output folder: what is written stays below it, and what must not be emptied is not.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::OutputFile;
use crate::source::world::{FileKind, World, reason};
use crate::source::{Code, Diagnostic, Result};
use crate::workspace::file::InputFile;

/// A folder that files are written to.
pub struct OutputFolder<'w> {
    world: &'w dyn World,
    root: PathBuf,
    /// The folders that are known to stand below the root, without a link on the way.
    checked: RefCell<BTreeSet<PathBuf>>,
}

impl<'w> OutputFolder<'w> {
    /// The folder at `path`, made if it is missing; what is in it stays unless it is written anew.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub fn kept(world: &'w dyn World, path: &str) -> Result<OutputFolder<'w>> {
        let root = clean(path);
        world
            .make_folder(&root)
            .map_err(|error| failed("make the folder", &root, &error))?;
        Ok(OutputFolder {
            world,
            root,
            checked: RefCell::default(),
        })
    }

    /// The folder at `path`, with nothing in it.
    ///
    /// # Errors
    /// A folder that holds the working folder, the home of the user or one of `inputs`, the root of the file system, and
    /// a folder that cannot be emptied or made.
    pub fn emptied(
        world: &'w dyn World,
        path: &str,
        inputs: &[InputFile],
    ) -> Result<OutputFolder<'w>> {
        let root = clean(path);
        if path.is_empty() {
            return Err(Diagnostic::error(
                Code::Output,
                "expected an output folder, found an empty path",
            ));
        }
        match world.canonical(&root) {
            Ok(real) => {
                spare(world, &root, &real, inputs)?;
                world
                    .empty_folder(&root)
                    .map_err(|error| failed("empty the folder", &root, &error))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed("empty the folder", &root, &error)),
        }
        OutputFolder::kept(world, path)
    }

    /// Writes a file and returns its place.
    ///
    /// # Errors
    /// A file that cannot be written, and a link in the folder that would lead out of it.
    pub fn write(&self, file: &OutputFile) -> Result<PathBuf> {
        let mut place = self.root.clone();
        for folder in file.path.folders() {
            place.push(folder);
            self.folder(&place)?;
        }
        place.push(file.path.name());
        self.world
            .create(&place, &file.content)
            .map_err(|error| failed("write", &place, &error))?;
        Ok(place)
    }

    /// Makes sure of a folder below the root.
    fn folder(&self, place: &Path) -> Result<()> {
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
                .map_err(|error| failed("make the folder", place, &error))?,
        }
        self.checked.borrow_mut().insert(place.to_owned());
        Ok(())
    }
}

/// Refuses to empty a folder that holds what is dear.
fn spare(world: &dyn World, root: &Path, real: &Path, inputs: &[InputFile]) -> Result<()> {
    let holds = |place: &Path| {
        world
            .canonical(place)
            .is_ok_and(|place| place.starts_with(real))
    };
    let home = world.variable("HOME").filter(|home| !home.is_empty());
    let held = if real.parent().is_none() {
        Some("the root of the file system".to_owned())
    } else if holds(Path::new(".")) {
        Some("the working folder".to_owned())
    } else if home.is_some_and(|home| holds(Path::new(&home))) {
        Some("your home".to_owned())
    } else {
        let places = || inputs.iter().filter_map(InputFile::place);
        let input = places().find(|place| holds(place) || place.parent().is_some_and(holds));
        input.map(|input| format!("the input `{}`", input.display()))
    };
    let Some(held) = held else { return Ok(()) };
    let message = format!(
        "expected an output folder that may be emptied, found `{}`, which holds {held}",
        root.display()
    );
    Err(Diagnostic::error(Code::Output, message)
        .help("name a folder of its own, or keep what is there: `--output-files`"))
}

/// The path without `.` in it.
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

fn failed(what: &str, place: &Path, error: &io::Error) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Output,
        format!("cannot {what} `{}`: {}", place.display(), reason(error)),
    )
    .note("the output is not complete")
}
