//! One line a diagnostic: `file:line:column: error[code]: message`.

use crate::source::Diagnostic;

use super::place::Place;
use super::visible::visible_line;

/// The line of a diagnostic; without a label it starts with the severity. Notes and help are left out.
pub(super) fn line(diagnostic: &Diagnostic) -> String {
    let origin = diagnostic.labels.first().map_or(String::new(), |label| {
        origin(&Place::of(&label.location)) + ": "
    });
    let (severity, code) = (diagnostic.severity.name(), diagnostic.code.name());
    format!(
        "{origin}{severity}[{code}]: {}\n",
        visible_line(&diagnostic.message)
    )
}

/// `file:line:column`, the column counted in characters.
pub(super) fn origin(place: &Place) -> String {
    let start = place.start();
    format!(
        "{}:{}:{}",
        visible_line(place.source.name()),
        start.line,
        start.column
    )
}
