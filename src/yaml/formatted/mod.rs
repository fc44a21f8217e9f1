//! Formatted printing: one layout for any YAML, with its comments.
//!
//! The layout has only block style, two spaces of indentation, sequences indented under their key,
//! and a blank line around entries with comments above them. Only layout and the quotes of strings
//! change. Comments, anchors, aliases, tags, the order of keys, numbers and booleans are kept.
//! (`ytt fmt` has the same layout, but expands aliases, drops tags and rewrites numbers and
//! booleans.)

mod attach;
mod difference;
mod printer;
mod spelling;
#[cfg(test)]
mod tests;

use super::node::Stream;
use crate::source::Result;
use attach::{Comments, directives};
pub use difference::differs_from_formatted;
use printer::FormattedPrinter;
use spelling::is_null;

/// Returns a YAML text in the standard layout.
///
/// # Errors
/// A tag does not fit its text.
pub fn formatted(stream: &Stream) -> Result<String> {
    let mut printer = FormattedPrinter::new(Comments::attach(stream));
    for document in &stream.documents {
        let directives = directives(stream, document).into_iter();
        printer.document(document, directives.map(|line| stream.source.slice(line)))?;
    }
    let ends_empty = stream
        .documents
        .last()
        .is_some_and(|last| last.marker.is_some() && is_null(&last.root));
    printer.trailing_comments(ends_empty);
    Ok(printer.finish())
}
