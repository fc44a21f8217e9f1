//! `inlay kustomize`: builds a kustomization.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::arguments::{
    KustomizeArguments, KustomizeBuildArguments, KustomizeCommand, KustomizeInputArguments,
    LoadRestrictor, Reorder,
};
use super::comparison::{self, OutputText};
use super::ending::{CommandResult, Ending};
use super::explain;
use super::input_places::InputPlaces;
use super::kustomize_fix;
use super::output::{self, Reporter};
use super::output_file;
use super::watch::watch;
use crate::kubernetes::Resource;
use crate::kustomization::{self, HelmOptions, KustomizationOptions};
use crate::provenance::{Journal, Recorder};
use crate::source::world::{
    FolderReach, NewFile, OtherFiles, Recording, World, name_fault, reason,
};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};

/// The variable that has the same effect as `--enable-managedby-label`.
const MANAGED_BY: &str = "KUSTOMIZE_ENABLE_MANAGEDBY_LABEL";

/// The value of `-o` for annotated output; every other value is a path.
const ANNOTATED: &str = "annotated";

/// Builds a kustomization, and prints or writes its objects.
pub(super) fn kustomize(
    world: &dyn World,
    arguments: &KustomizeArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let arguments = match &arguments.command {
        Some(KustomizeCommand::Fix(fix)) => {
            return kustomize_fix::fix(world, fix, reporter, diagnostics);
        }
        Some(KustomizeCommand::Build(build)) => build,
        None => &arguments.build,
    };
    check_flags(&arguments.input, diagnostics)?;
    if arguments.output.as_deref() == Some(Path::new(ANNOTATED)) {
        return print_annotated(world, arguments, diagnostics);
    }
    if arguments.watch.watch {
        let name = arguments.input.folder.display().to_string();
        let form = arguments.comparison.diff;
        return watch(
            world,
            &arguments.watch,
            form,
            reporter,
            |world, diagnostics| Ok(build_output(world, arguments, diagnostics)?.into_files(&name)),
        );
    }
    let comparison = arguments.comparison.with_base(&arguments.base);
    if !comparison.is_on() {
        return build_and_write(world, arguments, diagnostics);
    }
    let printed = build_output(world, arguments, diagnostics)?;
    if let Some(base) = &arguments.base.against {
        let before = comparison::run_against(world, base, diagnostics, |world, diagnostics| {
            Ok(build_output(world, arguments, diagnostics)?)
        })?;
        let name = arguments.input.folder.display().to_string();
        let (before, after) = (before.into_files(&name), printed.into_files(&name));
        let compared = comparison::compare(&before, &after).of_outputs();
        return comparison::show(&compared, &comparison, reporter);
    }
    let folder = printed.folder().to_owned();
    let after = printed.into_files("");
    let compared = comparison::compare_with_disk(world, &folder, &after)?;
    comparison::show(&compared, &comparison, reporter)
}

/// Builds, and prints or writes the output. With `--depfile`, also lists the files that were read.
fn build_and_write(
    world: &dyn World,
    arguments: &KustomizeBuildArguments,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let recording = Recording::new(world);
    let printed = build_output(&recording, arguments, diagnostics)?;
    printed.refuse_replacing_inputs(world, &recording)?;
    let (Some(depfile), Some(target)) = (&arguments.depfile, &arguments.output) else {
        printed.write(world)?;
        return Ok(Ending::Success);
    };
    if world.is_folder(target) {
        let message = format!(
            "`--depfile` lists the inputs of one file, and `{}` is a folder",
            target.display()
        );
        return Err(Diagnostic::error(Code::Flag, message)
            .help("write one stream: `-o FILE`")
            .into());
    }
    output_file::list_inputs(world, &recording, target, depfile)?;
    printed.write(world)?;
    Ok(Ending::Success)
}

/// Builds, and returns the complete output.
///
/// # Errors
/// Reports the errors of the kustomization; with `--strict`, also its warnings.
fn build_output(
    world: &dyn World,
    arguments: &KustomizeBuildArguments,
    diagnostics: &mut Diagnostics,
) -> Result<Printed, Reported> {
    let resources = resources(world, &arguments.input, Recorder::off(), diagnostics)?;
    let printed = Printed::new(world, arguments, &resources, diagnostics)?;
    if arguments.strict {
        diagnostics.deny_warnings();
    }
    diagnostics.outcome()?;
    Ok(printed)
}

/// Prints the objects, with a comment after each value that was not set by its own file.
fn print_annotated(
    world: &dyn World,
    arguments: &KustomizeBuildArguments,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let journal = Journal::default();
    let resources = resources(world, &arguments.input, journal.recorder(), diagnostics)?;
    let text = print(arguments, &resources, diagnostics)?;
    if arguments.strict {
        diagnostics.deny_warnings();
    }
    diagnostics.outcome()?;
    let roots = resources.into_iter().map(|resource| resource.node);
    let text = explain::annotated(&text, roots, journal)?;
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

fn print(
    arguments: &KustomizeBuildArguments,
    resources: &[Resource],
    diagnostics: &mut Diagnostics,
) -> Result<String, Reported> {
    match arguments.faithful {
        true => kustomization::print_faithfully(resources, diagnostics),
        false => kustomization::print(resources, diagnostics),
    }
}

/// Builds the kustomization of the flags. `recorder` records the origin of each value.
///
/// # Errors
/// Reports every mistake that is found.
pub(super) fn resources(
    world: &dyn World,
    arguments: &KustomizeInputArguments,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    let options = options(world, arguments);
    kustomization::build(world, &arguments.folder, &options, recorder, diagnostics)
}

/// The output of a build, which is complete before its first byte is written.
enum Printed {
    /// One stream on standard output.
    Stream(String),
    /// Files in a folder.
    Files {
        folder: PathBuf,
        /// The names and texts.
        files: Vec<(String, String)>,
    },
}

impl Printed {
    /// Prints the objects to the destination of `-o`: to standard output, into one file, or into a
    /// folder with a file for each object.
    ///
    /// # Errors
    /// Reports a folder that does not exist, and objects that cannot be written to separate files.
    fn new(
        world: &dyn World,
        arguments: &KustomizeBuildArguments,
        resources: &[Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<Printed, Reported> {
        match &arguments.output {
            None => Ok(Printed::Stream(print(arguments, resources, diagnostics)?)),
            Some(path) if world.is_folder(path) => {
                Printed::file_per_object(path, arguments, resources, diagnostics)
            }
            Some(path) => {
                let text = print(arguments, resources, diagnostics)?;
                diagnostics.check(Printed::one_file(world, path, text))
            }
        }
    }

    /// Returns an output of one file.
    ///
    /// # Errors
    /// Fails if the folder of the file does not exist.
    fn one_file(world: &dyn World, path: &Path, text: String) -> Result<Printed> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // `out/` is a folder and not a file `out`, as in kustomize.
        let is_named_as_folder = path.to_string_lossy().ends_with(std::path::is_separator);
        if name.is_empty() || is_named_as_folder || !world.is_folder(folder) {
            let message = format!(
                "cannot write `{}`: the folder does not exist",
                path.display()
            );
            return Err(Diagnostic::error(Code::File, message));
        }
        Ok(Printed::Files {
            folder: folder.to_owned(),
            files: vec![(name.into_owned(), text)],
        })
    }

    /// Prints each object into its own file in `folder`.
    ///
    /// # Errors
    /// Reports an object whose file name is not valid, and two objects with the same file name.
    fn file_per_object(
        folder: &Path,
        arguments: &KustomizeBuildArguments,
        resources: &[Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<Printed, Reported> {
        // If two objects have the same file name, the second would replace the first.
        let mut files = Vec::with_capacity(resources.len());
        let mut owners: HashMap<String, &Resource> = HashMap::new();
        for (resource, name) in resources.iter().zip(kustomization::file_names(resources)) {
            // On Windows, the name `system:node` of a role would be a stream of another file.
            if name.contains('/') || name_fault(&name).is_some() {
                let message = format!("an object cannot be written to the file `{name}`");
                let error =
                    Diagnostic::error(Code::Output, message).at(resource.name_location(), "");
                return Err(diagnostics.report(error.help("write one stream: `-o FILE`")));
            }
            let text = print(arguments, std::slice::from_ref(resource), diagnostics)?;
            files.push((name.clone(), text));
            if let Some(first) = owners.insert(name.clone(), resource) {
                return Err(diagnostics.report(same_file(&name, first, resource)));
            }
        }
        Ok(Printed::Files {
            folder: folder.to_owned(),
            files,
        })
    }

    /// Returns the folder of the files.
    fn folder(&self) -> &Path {
        match self {
            Printed::Stream(_) => Path::new(""),
            Printed::Files { folder, .. } => folder,
        }
    }

    /// Returns the files of the output below their folder. `name` is the name of a stream.
    fn into_files(self, name: &str) -> Vec<OutputText> {
        let files = match self {
            Printed::Stream(text) => vec![(name.to_owned(), text)],
            Printed::Files { files, .. } => files,
        };
        let mut texts = Vec::with_capacity(files.len());
        for (name, text) in files {
            texts.push((name, text.into_bytes()));
        }
        texts
    }

    /// Checks that no file of the output replaces a file that the build has read. The kustomization
    /// would be lost, or the next build would change its own output once more.
    ///
    /// # Errors
    /// Fails for the first file that would replace an input.
    fn refuse_replacing_inputs(&self, world: &dyn World, recording: &Recording<'_>) -> Result<()> {
        let Printed::Files { folder, files } = self else {
            return Ok(());
        };
        let read = recording.files();
        let inputs = InputPlaces::new(world, read.iter().map(PathBuf::as_path));
        for (name, _) in files {
            inputs.refuse(world, &folder.join(name), "name another place with `-o`")?;
        }
        Ok(())
    }

    fn write(&self, world: &dyn World) -> Result<()> {
        let (folder, files) = match self {
            Printed::Stream(text) => return output::print(text.as_bytes()),
            Printed::Files { folder, files } => (folder, files),
        };
        let mut new_files = Vec::with_capacity(files.len());
        for (name, text) in files {
            new_files.push(NewFile {
                path: name,
                content: text.as_bytes(),
            });
        }
        world
            .write_folder(folder, &new_files, OtherFiles::Kept)
            .map_err(|failure| {
                let reason = reason(&failure.error);
                let message = format!("cannot write `{}`: {reason}", failure.place.display());
                Diagnostic::error(Code::File, message)
            })
    }
}

fn same_file(name: &str, first: &Resource, second: &Resource) -> Box<Diagnostic> {
    let message = format!("two objects would be written to `{name}`");
    Diagnostic::error(Code::Output, message)
        .at(first.name_location(), "one object")
        .at(second.name_location(), "another object")
        .help("write one stream: `-o FILE`")
}

/// Checks deprecated flags, and flags for plugins in containers.
///
/// # Errors
/// Reports each flag that would change the behavior of a container.
fn check_flags(
    arguments: &KustomizeInputArguments,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    if arguments.as_current_user {
        let message = "`--as-current-user` has no effect: Inlay runs no containers";
        diagnostics.push(Diagnostic::warning(Code::Flag, message));
    }
    let old = [
        ("--reorder", arguments.reorder.is_some(), "sortOptions"),
        (
            "--enable-managedby-label",
            arguments.enable_managedby_label,
            "buildMetadata: [managedByLabel]",
        ),
    ];
    for (flag, _, field) in old.into_iter().filter(|(_, is_given, _)| *is_given) {
        let message = format!("`{flag}` is deprecated");
        let warning = Diagnostic::warning(Code::Flag, message);
        diagnostics.push(warning.help(format!("write `{field}` in the kustomization")));
    }
    let flags = [
        ("--env", !arguments.env.is_empty()),
        ("--mount", !arguments.mount.is_empty()),
        ("--network", arguments.network),
        ("--network-name", arguments.network_name.is_some()),
    ];
    let mut outcome = Ok(());
    for (flag, _) in flags.into_iter().filter(|(_, is_given)| *is_given) {
        let message = format!("`{flag}` is for plugins in containers, which Inlay does not run");
        let error = Diagnostic::error(Code::Flag, message)
            .help("use a plugin that is a program, or a configuration of kind Inlay");
        outcome = Err(diagnostics.report(error));
    }
    outcome
}

fn options(world: &dyn World, arguments: &KustomizeInputArguments) -> KustomizationOptions {
    KustomizationOptions {
        reach: match arguments.load_restrictor {
            LoadRestrictor::RootOnly => FolderReach::BelowWhenResolved,
            LoadRestrictor::Anywhere => FolderReach::Anywhere,
        },
        enables_plugins: arguments.enable_alpha_plugins,
        enables_exec: arguments.enable_exec,
        helm: HelmOptions {
            is_enabled: arguments.helm.enable_helm,
            command: arguments.helm.helm_command.clone(),
            api_versions: arguments.helm.helm_api_versions.clone(),
            kube_version: arguments.helm.helm_kube_version.clone().unwrap_or_default(),
            debug: arguments.helm.helm_debug,
        },
        adds_managed_by_label: arguments.enable_managedby_label
            || world.variable(MANAGED_BY).as_deref() == Some("on"),
        keeps_order: arguments.reorder == Some(Reorder::None),
    }
}
