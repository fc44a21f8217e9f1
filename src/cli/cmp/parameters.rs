//! The parameters of an application: the table of parameters, and their values in the environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::repository::Repository;
use crate::source::suggest::did_you_mean;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Result};

/// The variable that contains the values of an Application, as a JSON list.
const VALUES: &str = "ARGOCD_APP_PARAMETERS";

/// The command that creates the objects of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// `inlay kustomize`
    Kustomize,
    /// `inlay run`
    Run,
    /// `inlay build`
    Build,
}

/// A parameter, as Argo CD's user interface lists it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ParameterAnnouncement {
    pub(super) name: &'static str,
    title: &'static str,
    tooltip: &'static str,
    collection_type: &'static str,
}

/// All parameters.
pub(super) const PARAMETERS: [ParameterAnnouncement; 8] = [
    announce(
        "mode",
        "Mode",
        "kustomize, run or build; by default, what the folder contains decides",
        STRING,
    ),
    announce(
        "folder",
        "Folder",
        "kustomize: the folder of the kustomization; the application's by default",
        STRING,
    ),
    announce(
        "configuration",
        "Configuration",
        "run: the Inlay configuration; inlay.yaml by default",
        STRING,
    ),
    announce(
        "files",
        "Files",
        "run and build: files and folders to read; the application's folder by default",
        ARRAY,
    ),
    announce(
        "values-files",
        "Values files",
        "build: files with data values; a later one wins",
        ARRAY,
    ),
    announce("values", "Values", "build: data values, as strings", MAP),
    announce(
        "values-yaml",
        "Values (YAML)",
        "build: data values, as YAML: numbers, booleans, lists",
        MAP,
    ),
    announce(
        "allow-empty",
        "Allow empty",
        "true: an application without objects is not an error",
        STRING,
    ),
];

const STRING: &str = "string";
const ARRAY: &str = "array";
const MAP: &str = "map";

const fn announce(
    name: &'static str,
    title: &'static str,
    tooltip: &'static str,
    collection_type: &'static str,
) -> ParameterAnnouncement {
    ParameterAnnouncement {
        name,
        title,
        tooltip,
        collection_type,
    }
}

/// Returns the JSON list of all parameters, as `parameters.dynamic` prints it.
pub(super) fn announcement() -> String {
    // A table of strings can always be serialized.
    serde_json::to_string(&PARAMETERS).unwrap_or_default() + "\n"
}

/// The values that an application sets.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parameters {
    pub(super) mode: Option<Mode>,
    folder: Option<String>,
    pub(super) configuration: Option<String>,
    files: Vec<String>,
    pub(super) values_files: Vec<String>,
    pub(super) values: BTreeMap<String, String>,
    pub(super) values_yaml: BTreeMap<String, String>,
    pub(super) allows_empty: bool,
}

/// A value as Argo CD passes it. One of the three forms is set.
#[derive(Deserialize)]
struct ParameterValue {
    name: String,
    #[serde(default)]
    string: Option<String>,
    #[serde(default)]
    array: Option<Vec<String>>,
    #[serde(default)]
    map: Option<BTreeMap<String, String>>,
}

impl Parameters {
    /// Reads the values from the environment.
    ///
    /// An application without parameters has the text `null`, as Go writes an empty list, or no
    /// variable: the plugin server omits empty ones.
    ///
    /// # Errors
    /// Fails for a value that is not Argo CD's JSON, an unknown parameter, a parameter of the wrong
    /// form, or a path outside the repository.
    pub(super) fn from_environment(repository: &Repository<'_>) -> Result<Parameters> {
        let text = World::variable(repository, VALUES).unwrap_or_default();
        if text.trim().is_empty() {
            return Ok(Parameters::default());
        }
        let values: Option<Vec<ParameterValue>> = serde_json::from_str(&text).map_err(|error| {
            Diagnostic::error(Code::Config, format!("`{VALUES}` is not readable: {error}"))
                .note("Argo CD sets it from `spec.source.plugin.parameters` of the Application")
        })?;
        let mut parameters = Parameters::default();
        for value in values.unwrap_or_default() {
            parameters.set(value, repository)?;
        }
        Ok(parameters)
    }

    /// Sets one value.
    fn set(&mut self, value: ParameterValue, repository: &Repository<'_>) -> Result<()> {
        match value.name.as_str() {
            "mode" => self.mode = Some(mode(&value.text()?)?),
            "folder" => self.folder = Some(in_repository(value.text()?, repository)?),
            "configuration" => self.configuration = Some(in_repository(value.text()?, repository)?),
            "files" => self.files = all_in_repository(value.list()?, repository)?,
            "values-files" => self.values_files = all_in_repository(value.list()?, repository)?,
            "values" => self.values = value.mapping()?,
            "values-yaml" => self.values_yaml = value.mapping()?,
            "allow-empty" => self.allows_empty = value.text()? == "true",
            unknown => return Err(unknown_parameter(unknown)),
        }
        Ok(())
    }

    /// Returns the folder of the kustomization.
    pub(super) fn folder(&self) -> PathBuf {
        PathBuf::from(self.folder.as_deref().unwrap_or("."))
    }

    /// Returns the files and folders to read.
    pub(super) fn files(&self) -> Vec<String> {
        if self.files.is_empty() {
            return vec![".".to_owned()];
        }
        self.files.clone()
    }

    /// Returns values in the form of a flag: `KEY=VALUE`.
    pub(super) fn assignments(&self, values: &BTreeMap<String, String>) -> Vec<String> {
        values
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect()
    }
}

impl ParameterValue {
    fn text(self) -> Result<String> {
        let name = self.name;
        self.string.ok_or_else(|| other_form(&name, STRING))
    }

    fn list(self) -> Result<Vec<String>> {
        let name = self.name;
        self.array.ok_or_else(|| other_form(&name, ARRAY))
    }

    fn mapping(self) -> Result<BTreeMap<String, String>> {
        let name = self.name;
        self.map.ok_or_else(|| other_form(&name, MAP))
    }
}

fn mode(name: &str) -> Result<Mode> {
    match name {
        "kustomize" => Ok(Mode::Kustomize),
        "run" => Ok(Mode::Run),
        "build" => Ok(Mode::Build),
        other => Err(Diagnostic::error(
            Code::Config,
            format!("expected kustomize, run or build for the parameter `mode`, found `{other}`"),
        )),
    }
}

fn all_in_repository(paths: Vec<String>, repository: &Repository<'_>) -> Result<Vec<String>> {
    paths
        .into_iter()
        .map(|path| in_repository(path, repository))
        .collect()
}

/// Returns a path unchanged if it leads to a place in the repository.
///
/// An application in `apps/shop` may read `../../base`, but not `../../../other`.
fn in_repository(path: String, repository: &Repository<'_>) -> Result<String> {
    if !repository.contains(Path::new(&path)) {
        let message = format!("the path `{path}` leads out of the repository of the application");
        return Err(Diagnostic::error(Code::Config, message)
            .help("give a path relative to the folder of the application"));
    }
    Ok(path)
}

fn other_form(name: &str, form: &str) -> Box<Diagnostic> {
    let message = format!("expected `{form}` for the parameter `{name}`, found another form");
    let example = match form {
        ARRAY => format!("{{name: {name}, array: [values/production.yml]}}"),
        MAP => format!("{{name: {name}, map: {{domain: example.com}}}}"),
        _ => format!("{{name: {name}, string: …}}"),
    };
    Diagnostic::error(Code::Config, message).help(format!("write `{example}`"))
}

fn unknown_parameter(name: &str) -> Box<Diagnostic> {
    let names: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
    Diagnostic::error(Code::Config, format!("unknown parameter `{name}`"))
        .note(format!("parameters are `{}`", names.join("`, `")))
        .help_if(did_you_mean(name, names))
}
