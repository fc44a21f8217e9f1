//! Differences between two versions of files: the engine behind `--diff`, `--check` and `--stat` of
//! every command.
//!
//! ```text
//! before             after              unified              semantic
//! kind: ConfigMap    kind: ConfigMap    @@ … v1 ConfigMap a  v1 ConfigMap a
//! data:              data:              -    {"port": 80}      ± data.app\.json.port  80 → 81
//!   app.json: |        app.json: |      +    {"port": 81}
//!     {"port": 80}       {"port": 81}
//! ```
//!
//! The unified form compares lines and can be applied with `patch -p0`. The semantic form pairs the
//! objects of all files by their ids, and compares their fields, including those inside strings.
//! Both are computed from the texts alone, so that they show exactly what would be written.

mod annotations;
mod document;
mod excerpt;
mod field_change;
mod hidden_spans;
mod line_parts;
mod lines;
mod outline;
mod pairs;
mod path;
mod semantic;
mod sequence;
mod style;
mod text_lines;
mod unified;

use std::borrow::Cow;

use crate::source::{Diagnostic, quoted_name};
pub use style::DiffStyle;

/// A file of an output, before and after.
#[derive(Clone, Debug)]
pub struct OutputChange<'t> {
    /// The path, as the user wrote it.
    pub name: String,
    /// The existing content; `None` if the file does not exist.
    pub before: Option<Cow<'t, [u8]>>,
    /// The content that would be written; `None` if the file would be deleted.
    pub after: Option<Cow<'t, [u8]>>,
}

/// The files of an output that would change.
#[derive(Clone, Debug, Default)]
pub struct OutputComparison<'t> {
    changes: Vec<OutputChange<'t>>,
    /// Whether several files were compared, so that the names of objects must include their files.
    has_several_files: bool,
    /// Whether two outputs are compared, instead of an output and existing files.
    is_of_outputs: bool,
}

impl<'t> OutputChange<'t> {
    /// Creates the change of a text that exists before and after.
    pub fn text(name: impl Into<String>, before: &'t str, after: &'t str) -> OutputChange<'t> {
        OutputChange {
            name: name.into(),
            before: Some(Cow::Borrowed(before.as_bytes())),
            after: Some(Cow::Borrowed(after.as_bytes())),
        }
    }

    /// Returns the texts before and after; `None` if one of them is not text. A missing file counts
    /// as an empty text.
    fn texts(&self) -> Option<(&str, &str)> {
        Some((as_text(&self.before)?, as_text(&self.after)?))
    }
}

fn as_text<'s>(side: &'s Option<Cow<'_, [u8]>>) -> Option<&'s str> {
    match side {
        Some(bytes) => std::str::from_utf8(bytes).ok(),
        None => Some(""),
    }
}

impl<'t> OutputComparison<'t> {
    /// Compares files byte by byte, and keeps those that differ.
    pub fn new(files: impl IntoIterator<Item = OutputChange<'t>>) -> OutputComparison<'t> {
        let mut changes: Vec<OutputChange<'t>> = files.into_iter().collect();
        // Do not count an empty file, such as that of new resources if a run creates none.
        let is_file =
            |text: &Option<Cow<'_, [u8]>>| text.as_ref().is_some_and(|text| !text.is_empty());
        let with_content = changes
            .iter()
            .filter(|file| is_file(&file.before) || is_file(&file.after));
        let has_several_files = with_content.count() > 1;
        changes.retain(|file| file.before != file.after);
        OutputComparison {
            changes,
            has_several_files,
            is_of_outputs: false,
        }
    }

    /// Returns the same comparison between two outputs, whose names are not those of files.
    pub fn of_outputs(self) -> OutputComparison<'t> {
        OutputComparison {
            is_of_outputs: true,
            ..self
        }
    }

    /// Returns whether no file would change.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns a line for each file that would change: `would change a.yml`, `would create b.yml`,
    /// `would delete c.yml`.
    pub fn list(&self) -> String {
        let mut list = String::new();
        for change in &self.changes {
            let action = match (&change.before, &change.after) {
                (None, _) => "create",
                (_, None) => "delete",
                _ => "change",
            };
            list.push_str(&format!("would {action} {}\n", quoted_name(&change.name)));
        }
        list
    }

    /// Returns a diagnostic for each difference, at its lines in the file.
    pub fn diagnostics(&self, style: DiffStyle) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for change in &self.changes {
            diagnostics.extend(annotations::of_change(change, style, !self.is_of_outputs));
        }
        diagnostics
    }

    /// Returns a unified diff with three lines around each change. The hunk headers contain the
    /// object.
    pub fn unified(&self, style: DiffStyle) -> String {
        let mut text = String::new();
        for change in &self.changes {
            text.push_str(&unified::print(change, style));
        }
        text
    }

    /// Returns the changed fields of each object, with their paths.
    pub fn semantic(&self, style: DiffStyle) -> String {
        semantic::print(&self.changes, self.has_several_files, style)
    }

    /// Returns a line for each object that would change, with the number of its changed fields.
    pub fn stat(&self, style: DiffStyle) -> String {
        semantic::print_stat(&self.changes, self.has_several_files, style)
    }
}
