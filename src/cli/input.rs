//! The files that a command is given.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::edit::{Format, parse_as};
use crate::source::world::{World, read_source, reason};
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
    Ok(Input { path: path.to_owned(), stream: parse_file(path, &source)? })
}

fn parse_file(path: &Path, source: &Arc<Source>) -> Result<Stream> {
    let name = path.file_name().map(|name| name.to_string_lossy());
    parse_as(source, name.and_then(|name| Format::of_key(&name)))
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
        walk(world, path, 0, &mut BTreeSet::new(), &mut files)?;
        if files.len() == before {
            let message = format!("expected YAML or JSON files in `{}`, found none", path.display());
            return Err(Diagnostic::error(Code::File, message));
        }
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(world.canonical(file).unwrap_or_else(|_| file.clone())));
    Ok(files)
}

/// Folders deeper than this are not searched.
const DEPTH_LIMIT: usize = 64;

/// Searches a folder that is not among those `searched`: links may lead to the same folder in many ways, or in a circle.
fn walk(
    world: &dyn World,
    folder: &Path,
    depth: usize,
    searched: &mut BTreeSet<PathBuf>,
    files: &mut Vec<PathBuf>,
) -> Result<()> {
    let failed = |error| {
        Diagnostic::error(Code::File, format!("cannot read the folder `{}`: {}", folder.display(), reason(&error)))
    };
    if !searched.insert(world.canonical(folder).map_err(failed)?) {
        return Ok(());
    }
    if depth > DEPTH_LIMIT {
        let message = format!("folders nest deeper than {DEPTH_LIMIT} levels at `{}`", folder.display());
        return Err(Diagnostic::error(Code::Limit, message));
    }
    for path in world.list(folder).map_err(failed)? {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if world.is_folder(&path) && !hidden {
            walk(world, &path, depth + 1, searched, files)?;
        } else if !hidden && path.extension().is_some_and(|extension| ENDINGS.iter().any(|ending| extension == *ending))
        {
            files.push(path);
        }
    }
    Ok(())
}
