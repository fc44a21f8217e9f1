//! `inlay delete FILE… PATH…`: removes fields from files, and keeps every other byte.

use std::path::PathBuf;
use std::sync::Arc;

use super::arguments::DeleteArguments;
use super::chosen_documents::{ChosenDocuments, with_quotes};
use super::ending::CommandResult;
use super::field_edit::{EditedRoots, edit_documents, edit_files};
use super::open_file::OpenFile;
use super::output::Reporter;
use crate::edit::{DocumentFormat, EditOptions, delete as delete_at};
use crate::kubernetes::ObjectPath;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::Node;

/// Removes values, and prints, compares or writes the files.
pub(super) fn delete(
    world: &dyn World,
    arguments: &DeleteArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let files: Vec<PathBuf> = arguments.files().cloned().collect();
    let edit =
        |file: &OpenFile, diagnostics: &mut Diagnostics| delete_all(file, arguments, diagnostics);
    edit_files(world, &files, &arguments.edit, reporter, diagnostics, edit)
}

/// Returns the documents of a file without the values at the paths.
///
/// # Errors
/// Reports each path that does not exist. With `--ignore-missing`, such a path has no effect.
fn delete_all(
    file: &OpenFile,
    arguments: &DeleteArguments,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Arc<Node>>, Reported> {
    let mut roots = file.documents.roots();
    let mut outcome = Ok(());
    for path in arguments.paths() {
        match remove(&roots, path, arguments, file) {
            Ok(changed) => roots = changed,
            Err(error) => {
                let error = with_quotes(error, arguments.paths());
                outcome = Err(diagnostics.report(error));
            }
        }
    }
    outcome.map(|()| roots)
}

/// Removes one value from every document that has the path.
fn remove(
    roots: &[Arc<Node>],
    target: &ObjectPath,
    arguments: &DeleteArguments,
    file: &OpenFile,
) -> Result<Vec<Arc<Node>>> {
    let path = &target.path;
    let chosen = ChosenDocuments::new(roots, target, file)?;
    let edited = edit_documents(roots, &chosen, |root| {
        let options = EditOptions {
            layout: arguments.edit.layout.into(),
            ..file.edit_options(root)
        };
        delete_at(root, path, &options)
    })?;
    match edited {
        EditedRoots::Found(changed) => Ok(changed),
        EditedRoots::Missing(Some(missing)) if is_misspelt_file(target) => {
            let error = missing.diagnostic(|| format!("unable to find field \"{path}\""));
            Err(error.only_help(format!("there is no file `{}`", target.text())))
        }
        EditedRoots::Missing(_) if arguments.ignore_missing => Ok(roots.to_vec()),
        EditedRoots::Missing(Some(missing)) => {
            let error = missing.diagnostic(|| format!("unable to find field \"{path}\""));
            Err(error.help("to do nothing if it is missing, add `--ignore-missing`"))
        }
        EditedRoots::Missing(None) => {
            let name = file.documents.source().shown_name();
            let message = format!("expected a document to remove from in `{name}`, found none");
            Err(Diagnostic::error(Code::PathNotFound, message)
                .help("to do nothing if it is missing, add `--ignore-missing`"))
        }
    }
}

/// Returns whether a word looks like a file, although it was taken for a path because no such file
/// exists. With `--ignore-missing`, it would have no effect.
fn is_misspelt_file(word: &ObjectPath) -> bool {
    let is_name = !word.text().contains(['\\', '[', '$', ' ']);
    is_name && DocumentFormat::of_key(word.text()).is_some()
}
