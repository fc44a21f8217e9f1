//! Diagnostics in the form of the protocol, by file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, Location as ProtocolLocation, NumberOrString,
};

use serde::{Deserialize, Serialize};

use super::position::{ColumnEncoding, LineIndex};
use super::uri::uri_of;
use crate::source::{Diagnostic, Location, Severity};

/// An edit that corrects the mistake of a diagnostic in the same file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PublishedFix {
    pub(super) range: lsp_types::Range,
    /// The text that was in the range.
    pub(super) before: String,
    /// The new text.
    pub(super) after: String,
    /// The description of the fix.
    pub(super) title: String,
}

/// The maximum number of diagnostics that are sent for one file.
const FILE_LIMIT: usize = 200;

/// Returns the diagnostics of each file. Those without a place are at the start of `fallback`.
///
/// A diagnostic with places in several files is in each of them. For example, a path that leads
/// nowhere is a mistake in the file with the path, but its first place is the object without this
/// field.
pub(super) fn by_file(
    diagnostics: &[Diagnostic],
    fallback: &Path,
    encoding: ColumnEncoding,
) -> BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>> {
    let mut files: BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
    for diagnostic in diagnostics {
        let mut places = places(diagnostic);
        if places.is_empty() {
            places.push(Place {
                path: fallback.to_owned(),
                location: None,
                label: 0,
            });
        }
        for place in places {
            let found = files.entry(place.path).or_default();
            // Computing a range takes a pass over the text, so further diagnostics are skipped.
            if found.len() < FILE_LIMIT {
                let range = place.location.map(|location| range(&location, encoding));
                let range = range.unwrap_or_default();
                found.push(converted(diagnostic, place.label, range, encoding));
            }
        }
    }
    files
}

/// The place of a diagnostic in one file.
struct Place {
    path: PathBuf,
    location: Option<Location>,
    /// The label that is there.
    label: usize,
}

/// Returns the first place of a diagnostic in each file that it has labels in.
fn places(diagnostic: &Diagnostic) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for (label, found) in diagnostic.labels.iter().enumerate() {
        if let Some((path, location)) = file_place(&found.location)
            && places.iter().all(|place| place.path != path)
        {
            places.push(Place {
                path,
                location: Some(location),
                label,
            });
        }
    }
    places
}

/// Returns the file that contains a place; `None` for a text that is not in a file, such as a flag.
fn file_place(location: &Location) -> Option<(PathBuf, Location)> {
    let location = location.in_file();
    let path = PathBuf::from(location.source.shown_name());
    path.is_absolute().then_some((path, location))
}

fn range(location: &Location, encoding: ColumnEncoding) -> lsp_types::Range {
    LineIndex::new(location.source.text(), encoding).range(location.span)
}

/// Converts a diagnostic that is shown at its label of the number `own`.
fn converted(
    diagnostic: &Diagnostic,
    own: usize,
    range: lsp_types::Range,
    encoding: ColumnEncoding,
) -> lsp_types::Diagnostic {
    let mut message = diagnostic.message.clone();
    for note in &diagnostic.notes {
        message.push_str(&format!("\nnote: {note}"));
    }
    for help in &diagnostic.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let mut related = Vec::new();
    for (number, label) in diagnostic.labels.iter().enumerate() {
        if number != own
            && let Some((path, location)) = file_place(&label.location)
            && let Some(uri) = uri_of(&path)
        {
            related.push(DiagnosticRelatedInformation {
                location: ProtocolLocation {
                    uri,
                    range: self::range(&location, encoding),
                },
                message: match label.text.is_empty() {
                    true => "here".to_owned(),
                    false => label.text.clone(),
                },
            });
        }
    }
    lsp_types::Diagnostic {
        range,
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Info => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(diagnostic.code.name().to_owned())),
        source: Some("inlay".to_owned()),
        message,
        related_information: Some(related),
        data: fix_data(diagnostic, own, encoding),
        ..lsp_types::Diagnostic::default()
    }
}

/// Returns the edits that correct a mistake in the file of a label, in the form in which a
/// diagnostic keeps them for code actions.
fn fix_data(
    diagnostic: &Diagnostic,
    own: usize,
    encoding: ColumnEncoding,
) -> Option<serde_json::Value> {
    let (own, _) = file_place(&diagnostic.labels.get(own)?.location)?;
    let mut edits = Vec::new();
    for fix in diagnostic.fixes() {
        if let Some((path, place)) = file_place(&fix.place)
            && path == own
        {
            edits.push(PublishedFix {
                range: range(&place, encoding),
                before: place.source.slice(place.span).to_owned(),
                title: fix.title(),
                after: fix.text,
            });
        }
    }
    let data = (!edits.is_empty()).then(|| serde_json::to_value(edits));
    data?.ok()
}
