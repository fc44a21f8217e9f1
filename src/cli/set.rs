//! `inlay set FILE… PATH=VALUE…`

use std::path::PathBuf;
use std::sync::Arc;

use super::arguments::SetArguments;
use super::assignment::FieldAssignment;
use super::ending::CommandResult;
use super::field_edit::{EditedRoots, edit_documents, edit_files};
use super::open_file::OpenFile;
use super::output::Reporter;
use crate::edit::{EditFailure, EditOptions, fit, update};
use crate::kubernetes::{plain_secret_values, text_fields};
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Node, measure};

/// Writes values, and prints, compares or writes the files.
pub(super) fn set(
    world: &dyn World,
    arguments: &SetArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let paths: Vec<PathBuf> = arguments.files().cloned().collect();
    let edit = |file: &OpenFile, diagnostics: &mut Diagnostics| {
        let roots = assign_all(file, arguments, diagnostics)?;
        for (before, after) in file.documents.roots().iter().zip(&roots) {
            for warning in plain_secret_values(before, after) {
                diagnostics.push(warning);
            }
        }
        Ok(roots)
    };
    edit_files(world, &paths, &arguments.edit, reporter, diagnostics, edit)
}

/// Returns the documents of a file with all values.
///
/// # Errors
/// Reports each assignment that is not possible.
fn assign_all(
    file: &OpenFile,
    arguments: &SetArguments,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Arc<Node>>, Reported> {
    let mut roots = file.documents.roots();
    let mut outcome = Ok(());
    for assignment in arguments.assignments() {
        // Each assignment sees the result of those before it, and a failed one does not hide the
        // mistakes of the next.
        match assign(&roots, assignment, arguments, file) {
            Ok(changed) => roots = changed,
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    outcome.map(|()| roots)
}

/// Writes one value in every document that has the path; with `--create`, in every document.
fn assign(
    roots: &[Arc<Node>],
    assignment: &FieldAssignment,
    arguments: &SetArguments,
    file: &OpenFile,
) -> Result<Vec<Arc<Node>>> {
    let path = &assignment.path;
    // The value may nest too deep only together with the keys that lead to it.
    measure(&assignment.value, path.segments().len())?;
    let edited = edit_documents(roots, |root| {
        write(root, assignment, arguments, file, arguments.create)
    })?;
    let missing = match edited {
        EditedRoots::Found(changed) => return Ok(changed),
        EditedRoots::Missing(missing) => missing,
    };
    let Some(missing) = missing else {
        return Err(Diagnostic::error(
            Code::PathNotFound,
            "expected a document to write to, found none",
        ));
    };
    let is_misspelt = missing.is_misspelt();
    let error = missing.diagnostic(|| format!("unable to find field \"{path}\""));
    // The help is given only if it would help: a path that was written wrong must not be created.
    let is_possible = !arguments.create
        && !is_misspelt
        && roots
            .iter()
            .any(|root| write(root, assignment, arguments, file, true).is_ok());
    if is_possible {
        return Err(error.help("to create what is missing, add `--create`"));
    }
    Err(error)
}

/// Returns a document with the value.
fn write(
    root: &Arc<Node>,
    assignment: &FieldAssignment,
    arguments: &SetArguments,
    file: &OpenFile,
    create: bool,
) -> Result<Arc<Node>, EditFailure> {
    let options = EditOptions {
        create,
        format: file.strings,
        layout: arguments.edit.layout.into(),
        text_fields: text_fields(root),
        text_format: file.documents.format(),
        keeps_null: false,
        has_aliases: file.documents.has_aliases(),
    };
    let policy = arguments.type_policy.into();
    let changed = update(root, &assignment.path, &options, &mut |target| {
        fit(&assignment.value, &target, policy).map(Some)
    })?;
    Ok(changed.unwrap_or_else(|| Arc::clone(root)))
}
