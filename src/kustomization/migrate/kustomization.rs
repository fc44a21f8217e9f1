//! Migrates the structured edits of a kustomization.

use std::path::{Path, PathBuf};

use super::{Migration, items, vars, without_counterpart};
use crate::kustomization::fix::{self, FixedKustomization, Section, Sections, span};
use crate::kustomization::remote::is_remote;
use crate::source::world::{World, cleaned, source_of};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported};

/// The fields that a configuration has too, in the order in which they are applied.
const LISTS: [&str; 4] = [
    "configMapGenerator",
    "secretGenerator",
    "patches",
    "replacements",
];

/// The fields that are migrated in another way.
const OTHERS: [&str; 2] = ["generatorOptions", "vars"];

/// Fields without a counterpart that also have an old name: the new one and the old one.
const RENAMED: [(&str, &str); 3] = [
    ("images", "imageTags"),
    ("labels", "commonLabels"),
    ("helmCharts", "helmChartInflationGenerator"),
];

/// Fields that have nothing to do with edits.
const HEAD: [&str; 4] = ["apiVersion", "kind", "metadata", "resources"];

/// Migrates a kustomization that contains only structured edits of files.
///
/// # Errors
/// Reports every field that a configuration does not have, and every resource that is not a file.
pub(super) fn migrate(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Migration, Reported> {
    // Replace the old fields by the new ones.
    let fixed = fixed(world, folder, diagnostics)?;
    let name = fixed.path.display().to_string();
    // The new text has different lines than the file, so errors refer to `written`.
    let source = diagnostics.check(source_of(name, fixed.text.into_bytes()))?;
    let sections = diagnostics.check(Sections::read(&source))?;
    let written = diagnostics.check(Sections::read(&fixed.before))?;
    let mut migration = Migration::in_folder(folder);
    // Check all of them, so that one run reports every mistake.
    let fields = check_fields(&sections, &written, folder, diagnostics);
    let resources = resource_files(world, folder, &sections, &written, diagnostics);
    fields?;
    migration.resources = resources?;
    if let Some(options) = sections.find("generatorOptions") {
        migration.fields.push(whole(&sections, options));
    }
    let given = |key: &str| sections.find(key).filter(|section| section.is_given());
    // They are the same in both, and errors show the file.
    let vars = written.find("vars").filter(|section| section.is_given());
    for key in LISTS {
        let (mut above, mut lines) = ("", String::new());
        if let Some(section) = given(key) {
            above = comments(&sections, section);
            lines = items(&sections, section);
        }
        // Variables are replaced after everything else.
        if let Some(vars) = vars.filter(|_| key == "replacements") {
            let vars = vars.entry.value.resolved();
            lines.push_str(&vars::replacements(world, folder, vars, diagnostics)?);
        }
        if !lines.is_empty() {
            migration.push(above, key, &lines);
        }
    }
    if migration.fields.is_empty() {
        let message = "the kustomization has no edits that a configuration could make";
        let error = Diagnostic::error(Code::Config, message)
            .help("generators, patches and replacements can be migrated");
        return Err(diagnostics.report(error));
    }
    Ok(migration)
}

/// Reports every field that a configuration does not have. `written` is the file, with the fields
/// as they are named there.
fn check_fields(
    sections: &Sections,
    written: &Sections,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for section in &sections.sections {
        let key = section.key.as_str();
        let is_known = HEAD.contains(&key) || LISTS.contains(&key) || OTHERS.contains(&key);
        if is_known || !section.is_given() {
            continue;
        }
        let build = format!(
            "`inlay kustomize {}` builds the kustomization as it is",
            folder.display()
        );
        // The user looks for the name that is in the file.
        let field = written_field(written, key);
        let name = field.map_or(key, |field| &field.key);
        let place = field.and_then(|field| field.entry.key.location());
        let error = without_counterpart(&format!("`{name}`"), &build);
        outcome = Err(diagnostics.report(error.at(place, "")));
    }
    outcome
}

/// Returns the files that `resources` lists, and reports what is not a file. `written` is the file
/// that the user has.
fn resource_files(
    world: &dyn World,
    folder: &Path,
    sections: &Sections,
    written: &Sections,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<PathBuf>, Reported> {
    let section = sections.find("resources");
    let Some(list) = section.and_then(|section| section.entry.value.as_sequence()) else {
        return Ok(Vec::new());
    };
    let mut outcome = Ok(());
    let mut files = Vec::with_capacity(list.items.len());
    for item in &list.items {
        let path = item.value.text().unwrap_or_default();
        let place = cleaned(&folder.join(path));
        if is_remote(path) || world.is_folder(&place) {
            let build = "`inlay kustomize` builds kustomizations that include others";
            let error = without_counterpart(&format!("the kustomization `{path}`"), build);
            outcome = Err(diagnostics.report(error.at(resource_location(written, path), "")));
        }
        files.push(place);
    }
    outcome.map(|()| files)
}

/// Returns the field of the file that has this name, or the old name of it.
fn written_field<'s>(written: &'s Sections, key: &str) -> Option<&'s Section> {
    let old = RENAMED.iter().filter(|(new, _)| *new == key);
    let mut names = std::iter::once(key).chain(old.map(|(_, old)| *old));
    names.find_map(|name| written.find(name))
}

/// Returns the place of an included path in the file as it is written.
fn resource_location(written: &Sections, path: &str) -> Option<Location> {
    for name in ["resources", "bases"] {
        let list = written.find(name).map(|section| &section.entry.value);
        let items = list.and_then(|list| list.resolved().as_sequence());
        for item in items.into_iter().flat_map(|list| &list.items) {
            if item.value.resolved().text() == Some(path) {
                return item.value.location();
            }
        }
    }
    None
}

/// Returns the kustomization file with the new fields in place of the old ones.
fn fixed(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<FixedKustomization, Reported> {
    fix::fix_fields(world, folder, diagnostics)
}

/// Returns the comments directly above a field.
fn comments<'s>(sections: &'s Sections, section: &Section) -> &'s str {
    let key = span(&section.entry.key).start();
    let lines = sections.text().get(section.span.start()..key);
    lines.unwrap_or_default()
}

/// Returns the lines of a field, with two more spaces before each.
fn whole(sections: &Sections, section: &Section) -> String {
    let start = section.span.start();
    let lines = sections.text().get(start..section.content_end);
    super::indented(lines.unwrap_or_default())
}
