//! The files that are given to a command.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::edit::{DocumentFormat, parse_as};
use crate::source::world::{
    FileKind, SymlinkDestinations, Walk, World, read_source, reason, source_of,
};
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source};
use crate::workspace::left_out;
use crate::yaml::Stream;

/// The extensions of the files that a folder is searched for.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The place of a file.
pub(super) struct FilePath {
    /// The path as it was typed, or below the folder that was typed; `-` for standard input.
    path: PathBuf,
    /// The canonical path of a regular file.
    real: Option<PathBuf>,
}

/// A file that was read and parsed.
pub(super) struct ParsedFile {
    /// The path as it was typed, or below the folder that was typed; `-` for standard input.
    pub(super) path: PathBuf,
    /// The canonical path of a regular file, from which it was read.
    pub(super) real: Option<PathBuf>,
    pub(super) stream: Stream,
}

/// Reads and parses a file that the user named. Its extension decides the format; if it has no known
/// one, as standard input, the text does.
pub(super) fn read(world: &dyn World, path: &Path) -> Result<ParsedFile> {
    read_at(world, FilePath::named(world, path))
}

/// Reads and parses a file.
pub(super) fn read_at(world: &dyn World, file: FilePath) -> Result<ParsedFile> {
    let source = match &file.real {
        Some(real) => {
            let bytes = world.read_regular(real).map_err(|error| {
                let place = file.path.display();
                let message = format!("cannot read `{place}`: {}", reason(&error));
                Diagnostic::error(Code::File, message)
            })?;
            source_of(file.path.to_string_lossy().into_owned(), bytes)?
        }
        None => read_source(world, &file.path)?,
    };
    Ok(ParsedFile {
        stream: parse_file(&file.path, &source)?,
        path: file.path,
        real: file.real,
    })
}

fn parse_file(path: &Path, source: &Arc<Source>) -> Result<Stream> {
    let name = path.file_name().map(|name| name.to_string_lossy());
    let format = name.and_then(|name| DocumentFormat::of_key(&name));
    parse_as(source, format.and_then(DocumentFormat::syntax))
}

impl FilePath {
    /// Returns the place of a file that the user named. A link is followed: its name was typed.
    fn named(world: &dyn World, path: &Path) -> FilePath {
        let real = world.canonical(path).ok().filter(|real| {
            path != Path::new("-") && matches!(world.kind(real), Ok(FileKind::File))
        });
        FilePath {
            path: path.to_owned(),
            real,
        }
    }
}

/// Returns the files that `paths` name: a file itself, or the YAML and JSON files of a folder at
/// any depth, in order of name. A file that is named twice, also by a link, is returned once.
///
/// Links in a folder are followed to places in the folders of `paths`, and to `destinations`.
///
/// # Errors
/// A folder that cannot be read, or that contains no such file, and a link that may not be followed.
pub(super) fn files(
    world: &dyn World,
    paths: &[PathBuf],
    destinations: &SymlinkDestinations,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<FilePath>> {
    let mut files = Vec::new();
    for path in paths {
        if world.is_folder(path) {
            files.extend(files_of_folder(world, path, destinations, diagnostics)?);
        } else {
            files.push(FilePath::named(world, path));
        }
    }
    let mut seen = BTreeSet::new();
    // Files that do not exist are kept: reading them reports that. By the canonical path, so that a
    // file is not edited twice under two names.
    files.retain(|file| seen.insert(file.real.clone().unwrap_or_else(|| file.path.clone())));
    Ok(files)
}

fn files_of_folder(
    world: &dyn World,
    folder: &Path,
    destinations: &SymlinkDestinations,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<FilePath>> {
    let walk = Walk {
        follow_links: Some(destinations),
        hidden: false,
    };
    let mut files = Vec::new();
    for (path, kind) in walk.files(world, folder)? {
        let extension = path.extension();
        if !extension.is_some_and(|own| EXTENSIONS.iter().any(|known| own == *known)) {
            continue;
        }
        // A regular file too: a folder on the way may be a link since it was listed.
        let real = destinations.follow(world, &path)?;
        let kind = match kind {
            FileKind::Link => world.kind(&real).unwrap_or(FileKind::Other),
            kind => kind,
        };
        if kind == FileKind::File {
            let real = Some(real);
            files.push(FilePath { path, real });
        } else {
            diagnostics.push(left_out(&path));
        }
    }
    if files.is_empty() {
        let message = format!(
            "expected YAML or JSON files in `{}`, found none",
            folder.display()
        );
        return Err(Diagnostic::error(Code::File, message));
    }
    Ok(files)
}
