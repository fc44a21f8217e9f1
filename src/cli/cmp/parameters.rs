//! The parameters of an application: the table of parameters, and their values in the environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::repository::Repository;
use crate::source::suggest::{did_you_mean, list};
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};

/// The variable that contains the values of an Application, as a JSON list.
const VALUES: &str = "ARGOCD_APP_PARAMETERS";

/// The command that creates the objects of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CmpMode {
    /// `inlay kustomize`
    Kustomize,
    /// `inlay run`
    Run,
    /// `inlay build`
    Build,
}

impl CmpMode {
    const ALL: [CmpMode; 3] = [CmpMode::Kustomize, CmpMode::Run, CmpMode::Build];

    /// Returns the value of the parameter `mode`.
    fn name(self) -> &'static str {
        match self {
            CmpMode::Kustomize => "kustomize",
            CmpMode::Run => "run",
            CmpMode::Build => "build",
        }
    }
}

/// The mode of a run.
pub(super) struct ChosenMode {
    pub(super) mode: CmpMode,
    /// Why it is this one, if the parameter `mode` does not set it.
    pub(super) reason: Option<String>,
}

/// A parameter, as Argo CD's user interface lists it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ParameterAnnouncement {
    pub(super) name: &'static str,
    title: &'static str,
    tooltip: &'static str,
    collection_type: &'static str,
    /// The modes that use it.
    #[serde(skip)]
    modes: &'static [CmpMode],
}

/// All parameters.
pub(super) const PARAMETERS: [ParameterAnnouncement; 8] = [
    announce(
        "mode",
        "Mode",
        "kustomize, run or build; by default, what the folder contains decides",
        STRING,
        &CmpMode::ALL,
    ),
    announce(
        "folder",
        "Folder",
        "kustomize: the folder of the kustomization; the application's by default",
        STRING,
        &[CmpMode::Kustomize],
    ),
    announce(
        "configuration",
        "Configuration",
        "run: the Inlay configuration; inlay.yaml by default",
        STRING,
        &[CmpMode::Run],
    ),
    announce(
        "files",
        "Files",
        "run and build: files and folders to read; the application's folder by default",
        ARRAY,
        &[CmpMode::Run, CmpMode::Build],
    ),
    announce(
        "values-files",
        "Values files",
        "build: files with data values; a later one wins",
        ARRAY,
        &[CmpMode::Build],
    ),
    announce(
        "values",
        "Values",
        "build: data values, as strings",
        MAP,
        &[CmpMode::Build],
    ),
    announce(
        "values-yaml",
        "Values (YAML)",
        "build: data values, as YAML: numbers, booleans, lists",
        MAP,
        &[CmpMode::Build],
    ),
    announce(
        "allow-empty",
        "Allow empty",
        "true: an application without objects is not an error",
        STRING,
        &CmpMode::ALL,
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
    modes: &'static [CmpMode],
) -> ParameterAnnouncement {
    ParameterAnnouncement {
        name,
        title,
        tooltip,
        collection_type,
        modes,
    }
}

/// Returns the JSON list of all parameters, as `parameters.dynamic` prints it.
pub(super) fn announcement() -> String {
    // A table of strings can always be serialized.
    serde_json::to_string(&PARAMETERS).unwrap_or_default() + "\n"
}

/// The values that an application sets.
#[derive(Debug, Default)]
pub(super) struct CmpParameters {
    /// The parameters with a value.
    given: Vec<&'static ParameterAnnouncement>,
    pub(super) mode: Option<CmpMode>,
    pub(super) folder: Option<String>,
    pub(super) configuration: Option<String>,
    files: Vec<String>,
    pub(super) values_files: Vec<String>,
    pub(super) values: BTreeMap<String, String>,
    pub(super) values_yaml: BTreeMap<String, String>,
    pub(super) allows_empty: bool,
}

/// A value as Argo CD passes it. One of the three forms is set.
#[derive(Deserialize)]
#[serde(expecting = "a parameter with its name and value")]
struct ParameterValue {
    name: String,
    #[serde(default)]
    string: Option<String>,
    #[serde(default)]
    array: Option<Vec<String>>,
    #[serde(default)]
    map: Option<BTreeMap<String, String>>,
}

impl CmpParameters {
    /// Reads the values from the environment.
    ///
    /// # Errors
    /// Reports a variable that is not Argo CD's JSON, unknown parameters, parameters that are given
    /// twice or in the wrong form, values that cannot be meant, and paths outside of the
    /// repository.
    pub(super) fn from_environment(
        repository: &Repository<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<CmpParameters, Reported> {
        let mut parameters = CmpParameters::default();
        for value in diagnostics.check(passed_values(repository))? {
            if let Err(error) = parameters.set(value, repository) {
                diagnostics.push(error);
            }
        }
        diagnostics.outcome()?;
        Ok(parameters)
    }

    /// Sets one value.
    fn set(&mut self, value: ParameterValue, repository: &Repository<'_>) -> Result<()> {
        let name = value.name.clone();
        let Some(parameter) = PARAMETERS.iter().find(|known| known.name == name) else {
            return Err(unknown_parameter(&name));
        };
        if self.given.iter().any(|given| given.name == name) {
            let message = format!("the parameter `{name}` is given twice");
            return Err(Diagnostic::error(Code::Config, message)
                .help("remove one of the two, or write the values of both into one"));
        }
        // An empty list sets nothing. Argo CD's interface leaves one when all items are removed.
        if !value.is_empty() {
            self.given.push(parameter);
        }
        value.require_form(parameter.collection_type)?;
        let path = |path| in_repository(path, &name, repository);
        match name.as_str() {
            "mode" => self.mode = Some(mode(&value.text())?),
            "folder" => self.folder = Some(path(value.text())?),
            "configuration" => self.configuration = Some(path(value.text())?),
            "files" => self.files = value.list().map(path).collect::<Result<_>>()?,
            "values-files" => self.values_files = value.list().map(path).collect::<Result<_>>()?,
            "values" => self.values = with_plain_keys(value.mapping(), &name)?,
            "values-yaml" => self.values_yaml = with_plain_keys(value.mapping(), &name)?,
            "allow-empty" => self.allows_empty = boolean(&value.text(), &name)?,
            // All names of the table are above.
            unknown => return Err(unknown_parameter(unknown)),
        }
        Ok(())
    }

    /// Checks that the mode of the run uses all given parameters. A user who sets `values` for a
    /// kustomization expects that they have an effect.
    ///
    /// # Errors
    /// Reports each parameter that the mode does not use.
    pub(super) fn check_mode(
        &self,
        chosen: &ChosenMode,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mode = chosen.mode.name();
        let unused = self.given.iter();
        for parameter in unused.filter(|given| !given.modes.contains(&chosen.mode)) {
            let name = parameter.name;
            let message = format!("the mode `{mode}` does not use the parameter `{name}`");
            let mut error = Diagnostic::error(Code::Config, message);
            if let Some(reason) = &chosen.reason {
                error = error.note(format!("the mode is `{mode}`, because {reason}"));
            }
            let modes = list(parameter.modes.iter().map(|mode| mode.name()));
            diagnostics.push(error.help(format!(
                "remove `{name}`, or set the parameter `mode` to {modes}"
            )));
        }
        diagnostics.outcome()
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

/// Returns the values that Argo CD passes.
///
/// An application without parameters has the text `null`, as Go writes an empty list, or no
/// variable: the plugin server omits empty ones.
///
/// # Errors
/// Fails for a text that is not Argo CD's JSON.
fn passed_values(world: &dyn World) -> Result<Vec<ParameterValue>> {
    let text = world.variable(VALUES).unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let values: Option<Vec<ParameterValue>> = serde_json::from_str(&text).map_err(|error| {
        Diagnostic::error(Code::Config, format!("`{VALUES}` is not readable: {error}"))
            .note("Argo CD sets it from `spec.source.plugin.parameters` of the Application")
    })?;
    Ok(values.unwrap_or_default())
}

impl ParameterValue {
    /// Returns whether the value is an empty list or mapping.
    fn is_empty(&self) -> bool {
        self.string.is_none()
            && self.array.as_ref().is_none_or(Vec::is_empty)
            && self.map.as_ref().is_none_or(BTreeMap::is_empty)
    }

    /// Checks that the value has this form and no other.
    ///
    /// # Errors
    /// Fails for a value in another form, in several forms, or in none.
    fn require_form(&self, form: &str) -> Result<()> {
        let mut found = Vec::new();
        found.extend(self.string.as_ref().map(|_| STRING));
        found.extend(self.array.as_ref().map(|_| ARRAY));
        found.extend(self.map.as_ref().map(|_| MAP));
        if found == [form] {
            return Ok(());
        }
        let name = &self.name;
        let found = match found.as_slice() {
            [] => "no value".to_owned(),
            found => format!("`{}`", found.join("` and `")),
        };
        let message = format!("expected `{form}` for the parameter `{name}`, found {found}");
        let example = match form {
            ARRAY => format!("{{name: {name}, array: [values/production.yml]}}"),
            MAP => format!("{{name: {name}, map: {{domain: example.com}}}}"),
            _ => format!("{{name: {name}, string: …}}"),
        };
        Err(Diagnostic::error(Code::Config, message).help(format!("write `{example}`")))
    }

    fn text(self) -> String {
        self.string.unwrap_or_default()
    }

    fn list(self) -> impl Iterator<Item = String> {
        self.array.unwrap_or_default().into_iter()
    }

    fn mapping(self) -> BTreeMap<String, String> {
        self.map.unwrap_or_default()
    }
}

fn mode(name: &str) -> Result<CmpMode> {
    let known = CmpMode::ALL.into_iter().find(|mode| mode.name() == name);
    known.ok_or_else(|| {
        let message =
            format!("expected kustomize, run or build for the parameter `mode`, found `{name}`");
        Diagnostic::error(Code::Config, message)
            .help_if(did_you_mean(name, CmpMode::ALL.map(CmpMode::name)))
    })
}

fn boolean(text: &str, name: &str) -> Result<bool> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        other => {
            let message =
                format!("expected `true` or `false` for the parameter `{name}`, found `{other}`");
            Err(Diagnostic::error(Code::Config, message).help(format!(
                "write `{{name: {name}, string: 'true'}}`, or remove it"
            )))
        }
    }
}

/// Returns a path unchanged if it leads to a place in the repository.
///
/// An application in `apps/shop` may read `../../base`, but not `../../../other`.
fn in_repository(path: String, name: &str, repository: &Repository<'_>) -> Result<String> {
    if path.is_empty() {
        // The empty path would be the folder of the application. More likely, a variable of an
        // ApplicationSet has no value.
        let message = format!("the parameter `{name}` contains an empty path");
        return Err(Diagnostic::error(Code::Config, message)
            .help("remove it, or write `.` for the folder of the application"));
    }
    if !repository.contains(Path::new(&path)) {
        let message = format!("the path `{path}` leads out of the repository of the application");
        return Err(Diagnostic::error(Code::Config, message)
            .help("give a path relative to the folder of the application"));
    }
    Ok(path)
}

/// Returns data values unchanged if their keys can be written in front of a `=`.
fn with_plain_keys(
    values: BTreeMap<String, String>,
    name: &str,
) -> Result<BTreeMap<String, String>> {
    match values.keys().find(|key| key.contains('=')) {
        None => Ok(values),
        Some(key) => {
            let message = format!("the key `{key}` of the parameter `{name}` contains a `=`");
            Err(Diagnostic::error(Code::Config, message)
                .help("set it in a file, and list the file in `values-files`"))
        }
    }
}

fn unknown_parameter(name: &str) -> Box<Diagnostic> {
    let names: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
    Diagnostic::error(Code::Config, format!("unknown parameter `{name}`"))
        .note(format!("parameters are `{}`", names.join("`, `")))
        .help_if(did_you_mean(name, names))
}
