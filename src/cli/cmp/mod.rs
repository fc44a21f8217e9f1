//! `inlay cmp`: the commands of a config management plugin of Argo CD.
//!
//! Argo CD starts them without a shell in a private copy of the application's folder, and passes
//! the users' settings in environment variables. These commands read the variables themselves, so
//! that no value ever becomes a part of a command line, and a container needs only this program.
//!
//! The contract is "Config Management Plugins" in Argo CD's operator manual: `generate` prints
//! Kubernetes objects and nothing else, `discover` prints something if the plugin is responsible,
//! and `parameters` prints the available settings.

mod parameters;
mod repository;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::parameters::{ChosenMode, CmpMode, CmpParameters};
use self::repository::{Repository, fit_help};
use super::arguments::{CmpCommand, LinkArguments, RunInputArguments};
use super::ending::{CommandResult, Ending};
use super::{output, run};
use crate::kubernetes::{KUSTOMIZATION_FILES, Resource};
use crate::kustomization::{self, KustomizationOptions};
use crate::provenance::Recorder;
use crate::source::world::{SymlinkDestinations, World};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, quoted_name};
use crate::workspace::{self, BuildInput, DataValuesFlags, InputReader};
use crate::yaml::{Node, canonical_node, is_empty};

/// The names of configurations. A folder that contains one is built by Inlay.
const CONFIGURATIONS: [&str; 2] = ["inlay.yaml", "inlay.yml"];

/// The API group of Inlay's own kinds. Their objects configure the build and have no meaning in a
/// cluster.
const OWN_GROUP: &str = "inlay.dev";

/// Runs a command of the plugin in the working folder.
pub(super) fn cmp(
    world: &dyn World,
    command: &CmpCommand,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    match command {
        CmpCommand::Discover => discover(world),
        CmpCommand::Generate => generate(world, diagnostics),
        CmpCommand::Parameters => {
            output::print(parameters::announcement().as_bytes())?;
            Ok(Ending::Success)
        }
    }
}

/// Prints the path of the configuration, if there is one. An empty output means that the plugin is
/// not responsible for the application, which is not an error.
fn discover(world: &dyn World) -> CommandResult {
    // According to the manual, this runs in the root of the repository. Depending on the version,
    // Argo CD runs it in the folder of the application.
    let mut folders = vec![PathBuf::new()];
    folders.extend(world.variable("ARGOCD_APP_SOURCE_PATH").map(PathBuf::from));
    for folder in folders {
        if let Some(found) = first_file(world, &folder, &CONFIGURATIONS) {
            let name = found.to_string_lossy();
            output::print(format!("{}\n", quoted_name(&name)).as_bytes())?;
            break;
        }
    }
    Ok(Ending::Success)
}

/// Prints the objects of the application.
fn generate(world: &dyn World, diagnostics: &mut Diagnostics) -> CommandResult {
    let repository = Repository::new(world)?;
    let parameters = CmpParameters::from_environment(&repository, diagnostics)?;
    let objects = objects(&repository, &parameters, diagnostics);
    fit_help(diagnostics);
    let objects = objects?;
    if objects.is_empty() && !parameters.allows_empty {
        // With automatic pruning, an empty output would delete the whole application.
        return Err(
            Diagnostic::error(Code::Output, "the application has no objects")
                .note("Argo CD would delete everything that it has deployed before")
                .help("if that is meant, set the parameter `allow-empty` to `true`")
                .into(),
        );
    }
    let mut documents = Vec::with_capacity(objects.len());
    for object in &objects {
        documents.push(canonical_node(object)?);
    }
    output::print(documents.join("---\n").as_bytes())?;
    Ok(Ending::Success)
}

/// Returns the objects to deploy.
///
/// # Errors
/// Reports parameters that the mode does not use, and the mistakes in the files.
fn objects(
    repository: &Repository<'_>,
    parameters: &CmpParameters,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Arc<Node>>, Reported> {
    let chosen = choose_mode(repository, parameters);
    parameters.check_mode(&chosen, diagnostics)?;
    let mut objects = match chosen.mode {
        CmpMode::Kustomize => kustomize(repository, parameters, diagnostics)?,
        CmpMode::Run => run_configuration(repository, parameters, diagnostics)?,
        CmpMode::Build => build(repository, parameters, diagnostics)?,
    };
    let mut outcome = Ok(());
    objects.retain(|object| match Resource::new(object.clone()) {
        Ok(resource) => is_deployed(&resource),
        Err(error) => {
            outcome = Err(diagnostics.report(error));
            false
        }
    });
    outcome.map(|()| objects)
}

/// Returns the mode of the run. If no parameter sets it, it is determined by the other parameters
/// and the content of the folder.
fn choose_mode(world: &dyn World, parameters: &CmpParameters) -> ChosenMode {
    let because = |mode, reason: String| ChosenMode {
        mode,
        reason: Some(reason),
    };
    if let Some(mode) = parameters.mode {
        return ChosenMode { mode, reason: None };
    }
    // A wrong folder must not lead to another mode, which would ignore it.
    if parameters.folder.is_some() {
        let reason = "the parameter `folder` is set".to_owned();
        return because(CmpMode::Kustomize, reason);
    }
    if let Some(found) = first_file(world, Path::new(""), &KUSTOMIZATION_FILES) {
        return because(
            CmpMode::Kustomize,
            format!("the folder contains `{}`", found.display()),
        );
    }
    if parameters.configuration.is_some() {
        return because(
            CmpMode::Run,
            "the parameter `configuration` is set".to_owned(),
        );
    }
    match first_file(world, Path::new(""), &CONFIGURATIONS) {
        Some(found) => because(
            CmpMode::Run,
            format!("the folder contains `{}`", found.display()),
        ),
        // All parameters that this mode does not use lead to another one.
        None => ChosenMode {
            mode: CmpMode::Build,
            reason: None,
        },
    }
}

fn kustomize(
    repository: &Repository<'_>,
    parameters: &CmpParameters,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Arc<Node>>, Reported> {
    let options = KustomizationOptions::default();
    let resources = kustomization::build(
        repository,
        &parameters.folder(),
        &options,
        Recorder::off(),
        diagnostics,
    )?;
    Ok(nodes(&resources))
}

fn run_configuration(
    repository: &Repository<'_>,
    parameters: &CmpParameters,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Arc<Node>>, Reported> {
    let configuration = parameters
        .configuration
        .as_ref()
        .map(PathBuf::from)
        .or_else(|| first_file(repository, Path::new(""), &CONFIGURATIONS))
        .unwrap_or_else(|| PathBuf::from(CONFIGURATIONS[0]));
    // A folder that contains everything limits nothing, and `--allow-path` refuses it.
    let root = repository.root();
    let shared = root.parent().map(|_| root.to_owned());
    let input = RunInputArguments {
        config: configuration,
        allow_path: shared.into_iter().collect(),
        paths: parameters.files().iter().map(PathBuf::from).collect(),
        // The repository refuses the links that lead out of it.
        links: LinkArguments::all(),
        ..RunInputArguments::default()
    };
    let resources = run::resources(repository, &input, Recorder::off(), diagnostics)?;
    Ok(nodes(&resources))
}

/// Returns whether an object belongs into the cluster. A folder also contains its configuration.
fn is_deployed(resource: &Resource) -> bool {
    resource.id().group != OWN_GROUP && !resource.is_local()
}

fn nodes(resources: &[Resource]) -> Vec<Arc<Node>> {
    resources
        .iter()
        .map(|resource| resource.node.clone())
        .collect()
}

fn build(
    repository: &Repository<'_>,
    parameters: &CmpParameters,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Arc<Node>>, Reported> {
    // The repository refuses the links that lead out of it.
    let reader = InputReader::new(repository, SymlinkDestinations::All).with_linked_folders();
    let files = diagnostics.check(reader.files(&parameters.files()))?;
    let flags = DataValuesFlags {
        data_values_files: parameters.values_files.clone(),
        data_values: parameters.assignments(&parameters.values),
        data_values_yaml: parameters.assignments(&parameters.values_yaml),
        ..DataValuesFlags::default()
    };
    let data_values = flags.read(&[], &reader, repository, false, diagnostics)?;
    let input = BuildInput {
        data_values: &data_values,
        ..BuildInput::of_files(&files, repository)
    };
    let rendered = workspace::build(&input, diagnostics)?;
    let mut objects = Vec::new();
    for file in &rendered.yaml {
        for document in &file.documents {
            if is_empty(document.resolved()) {
                continue;
            }
            if document.get("kind").is_none() {
                // Argo CD fails here too, but shows neither the file nor the reason.
                let message = format!("a document of `{}` has no `kind`", file.path);
                diagnostics.push(
                    Diagnostic::error(Code::Output, message)
                        .at(document.location(), "this document")
                        .help("name the files and folders to render in the parameter `files`, and data values in `values-files`"),
                );
                continue;
            }
            objects.push(document.clone());
        }
    }
    diagnostics.outcome()?;
    Ok(objects)
}

/// Returns the first of the files that exists in a folder.
fn first_file(world: &dyn World, folder: &Path, names: &[&str]) -> Option<PathBuf> {
    names
        .iter()
        .map(|name| folder.join(name))
        .find(|path| world.kind(path).is_ok())
}
