//! Diagnostics in the form of the protocol, by file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, Location as ProtocolLocation, NumberOrString,
};

use super::position::{ColumnEncoding, LineIndex};
use super::uri::uri_of;
use crate::source::{Diagnostic, Location, Severity};

/// How many diagnostics of one file are sent.
const FILE_LIMIT: usize = 200;

/// Returns the diagnostics of each file. Those without a place are at the start of `fallback`.
pub(super) fn by_file(
    diagnostics: &[Diagnostic],
    fallback: &Path,
    encoding: ColumnEncoding,
) -> BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>> {
    let mut files: BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
    for diagnostic in diagnostics {
        let place = diagnostic
            .labels
            .first()
            .and_then(|label| file_place(&label.location));
        let (path, range) = match place {
            Some((path, location)) => (path, range(&location, encoding)),
            None => (fallback.to_owned(), lsp_types::Range::default()),
        };
        let found = files.entry(path).or_default();
        if found.len() < FILE_LIMIT {
            found.push(converted(diagnostic, range, encoding));
        }
    }
    files
}

/// Returns the file that contains a place; `None` for a flag or another text that is no file.
fn file_place(location: &Location) -> Option<(PathBuf, Location)> {
    let location = location.in_file();
    let path = PathBuf::from(location.source.shown_name());
    path.is_absolute().then_some((path, location))
}

fn range(location: &Location, encoding: ColumnEncoding) -> lsp_types::Range {
    LineIndex::new(location.source.text(), encoding).range(location.span)
}

fn converted(
    diagnostic: &Diagnostic,
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
    for label in diagnostic.labels.iter().skip(1) {
        if let Some((path, location)) = file_place(&label.location)
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
        ..lsp_types::Diagnostic::default()
    }
}
