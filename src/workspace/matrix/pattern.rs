//! The patterns of a matrix: `rendered/{name}.yaml` for outputs, `clusters/*.yml` for values files.

use std::path::Path;

use super::RenderOutput;
use crate::source::world::cleaned;
use crate::source::{Code, Diagnostic, Result};
use crate::typed::Spanned;
use crate::workspace::virtual_path::VirtualPath;

/// The placeholder for the name of a render in `spec.output`.
const NAME: &str = "{name}";

/// `spec.output`.
pub(super) struct OutputPattern<'c> {
    text: &'c Spanned<String>,
    is_folder: bool,
}

impl<'c> OutputPattern<'c> {
    /// Creates the pattern.
    ///
    /// # Errors
    /// Fails for a path without `{name}`, to which all renders would be written.
    pub(super) fn new(text: &'c Spanned<String>) -> Result<OutputPattern<'c>> {
        if !text.value.contains(NAME) {
            let message = format!("expected a path with `{NAME}`, found `{}`", text.value);
            return Err(Diagnostic::error(Code::Config, message)
                .at(text.location.clone(), "")
                .note("otherwise all renders would be written to the same file")
                .help(
                    "write `rendered/{name}.yaml`, or `rendered/{name}/` for a folder of files",
                ));
        }
        Ok(OutputPattern {
            text,
            is_folder: text.value.ends_with('/'),
        })
    }

    /// Returns the place of a render's output.
    ///
    /// # Errors
    /// Fails for a path that leaves the folder of the matrix.
    pub(super) fn output(&self, name: &str, folder: &Path) -> Result<RenderOutput> {
        let path = self.text.value.replace(NAME, name);
        let path = VirtualPath::new(&path).map_err(|_| {
            let message = format!("expected a path below the folder of the matrix, found `{path}`");
            Diagnostic::error(Code::Config, message)
                .at(self.text.location.clone(), "")
                .help("move the matrix to a folder that contains the outputs")
        })?;
        let place = cleaned(&folder.join(path.as_str()));
        Ok(match self.is_folder {
            true => RenderOutput::Folder(place),
            false => RenderOutput::File(place),
        })
    }
}

/// A path with one `*`: `clusters/*.yml`, `clusters/*/values.yml`.
pub(super) struct FilePattern<'p> {
    /// The folder that is searched. It may be empty.
    pub(super) folder: &'p str,
    /// The text in the name before and after `*`.
    before: &'p str,
    after: &'p str,
    /// The path below the match, if the pattern continues.
    pub(super) below: Option<&'p str>,
}

impl<'p> FilePattern<'p> {
    /// Parses a pattern.
    ///
    /// # Errors
    /// Fails if the pattern does not contain exactly one `*`.
    pub(super) fn new(text: &'p str) -> Result<FilePattern<'p>> {
        let parts = text.split_once('*');
        let Some((left, right)) = parts.filter(|(_, right)| !right.contains('*')) else {
            let message = format!("expected a path with one `*`, found `{text}`");
            return Err(Diagnostic::error(Code::Config, message)
                .note("`*` matches a part of a name, which becomes the name of the render")
                .help(
                    "write `clusters/*.yml`; for a single render, write `name` and `valuesFiles`",
                ));
        };
        let (folder, before) = match left.rsplit_once('/') {
            // The folder of `/*.yml` is the root.
            Some(("", before)) => ("/", before),
            Some((folder, before)) => (folder, before),
            None => ("", left),
        };
        let (after, below) = match right.split_once('/') {
            Some((after, below)) => (after, Some(below)),
            None => (right, None),
        };
        Ok(FilePattern {
            folder,
            before,
            after,
            below,
        })
    }

    /// Returns the part of a name that `*` matches; `None` if the name does not match.
    pub(super) fn name<'n>(&self, name: &'n str) -> Option<&'n str> {
        let matched = name.strip_prefix(self.before)?.strip_suffix(self.after)?;
        let is_hidden = name.starts_with('.') && !self.before.starts_with('.');
        (!matched.is_empty() && !is_hidden).then_some(matched)
    }
}
