//! The file of `inlay get` and `inlay set`, in any format that Inlay edits.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::input::{FilePath, format_of};
use crate::edit::{DocumentFormat, Documents, EditOptions, settings_formats};
use crate::kubernetes::text_fields;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::Node;

/// A file in any format that Inlay edits.
pub(super) struct OpenFile {
    /// The path as the user typed it; `-` for standard input.
    pub(super) path: PathBuf,
    /// The canonical path of a regular file, from which it was read.
    pub(super) real: Option<PathBuf>,
    pub(super) documents: Documents,
    /// The format of strings in the file, if the flags specify it.
    pub(super) strings: Option<DocumentFormat>,
}

impl OpenFile {
    /// Returns the options of an edit in the document `root` of the file. It creates nothing, and
    /// keeps the layout of documents in strings.
    pub(super) fn edit_options(&self, root: &Arc<Node>) -> EditOptions {
        EditOptions {
            format: self.strings,
            text_fields: text_fields(root),
            text_format: self.documents.format(),
            has_aliases: self.documents.has_aliases(),
            ..EditOptions::default()
        }
    }
}

/// Reads a file in any format. Its extension determines the format. Without a known extension, as
/// for standard input, the text does. A text that is neither JSON nor YAML is read in the format of
/// the flag `--format`, which otherwise is the format of strings in the file.
///
/// # Errors
/// Fails for a file that cannot be read, or is not in its format.
pub(super) fn open(
    world: &dyn World,
    path: &Path,
    format: Option<DocumentFormat>,
) -> Result<OpenFile> {
    let file = FilePath::named(world, path);
    let source = file.source(world)?;
    let opened = |documents, strings| OpenFile {
        path: file.path.clone(),
        real: file.real.clone(),
        documents,
        strings,
    };
    if let Some(own) = format_of(path) {
        let strings = format.filter(|format| own.syntax().is_some() || *format != own);
        return Ok(opened(Documents::read(&source, Some(own))?, strings));
    }
    let read = Documents::read(&source, None);
    let is_document = |documents: &Documents| {
        let roots = documents.roots();
        roots
            .iter()
            .all(|root| root.resolved().as_scalar().is_none())
    };
    match (read, format.filter(|format| format.syntax().is_none())) {
        (Ok(documents), _) if is_document(&documents) => Ok(opened(documents, format)),
        (_, Some(own)) => Ok(opened(Documents::read(&source, Some(own))?, None)),
        (read, None) => match settings_formats(source.text()) {
            Some(formats) => Err(unknown_format(&source, formats)),
            None => Ok(opened(read?, format)),
        },
    }
}

fn unknown_format(source: &Source, formats: &str) -> Box<Diagnostic> {
    let message = format!(
        "expected JSON or YAML in `{}`, found a text that looks like {formats}",
        source.shown_name()
    );
    Diagnostic::error(Code::NotADocument, message).help("name its format: `--format toml`")
}
