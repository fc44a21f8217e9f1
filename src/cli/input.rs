//! The files that are given to a command.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::edit::{DocumentFormat, parse_as};
use crate::source::world::{Walk, World, read_source};
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::Stream;

/// The extensions of the files that a folder is searched for.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// A file that was read and parsed.
pub(super) struct ParsedFile {
    /// The path as it was typed, or below the folder that was typed; `-` for standard input.
    pub(super) path: PathBuf,
    pub(super) stream: Stream,
}

/// Reads and parses a file. Its extension decides the format; if it has no known one, as standard
/// input, the text does.
pub(super) fn read(world: &dyn World, path: &Path) -> Result<ParsedFile> {
    let source = read_source(world, path)?;
    Ok(ParsedFile {
        path: path.to_owned(),
        stream: parse_file(path, &source)?,
    })
}

fn parse_file(path: &Path, source: &Arc<Source>) -> Result<Stream> {
    let name = path.file_name().map(|name| name.to_string_lossy());
    let format = name.and_then(|name| DocumentFormat::of_key(&name));
    parse_as(source, format.and_then(DocumentFormat::syntax))
}

/// Returns the files that `paths` name: a file itself, or the YAML and JSON files of a folder at
/// any depth, in order of name. A file that is named twice, also by a link, is returned once.
///
/// # Errors
/// A folder that cannot be read, or that contains no such file.
pub(super) fn files(world: &dyn World, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if world.is_folder(path) {
            files.extend(files_of_folder(world, path)?);
        } else {
            files.push(path.clone());
        }
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| {
        // Files that do not exist are kept: reading them reports that.
        let canonical = world.canonical(file).unwrap_or_else(|_| file.clone());
        // By the canonical path, so that a file is not edited twice under two names.
        seen.insert(canonical)
    });
    Ok(files)
}

fn files_of_folder(world: &dyn World, folder: &Path) -> Result<Vec<PathBuf>> {
    let walk = Walk {
        follow_links: true,
        hidden: false,
    };
    let mut files = Vec::new();
    for (file, _) in walk.files(world, folder)? {
        let extension = file.extension();
        if extension.is_some_and(|own| EXTENSIONS.iter().any(|known| own == *known)) {
            files.push(file);
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
