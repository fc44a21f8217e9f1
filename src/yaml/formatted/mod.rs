//! Formatted printing: one layout for any YAML, with its comments.
//!
//! The layout has only block style, two spaces of indentation, sequences indented under their key,
//! and a blank line around entries with comments above them. Only layout and the quotes of strings
//! change. Comments, anchors, aliases, tags, the order of keys, numbers and booleans are kept.
//! (`ytt fmt` has the same layout, but expands aliases, drops tags and rewrites numbers and
//! booleans.)

mod attach;
mod printer;
mod spelling;
#[cfg(test)]
mod tests;

use super::node::{Document, Stream};
use crate::source::Result;
use attach::Comments;
use printer::FormattedPrinter;

/// Returns a YAML text in the standard layout.
///
/// # Errors
/// A tag does not fit its text.
pub fn formatted(stream: &Stream) -> Result<String> {
    let mut printer = FormattedPrinter::new(Comments::attach(stream));
    for document in &stream.documents {
        printer.document(document, directives(stream, document))?;
    }
    printer.trailing_comments();
    Ok(printer.finish())
}

/// Returns the directives (`%YAML …`, `%TAG …`) before the marker of a document.
fn directives<'a>(stream: &'a Stream, document: &Document) -> impl Iterator<Item = &'a str> {
    let end = document
        .marker
        .map_or(document.span.start(), |marker| marker.start());
    let head = stream
        .source
        .text()
        .get(document.span.start()..end)
        .unwrap_or_default();
    head.lines().filter(|line| line.starts_with('%'))
}
