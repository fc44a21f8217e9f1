//! `inlay set FILE… PATH=VALUE…`: writes values into files, even into documents inside strings.

use std::path::PathBuf;
use std::sync::Arc;

use super::arguments::SetArguments;
use super::assignment::FieldAssignment;
use super::chosen_documents::ChosenDocuments;
use super::ending::CommandResult;
use super::field_edit::{EditedRoots, edit_documents, edit_files};
use super::get::deeper;
use super::open_file::OpenFile;
use super::output::Reporter;
use crate::edit::{EditFailure, EditOptions, FieldPath, update};
use crate::kubernetes::plain_secret_values;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Node, measure};

/// The help line for several documents if none of them is an object.
const NO_OBJECTS: &str =
    "only objects, with `kind` and `metadata.name`, can be named before the path";

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
                // The new value is not in the file yet, so show the line of `kind`, which contains
                // no other value.
                let kind = after.get("kind").and_then(|kind| kind.location());
                diagnostics.push(warning.at(kind, ""));
            }
        }
        Ok(roots)
    };
    edit_files(world, &paths, &arguments.edit, reporter, diagnostics, edit)
}

/// Returns the documents of a file with all values assigned.
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
        // Each assignment sees the results of the previous ones. Continue after a failed one, so
        // that all mistakes are reported.
        match assign(&roots, assignment, arguments, file) {
            Ok(changed) => roots = changed,
            Err(error) => {
                outcome = Err(diagnostics.report(with_assignment(error, assignment, file)));
            }
        }
    }
    outcome.map(|()| roots)
}

/// Adds the assignment to an error without a place, because a value on the command line has none.
fn with_assignment(
    error: Box<Diagnostic>,
    assignment: &FieldAssignment,
    file: &OpenFile,
) -> Box<Diagnostic> {
    if error.code != Code::ValueDoesNotFit || error.has_place() {
        return error;
    }
    let (path, name) = (&assignment.path.path, file.documents.source().shown_name());
    error.note(format!("written to `{path}` in `{name}`"))
}

/// Writes one value into every document that has the path. If none has it, `--create` adds the
/// missing fields to the only document that can contain them.
fn assign(
    roots: &[Arc<Node>],
    assignment: &FieldAssignment,
    arguments: &SetArguments,
    file: &OpenFile,
) -> Result<Vec<Arc<Node>>> {
    let path = &assignment.path.path;
    // The value may be nested too deeply only together with the keys of the path.
    let value = assignment.value.node(arguments.type_policy.into());
    measure(&value, path.segments().len())?;
    let chosen = ChosenDocuments::new(roots, &assignment.path, file)?;
    let write = |root: &Arc<Node>, missing| write(root, assignment, arguments, file, missing);
    let edited = edit_documents(roots, &chosen, |root| {
        let replaced = write(root, MissingPlace::Fail)?;
        // The path exists, so only a `-` still creates something: without `--create`, `-` is the last
        // item; with it, a new item at the end.
        if arguments.create {
            write(root, MissingPlace::Create)
        } else {
            Ok(replaced)
        }
    })?;
    let missing = match edited {
        EditedRoots::Found(changed) => return Ok(changed),
        EditedRoots::Missing(missing) => missing,
    };
    if let Some(help) = assignment.respelled() {
        return Err(not_found(missing, path, file).only_help(help));
    }
    let created = create(roots, &chosen, |root| write(root, MissingPlace::Create));
    if arguments.create {
        with_created(created?, missing, path, &chosen, file)
    } else {
        Err(not_found_with_hint(created, missing, path, &chosen, file))
    }
}

/// Returns the documents after `--create` has added the missing fields.
///
/// # Errors
/// Fails if no document can contain them, or if several can and the path names none of them.
fn with_created(
    created: Creation,
    missing: Option<EditFailure>,
    path: &FieldPath,
    chosen: &ChosenDocuments<'_>,
    file: &OpenFile,
) -> Result<Vec<Arc<Node>>> {
    match created {
        Creation::One(changed) => Ok(changed),
        Creation::Several(documents) => {
            let count = documents.len();
            let message =
                format!("unable to create field \"{path}\": {count} documents can get it");
            let help = chosen.help(&documents);
            Err(Diagnostic::error(Code::PathNotFound, message)
                .note(format!("the documents are {}", chosen.names(&documents)))
                .help(help.unwrap_or_else(|| NO_OBJECTS.to_owned())))
        }
        Creation::No(failure) => {
            let documents = chosen.filled();
            let is_misspelt = failure.as_ref().is_some_and(EditFailure::is_misspelt);
            let error = not_found(failure.or(missing), path, file);
            if is_misspelt || documents.len() < 2 {
                return Err(error);
            }
            Err(error
                .note(format!("the documents are {}", chosen.names(&documents)))
                .help_if(chosen.help(&documents)))
        }
    }
}

/// Returns the error for a path that no document has, without `--create`. `created` is the result
/// that the flag would have. The flag is suggested only if it would help, because a misspelled path
/// must not be created.
fn not_found_with_hint(
    created: Result<Creation>,
    missing: Option<EditFailure>,
    path: &FieldPath,
    chosen: &ChosenDocuments<'_>,
    file: &OpenFile,
) -> Box<Diagnostic> {
    let error = not_found(missing, path, file);
    match created {
        Ok(Creation::One(_)) => error.help("to create what is missing, add `--create`"),
        Ok(Creation::Several(documents)) => match chosen.help(&documents) {
            Some(help) => error
                .note(format!("the documents are {}", chosen.names(&documents)))
                .help(format!("to create what is missing, add `--create`; {help}")),
            None => error,
        },
        Ok(Creation::No(_)) | Err(_) => error,
    }
}

/// Returns the error for a path that exists in no document.
fn not_found(missing: Option<EditFailure>, path: &FieldPath, file: &OpenFile) -> Box<Diagnostic> {
    if let Some(missing) = missing {
        return missing.diagnostic(|| format!("unable to find field \"{path}\""));
    }
    let name = file.documents.source().shown_name();
    let message = format!("expected a document to write to in `{name}`, found none");
    Diagnostic::error(Code::PathNotFound, message)
}

/// The documents of a file after a field was created.
enum Creation {
    /// One document can get the field.
    One(Vec<Arc<Node>>),
    /// Several documents can, so the target is ambiguous.
    Several(Vec<usize>),
    /// No document can.
    No(Option<EditFailure>),
}

/// Creates a field in the only document that can contain it. If there is no document, the field is
/// created in a new one after the comments of the file.
///
/// # Errors
/// Fails for any other mistake in a document.
fn create(
    roots: &[Arc<Node>],
    chosen: &ChosenDocuments<'_>,
    write: impl Fn(&Arc<Node>) -> Result<Arc<Node>, EditFailure>,
) -> Result<Creation> {
    let mut roots = roots.to_vec();
    let mut candidates = chosen.filled();
    if candidates.is_empty() {
        candidates.extend(chosen.indices().next());
    }
    if roots.is_empty() {
        roots.push(Node::plain("null"));
        candidates.push(0);
    }
    let mut created = Vec::new();
    let mut missing: Option<EditFailure> = None;
    for &at in &candidates {
        match write(&roots[at]) {
            Ok(new) => created.push((at, new)),
            Err(EditFailure::Diagnostic(error)) => return Err(error),
            // Creating the field in another document would hide the mistake in the path.
            Err(failure) if failure.is_misspelt() => return Ok(Creation::No(Some(failure))),
            Err(failure) => missing = Some(deeper(missing, failure)),
        }
    }
    Ok(match created.as_slice() {
        [] => Creation::No(missing),
        [(at, new)] => {
            roots[*at] = Arc::clone(new);
            Creation::One(roots)
        }
        several => Creation::Several(several.iter().map(|(at, _)| *at).collect()),
    })
}

/// Whether an assignment creates a place that does not exist.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MissingPlace {
    Fail,
    Create,
}

/// Returns a document with the value written to it.
fn write(
    root: &Arc<Node>,
    assignment: &FieldAssignment,
    arguments: &SetArguments,
    file: &OpenFile,
    missing: MissingPlace,
) -> Result<Arc<Node>, EditFailure> {
    let options = EditOptions {
        create: missing == MissingPlace::Create,
        layout: arguments.edit.layout.into(),
        ..file.edit_options(root)
    };
    let policy = arguments.type_policy.into();
    let changed = update(root, &assignment.path.path, &options, &mut |target| {
        assignment.value.fit(&target, policy).map(Some)
    })?;
    Ok(changed.unwrap_or_else(|| Arc::clone(root)))
}
