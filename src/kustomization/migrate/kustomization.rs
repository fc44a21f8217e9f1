//! From the structured edits of a kustomization.

use std::path::Path;

use super::{Migration, items, without_counterpart};
use crate::kustomization::fix::{self, Section, Sections, span};
use crate::source::world::{World, cleaned, source_of};
use crate::source::{Code, Diagnostic, Diagnostics, Reported};

/// The fields that a configuration has too, in the order in which they are applied.
const LISTS: [&str; 4] = [
    "configMapGenerator",
    "secretGenerator",
    "patches",
    "replacements",
];

/// Fields that say nothing about the edits.
const HEAD: [&str; 4] = ["apiVersion", "kind", "metadata", "resources"];

/// Migrates a kustomization that has nothing but structured edits of files.
///
/// # Errors
/// Reports every field that a configuration does not have, and every resource that is not a file.
pub(super) fn migrate(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Migration, Reported> {
    // The old fields have the new ones' place afterwards.
    let fixed = fix::fix(world, folder, diagnostics)?;
    let name = fixed.path.display().to_string();
    let source = diagnostics.check(source_of(name, fixed.text.into_bytes()))?;
    let sections = diagnostics.check(Sections::read(&source))?;
    let mut migration = Migration::default();
    let mut outcome = Ok(());
    for section in sections
        .sections
        .iter()
        .filter(|section| section.is_given())
    {
        let key = section.key.as_str();
        if !HEAD.contains(&key) && !LISTS.contains(&key) && key != "generatorOptions" {
            let build = format!(
                "`inlay kustomize {}` builds the kustomization as it is",
                folder.display()
            );
            let error = without_counterpart(&format!("`{key}`"), &build);
            outcome = Err(diagnostics.report(error.at(section.entry.key.location(), "")));
        }
    }
    if let Some(resources) = sections.find("resources") {
        for item in resources
            .entry
            .value
            .as_sequence()
            .into_iter()
            .flat_map(|list| &list.items)
        {
            let path = item.value.text().unwrap_or_default();
            let place = cleaned(&folder.join(path));
            if world.is_folder(&place) || path.contains("://") {
                let build = "`inlay kustomize` builds kustomizations that include others";
                let error = without_counterpart(&format!("the kustomization `{path}`"), build);
                outcome = Err(diagnostics.report(error.at(item.value.location(), "")));
            }
            migration.resources.push(place);
        }
    }
    outcome?;
    if let Some(options) = sections.find("generatorOptions") {
        migration.fields.push(whole(&sections, options));
    }
    for key in LISTS {
        if let Some(section) = sections.find(key).filter(|section| section.is_given()) {
            migration.push(
                comments(&sections, section),
                key,
                &items(&sections, section),
            );
        }
    }
    if migration.fields.is_empty() {
        let message = "the kustomization has no edits that a configuration could make";
        return Err(diagnostics.report(
            Diagnostic::error(Code::Config, message)
                .help("generators, patches and replacements can be migrated"),
        ));
    }
    Ok(migration)
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
