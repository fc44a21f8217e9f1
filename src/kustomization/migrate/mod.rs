//! `inlay migrate`: writes a configuration of kind Inlay that replaces the configuration of another
//! tool.
//!
//! | from | becomes |
//! | --- | --- |
//! | generators, patches and replacements of a kustomization | the same fields of `spec` |
//! | `vars` of a kustomization | `replacements` |
//! | kpt's `apply-replacements` | `replacements` |
//! | kpt's `apply-setters`, with its comments in the files | `replacements` |
//!
//! Migrated fields keep their text, including comments. A field that a configuration cannot express
//! is an error with a suggestion, because an incomplete migration would be worse than none. Other
//! steps of a kpt package remain in the package, with a warning.

mod kptfile;
mod kustomization;
mod setters;
mod vars;

use std::path::{Path, PathBuf};

use super::file::has_kustomization;
use super::fix::{Section, Sections, line_end, span};
use super::kpt_steps::find_kptfile;
use crate::source::world::{World, cleaned};
use crate::source::{Code, Diagnostic, Diagnostics, Reported};
use crate::yaml::{PlainContext, is_plain_string, json_string};

/// A configuration that replaces other files.
#[derive(Clone, Debug, Default)]
pub struct Migration {
    /// The fields of `spec`, each with its lines.
    fields: Vec<String>,
    /// The file to save it in. The paths in the configuration are relative to its folder.
    pub path: PathBuf,
    /// The files that the configuration is applied to, as arguments of `inlay run`.
    pub resources: Vec<PathBuf>,
}

impl Migration {
    /// Returns a migration to a configuration in a folder.
    fn in_folder(folder: &Path) -> Migration {
        Migration {
            path: cleaned(&folder.join("inlay.yaml")),
            ..Migration::default()
        }
    }

    /// Returns the configuration as text.
    pub fn text(&self, name: &str) -> String {
        // `123` and `a: b` would not be names without quotes.
        let name = match is_plain_string(name, PlainContext::Block) {
            true => name.to_owned(),
            false => json_string(name),
        };
        let mut text = format!(
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: {name}\nspec:\n"
        );
        for field in &self.fields {
            text.push_str(field);
        }
        text
    }

    /// Adds a field whose lines begin at the left margin, with the comments above it.
    fn push(&mut self, comments: &str, key: &str, lines: &str) {
        let comments = indented(comments);
        self.fields
            .push(format!("{comments}  {key}:\n{}", indented(lines)));
    }
}

/// Migrates the kustomization or the kpt package in a folder.
///
/// # Errors
/// Reports everything that cannot be migrated, and a folder with neither.
pub fn migrate(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Migration, Reported> {
    if has_kustomization(world, folder) {
        return kustomization::migrate(world, folder, diagnostics);
    }
    if let Some(kptfile) = find_kptfile(world, folder) {
        return kptfile::migrate(world, folder, &kptfile, diagnostics);
    }
    let message = format!(
        "expected a kustomization or a Kptfile in `{}`, found neither",
        folder.display()
    );
    Err(diagnostics.report(
        Diagnostic::error(Code::File, message)
            .help("templates, data values and overlays of ytt need no migration: `inlay -f DIR`"),
    ))
}

/// Returns the items of a list as they are written, with their comments and with the dashes at the
/// left margin. A list in brackets becomes an item for each of its values.
fn items(sections: &Sections, section: &Section) -> String {
    let text = sections.text();
    let Some(column) = section.dash_column(text) else {
        let list = section.entry.value.resolved().as_sequence();
        let mut lines = String::new();
        for item in list.into_iter().flat_map(|list| &list.items) {
            let written = item.value.location();
            let written = written.map(|own| own.source.slice(own.span).to_owned());
            lines.push_str(&format!("- {}\n", written.unwrap_or_default()));
        }
        return lines;
    };
    // What follows the key on its line is a comment about the list.
    let first = line_end(text, span(&section.entry.key).end());
    let mut lines = String::new();
    for line in text[first..section.content_end.max(first)].lines() {
        // A comment may begin left of the dashes.
        let blanks = line.len() - line.trim_start_matches(' ').len();
        lines.push_str(&line[blanks.min(column)..]);
        lines.push('\n');
    }
    lines
}

/// Returns lines with two more spaces before each that is not blank.
fn indented(lines: &str) -> String {
    let mut text = String::with_capacity(lines.len());
    for line in lines.lines() {
        if !line.trim().is_empty() {
            text.push_str("  ");
            text.push_str(line);
        }
        text.push('\n');
    }
    text
}

/// Returns the error for a field or step that cannot be migrated.
fn without_counterpart(what: &str, instead: &str) -> Box<Diagnostic> {
    let message = format!("{what} has no counterpart in a configuration of kind Inlay");
    Diagnostic::error(Code::Config, message).help(instead)
}
