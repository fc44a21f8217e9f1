//! Finds the files for `-f`. Folders are walked. URLs are rejected, and so are links unless they
//! are allowed.

mod walk;

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};

pub use self::walk::left_out;
use super::file::InputFile;
use super::virtual_path::VirtualPath;
use crate::source::world::{FileKind, SymlinkDestinations, World, reason, similar_file};
use crate::source::{Code, Diagnostic, Diagnostics, Result};

/// The default path of standard input in the workspace.
pub(super) const STANDARD_INPUT_PATH: &str = "stdin.yml";

/// Finds the files for command-line arguments.
///
/// One reader serves all flags of a command, because standard input can be read only once.
pub struct InputReader<'w> {
    world: &'w dyn World,
    destinations: SymlinkDestinations,
    follows_folders: bool,
    standard_input_taken: Cell<bool>,
    warnings: RefCell<Vec<Diagnostic>>,
    places: RefCell<Vec<PathBuf>>,
    searched: RefCell<Vec<PathBuf>>,
}

impl<'w> InputReader<'w> {
    /// Creates a reader that follows links to `destinations`.
    pub fn new(world: &'w dyn World, destinations: SymlinkDestinations) -> InputReader<'w> {
        InputReader {
            world,
            destinations,
            follows_folders: false,
            standard_input_taken: Cell::new(false),
            warnings: RefCell::default(),
            places: RefCell::default(),
            searched: RefCell::default(),
        }
    }

    /// Makes the reader search linked folders too. ytt does not search them: it treats every link as a
    /// file.
    #[must_use]
    pub fn with_linked_folders(self) -> InputReader<'w> {
        InputReader {
            follows_folders: true,
            ..self
        }
    }

    /// Returns every file and folder that was named or found so far, including unused ones: none of
    /// them may be deleted.
    pub fn places(&self) -> Vec<PathBuf> {
        self.places.borrow().clone()
    }

    /// Returns every folder that was searched so far. The next run reads each file in it.
    pub fn searched_folders(&self) -> Vec<PathBuf> {
        self.searched.borrow().clone()
    }

    /// Records files and folders that other code has read for the same command.
    pub fn add_places(&self, places: impl IntoIterator<Item = PathBuf>) {
        self.places.borrow_mut().extend(places);
    }

    /// Reports the warnings about files in folders that were skipped so far.
    pub fn report_warnings(&self, diagnostics: &mut Diagnostics) {
        for warning in self.warnings.take() {
            diagnostics.push(Box::new(warning));
        }
    }

    /// Returns the files for the arguments, in order. They are not read yet.
    ///
    /// An argument is a file, a folder (all files at any depth, including hidden ones, sorted by
    /// path), or `-` for standard input. The path of a file in the workspace is its name, or `PATH`
    /// of `PATH=FILE`.
    ///
    /// # Errors
    /// Fails for a path that does not exist or is neither file nor folder, a link to a place that
    /// is not allowed, a URL, a second `-`, or a path that leaves the workspace.
    pub fn files(&self, arguments: &[String]) -> Result<Vec<InputFile>> {
        let mut files = Vec::new();
        for argument in arguments {
            let (path, input) = split(argument)?;
            let path = path.map(VirtualPath::new).transpose()?;
            let found = self.found_at(input)?;
            // `PATH=` renames a single file. The files of a folder keep their paths.
            match (path, <[InputFile; 1]>::try_from(found)) {
                // A folder with one file is still a folder: the file keeps its name in the folder.
                (Some(path), Ok([file])) if !self.is_folder(input) => {
                    files.push(file.renamed(path))
                }
                (_, Ok([file])) => files.push(file),
                (_, Err(found)) => files.extend(found),
            }
        }
        Ok(files)
    }

    /// Returns the file at a path; `-` is standard input.
    ///
    /// # Errors
    /// Fails as [`files`](InputReader::files) does, and for a folder.
    pub fn file(&self, input: &str) -> Result<InputFile> {
        match <[InputFile; 1]>::try_from(self.found_at(input)?) {
            Ok([file]) if !self.is_folder(input) => Ok(file),
            _ => Err(Diagnostic::error(
                Code::File,
                format!("expected a file, found the folder `{input}`"),
            )),
        }
    }

    /// Returns whether a path exists.
    pub fn is_there(&self, input: &str) -> bool {
        self.world.kind(Path::new(input)).is_ok()
    }

    /// Returns whether a path is a folder.
    pub fn is_folder(&self, input: &str) -> bool {
        let is_searched = |kind| self.is_searched(Path::new(input), kind);
        input != "-" && self.world.kind(Path::new(input)).is_ok_and(is_searched)
    }

    /// Returns the files at a path. Unlike in [`files`](InputReader::files), a `=` is part of the
    /// path.
    ///
    /// # Errors
    /// Fails as [`files`](InputReader::files) does.
    pub fn found_at(&self, input: &str) -> Result<Vec<InputFile>> {
        if input == "-" {
            return self.standard_input().map(|file| vec![file]);
        }
        self.refuse_url(input, || {
            format!("-f {}=-", input.rsplit('/').next().unwrap_or_default())
        })?;
        self.at(Path::new(input))
    }

    /// Returns the file at a path, or all files of a folder.
    ///
    /// # Errors
    /// Fails as [`files`](InputReader::files) does.
    pub fn at(&self, place: &Path) -> Result<Vec<InputFile>> {
        self.places.borrow_mut().push(place.to_owned());
        let files = self.files_at(place)?;
        for file in &files {
            let places = [file.place(), file.real()].into_iter().flatten();
            self.places.borrow_mut().extend(places.map(Path::to_owned));
        }
        Ok(files)
    }

    fn is_searched(&self, place: &Path, kind: FileKind) -> bool {
        match kind {
            FileKind::Folder => true,
            FileKind::Link => self.follows_folders && self.world.is_folder(place),
            _ => false,
        }
    }

    fn files_at(&self, place: &Path) -> Result<Vec<InputFile>> {
        let kind = self.world.kind(place).map_err(|error| {
            Diagnostic::error(
                Code::File,
                format!("cannot read `{}`: {}", place.display(), reason(&error)),
            )
            .help_if(similar_file(self.world, place))
        })?;
        if self.is_searched(place, kind) {
            self.searched.borrow_mut().push(place.to_owned());
            let walk = walk::FolderWalk {
                world: self.world,
                root: place,
                destinations: &self.destinations,
                follows_folders: self.follows_folders,
            };
            let found = walk.files()?;
            self.warnings.borrow_mut().extend(found.warnings);
            return Ok(found.files);
        }
        let name = place
            .file_name()
            .and_then(|name| name.to_str())
            .ok_or_else(|| walk::not_unicode(place))?;
        let path = VirtualPath::new(name)?;
        let place = place.to_owned();
        Ok(vec![match kind {
            FileKind::Pipe => InputFile::pipe(path, place),
            FileKind::File => {
                let real = real_file(self.world, &place)?;
                InputFile::on_disk(path, place, real)
            }
            FileKind::Link => {
                let real = self.destinations.follow(self.world, &place)?;
                InputFile::on_disk(path, place, real)
            }
            FileKind::Folder | FileKind::Other => {
                let place = place.display();
                let message = format!("`{place}` is neither a file, a folder nor a pipe");
                return Err(Diagnostic::error(Code::File, message));
            }
        }])
    }

    fn standard_input(&self) -> Result<InputFile> {
        if self.standard_input_taken.replace(true) {
            return Err(Diagnostic::error(Code::Flag, "`-` is given to two flags")
                .note("standard input can be read only once"));
        }
        Ok(InputFile::standard_input(VirtualPath::new(
            STANDARD_INPUT_PATH,
        )?))
    }

    /// Rejects a URL. `flag` returns the flag for reading the fetched text from standard input,
    /// which the help line shows.
    ///
    /// # Errors
    /// Fails if `input` is a URL.
    pub fn refuse_url(&self, input: &str, flag: impl FnOnce() -> String) -> Result<()> {
        if !input.starts_with("http://") && !input.starts_with("https://") {
            return Ok(());
        }
        Err(Diagnostic::error(
            Code::Flag,
            format!("expected a file or a folder, found the URL `{input}`"),
        )
        .note("inlay reads nothing from the network")
        .help(format!(
            "fetch it first: `curl -fsSL {input} | inlay {}`",
            flag()
        )))
    }
}

/// Returns the canonical path of a file that is not a link itself. Its parent folders may be links,
/// because the user named them.
fn real_file(world: &dyn World, place: &Path) -> Result<PathBuf> {
    let folder = match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let folder = world.canonical(folder).map_err(|error| {
        let message = format!("cannot read `{}`: {}", place.display(), reason(&error));
        Diagnostic::error(Code::File, message)
    })?;
    Ok(folder.join(place.file_name().unwrap_or_default()))
}

/// Splits `PATH=INPUT`.
fn split(argument: &str) -> Result<(Option<&str>, &str)> {
    match argument.split_once('=') {
        None => Ok((None, argument)),
        Some((path, input)) if !input.contains('=') => Ok((Some(path), input)),
        Some(_) => Err(Diagnostic::error(
            Code::Flag,
            format!("expected at most one `=` in the input, found more: `{argument}`"),
        )
        .help("the part before the `=` is the path in the workspace")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    fn paths(world: &Memory, arguments: &[&str]) -> Result<Vec<String>> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let files = InputReader::new(world, SymlinkDestinations::default()).files(&arguments)?;
        Ok(files.iter().map(|file| file.path.to_string()).collect())
    }

    fn world() -> Memory {
        Memory::with_files([
            ("config/b.yml", ""),
            ("config/a/z.yml", ""),
            ("config/a.yml", ""),
            ("config/.hidden", ""),
            ("one/only.yml", ""),
            ("x=y.yml", ""),
        ])
    }

    #[test]
    fn finds_files_by_name_and_all_files_of_folders_in_order() {
        let table: [(&[&str], &[&str]); 7] = [
            (&["config/b.yml", "config/a.yml"], &["b.yml", "a.yml"]),
            (&["config"], &[".hidden", "a.yml", "a/z.yml", "b.yml"]),
            (
                &["config/", "one"],
                &[".hidden", "a.yml", "a/z.yml", "b.yml", "only.yml"],
            ),
            (&["-"], &["stdin.yml"]),
            (&["in.txt=-"], &["in.txt"]),
            (&["d/c.yml=config/a.yml"], &["d/c.yml"]),
            (&["d=one"], &["only.yml"]),
        ];
        for (arguments, expected) in table {
            assert_eq!(
                paths(&world(), arguments).unwrap(),
                expected,
                "{arguments:?}"
            );
        }
    }

    #[test]
    fn refuses_what_is_not_an_input() {
        let table: [(&[&str], Code, &str); 5] = [
            (&["nope"], Code::File, "cannot read `nope`"),
            (&["-", "-"], Code::Flag, "`-` is given to two flags"),
            (&["a=b=c"], Code::Flag, "expected at most one `=`"),
            (
                &["../a.yml=-"],
                Code::File,
                "expected a path relative to the workspace",
            ),
            (
                &["https://example.com/a.yml"],
                Code::Flag,
                "expected a file or a folder, found the URL",
            ),
        ];
        let world = Memory::default();
        for (arguments, code, message) in table {
            let error = paths(&world, arguments).unwrap_err();
            assert_eq!(error.code, code, "{arguments:?}");
            assert!(
                error.message.starts_with(message),
                "{arguments:?}: {}",
                error.message
            );
        }
    }

    #[test]
    fn says_how_to_fetch_a_url() {
        let world = Memory::default();
        let reader = InputReader::new(&world, SymlinkDestinations::default());
        let error = reader
            .files(&["https://example.com/a.yml".to_owned()])
            .unwrap_err();
        assert_eq!(error.notes, ["inlay reads nothing from the network"]);
        assert_eq!(
            error.help,
            ["fetch it first: `curl -fsSL https://example.com/a.yml | inlay -f a.yml=-`"]
        );
    }
}
