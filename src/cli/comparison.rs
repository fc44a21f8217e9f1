//! `--diff`, `--stat` and `--check`: show what a command would write.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use super::arguments::{ComparisonArguments, DiffForm};
use super::ending::{CommandFailure, CommandResult, Ending};
use super::output::{self, Reporter};
use crate::diff::{OutputChange, OutputComparison};
use crate::source::world::{World, cleaned, read_found_bytes, reason};
use crate::source::{Code, Diagnostic, Diagnostics, Rebased, Result};

/// A file of an output: its name and its content.
pub(super) type OutputText = (String, Vec<u8>);

/// Prints the differences in the form that the flags request.
pub(super) fn show(
    comparison: &OutputComparison<'_>,
    arguments: &ComparisonArguments,
    reporter: &Reporter,
) -> CommandResult {
    show_with_list(comparison, arguments, reporter, || comparison.list())
}

/// Prints the differences in the form that the flags request. `list` returns the text for `--check`
/// alone.
pub(super) fn show_with_list(
    comparison: &OutputComparison<'_>,
    arguments: &ComparisonArguments,
    reporter: &Reporter,
    list: impl FnOnce() -> String,
) -> CommandResult {
    let style = reporter.diff_style();
    let mut text = String::new();
    match arguments.diff {
        Some(DiffForm::Unified) => text.push_str(&comparison.unified(style)),
        Some(DiffForm::Semantic) => text.push_str(&comparison.semantic(style)),
        None if !arguments.stat => text.push_str(&list()),
        None => {}
    }
    if arguments.stat {
        text.push_str(&comparison.stat(style));
    }
    output::print(text.as_bytes())?;
    if arguments.check && !comparison.is_empty() {
        let differences = match reporter.is_for_programs() {
            true => comparison.diagnostics(style),
            false => Vec::new(),
        };
        return Ok(Ending::Difference(differences));
    }
    Ok(Ending::Success)
}

/// Runs a command on another copy of the working folder, and returns its output.
///
/// # Errors
/// Fails if the folder does not exist. An error of the command is reported with the folder in a
/// note. Its warnings are not reported, because they are about files that the user is not working
/// on.
pub(super) fn run_against<T>(
    world: &dyn World,
    base: &Path,
    diagnostics: &mut Diagnostics,
    command: impl FnOnce(&dyn World, &mut Diagnostics) -> Result<T, CommandFailure>,
) -> Result<T, CommandFailure> {
    let rebased = Rebased::new(world, base).map_err(|error| {
        let message = format!("cannot read `{}`: {}", base.display(), reason(&error));
        Diagnostic::error(Code::File, message)
            .help("`--against` needs a folder: `git worktree add DIR REVISION` makes one")
    })?;
    let mut own = Diagnostics::default();
    let note = format!("this is about the files in `{}`", base.display());
    command(&rebased, &mut own).map_err(|failure| {
        for diagnostic in own.as_mut_slice() {
            diagnostic.notes.push(note.clone());
        }
        diagnostics.append(own);
        match failure {
            CommandFailure::Error(error) => CommandFailure::Error(error.note(note)),
            other => other,
        }
    })
}

/// Compares two outputs file by file.
pub(super) fn compare<'t>(
    before: &'t [OutputText],
    after: &'t [OutputText],
) -> OutputComparison<'t> {
    let mut left: BTreeMap<&str, &[u8]> = BTreeMap::new();
    for (name, content) in before {
        left.insert(name, content);
    }
    let mut files = Vec::with_capacity(after.len());
    for (name, content) in after {
        files.push(OutputChange {
            name: name.clone(),
            before: left.remove(name.as_str()).map(Cow::Borrowed),
            after: Some(Cow::Borrowed(content)),
        });
    }
    for (name, content) in left {
        files.push(OutputChange {
            name: name.to_owned(),
            before: Some(Cow::Borrowed(content)),
            after: None,
        });
    }
    OutputComparison::new(files)
}

/// Compares files to be written with the existing ones.
///
/// # Errors
/// Fails if an existing file cannot be read.
pub(super) fn compare_with_disk<'t>(
    world: &dyn World,
    folder: &Path,
    files: &'t [OutputText],
) -> Result<OutputComparison<'t>> {
    let mut changes = Vec::with_capacity(files.len());
    for (name, content) in files {
        let place = cleaned(&folder.join(name));
        changes.push(OutputChange {
            before: read_if_there(world, &place)?.map(Cow::Owned),
            after: Some(Cow::Borrowed(content)),
            name: place.display().to_string(),
        });
    }
    Ok(OutputComparison::new(changes))
}

/// Returns the content of a file; `None` if it does not exist.
///
/// # Errors
/// Fails if the file exists but cannot be read.
pub(super) fn read_if_there(world: &dyn World, place: &Path) -> Result<Option<Vec<u8>>> {
    if world.kind(place).is_err() {
        return Ok(None);
    }
    match read_found_bytes(world, place) {
        Ok(content) => Ok(Some(content)),
        Err(error) => {
            let message = format!("cannot read `{}`: {}", place.display(), reason(&error));
            Err(Diagnostic::error(Code::File, message))
        }
    }
}
