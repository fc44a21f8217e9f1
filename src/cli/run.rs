//! `inlay run CONFIG PATH…`: applies configurations to files, without a host such as kustomize or
//! kpt.

use std::sync::Arc;

use super::arguments::{RunArguments, RunInputArguments, RunOutput};
use super::comparison;
use super::edited_files::{EditedFile, EditedFiles, NewObject};
use super::ending::{CommandResult, Ending};
use super::explain;
use super::input::ParsedFile;
use super::output::{self, Reporter};
use super::run_input::ReadRun;
use super::watch::watch;
use crate::krm::{self, objects};
use crate::kubernetes::{Resource, start_records};
use crate::pipeline::{self, Configuration, ConfigurationRun, PluginRole};
use crate::provenance::{Journal, Recorder};
use crate::source::world::{Folder, World};
use crate::source::{Diagnostics, Reported, Result};

/// Applies a configuration to files, and prints, compares or writes them.
pub(super) fn run(
    world: &dyn World,
    arguments: &RunArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let edit = |world: &dyn World, diagnostics: &mut Diagnostics| {
        edit_files(world, &arguments.input, Recorder::off(), diagnostics)
    };
    if arguments.watch.watch {
        let form = arguments.comparison.diff;
        let render = |world: &dyn World, diagnostics: &mut Diagnostics| {
            Ok(edit(world, diagnostics)?.output())
        };
        return watch(world, &arguments.watch, form, reporter, render);
    }
    if arguments.output == RunOutput::Annotated {
        return print_annotated(world, &arguments.input, diagnostics);
    }
    let edited = edit(world, diagnostics)?;
    let comparison = arguments.comparison.with_base(&arguments.base);
    if let Some(base) = &arguments.base.against {
        let before = comparison::run_against(world, base, diagnostics, |world, diagnostics| {
            Ok(edit(world, diagnostics)?)
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

/// Prints the edited files, with a comment after each value that an edit wrote.
fn print_annotated(
    world: &dyn World,
    arguments: &RunInputArguments,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let journal = Journal::default();
    let edited = edit_files(world, arguments, journal.recorder(), diagnostics)?;
    let text = explain::annotated(&edited.join(), edited.roots.iter().cloned(), journal)?;
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
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
