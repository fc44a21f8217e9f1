//! Renders one chart.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{self, given, major_version};
use super::config::{HelmChartConfig, HelmGlobalsConfig};
use super::values;
use crate::kubernetes::Resource;
use crate::kustomization::place::Place;
use crate::kustomization::{KustomizationOptions, objects};
use crate::source::world::{Folder, NewFile, OtherFiles, ProgramCall, World, reason, source_of};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, Source};
use crate::typed::Spanned;

/// The folder of the charts, unless `helmGlobals` names another one.
const CHART_HOME: &str = "charts";

/// The most lines of an error of `helm` that are shown.
const SHOWN_LINES: usize = 20;

/// Runs `helm` for a chart, with the settings and the place of its entry, and returns the objects
/// that it prints.
///
/// # Errors
/// Reports a mistake in the entry, a chart that is not there, and what `helm` reports.
pub(super) fn render(
    world: &dyn World,
    options: &KustomizationOptions,
    (mut chart, globals, location): (HelmChartConfig, &HelmGlobalsConfig, Option<Location>),
    place: &Place,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    options.helm.complete(&mut chart);
    let at = |error: Box<Diagnostic>| error.at(location.clone(), "the chart");
    let output = ChartRun::new(world, options, &chart, globals, place).and_then(|run| run.output());
    let output = diagnostics.check(output.map_err(at))?;
    let name = format!(
        "the output of helm for {}",
        given(&chart.name).unwrap_or("the chart")
    );
    let source = diagnostics.check(source_of(name, output))?;
    let source = without_messages(source, diagnostics);
    let mut objects = objects::read(&source, diagnostics)?;
    for object in &mut objects {
        object.history.is_helm_generated = true;
    }
    Ok(objects)
}

/// Removes what is before the first `---`, if it is not YAML: charts and `helm` print messages
/// there.
fn without_messages(source: Arc<Source>, diagnostics: &mut Diagnostics) -> Arc<Source> {
    let text = source.text();
    let Some((messages, rest)) = text.split_once("\n---") else {
        return source;
    };
    let is_read =
        text.starts_with("---") || objects::read(&source, &mut Diagnostics::default()).is_ok();
    match Source::new(source.name(), format!("---{rest}")) {
        Ok(stripped) if !is_read => {
            let message = format!("helm printed a message: {}", messages.trim());
            diagnostics.push(Diagnostic::warning(Code::Config, message));
            stripped
        }
        _ => source,
    }
}

/// The parts of a call of `helm` for one chart.
struct ChartRun<'r> {
    world: &'r dyn World,
    chart: &'r HelmChartConfig,
    command: &'r str,
    name: &'r str,
    /// The folder of the kustomization, in which values files are read.
    folder: Folder<'r>,
    /// The folder of the kustomization without links.
    root: PathBuf,
    /// The folder of the chart's folder, as the kustomization writes it.
    home: PathBuf,
    config_home: Option<&'r str>,
}

impl<'r> ChartRun<'r> {
    /// Checks an entry.
    ///
    /// # Errors
    /// The entry or a flag is wrong, or the chart is not there.
    fn new(
        world: &'r dyn World,
        options: &'r KustomizationOptions,
        chart: &'r HelmChartConfig,
        globals: &'r HelmGlobalsConfig,
        place: &Place,
    ) -> Result<ChartRun<'r>> {
        if !options.helm.is_enabled && !options.enables_plugins {
            let help = "add the flag `--enable-helm`, or write the output of `helm template` to a file and list it under `resources`";
            return Err(error("must specify --enable-helm").help(help));
        }
        let Some(name) = given(&chart.name) else {
            return Err(error("chart name cannot be empty"));
        };
        // `helm` would take them for flags, some of which run other programs.
        for (field, value) in [
            ("name", Some(name)),
            ("releaseName", given(&chart.release_name)),
        ] {
            if let Some(value) = value.filter(|value| value.starts_with('-')) {
                return Err(error(format!(
                    "{field} must not start with '-', got \"{value}\""
                )));
            }
        }
        let root = world.canonical(&place.shown).map_err(|failure| {
            error(format!(
                "cannot read `{}`: {}",
                place.shown.display(),
                reason(&failure)
            ))
        })?;
        let mut home = PathBuf::from(given(&globals.chart_home).unwrap_or(CHART_HOME));
        if let (Some(version), Some(_)) = (given(&chart.version), given(&chart.repo)) {
            home.push(format!("{name}-{version}"));
        }
        let run = ChartRun {
            world,
            chart,
            command: &options.helm.command,
            name,
            folder: place.folder(world),
            root,
            home,
            config_home: given(&globals.config_home),
        };
        run.check_chart()?;
        Ok(run)
    }

    fn check_chart(&self) -> Result<()> {
        if self.world.is_folder(&self.chart_folder()) {
            return Ok(());
        }
        let shown = self.home.join(self.name);
        let message = format!(
            "no chart found at `{}`, and Inlay downloads none",
            shown.display()
        );
        let pull = arguments::pull(self.chart, &self.home);
        Err(error(message).help(format!(
            "download it in the folder of the kustomization: `{pull}`"
        )))
    }

    /// Returns the folder of the chart, as an absolute path.
    fn chart_folder(&self) -> PathBuf {
        self.root.join(&self.home).join(self.name)
    }

    /// Runs `helm`, and returns what it prints.
    fn output(&self) -> Result<Vec<u8>> {
        let mut additional = Vec::new();
        for file in self.chart.additional_values_files.iter().flatten() {
            self.read(file)?;
            additional.push(self.root.join(&file.value));
        }
        let text = values::text(self.chart, || self.read(&self.values_file()))?;
        let temporary = self
            .world
            .temporary_folder("kustomize-helm-")
            .map_err(|failure| cannot_write("a temporary folder", &failure))?;
        let settings = match self.config_home {
            Some(home) => PathBuf::from(home),
            None => temporary.path().join("helm"),
        };
        self.check_version(&settings)?;
        let file = format!("{}-kustomize-values.yaml", self.name);
        let new_file = NewFile {
            path: &file,
            content: text.as_bytes(),
        };
        let written = self
            .world
            .write_folder(temporary.path(), &[new_file], OtherFiles::Kept);
        written.map_err(|failure| {
            cannot_write(&failure.place.display().to_string(), &failure.error)
        })?;
        let file = temporary.path().join(file);
        let mut files = vec![&*file];
        files.extend(additional.iter().map(PathBuf::as_path));
        self.helm(
            &arguments::template(self.chart, &self.chart_folder(), &files),
            &settings,
        )
    }

    /// Returns the values file of the entry, or that of the chart.
    fn values_file(&self) -> Spanned<String> {
        match &self.chart.values_file {
            Some(file) if !file.value.is_empty() => file.clone(),
            _ => Spanned {
                value: self
                    .home
                    .join(self.name)
                    .join("values.yaml")
                    .to_string_lossy()
                    .into_owned(),
                location: None,
            },
        }
    }

    fn read(&self, file: &Spanned<String>) -> Result<Arc<Source>> {
        let path = self.folder.path(&file.value);
        let source = path.and_then(|path| self.folder.read(&path));
        source.map_err(|error| error.at(file.location.clone(), "named here"))
    }

    /// Checks that `helm` is one whose command line is known.
    fn check_version(&self, settings: &Path) -> Result<()> {
        let output = self.helm(&["version".to_owned(), "--short".to_owned()], settings)?;
        let output = String::from_utf8_lossy(&output);
        match major_version(&output) {
            Some("3" | "4") => Ok(()),
            _ => {
                let message = format!("expected helm 3 or 4, found `{}`", output.trim());
                Err(error(message).help("install it, or name it: `--helm-command PATH`"))
            }
        }
    }

    fn helm(&self, arguments: &[String], settings: &Path) -> Result<Vec<u8>> {
        let folder = |below: &str| settings.join(below).to_string_lossy().into_owned();
        let call = ProgramCall {
            program: Path::new(self.command),
            arguments,
            variables: &[
                (
                    "HELM_CONFIG_HOME".to_owned(),
                    settings.to_string_lossy().into_owned(),
                ),
                ("HELM_CACHE_HOME".to_owned(), folder(".cache")),
                ("HELM_DATA_HOME".to_owned(), folder(".data")),
            ],
            file: None,
            folder: Path::new("."),
            input: "",
        };
        // The others have the path of a temporary file.
        let shown = arguments.get(..2).unwrap_or(arguments).join(" ");
        let output = self.world.run_program(&call).map_err(|failure| {
            error(format!(
                "cannot run `{}`: {}",
                self.command,
                reason(&failure)
            ))
            .help("install helm, or name it: `--helm-command PATH`")
        })?;
        if output.is_success {
            return Ok(output.output);
        }
        let mut failed = error(format!(
            "`{} {shown}` failed: {}",
            self.command, output.status
        ));
        for line in String::from_utf8_lossy(&output.errors)
            .lines()
            .take(SHOWN_LINES)
        {
            failed = failed.note(format!("it printed: {line}"));
        }
        Err(failed)
    }
}

fn cannot_write(place: &str, failure: &io::Error) -> Box<Diagnostic> {
    error(format!("cannot write `{place}`: {}", reason(failure)))
}

fn error(message: impl Into<String>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Config, message)
}
