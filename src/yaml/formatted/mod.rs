//! Formatted printing: one layout for any YAML, with its comments.
//!
//! Block style only, two spaces of indentation, sequences indented under their key, and a blank line around what has
//! comments above it. It changes the layout and the quotes of strings, and nothing else: comments, anchors, aliases, tags,
//! the order of keys, and the spelling of what is no string stay. This is `ytt fmt`, which writes aliases out, drops tags
//! and spells numbers and booleans anew.

mod attach;
mod printer;
mod spelling;
#[cfg(test)]
mod tests;

use super::node::{Document, Stream};
use crate::source::Result;
use attach::Comments;
use printer::Printer;

/// Prints a YAML text in the one layout.
///
/// # Errors
/// A tag that does not fit its text.
pub fn formatted(stream: &Stream) -> Result<String> {
    let mut printer = Printer::new(Comments::attach(stream));
    for document in &stream.documents {
        printer.document(document, directives(stream, document))?;
    }
    printer.trailing_comments();
    Ok(printer.finish())
}

/// The lines `%YAML …` and `%TAG …` before the marker of a document.
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
