//! Migrates the pipeline of a kpt package.

use std::path::{Path, PathBuf};

use super::{Migration, items, setters, without_counterpart};
use crate::kustomization::fix::Sections;
use crate::kustomization::kpt_steps::{KptStep, kpt_steps};
use crate::source::world::{World, read_found};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};

/// The help for a step that is not migrated.
const KEEP: &str = "keep the step in the Kptfile; Inlay can be a step beside it";

/// Migrates the mutators of a pipeline, in their order. The validators do not edit anything, so
/// they stay.
///
/// A step of another kind stays in the Kptfile, with a warning, if all migrated steps are before it
/// or all are after it, because Inlay replaces them by a single step.
///
/// # Errors
/// Reports a step of another kind between two that can be migrated, a step that cannot be migrated
/// as it is written, and a pipeline without a step that can.
pub(super) fn migrate(
    world: &dyn World,
    folder: &Path,
    kptfile: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Migration, Reported> {
    let mut steps = kpt_steps(world, kptfile, diagnostics)?;
    steps.retain(|step| !step.is_validator);
    let is_migrated = |step: &KptStep| MigratedStep::of(step).is_some();
    let first = steps.iter().position(is_migrated);
    let last = steps.iter().rposition(is_migrated);
    let (Some(first), Some(last)) = (first, last) else {
        return Err(nothing_to_migrate(&steps, diagnostics));
    };
    let mut lines = String::new();
    let mut outcome = Ok(());
    for (index, step) in steps.iter().enumerate() {
        match MigratedStep::of(step) {
            Some(migrated) => match replacements(world, folder, step, migrated) {
                Ok(own) => lines.push_str(&own),
                Err(error) => outcome = Err(diagnostics.report(error)),
            },
            None if (first..last).contains(&index) => {
                outcome = Err(diagnostics.report(kept_between(step)));
            }
            None => diagnostics.push(kept(step)),
        }
    }
    outcome?;
    if lines.is_empty() {
        let message = "the steps of the package change nothing that a configuration could replace";
        return Err(diagnostics.report(Diagnostic::error(Code::Config, message)));
    }
    let mut migration = Migration {
        // Nothing in it is a path, and in the package it would be one of the files.
        path: PathBuf::from("inlay.yaml"),
        resources: vec![folder.to_owned()],
        ..Migration::default()
    };
    migration.push("", "replacements", &lines);
    Ok(migration)
}

/// A step that can be migrated, and the path of its configuration.
#[derive(Clone, Copy)]
enum MigratedStep<'s> {
    Replacements(&'s str),
    Setters(Option<&'s str>),
}

impl MigratedStep<'_> {
    fn of(step: &KptStep) -> Option<MigratedStep<'_>> {
        let path = step.config_path.as_deref();
        // `ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2` and a bare name are the same
        // step.
        let short = step.name().rsplit('/').next().unwrap_or_default();
        match (short.split([':', '@']).next().unwrap_or_default(), path) {
            ("apply-replacements", Some(path)) => Some(MigratedStep::Replacements(path)),
            ("apply-setters", path) => Some(MigratedStep::Setters(path)),
            _ => None,
        }
    }
}

/// Reports that no step can be migrated: each of them, or that there is none.
fn nothing_to_migrate(steps: &[KptStep], diagnostics: &mut Diagnostics) -> Reported {
    let mut reported = None;
    for step in steps {
        let error = without_counterpart(&format!("the step `{}`", step.name()), KEEP);
        reported = Some(diagnostics.report(error.at(step.node.location(), "")));
    }
    reported.unwrap_or_else(|| {
        let message = "the package has no steps that a configuration could replace";
        diagnostics.report(
            Diagnostic::error(Code::Config, message)
                .help("`apply-replacements` and `apply-setters` can be migrated"),
        )
    })
}

/// Returns the warning about a step that stays in the Kptfile.
fn kept(step: &KptStep) -> Box<Diagnostic> {
    let message = format!("the step `{}` stays in the Kptfile", step.name());
    Diagnostic::warning(Code::Config, message)
        .at(step.node.location(), "")
        .help("Inlay is a step beside it, in the place of those that it replaces")
}

/// Returns the error for a step that stays, between two that are migrated.
fn kept_between(step: &KptStep) -> Box<Diagnostic> {
    let what = format!("the step `{}`", step.name());
    without_counterpart(&what, KEEP)
        .at(step.node.location(), "")
        .note("it runs between steps that can be migrated, which would become one step")
}

/// Returns the replacements that are equivalent to a step, as items of a list.
fn replacements(
    world: &dyn World,
    folder: &Path,
    step: &KptStep,
    migrated: MigratedStep<'_>,
) -> Result<String> {
    match migrated {
        MigratedStep::Replacements(path) => {
            let source = read_found(world, &folder.join(path))?;
            let sections = Sections::read(&source)?;
            let section = sections.find("replacements");
            Ok(section.map_or_else(String::new, |section| items(&sections, section)))
        }
        MigratedStep::Setters(path) => setters::replacements(world, folder, &step.node, path),
    }
}
