//! From what `-f` is given to files: arguments are read, folders walked, links and network refused unless allowed.

mod symlinks;
mod walk;

use std::cell::Cell;
use std::path::Path;

pub use self::symlinks::SymlinkDestinations;
use super::file::InputFile;
use super::virtual_path::VirtualPath;
use crate::source::world::{FileKind, World, reason, similar_file};
use crate::source::{Code, Diagnostic, Result};

/// The path that standard input has in the workspace unless it is given another.
const STANDARD_INPUT: &str = "stdin.yml";

/// Finds the files that arguments name.
///
/// One reader serves all flags of a run, since standard input can be read only once.
pub struct InputReader<'w> {
    world: &'w dyn World,
    destinations: SymlinkDestinations,
    network: bool,
    standard_input_taken: Cell<bool>,
}

impl<'w> InputReader<'w> {
    /// A reader that follows links to `destinations`, and takes URLs where `network` is allowed.
    pub fn new(
        world: &'w dyn World,
        destinations: SymlinkDestinations,
        network: bool,
    ) -> InputReader<'w> {
        InputReader {
            world,
            destinations,
            network,
            standard_input_taken: Cell::new(false),
        }
    }

    /// The files that the arguments name, in their order. An argument is a file, a folder (all files in it at any depth,
    /// hidden ones too, in order of their paths), or `-` for standard input; `PATH=` before a file or `-` is its path in
    /// the workspace, which else is its name.
    ///
    /// The files are not read yet.
    ///
    /// # Errors
    /// What is not there, what is no file or folder, a link to a place that is not allowed, a URL, a second `-`, and a
    /// path that leaves the workspace.
    pub fn files(&self, arguments: &[String]) -> Result<Vec<InputFile>> {
        let mut files = Vec::new();
        for argument in arguments {
            let (path, input) = split(argument)?;
            let path = path.map(VirtualPath::new).transpose()?;
            let found = self.found_at(input)?;
            match (path, <[InputFile; 1]>::try_from(found)) {
                (Some(path), Ok([file])) if !self.is_folder(input) => {
                    files.push(file.renamed(path))
                }
                (_, Ok([file])) => files.push(file),
                (_, Err(found)) => files.extend(found),
            }
        }
        Ok(files)
    }

    /// The one file at a place; `-` is standard input.
    ///
    /// # Errors
    /// As for [`files`](InputReader::files), and a folder.
    pub fn file(&self, input: &str) -> Result<InputFile> {
        match <[InputFile; 1]>::try_from(self.found_at(input)?) {
            Ok([file]) if !self.is_folder(input) => Ok(file),
            _ => Err(Diagnostic::error(
                Code::File,
                format!("expected a file, found the folder `{input}`"),
            )),
        }
    }

    /// Whether something stands at a place.
    pub fn is_there(&self, input: &str) -> bool {
        self.world.kind(Path::new(input)).is_ok()
    }

    /// Whether a folder stands at a place.
    pub fn is_folder(&self, input: &str) -> bool {
        input != "-" && matches!(self.world.kind(Path::new(input)), Ok(FileKind::Folder))
    }

    /// The files at a place, all of which is its path: a `=` in it means nothing.
    ///
    /// # Errors
    /// See [`files`](InputReader::files).
    pub fn found_at(&self, input: &str) -> Result<Vec<InputFile>> {
        if input == "-" {
            return self.standard_input().map(|file| vec![file]);
        }
        self.refuse_url(input, || {
            format!("-f {}=-", input.rsplit('/').next().unwrap_or_default())
        })?;
        self.at(Path::new(input))
    }

    /// The files at a place: the file itself, or all files of a folder.
    ///
    /// # Errors
    /// As [`files`](Self::files).
    pub fn at(&self, place: &Path) -> Result<Vec<InputFile>> {
        let kind = self.world.kind(place).map_err(|error| {
            Diagnostic::error(
                Code::File,
                format!("cannot read `{}`: {}", place.display(), reason(&error)),
            )
            .help_if(similar_file(self.world, place))
        })?;
        if kind == FileKind::Folder {
            return walk::walk(self.world, place, &self.destinations);
        }
        symlinks::check(self.world, place, kind, &self.destinations)?;
        let name = place
            .file_name()
            .and_then(|name| name.to_str())
            .ok_or_else(|| walk::not_unicode(place))?;
        Ok(vec![InputFile::on_disk(
            VirtualPath::new(name)?,
            place.to_owned(),
        )])
    }

    fn standard_input(&self) -> Result<InputFile> {
        if self.standard_input_taken.replace(true) {
            return Err(Diagnostic::error(
                Code::Flag,
                "expected `-` in one flag only, found it in two",
            )
            .note("standard input can be read only once"));
        }
        Ok(InputFile::standard_input(VirtualPath::new(STANDARD_INPUT)?))
    }

    /// Refuses a URL; `flag` is how the same flag takes what was fetched from standard input.
    ///
    /// # Errors
    /// `input` is a URL.
    pub fn refuse_url(&self, input: &str, flag: impl FnOnce() -> String) -> Result<()> {
        if !input.starts_with("http://") && !input.starts_with("https://") {
            return Ok(());
        }
        let note = match self.network {
            true => "no client for the network is built in",
            false => "nothing is read from the network without `--allow-network`",
        };
        Err(Diagnostic::error(
            Code::Flag,
            format!("expected a file or a folder, found the URL `{input}`"),
        )
        .note(note)
        .help(format!(
            "fetch it before: `curl -fsSL {input} | inlay {}`",
            flag()
        )))
    }
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
        .help("what stands before the `=` is the path in the workspace")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    fn paths(world: &Memory, arguments: &[&str]) -> Result<Vec<String>> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let files =
            InputReader::new(world, SymlinkDestinations::default(), false).files(&arguments)?;
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
    fn a_file_is_known_by_its_name_and_a_folder_gives_all_its_files_in_order_of_their_paths() {
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
    fn what_is_no_input_is_refused() {
        let table: [(&[&str], Code, &str); 5] = [
            (&["nope"], Code::File, "cannot read `nope`"),
            (&["-", "-"], Code::Flag, "expected `-` in one flag only"),
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
    fn a_url_is_refused_with_the_flag_as_well_since_no_client_is_built_in() {
        let world = Memory::default();
        let reader = InputReader::new(&world, SymlinkDestinations::default(), true);
        let error = reader
            .files(&["https://example.com/a.yml".to_owned()])
            .unwrap_err();
        assert_eq!(error.notes, ["no client for the network is built in"]);
        assert_eq!(
            error.help,
            ["fetch it before: `curl -fsSL https://example.com/a.yml | inlay -f a.yml=-`"]
        );
    }
}
