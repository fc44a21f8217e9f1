//! The steps of a kpt package, and their requirements.

use std::path::Path;

use super::Report;
use crate::kustomization::{KptForm, KptStep};
use crate::source::world::World;

/// The programs with which kpt runs containers. The environment variable `KPT_FN_RUNTIME` selects
/// one.
const RUNTIMES: [&str; 3] = ["docker", "podman", "nerdctl"];

/// Reports the steps of the pipeline in `kptfile`, and those that would not run.
pub(super) fn report_steps(
    world: &dyn World,
    kptfile: &Path,
    steps: &[KptStep],
    report: &mut Report,
) {
    if steps.is_empty() {
        report.line(&format!("  {}: no functions", kptfile.display()));
    }
    let has_runtime = RUNTIMES
        .iter()
        .any(|name| world.find_program(name).is_some());
    for step in steps {
        report_step(world, kptfile, step, report);
        if matches!(step.form, Some(KptForm::Image(_))) && !has_runtime {
            let names = RUNTIMES.join("`, `");
            report.problem(&format!("none of `{names}` is on PATH"));
        }
    }
}

fn report_step(world: &dyn World, kptfile: &Path, step: &KptStep, report: &mut Report) {
    let (file, name) = (kptfile.display(), step.name());
    let role = match step.is_validator {
        true => "a validator",
        false => "a function",
    };
    match &step.form {
        Some(KptForm::Image(_)) => report.line(&format!(
            "  {file}: `{name}`: {role} in a container: `kpt fn render`; Inlay runs no containers"
        )),
        Some(KptForm::Program(command)) => {
            report.line(&format!(
                "  {file}: `{name}`: {role}: `kpt fn render --allow-exec`; refused without the flag"
            ));
            // The words after the program are its arguments.
            let program = command.split_whitespace().next().unwrap_or_default();
            if world.find_program(program).is_none() {
                report.problem(&format!("the program `{program}` is not found"));
            }
        }
        None => {
            report.line(&format!("  {file}: {role} without a program"));
            report.problem("the step has neither `image` nor `exec`: kpt refuses it");
        }
    }
    if let Some(path) = &step.config_path {
        let place = kptfile.with_file_name(path);
        if world.kind(&place).is_err() {
            report.problem(&format!("there is no file `{}`", place.display()));
        }
    }
}
