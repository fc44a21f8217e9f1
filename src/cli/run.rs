//! `inlay run CONFIG PATH…`: applies configurations to files, without a host such as kustomize or
//! kpt.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{RunArguments, RunInputArguments, RunOutput};
use super::assignment::{self, FieldAssignment};
use super::comparison::{self, OutputText};
use super::ending::{CommandResult, Ending};
use super::explain;
use super::input::{self, FilePath, ParsedFile};
use super::kustomization_input;
use super::order::check_order;
use super::output::{self, FileText, Reporter};
use super::watch::watch;
use crate::diff::{OutputChange, OutputComparison};
use crate::edit::Documents;
use crate::krm::{self, objects};
use crate::kubernetes::{KUSTOMIZATION_FILES, Resource, split_api_version, start_records};
use crate::pipeline::{self, Configuration, ConfigurationRun, PluginRole};
use crate::provenance::{Journal, Recorder};
use crate::source::world::{Folder, SymlinkDestinations, World, read_source};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, Source, quoted_name};
use crate::workspace::{DataValuesFlags, InputReader};
use crate::yaml::{Node, faithful};

/// A file before and after the run.
struct EditedFile {
    file: ParsedFile,
    text: String,
}

/// An object that does not belong to a file.
struct NewObject {
    /// The object in the notation of messages.
    name: String,
    document: String,
}

/// The result of a run: the files in order, and new objects.
struct EditedFiles {
    files: Vec<EditedFile>,
    new_objects: Vec<NewObject>,
    /// All objects, in the order of the files.
    roots: Vec<Arc<Node>>,
}

/// The API group of kustomize's files.
const KUSTOMIZATION_GROUP: &str = "kustomize.config.k8s.io";

/// The file name for new objects in a diff.
const NEW_RESOURCES: &str = "new resources";

/// Applies a configuration to files, and prints, compares or writes them.
pub(super) fn run(
    world: &dyn World,
    arguments: &RunArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    if arguments.watch.watch {
        let form = arguments.comparison.diff;
        return watch(
            world,
            &arguments.watch,
            form,
            reporter,
            |world, diagnostics| {
                let edited = edit_files(world, &arguments.input, Recorder::off(), diagnostics)?;
                Ok(edited.output())
            },
        );
    }
    if arguments.output == RunOutput::Annotated {
        let journal = Journal::default();
        let edited = edit_files(world, &arguments.input, journal.recorder(), diagnostics)?;
        let text = explain::annotated(&edited.join(), edited.roots.iter().cloned(), journal)?;
        output::print(text.as_bytes())?;
        return Ok(Ending::Success);
    }
    let edited = edit_files(world, &arguments.input, Recorder::off(), diagnostics)?;
    let comparison = arguments.comparison.with_base(&arguments.base);
    if let Some(base) = &arguments.base.against {
        let before = comparison::run_against(world, base, diagnostics, |world, diagnostics| {
            Ok(edit_files(
                world,
                &arguments.input,
                Recorder::off(),
                diagnostics,
            )?)
        })?;
        let (before, after) = (before.output(), edited.output());
        let changes = comparison::compare(&before, &after).of_outputs();
        return comparison::show(&changes, &comparison, reporter);
    }
    if comparison.is_on() {
        let new = edited.new_documents();
        let list = || edited.list_changes();
        return comparison::show_with_list(&edited.comparison(&new), &comparison, reporter, list);
    }
    if arguments.in_place {
        edited.write_in_place(world, diagnostics)?;
    } else {
        output::print(edited.join().as_bytes())?;
    }
    Ok(Ending::Success)
}

/// The input of a run after it was read.
struct ReadRun<'w> {
    /// The folder of the configuration.
    folder: Folder<'w>,
    configurations: Vec<Configuration>,
    files: Vec<ParsedFile>,
}

impl ReadRun<'_> {
    /// Reads the configuration and the files.
    ///
    /// # Errors
    /// Reports the mistakes in the configuration and in the files.
    fn new<'w>(
        world: &'w dyn World,
        arguments: &RunInputArguments,
        recorder: Recorder<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<ReadRun<'w>, Reported> {
        let root = arguments.config.parent().unwrap_or(Path::new(""));
        let folder = Folder::new(world, root).with_allowed(&arguments.allow_path);
        let folder = diagnostics.check(folder)?;
        let source = read_source(world, &arguments.config);
        let ordered = check_order(world, arguments, source.as_ref().ok(), &folder);
        diagnostics.check(ordered)?;
        let source = diagnostics.check(source)?;
        let source = configured(source, &arguments.set, diagnostics)?;
        let configurations = krm::read_configurations(&source, &folder, diagnostics);
        let configurations = configurations
            .and_then(|configurations| with_values(world, configurations, arguments, diagnostics));
        // Continue after a mistake in the configuration, so that those in the files are reported
        // too.
        let destinations = arguments.links.destinations(world, &arguments.paths);
        let folders = &arguments.kustomizations;
        let mut files = kustomization_input::files(world, folders, recorder, diagnostics)?;
        let paths = &arguments.paths;
        let config = &arguments.config;
        files.extend(read_files(
            world,
            paths,
            config,
            &destinations,
            diagnostics,
        )?);
        Ok(ReadRun {
            folder,
            configurations: configurations?,
            files,
        })
    }
}

/// Reads the configuration and the files, and returns the edited files.
fn edit_files(
    world: &dyn World,
    arguments: &RunInputArguments,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<EditedFiles, Reported> {
    let read = ReadRun::new(world, arguments, recorder, diagnostics)?;
    let edited = edit(
        read.files,
        &read.configurations,
        &read.folder,
        recorder,
        diagnostics,
    );
    krm::name_objects_of_standard_input(diagnostics);
    edited
}

/// Returns the text of a configuration with the values of `--set`.
///
/// # Errors
/// Reports a text that is not YAML, and fields that cannot be set.
fn configured(
    source: Arc<Source>,
    assignments: &[FieldAssignment],
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Source>, Reported> {
    if assignments.is_empty() {
        return Ok(source);
    }
    let mut documents = diagnostics.check(Documents::read(&source, None))?;
    let mut outcome = Ok(source);
    for assignment in assignments {
        match assignment::write(&documents, assignment) {
            Ok(changed) => {
                documents = diagnostics.check(Documents::read(&changed, None))?;
                outcome = outcome.map(|_| changed);
            }
            Err(error) => {
                outcome = Err(diagnostics.report(error.note("in an argument of `--set`")))
            }
        }
    }
    outcome
}

/// Adds the data values of the flags to the configurations that have templates.
///
/// # Errors
/// Reports mistakes in the flags, and values that no template could read.
fn with_values(
    world: &dyn World,
    mut configurations: Vec<Configuration>,
    arguments: &RunInputArguments,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Configuration>, Reported> {
    let flags = arguments.data_values.flags();
    if flags == DataValuesFlags::default() {
        return Ok(configurations);
    }
    let destinations = arguments.links.destinations(world, &[]);
    let reader = InputReader::new(world, destinations);
    let values = flags.read(&[], &reader, world, false, diagnostics)?;
    reader.report_warnings(diagnostics);
    let mut is_used = false;
    for configuration in &mut configurations {
        if !configuration.build.is_empty() {
            configuration.build.given_values.clone_from(&values);
            is_used = true;
        }
    }
    if is_used {
        return Ok(configurations);
    }
    let message = "data values are given, but the configuration has no templates to read them";
    Err(diagnostics.report(
        Diagnostic::error(Code::Flag, message)
            .help("list templates in `spec.files` or `spec.paths`, or leave the values out"),
    ))
}

/// Applies a configuration to files, and returns the objects in the order of the files, with new
/// ones at the end. `recorder` records the origin of each value.
///
/// # Errors
/// Reports the mistakes in the configuration, the files, or an edit.
pub(super) fn resources(
    world: &dyn World,
    arguments: &RunInputArguments,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    let read = ReadRun::new(world, arguments, recorder, diagnostics)?;
    let found = find_objects(&read.files, diagnostics)?;
    apply(
        found.resources,
        &read.configurations,
        &read.folder,
        recorder,
        diagnostics,
    )
}

/// Reads and parses the files of the arguments.
///
/// # Errors
/// Fails if the files cannot be found. The mistakes in each of them are reported; [`edit`] checks
/// whether there were any.
fn read_files(
    world: &dyn World,
    paths: &[PathBuf],
    config: &Path,
    destinations: &SymlinkDestinations,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<ParsedFile>, Reported> {
    let found = input::files(world, paths, destinations, diagnostics);
    let found = diagnostics.check(found)?;
    // A configuration in a folder of resources is not a resource, unless it is also named as one.
    let config = world.canonical(config).ok();
    let is_config = |path: &FilePath| config.is_some() && path.real == config;
    let mut files = Vec::with_capacity(found.len());
    for path in found {
        if is_config(&path) && !paths.contains(&path.path) {
            continue;
        }
        let Ok(file) = diagnostics.check(input::read_at(world, path)) else {
            continue;
        };
        for warning in file.stream.warnings() {
            diagnostics.push(warning);
        }
        if is_kustomization(&file) {
            let is_named = paths.contains(&file.path);
            diagnostics.push(about_kustomization(&file.path, is_named));
            if !is_named {
                continue;
            }
        }
        files.push(file);
    }
    Ok(files)
}

/// Returns whether a file is a kustomization or a component, which kustomize reads and which
/// contains no resources. Flux has a resource of the same kind in another group.
fn is_kustomization(file: &ParsedFile) -> bool {
    let name = file.path.file_name().and_then(|name| name.to_str());
    let is_by_name = name.is_some_and(|name| KUSTOMIZATION_FILES.contains(&name));
    if file.stream.documents.is_empty() {
        return false;
    }
    for document in &file.stream.documents {
        let text = |key| {
            let value = document.root.get(key)?;
            value.resolved().text()
        };
        let group = text("apiVersion").map(|version| split_api_version(version).0);
        let is_one = match text("kind") {
            Some("Kustomization" | "Component") => {
                group == Some(KUSTOMIZATION_GROUP) || (group.is_none() && is_by_name)
            }
            Some(_) => false,
            None => is_by_name,
        };
        if !is_one {
            return false;
        }
    }
    true
}

/// Returns the warning about a file of kustomize among the resources. It is skipped unless it is
/// named, because a user who names a folder does not mean it.
fn about_kustomization(path: &Path, is_named: bool) -> Box<Diagnostic> {
    let (file, folder) = (path.display(), path.parent().unwrap_or(Path::new("")));
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let message = match is_named {
        true => format!("`{file}` is edited as a resource, but it is a kustomization"),
        false => format!("`{file}` is left out: it is a kustomization and not a resource"),
    };
    let help = format!("to edit what it builds, use `-k {}`", folder.display());
    Diagnostic::warning(Code::File, message).help(help)
}

/// The objects of files. Each has a slot, which leads the edited object back to its file.
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
    let mut outcome = Ok(());
    for file in files {
        //    file        a.yml   b.yml
        //    documents   X Y     Z
        //    slots       0 1     2        first slots: 0, 2
        first_slots.push(resources.len());
        match objects::find(&file.stream, resources.len(), diagnostics) {
            Ok(found) => resources.extend(found),
            Err(reported) => outcome = Err(reported),
        }
    }
    outcome.map(|()| FoundObjects {
        resources,
        first_slots,
    })
}

/// Applies the configurations, one after another, to all objects together.
fn apply(
    mut resources: Vec<Resource>,
    configurations: &[Configuration],
    folder: &Folder<'_>,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    start_records(&mut resources, recorder);
    for configuration in configurations {
        let run = ConfigurationRun {
            configuration,
            role: PluginRole::Transformer,
            folder,
            recorder,
        };
        resources = run.apply(resources, diagnostics)?;
    }
    // Do this after all configurations, because a suffix depends on the final content.
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

    // Slots below this number belong to objects from files. All others are new.
    let edited = objects::EditedObjects::new(&resources, slots);
    let mut new_objects = Vec::new();
    let documents = diagnostics.check(edited.added_documents())?;
    for (resource, document) in edited.added().iter().zip(documents) {
        new_objects.push(NewObject {
            name: resource.id().short(),
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

    /// Returns all documents as one stream: those of the files, followed by the new ones.
    fn join(&self) -> String {
        let texts = self.files.iter().map(|file| file.text.as_str());
        let new = self.new_objects.iter().map(|new| new.document.as_str());
        join(texts.chain(new))
    }

    /// Returns the new objects as one stream.
    fn new_documents(&self) -> String {
        join(self.new_objects.iter().map(|new| new.document.as_str()))
    }

    /// Compares the files before and after the run. `new` contains the new objects.
    fn comparison<'e>(&'e self, new: &'e str) -> OutputComparison<'e> {
        let files = self.changed();
        let files = files.map(|file| OutputChange::text(file.name(), file.before(), &file.text));
        OutputComparison::new(files.chain([OutputChange::text(NEW_RESOURCES, "", new)]))
    }

    /// Returns the edited files and the new objects, with their names.
    fn output(&self) -> Vec<OutputText> {
        let mut texts = Vec::with_capacity(self.files.len() + 1);
        for file in &self.files {
            texts.push((file.name().to_owned(), file.text.clone().into_bytes()));
        }
        texts.push((NEW_RESOURCES.to_owned(), self.new_documents().into_bytes()));
        texts
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
    /// Fails if there are new objects, which belong to no file, or if a file cannot be written. In
    /// that case, no file is changed.
    fn write_in_place(&self, world: &dyn World, diagnostics: &mut Diagnostics) -> Result<()> {
        // Choosing a file for them would be a guess, and dropping them would lose data.
        if !self.new_objects.is_empty() {
            let names: Vec<String> = self
                .new_objects
                .iter()
                .map(|new| format!("`{}`", new.name))
                .collect();
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
