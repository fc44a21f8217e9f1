//! `inlay run CONFIG PATH…`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{RunArguments, RunOutput};
use super::diff::DiffStyle;
use super::ending::{CommandResult, Ending};
use super::explain;
use super::input::{self, ParsedFile};
use super::order::check_order;
use super::output::{self, FileText, Reporter};
use crate::krm::{self, objects};
use crate::kubernetes::{Resource, start_records};
use crate::pipeline::{self, Configuration};
use crate::provenance::{Journal, Recorder};
use crate::source::world::{Folder, SymlinkDestinations, World, read_source};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, quoted_name};
use crate::yaml::{Node, faithful};

/// A file before and after the run.
struct EditedFile {
    file: ParsedFile,
    text: String,
}

/// An object that is in no file.
struct NewObject {
    /// Its id, for people.
    name: String,
    document: String,
}

/// The result of a run: the files in their order, and new objects.
struct EditedFiles {
    files: Vec<EditedFile>,
    new_objects: Vec<NewObject>,
    /// All objects, in the order of the files.
    roots: Vec<Arc<Node>>,
}

/// The name of the file in a diff that shows new objects.
const NEW_RESOURCES: &str = "new resources";

/// Applies a configuration to files, and prints, compares or writes them.
pub(super) fn run(
    world: &dyn World,
    arguments: &RunArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let folder = arguments.config.parent().unwrap_or(Path::new(""));
    let folder = Folder::new(world, folder);
    let source = read_source(world, &arguments.config);
    check_order(world, arguments, source.as_ref().ok(), &folder)?;
    let source = source?;
    let configurations = krm::read_configurations(&source, &folder, diagnostics);
    // A mistake in the configuration does not hide those in the files.
    let destinations = arguments.links.destinations(world, &arguments.paths);
    let files = read_files(world, &arguments.paths, &destinations, diagnostics)?;
    let journal = Journal::default();
    let recorder = match arguments.output {
        RunOutput::Yaml => Recorder::off(),
        RunOutput::Annotated => journal.recorder(),
    };
    let edited = edit(files, &configurations?, &folder, recorder, diagnostics);
    krm::name_objects_of_standard_input(diagnostics);
    let edited = edited?;

    if arguments.output == RunOutput::Annotated {
        let text = explain::annotated(&edited.join(), edited.roots.iter().cloned(), journal)?;
        output::print(text.as_bytes())?;
    } else if arguments.diff {
        output::print(edited.diff(reporter.diff_style()).as_bytes())?;
    } else if arguments.check {
        output::print(edited.list_changes().as_bytes())?;
    } else if arguments.in_place {
        edited.write_in_place(world, diagnostics)?;
    } else {
        output::print(edited.join().as_bytes())?;
    }
    if arguments.check && edited.has_changes() {
        return Ok(Ending::Difference);
    }
    Ok(Ending::Success)
}

/// Applies a configuration to files, and returns the objects in the order of the files, with new
/// ones at the end. Links below the paths are followed if they stay there.
///
/// # Errors
/// Reports what is wrong with the configuration, the files, or an edit.
pub(super) fn resources(
    world: &dyn World,
    config: &Path,
    paths: &[PathBuf],
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    let folder = Folder::new(world, config.parent().unwrap_or(Path::new("")));
    let source = diagnostics.check(read_source(world, config))?;
    let configurations = krm::read_configurations(&source, &folder, diagnostics);
    let destinations = SymlinkDestinations::below(world, paths);
    let files = read_files(world, paths, &destinations, diagnostics)?;
    let found = find_objects(&files, diagnostics)?;
    apply(
        found.resources,
        &configurations?,
        &folder,
        recorder,
        diagnostics,
    )
}

/// Reads and parses the files that the arguments name.
///
/// # Errors
/// The files cannot be found. The mistakes in each of them are reported; [`edit`] checks whether
/// there were any.
fn read_files(
    world: &dyn World,
    paths: &[PathBuf],
    destinations: &SymlinkDestinations,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<ParsedFile>, Reported> {
    let found = input::files(world, paths, destinations, diagnostics);
    let paths = diagnostics.check(found)?;
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let Ok(file) = diagnostics.check(input::read_at(world, path)) else {
            continue;
        };
        for warning in file.stream.warnings() {
            diagnostics.push(warning);
        }
        files.push(file);
    }
    Ok(files)
}

/// The objects of files. Each has a slot, by which the edited object finds its way back to its
/// file.
struct FoundObjects {
    resources: Vec<Resource>,
    /// The slot of the first object of each file.
    first_slots: Vec<usize>,
}

fn find_objects(
    files: &[ParsedFile],
    diagnostics: &mut Diagnostics,
) -> Result<FoundObjects, Reported> {
    let mut resources = Vec::new();
    let mut first_slots = Vec::with_capacity(files.len());
    for file in files {
        //    file        a.yml   b.yml
        //    documents   X Y     Z
        //    slots       0 1     2        first slots: 0, 2
        first_slots.push(resources.len());
        resources.extend(objects::find(&file.stream, resources.len(), diagnostics));
    }
    diagnostics.outcome()?;
    Ok(FoundObjects {
        resources,
        first_slots,
    })
}

/// Applies the configurations, one after the other, to all objects together.
fn apply(
    mut resources: Vec<Resource>,
    configurations: &[Configuration],
    folder: &Folder<'_>,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    start_records(&mut resources, recorder);
    for configuration in configurations {
        resources = pipeline::run(configuration, folder, resources, recorder, diagnostics)?;
    }
    // After all configurations: a suffix depends on the final content.
    pipeline::finish(resources, recorder, diagnostics)
}

/// Applies the configurations to the objects of all files, and returns the edited files.
fn edit(
    files: Vec<ParsedFile>,
    configurations: &[Configuration],
    folder: &Folder<'_>,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<EditedFiles, Reported> {
    let FoundObjects {
        resources,
        first_slots,
    } = find_objects(&files, diagnostics)?;
    let slots = resources.len();
    let resources = apply(resources, configurations, folder, recorder, diagnostics)?;

    // Slots below this number came from files, the others are new.
    let edited = objects::EditedObjects::new(&resources, slots);
    let mut new_objects = Vec::new();
    let documents = diagnostics.check(edited.added_documents())?;
    for (resource, document) in edited.added().iter().zip(documents) {
        new_objects.push(NewObject {
            name: resource.id().to_string(),
            document,
        });
    }
    let mut edited_files = Vec::with_capacity(files.len());
    for (file, first_slot) in files.into_iter().zip(first_slots) {
        edited_files.push(EditedFile {
            text: diagnostics.check(edited.text(&file.stream, first_slot))?,
            file,
        });
    }
    Ok(EditedFiles {
        files: edited_files,
        new_objects,
        roots: resources
            .iter()
            .map(|resource| Arc::clone(&resource.node))
            .collect(),
    })
}

impl EditedFiles {
    fn changed(&self) -> impl Iterator<Item = &EditedFile> {
        self.files.iter().filter(|file| file.text != file.before())
    }

    fn has_changes(&self) -> bool {
        self.changed().next().is_some() || !self.new_objects.is_empty()
    }

    /// Returns all documents as one stream: those of the files, then the new ones.
    fn join(&self) -> String {
        let texts = self.files.iter().map(|file| file.text.as_str());
        let new = self.new_objects.iter().map(|new| new.document.as_str());
        join(texts.chain(new))
    }

    fn diff(&self, style: DiffStyle) -> String {
        let mut diffs = String::new();
        for file in self.changed() {
            diffs.push_str(&style.unified(file.name(), file.before(), &file.text));
        }
        let new = join(self.new_objects.iter().map(|new| new.document.as_str()));
        diffs.push_str(&style.unified(NEW_RESOURCES, "", &new));
        diffs
    }

    fn list_changes(&self) -> String {
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
    /// There are new objects, which no file could take, or a file cannot be written. Then no file
    /// is changed.
    fn write_in_place(&self, world: &dyn World, diagnostics: &mut Diagnostics) -> Result<()> {
        // Choosing a file for them would be a guess, and dropping them would lose data.
        if !self.new_objects.is_empty() {
            let names: Vec<&str> = self.new_objects.iter().map(|new| &*new.name).collect();
            let message = format!(
                "`--in-place` cannot write new resources: {}",
                names.join(", ")
            );
            return Err(Diagnostic::error(Code::Output, message)
                .note("no file is changed")
                .help("print them, without `--in-place`, and put them into a file"));
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
}

impl EditedFile {
    fn name(&self) -> &str {
        self.file.stream.source.shown_name()
    }

    fn before(&self) -> &str {
        self.file.stream.source.text()
    }
}

/// Joins texts to one stream of documents.
fn join<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut joined = String::new();
    for text in texts {
        if !text.is_empty() {
            faithful::add_documents(&mut joined, text);
        }
    }
    joined
}
