//! The input files of a command.

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

/// The extensions of the files that are used in a folder.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The place of a file.
pub(super) struct FilePath {
    /// The path as the user typed it, or below the typed folder; `-` for standard input.
    pub(super) path: PathBuf,
    /// The canonical path of a regular file.
    pub(super) real: Option<PathBuf>,
}

/// A file that was read and parsed.
pub(super) struct ParsedFile {
    /// The path as the user typed it, or below the typed folder; `-` for standard input.
    pub(super) path: PathBuf,
    /// The canonical path of a regular file, from which it was read.
    pub(super) real: Option<PathBuf>,
    pub(super) stream: Stream,
}

/// Returns the format for the extension of a file.
pub(super) fn format_of(path: &Path) -> Option<DocumentFormat> {
    let name = path.file_name()?.to_string_lossy();
    DocumentFormat::of_key(&name)
}

/// Reads and parses a file of objects that the user named. Its extension determines the format.
/// Without a known extension, as for standard input, the text does.
///
/// # Errors
/// Fails for a file that cannot be read, or that is neither JSON nor YAML.
pub(super) fn read(world: &dyn World, path: &Path) -> Result<ParsedFile> {
    read_at(world, FilePath::named(world, path))
}

/// Reads and parses a file of objects.
pub(super) fn read_at(world: &dyn World, file: FilePath) -> Result<ParsedFile> {
    let source = file.source(world)?;
    Ok(ParsedFile {
        stream: parse_file(&file.path, &source)?,
        path: file.path,
        real: file.real,
    })
}
fn parse_file(path: &Path, source: &Arc<Source>) -> Result<Stream> {
    let format = format_of(path);
    if let Some(other) = format.filter(|format| format.syntax().is_none()) {
        let message = format!(
            "expected Kubernetes objects in YAML or JSON, found {}: `{}`",
            other.title(),
            path.display()
        );
        return Err(Diagnostic::error(Code::File, message)
            .help("`inlay get` and `inlay set` read and edit such a file"));
    }
    parse_as(source, format.and_then(DocumentFormat::syntax))
}

impl FilePath {
    /// Returns the place of a file that the user named. A link is followed, because the user typed
    /// its name.
    pub(super) fn named(world: &dyn World, path: &Path) -> FilePath {
        let real = world.canonical(path).ok().filter(|real| {
            path != Path::new("-") && matches!(world.kind(real), Ok(FileKind::File))
        });
        FilePath {
            path: path.to_owned(),
            real,
        }
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    /// Fails for a file that cannot be read, is not UTF-8, or is too large.
    pub(super) fn source(&self, world: &dyn World) -> Result<Arc<Source>> {
        let Some(real) = &self.real else {
            return read_source(world, &self.path);
        };
        let bytes = world.read_regular(real).map_err(|error| {
            let place = self.path.display();
            let message = format!("cannot read `{place}`: {}", reason(&error));
            Diagnostic::error(Code::File, message)
        })?;
        source_of(self.path.to_string_lossy().into_owned(), bytes)
    }
}

/// Returns the files at `paths`: a file itself, or the YAML and JSON files of a folder at any
/// depth, sorted by name. A file that is named twice, even through a link, is returned once.
///
/// Links in a folder are followed to places in the folders of `paths`, and to `destinations`.
///
/// # Errors
/// Fails for a folder that cannot be read or contains no such file, and for a link that may not be
/// followed.
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
    // Keep files that do not exist: reading them reports that. Compare canonical paths, so that a
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
        // Check a regular file too: a folder in its path may have become a link since it was
        // listed.
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
