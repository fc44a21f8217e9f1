//! `inlay doctor [DIR…]`: reports what is installed, what calls Inlay, and what would silently not
//! run.

mod clients;
mod package;

use std::path::{Path, PathBuf};

use self::clients::{CLIENTS, Found};
use super::arguments::DoctorArguments;
use super::ending::{CommandResult, Ending};
use super::output;
use super::plugin::{PLUGIN_PATH, plugin_home};
use crate::kustomization::{
    OwnField, PluginForm, PluginNeed, find_kptfile, has_kustomization, kpt_steps,
    kustomization_needs,
};
use crate::source::world::World;
use crate::source::{Diagnostics, Reported, visible_line};

/// The report, and whether it contains a problem to fix.
#[derive(Default)]
struct Report {
    text: String,
    has_problem: bool,
}

impl Report {
    fn line(&mut self, line: &str) {
        self.text.push_str(&visible_line(line));
        self.text.push('\n');
    }

    fn problem(&mut self, line: &str) {
        self.line(&format!("  problem: {line}"));
        self.has_problem = true;
    }
}

/// Prints the report. If there is a problem, the exit code is that of a difference.
pub(super) fn doctor(
    world: &dyn World,
    arguments: &DoctorArguments,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let mut report = Report::default();
    let program = world.own_program().unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    report.line(&format!("inlay {version}  {}", program.display()));
    for client in &CLIENTS {
        match client.find(world) {
            Found::Missing => report.line(&format!("{}  not on PATH", client.name)),
            Found::There { place, version } => {
                report.line(&format!("{} {version}  {}", client.name, place.display()));
                report.line(&format!("  note: {}", client.needs));
            }
            Found::Broken { place, reason } => {
                report.line(&format!("{}  {}", client.name, place.display()));
                report.problem(&format!("it cannot be run: {reason}"));
            }
        }
    }
    let home = plugin_home(world);
    report_plugin(world, home.as_deref(), &program, &mut report);
    // Print the report even if a folder cannot be read, because it may show the reason.
    let mut outcome = Ok(());
    for folder in &arguments.folders {
        if let Err(reported) =
            report_folder(world, folder, home.as_deref(), &mut report, diagnostics)
        {
            outcome = Err(reported);
        }
    }
    output::print(report.text.as_bytes())?;
    outcome?;
    Ok(match report.has_problem {
        true => Ending::Difference(Vec::new()),
        false => Ending::Success,
    })
}

/// Reports the plugin that kustomize and kubectl would run.
fn report_plugin(world: &dyn World, home: Option<&Path>, program: &Path, report: &mut Report) {
    let Some(home) = home else {
        report.line("plugin home  none: the environment does not name one");
        return;
    };
    report.line(&format!("plugin home  {}", home.display()));
    let place = home.join(PLUGIN_PATH);
    let installed = world.canonical(&place);
    match (installed, world.canonical(program)) {
        (Ok(installed), Ok(own)) if installed == own => {
            report.line(&format!("  plugin: {}", place.display()));
        }
        (Ok(installed), _) => report.line(&format!(
            "  note: the plugin is another program: {}; `inlay plugin install --force` replaces it",
            installed.display()
        )),
        (Err(_), _) if world.kind(&place).is_ok() => report.problem(&format!(
            "{} is a link to nothing: `inlay plugin install` replaces it",
            place.display()
        )),
        (Err(_), _) => report.line(
            "  note: no plugin of kind Inlay: `inlay plugin install` installs it for kubectl and \
             kustomize",
        ),
    }
}

/// Reports the contents of a folder: a kustomization, the pipeline of a kpt package, or both.
fn report_folder(
    world: &dyn World,
    folder: &Path,
    home: Option<&Path>,
    report: &mut Report,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let kptfile = find_kptfile(world, folder);
    let Some(kptfile) = kptfile else {
        return report_kustomization(world, folder, home, report, diagnostics);
    };
    let steps = kpt_steps(world, &kptfile, diagnostics)?;
    if has_kustomization(world, folder) {
        report_kustomization(world, folder, home, report, diagnostics)?;
    } else {
        report.line(&folder.display().to_string());
    }
    package::report_steps(world, &kptfile, &steps, report);
    Ok(())
}

/// Reports the plugins and fields of a kustomization, and of those that it includes, that the real
/// kustomize would ignore or reject.
fn report_kustomization(
    world: &dyn World,
    folder: &Path,
    home: Option<&Path>,
    report: &mut Report,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let needs = kustomization_needs(world, folder, diagnostics)?;
    report.line(&folder.display().to_string());
    if needs.plugins.is_empty() && needs.own_fields.is_empty() {
        report.line("  no plugins, also in what it includes: every program builds it alike");
    }
    for need in &needs.plugins {
        report_need(world, need, home, report);
    }
    for field in &needs.own_fields {
        report_own_field(field, report);
    }
    Ok(())
}

fn report_own_field(field: &OwnField, report: &mut Report) {
    let (file, name) = (field.file.display(), field.name);
    let outcome = match field.is_ignored {
        true => "ignored without a message by kustomize and kubectl",
        false => "refused by kustomize and kubectl",
    };
    report.line(&format!(
        "  {file}: `{name}` is a field of Inlay: `inlay kustomize`; {outcome}"
    ));
}

fn report_need(world: &dyn World, need: &PluginNeed, home: Option<&Path>, report: &mut Report) {
    let file = need.file.display();
    let build = "kustomize build --enable-alpha-plugins";
    match &need.form {
        PluginForm::Program(program) => {
            report.line(&format!(
                "  {file}: a function: `{build} --enable-exec`; left out without a message by \
                 `{build}` and by kubectl"
            ));
            // kustomize resolves a path with a slash relative to the folder of the kustomization
            // that lists the plugin.
            let place = match program.contains('/') {
                true => need.folder.join(program).display().to_string(),
                false => program.clone(),
            };
            if world.find_program(&place).is_none() {
                report.problem(&format!("the program `{program}` is not found"));
            }
        }
        PluginForm::Container => report.line(&format!(
            "  {file}: a function in a container: `{build}`, with docker; Inlay runs no containers"
        )),
        PluginForm::InHome(path) => {
            report.line(&format!(
                "  {file}: a plugin: `{build}`, also `kubectl kustomize`"
            ));
            let place: Option<PathBuf> = home.map(|home| home.join(path));
            let is_there = place.is_some_and(|place| world.canonical(&place).is_ok());
            if !is_there {
                report.problem(&format!("the plugin home has no `{path}`"));
            }
        }
    }
}
