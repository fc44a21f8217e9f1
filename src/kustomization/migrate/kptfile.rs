//! From the pipeline of a kpt package.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Migration, items, setters, without_counterpart};
use crate::kustomization::fix::Sections;
use crate::source::world::{World, read_found};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Node, parse_data};

/// Migrates the mutators of a pipeline, in their order.
///
/// # Errors
/// Reports every step that is neither `apply-replacements` nor `apply-setters`.
pub(super) fn migrate(
    world: &dyn World,
    folder: &Path,
    kptfile: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Migration, Reported> {
    let source = diagnostics.check(read_found(world, kptfile))?;
    let stream = diagnostics.check(parse_data(&source))?;
    let root = stream.documents.first().map(|document| &document.root);
    let steps = root.and_then(|root| root.get_in(&["pipeline", "mutators"]));
    let steps = steps.and_then(|steps| steps.resolved().as_sequence());
    let mut lines = String::new();
    let mut outcome = Ok(());
    for step in steps.into_iter().flat_map(|steps| &steps.items) {
        match replacements(world, folder, step.value.resolved()) {
            Ok(own) => lines.push_str(&own),
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    outcome?;
    if lines.is_empty() {
        let message = "the package has no steps that a configuration could replace";
        return Err(diagnostics.report(
            Diagnostic::error(Code::Config, message)
                .help("`apply-replacements` and `apply-setters` can be migrated"),
        ));
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

/// Returns the replacements that do what a step does, as items of a list.
fn replacements(world: &dyn World, folder: &Path, step: &Arc<Node>) -> Result<String> {
    let text = |key: &str| step.get(key).and_then(|value| value.resolved().text());
    let name = text("image").or(text("exec")).unwrap_or_default();
    // `ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2` and a bare name are the same step.
    let short = name.rsplit('/').next().unwrap_or_default();
    let short = short.split([':', '@']).next().unwrap_or_default();
    match (short, text("configPath")) {
        ("apply-replacements", Some(path)) => {
            let source = read_found(world, &folder.join(path))?;
            let sections = Sections::read(&source)?;
            let section = sections.find("replacements");
            Ok(section.map_or_else(String::new, |section| items(&sections, section)))
        }
        ("apply-setters", path) => setters::replacements(world, folder, step, path),
        _ => {
            let what = format!("the step `{name}`");
            let keep = "keep the step in the Kptfile; Inlay can be a step beside it";
            Err(without_counterpart(&what, keep).at(step.location(), ""))
        }
    }
}
