//! The shared part of the commands that edit single values in files: `inlay set` and
//! `inlay delete`.

use std::path::PathBuf;
use std::sync::Arc;

use super::arguments::FieldEditArguments;
use super::chosen_documents::ChosenDocuments;
use super::comparison;
use super::ending::{CommandResult, Ending};
use super::get::deeper;
use super::open_file::{OpenFile, open};
use super::output::{self, FileText, Reporter};
use crate::diff::{OutputChange, OutputComparison};
use crate::edit::{EditFailure, text_warnings};
use crate::source::world::World;
use crate::source::{Diagnostics, Reported, Result, Source};
use crate::yaml::{Node, check_printable};

/// A file after the edits. Its tree is not needed any more, and is several times as large as its
/// text.
struct EditedText {
    path: PathBuf,
    real: Option<PathBuf>,
    before: Arc<Source>,
    text: String,
}

/// Edits the documents of each file with `edit`, and prints, compares or writes the files.
///
/// # Errors
/// Reports the mistakes in all files. In that case, no file is written.
pub(super) fn edit_files(
    world: &dyn World,
    paths: &[PathBuf],
    arguments: &FieldEditArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
    edit: impl Fn(&OpenFile, &mut Diagnostics) -> Result<Vec<Arc<Node>>, Reported>,
) -> CommandResult {
    let mut edited = Vec::with_capacity(paths.len());
    for path in paths {
        let Ok(file) = diagnostics.check(open(world, path, arguments.format)) else {
            continue;
        };
        for warning in file.documents.warnings() {
            diagnostics.push(warning);
        }
        let Ok(roots) = edit(&file, diagnostics) else {
            continue;
        };
        for warning in roots.iter().flat_map(text_warnings) {
            diagnostics.push(warning);
        }
        if let Ok(text) = diagnostics.check(print(&file, &roots)) {
            edited.push(EditedText {
                before: Arc::clone(file.documents.source()),
                path: file.path,
                real: file.real,
                text,
            });
        }
    }
    diagnostics.outcome()?;
    if arguments.comparison.is_on() {
        let changes = OutputComparison::new(edited.iter().map(EditedText::change));
        return comparison::show(&changes, &arguments.comparison, reporter);
    }
    if arguments.in_place {
        let changed: Vec<FileText<'_>> = edited.iter().filter_map(EditedText::to_write).collect();
        output::write_files(world, &changed, diagnostics)?;
    } else {
        output::print_pieces(edited.iter().map(|edited| edited.text.as_str()))?;
    }
    Ok(Ending::Success)
}

impl EditedText {
    fn before(&self) -> &str {
        self.before.written_text()
    }

    fn change(&self) -> OutputChange<'_> {
        OutputChange::text(self.before.shown_name(), self.before(), &self.text)
    }

    /// Returns the text to write, if anything changed.
    fn to_write(&self) -> Option<FileText<'_>> {
        (self.text != self.before()).then(|| FileText {
            path: &self.path,
            real: self.real.as_deref(),
            before: self.before(),
            text: &self.text,
        })
    }
}

/// Returns the text of a file with other documents.
///
/// # Errors
/// Fails for a value that the format of the file cannot represent.
fn print(file: &OpenFile, roots: &[Arc<Node>]) -> Result<String> {
    // An added document had no content before.
    let mut before = file.documents.roots();
    before.resize(roots.len(), Node::plain("null"));
    file.documents.check(&before, roots)?;
    check_printable(roots)?;
    let (text, _) = file.documents.print(roots);
    Ok(text)
}

/// The documents of a file after one edit.
pub(super) enum EditedRoots {
    /// At least one document has the path.
    Found(Vec<Arc<Node>>),
    /// No document has it. The failure is that of the document that has the most of the path;
    /// `None` if there is no document.
    Missing(Option<EditFailure>),
}

/// Edits every chosen document that has the path. Some may not have it, because objects of several
/// kinds can share a file.
///
/// # Errors
/// Fails for any other mistake, and for a text on the path that does not parse.
pub(super) fn edit_documents(
    roots: &[Arc<Node>],
    chosen: &ChosenDocuments<'_>,
    edit: impl Fn(&Arc<Node>) -> Result<Arc<Node>, EditFailure>,
) -> Result<EditedRoots> {
    let mut changed = roots.to_vec();
    let mut is_found = false;
    let mut missing: Option<EditFailure> = None;
    for at in chosen.indices() {
        match edit(&roots[at]) {
            Ok(new) => {
                is_found = true;
                changed[at] = new;
            }
            Err(failure) => missing = Some(deeper(missing, chosen.check(at, failure)?)),
        }
    }
    Ok(match is_found {
        true => EditedRoots::Found(changed),
        false => EditedRoots::Missing(missing),
    })
}
