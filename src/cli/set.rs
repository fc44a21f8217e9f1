//! `inlay set FILE PATH=VALUE…`

use std::sync::Arc;

use super::arguments::SetArguments;
use super::assignment::FieldAssignment;
use super::ending::{CommandResult, Ending};
use super::get::deeper;
use super::open_file::{OpenFile, open};
use super::output::{self, FileText};
use crate::edit::{EditFailure, EditOptions, fit, text_warnings, update};
use crate::kubernetes::{plain_secret_values, text_fields};
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Node, check_printable, measure};

/// Writes values, and prints the file or writes it in place.
pub(super) fn set(
    world: &dyn World,
    arguments: &SetArguments,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let file = open(world, &arguments.file, arguments.format)?;
    for warning in file.documents.warnings() {
        diagnostics.push(warning);
    }
    let roots = assign_all(&file, arguments, diagnostics)?;
    for (before, after) in file.documents.roots().iter().zip(&roots) {
        for warning in plain_secret_values(before, after) {
            diagnostics.push(warning);
        }
    }
    for warning in roots.iter().flat_map(text_warnings) {
        diagnostics.push(warning);
    }
    let text = diagnostics.check(print(&file, &roots))?;
    if !arguments.in_place {
        output::print(text.as_bytes())?;
    } else if text != file.documents.source().text() {
        let changed = FileText {
            path: &file.path,
            real: file.real.as_deref(),
            before: file.documents.source().text(),
            text: &text,
        };
        output::write_files(world, &[changed], diagnostics)?;
    }
    Ok(Ending::Success)
}

/// Returns the text of a file with other documents.
///
/// # Errors
/// A value that the format of the file cannot represent.
fn print(file: &OpenFile, roots: &[Arc<Node>]) -> Result<String> {
    file.documents.check(&file.documents.roots(), roots)?;
    check_printable(roots)?;
    let (text, _) = file.documents.print(roots);
    Ok(text)
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
    for assignment in &arguments.assignments {
        // Each assignment sees the result of those before it, and a failed one does not hide the
        // mistakes of the next.
        match assign(&roots, assignment, arguments, file) {
            Ok(changed) => roots = changed,
            Err(error) => diagnostics.push(error),
        }
    }
    diagnostics.outcome()?;
    Ok(roots)
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
    let mut changed = Vec::with_capacity(roots.len());
    let mut is_written = false;
    let mut missing: Option<EditFailure> = None;
    for root in roots {
        match write(root, assignment, arguments, file, arguments.create) {
            Ok(new) => {
                is_written = true;
                changed.push(new);
            }
            // A path that is missing is fine in some documents. Anything else is a mistake in all
            // of them.
            Err(EditFailure::Diagnostic(error)) => return Err(error),
            Err(failure) => {
                missing = Some(deeper(missing, failure));
                changed.push(Arc::clone(root));
            }
        }
    }
    match missing {
        _ if is_written => Ok(changed),
        Some(missing) => {
            let is_misspelt = missing.is_misspelt();
            let error = missing.diagnostic(|| format!("unable to find field \"{path}\""));
            // The help is given only if it would help: a path that was written wrong must not be
            // created.
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
        None => Err(Diagnostic::error(
            Code::PathNotFound,
            "expected a document to write to, found none",
        )),
    }
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
        layout: arguments.layout.into(),
        text_fields: text_fields(root),
        text_format: file.documents.format(),
        has_aliases: file.documents.has_aliases(),
    };
    let policy = arguments.type_policy.into();
    let changed = update(root, &assignment.path, &options, &mut |target| {
        fit(&assignment.value, &target, policy).map(Some)
    })?;
    Ok(changed.unwrap_or_else(|| Arc::clone(root)))
}
