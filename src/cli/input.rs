//! The files that a command is given.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::edit::{DocumentFormat, parse_as};
use crate::source::world::{Walk, World, read_source};
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::Stream;

/// The endings of files that a folder is searched for.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// A file that was read and parsed.
pub(super) struct Input {
    /// The path as it was typed, or below the folder that was typed; `-` for standard input.
    pub(super) path: PathBuf,
    /// What it says.
    pub(super) stream: Stream,
}

/// Reads and parses a file. Its ending says what it is; without one that is known (standard input has none) the text does.
pub(super) fn read(world: &dyn World, path: &Path) -> Result<Input> {
    let source = read_source(world, path)?;
    Ok(Input {
        path: path.to_owned(),
        stream: parse_file(path, &source)?,
    })
}

fn parse_file(path: &Path, source: &Arc<Source>) -> Result<Stream> {
    let name = path.file_name().map(|name| name.to_string_lossy());
    parse_as(
        source,
        name.and_then(|name| DocumentFormat::of_key(&name))
            .and_then(DocumentFormat::syntax),
    )
}

/// The files that `paths` name: a file itself, a folder's YAML and JSON files at any depth, in order of name. A file
/// that is named twice, also by a link, stands only in the first place.
///
/// # Errors
/// A folder that cannot be read or that holds no such file.
pub(super) fn files(world: &dyn World, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !world.is_folder(path) {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        let found = Walk {
            follow_links: true,
            hidden: false,
        }
        .files(world, path)?;
        files.extend(
            found
                .into_iter()
                .map(|(file, _)| file)
                .filter(|file| has_ending(file)),
        );
        if files.len() == before {
            let message = format!(
                "expected YAML or JSON files in `{}`, found none",
                path.display()
            );
            return Err(Diagnostic::error(Code::File, message));
        }
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(world.canonical(file).unwrap_or_else(|_| file.clone())));
    Ok(files)
}

/// Whether the ending of a file is one of [`ENDINGS`].
fn has_ending(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| ENDINGS.iter().any(|ending| extension == *ending))
}
