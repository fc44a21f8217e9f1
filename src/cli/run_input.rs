//! Reads the input of `inlay run`: the configuration with the values of its flags, and the files.

use std::path::Path;
use std::sync::Arc;

use super::arguments::RunInputArguments;
use super::assignment::{self, FieldAssignment};
use super::input::{self, FilePath, ParsedFile};
use super::kustomization_input;
use super::order::check_order;
use crate::edit::Documents;
use crate::krm;
use crate::kubernetes::{KUSTOMIZATION_FILES, split_api_version};
use crate::pipeline::Configuration;
use crate::provenance::Recorder;
use crate::source::world::{Folder, World, read_source};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, Source};
use crate::workspace::{DataValuesFlags, InputReader};

/// The API group of kustomize's files.
const KUSTOMIZATION_GROUP: &str = "kustomize.config.k8s.io";

/// The input of a run after it was read.
pub(super) struct ReadRun<'w> {
    /// The folder of the configuration.
    pub(super) folder: Folder<'w>,
    pub(super) configurations: Vec<Configuration>,
    pub(super) files: Vec<ParsedFile>,
}

impl ReadRun<'_> {
    /// Reads the configuration and the files.
    ///
    /// # Errors
    /// Reports the mistakes in the configuration and in the files.
    pub(super) fn new<'w>(
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
        let read = krm::read_configurations(&source, &folder, diagnostics);
        let configurations = match read {
            Ok(configurations) => with_values(world, configurations, arguments, diagnostics),
            // Continue after a mistake in the configuration, so that those in the files are
            // reported too.
            Err(reported) => Err(reported),
        };
        let folders = &arguments.kustomizations;
        let mut files = kustomization_input::files(world, folders, recorder, diagnostics)?;
        files.extend(read_files(world, arguments, diagnostics)?);
        Ok(ReadRun {
            folder,
            configurations: configurations?,
            files,
        })
    }
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

/// Reads and parses the files of the arguments.
///
/// # Errors
/// Fails if the files cannot be found. The mistakes in each of them are reported, and the file is
/// left out; the run ends when its objects are searched for.
fn read_files(
    world: &dyn World,
    arguments: &RunInputArguments,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<ParsedFile>, Reported> {
    let paths = &arguments.paths;
    let destinations = arguments.links.destinations(world, paths);
    let found = input::files(world, paths, &destinations, diagnostics);
    let found = diagnostics.check(found)?;
    // A configuration in a folder of resources is not a resource, unless it is also named as one.
    let config = world.canonical(&arguments.config).ok();
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
            let warning = match is_named {
                true => edited_kustomization(&file.path),
                false => skipped_kustomization(&file.path),
            };
            diagnostics.push(warning.help(build_it_instead(&file.path)));
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

/// Returns the warning about a kustomization that a user names as a resource.
fn edited_kustomization(path: &Path) -> Box<Diagnostic> {
    let file = path.display();
    let message = format!("`{file}` is edited as a resource, but it is a kustomization");
    Diagnostic::warning(Code::File, message)
}

/// Returns the warning about a kustomization in a folder of resources. It is skipped, because a user
/// who names a folder does not mean it.
fn skipped_kustomization(path: &Path) -> Box<Diagnostic> {
    let file = path.display();
    let message = format!("`{file}` is left out: it is a kustomization and not a resource");
    Diagnostic::warning(Code::File, message)
}

/// Returns the help that names the flag for the folder of a kustomization.
fn build_it_instead(path: &Path) -> String {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    format!("to edit what it builds, use `-k {}`", folder.display())
}
