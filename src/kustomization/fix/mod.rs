//! `inlay kustomize fix`: rewrites the old fields of a kustomization file.
//!
//! The fields and their order are those of `kustomize edit fix`:
//!
//! | old | new |
//! | --- | --- |
//! | `bases` | `resources` |
//! | `imageTags` | `images` |
//! | `env` of a generator | `envs` |
//! | `helmChartInflationGenerator` | `helmCharts` |
//! | `patchesJson6902`, then `patchesStrategicMerge` | `patches` |
//! | `commonLabels` | `labels` with `includeSelectors` |
//! | `vars` | `replacements`, where they do the same (`vars`) |
//!
//! kustomize writes the whole file again. Here the text is edited, so comments, order and layout
//! stay: first inside of the entries (`nested`), then the fields themselves (`fields`), each of
//! which is a [`Section`] of lines.

mod fields;
mod nested;
mod sections;
mod vars;

pub(super) use self::sections::{Section, Sections, line_end, span};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file;
use crate::source::world::{World, read_found, read_found_bytes, source_of};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, Source};
use crate::yaml::Syntax;

/// A kustomization file before and after.
pub struct FixedKustomization {
    /// The path of the file.
    pub path: PathBuf,
    /// The file as it was read.
    pub before: Arc<Source>,
    /// The text with the new fields.
    pub text: String,
}

/// Rewrites the old fields of the kustomization in a folder. Nothing is written.
///
/// # Errors
/// Reports a file that cannot be read or is not a block mapping, and a label that is given in the
/// old and in the new field. A variable that stays is a warning.
pub fn fix(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<FixedKustomization, Reported> {
    let mut fixed = fix_fields(world, folder, diagnostics)?;
    let source = diagnostics.check(reread(&fixed.before, fixed.text))?;
    let text = vars::fix(world, folder, &fixed.path, &source, diagnostics);
    fixed.text = diagnostics.check(text)?;
    let source = diagnostics.check(reread(&fixed.before, fixed.text.clone()))?;
    diagnostics.check(sections::Sections::read(&source))?;
    Ok(fixed)
}

/// Rewrites the old fields other than `vars`. Nothing is written.
///
/// # Errors
/// As [`fix`].
pub(super) fn fix_fields(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<FixedKustomization, Reported> {
    let path = diagnostics.check(file::find(world, folder))?;
    let before = diagnostics.check(read_found(world, &path))?;
    let is_file = |name: &str| read_found_bytes(world, &folder.join(name)).is_ok();
    let fixed = fix_text(&before, &is_file);
    let text = diagnostics.check(fixed)?;
    Ok(FixedKustomization { path, before, text })
}

/// Returns the text of a kustomization with the new fields.
fn fix_text(source: &Arc<Source>, is_file: &dyn Fn(&str) -> bool) -> Result<String> {
    let nested = nested::fix(source)?;
    let fixed = fields::fix(&reread(source, nested)?, is_file)?;
    // The result is read again, so that a mistake here cannot write a broken file.
    let fixed = reread(source, fixed)?;
    sections::Sections::read(&fixed)?;
    Ok(fixed.text().to_owned())
}

/// Returns a later version of a text.
fn reread(source: &Source, text: String) -> Result<Arc<Source>> {
    source_of(source.name().to_owned(), text.into_bytes())
}

/// Returns the error for a file that is not lines of fields.
fn not_block(source: &Arc<Source>, syntax: Syntax) -> Box<Diagnostic> {
    let found = match syntax {
        Syntax::Json => "JSON",
        Syntax::Yaml => "another layout",
    };
    let message = format!("expected a mapping with one field on each line, found {found}");
    let start = crate::source::Location::new(source, crate::source::Span::at(0));
    Diagnostic::error(Code::Config, message)
        .at(start, "")
        .help("write the fields without braces, from the first column on")
}

#[cfg(test)]
mod tests;
