//! The result of `inlay run`: the edited files, and objects that belong to no file.

use std::sync::Arc;

use super::comparison::OutputText;
use super::input::ParsedFile;
use super::output::{self, FileText};
use crate::diff::{OutputChange, OutputComparison};
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Result, quoted_name};
use crate::yaml::{Node, faithful};

/// A file before and after the run.
pub(super) struct EditedFile {
    pub(super) file: ParsedFile,
    pub(super) text: String,
}

/// An object that does not belong to a file.
pub(super) struct NewObject {
    /// The object in the notation of messages.
    pub(super) name: String,
    pub(super) document: String,
}

/// The result of a run: the files in order, and new objects.
pub(super) struct EditedFiles {
    pub(super) files: Vec<EditedFile>,
    pub(super) new_objects: Vec<NewObject>,
    /// All objects, in the order of the files.
    pub(super) roots: Vec<Arc<Node>>,
}

/// The file name for new objects in a diff.
const NEW_RESOURCES: &str = "new resources";

impl EditedFiles {
    fn changed(&self) -> impl Iterator<Item = &EditedFile> {
        self.files.iter().filter(|file| file.text != file.before())
    }

    /// Returns all documents as one stream: those of the files, followed by the new ones.
    pub(super) fn join(&self) -> String {
        let texts = self.files.iter().map(|file| file.text.as_str());
        let new = self.new_objects.iter().map(|new| new.document.as_str());
        join(texts.chain(new))
    }

    /// Returns the new objects as one stream.
    pub(super) fn new_documents(&self) -> String {
        join(self.new_objects.iter().map(|new| new.document.as_str()))
    }

    /// Compares the files before and after the run. `new` contains the new objects.
    pub(super) fn comparison<'e>(&'e self, new: &'e str) -> OutputComparison<'e> {
        let files = self.changed();
        let files = files.map(|file| OutputChange::text(file.name(), file.before(), &file.text));
        OutputComparison::new(files.chain([OutputChange::text(NEW_RESOURCES, "", new)]))
    }

    /// Returns the edited files and the new objects, with their names.
    pub(super) fn output(&self) -> Vec<OutputText> {
        let mut texts = Vec::with_capacity(self.files.len() + 1);
        for file in &self.files {
            texts.push((file.name().to_owned(), file.text.clone().into_bytes()));
        }
        texts.push((NEW_RESOURCES.to_owned(), self.new_documents().into_bytes()));
        texts
    }

    /// Returns a line for each file that the run would change and each object that it would add.
    pub(super) fn list_changes(&self) -> String {
        let mut list = String::new();
        for file in self.changed() {
            list.push_str(&format!("would change {}\n", quoted_name(file.name())));
        }
        for new in &self.new_objects {
            list.push_str(&format!("would add {}\n", quoted_name(&new.name)));
        }
        list
    }

    /// Writes the files that change.
    ///
    /// # Errors
    /// Fails if there are new objects, which belong to no file, or if a file cannot be written. In
    /// that case, no file is changed.
    pub(super) fn write_in_place(
        &self,
        world: &dyn World,
        diagnostics: &mut Diagnostics,
    ) -> Result<()> {
        // Choosing a file for them would be a guess, and dropping them would lose data.
        if !self.new_objects.is_empty() {
            return Err(self.new_objects_without_file());
        }
        let mut texts = Vec::new();
        for file in self.changed() {
            texts.push(FileText {
                path: &file.file.path,
                real: file.file.real.as_deref(),
                before: file.before(),
                text: &file.text,
            });
        }
        output::write_files(world, &texts, diagnostics)
    }

    fn new_objects_without_file(&self) -> Box<Diagnostic> {
        let names: Vec<String> = self
            .new_objects
            .iter()
            .map(|new| format!("`{}`", new.name))
            .collect();
        let message = format!(
            "`--in-place` cannot write new resources: {}",
            names.join(", ")
        );
        Diagnostic::error(Code::Output, message)
            .note("no file is changed")
            .help("print them, without `--in-place`, and put them into a file")
    }
}

impl EditedFile {
    fn name(&self) -> &str {
        self.file.stream.source.shown_name()
    }

    fn before(&self) -> &str {
        self.file.stream.source.written_text()
    }
}

/// Joins texts into one stream of documents.
fn join<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut joined = String::new();
    for text in texts {
        if !text.is_empty() {
            faithful::add_documents(&mut joined, text);
        }
    }
    joined
}
