//! Changes of a text by byte offsets. They are the result of every faithful print.

use std::fmt;
use std::sync::Arc;

use crate::source::{Source, Span};

/// One change: the bytes of `span` become `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes to replace; empty to insert.
    pub span: Span,
    /// The bytes that replace them.
    pub text: String,
}

impl TextEdit {
    /// Replaces the bytes of `span` by `text`.
    pub fn replace(span: Span, text: impl Into<String>) -> TextEdit {
        TextEdit {
            span,
            text: text.into(),
        }
    }

    /// Inserts `text` at `offset`.
    pub fn insert(offset: usize, text: impl Into<String>) -> TextEdit {
        TextEdit::replace(Span::at(offset), text)
    }
}

/// Applies edits and returns the new text.
///
/// Invariant: edits are in the order of their spans and do not overlap. Insertions at the same
/// place keep their order.
///
/// # Panics
/// If two edits overlap, which is a bug in the code that made them.
pub fn apply(text: &str, edits: &[TextEdit]) -> String {
    let grown: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut result = String::with_capacity(text.len() + grown);
    result.extend(pieces(text, edits));
    result
}

/// Applies edits of a whole text to the part of it that `span` covers, and returns the new part.
/// `None` if an edit reaches beyond the part.
pub(super) fn apply_within(text: &str, span: Span, edits: Vec<TextEdit>) -> Option<String> {
    let mut edits = in_order(edits);
    for edit in &mut edits {
        let start = edit.span.start().checked_sub(span.start())?;
        let end = edit.span.end().checked_sub(span.start())?;
        if edit.span.end() > span.end() {
            return None;
        }
        edit.span = Span::new(start, end);
    }
    Some(apply(text.get(span.start()..span.end())?, &edits))
}

/// Sorts edits by their spans. Deletions that overlap become one, because the blank lines between
/// two children may be removed with each of them.
pub(super) fn in_order(mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    edits.sort_by_key(|edit| edit.span);
    edits.dedup_by(|next, edit| {
        let are_deletions = next.text.is_empty() && edit.text.is_empty();
        let overlap = are_deletions && next.span.start() < edit.span.end();
        if overlap {
            edit.span = edit.span.to(next.span);
        }
        overlap
    });
    edits
}

/// Returns the pieces of the edited text in order. Kept pieces and new pieces alternate:
///
/// ```text
/// text    aaaa----bbbb--cc        `-` are the spans of edits
/// pieces  aaaa XX bbbb Y cc
/// ```
///
/// A carriage return that ends a line alone becomes a line feed if a line feed follows it now.
/// Both together would be one line break and no longer two.
fn pieces<'a>(text: &'a str, edits: &'a [TextEdit]) -> impl Iterator<Item = &'a str> {
    let mut done = 0;
    let changed = edits.iter().enumerate().flat_map(move |(index, edit)| {
        // Checked in release builds too: a panic does no harm, a wrong text does.
        assert!(
            edit.span.start() >= done,
            "edits overlap at {}",
            edit.span.start()
        );
        let kept = text.get(done..edit.span.start()).unwrap_or("");
        done = edit.span.end();
        match kept.strip_suffix('\r') {
            Some(line) if joins_line_breaks(text, &edits[index..]) => [line, "\n", &*edit.text],
            _ => [kept, "", &*edit.text],
        }
    });
    let rest = edits.last().map_or(0, |edit| edit.span.end());
    changed.chain([text.get(rest..).unwrap_or("")])
}

/// Returns whether a line feed follows the place of the first edit in the edited text, but not in
/// `text`.
fn joins_line_breaks(text: &str, edits: &[TextEdit]) -> bool {
    let Some(first) = edits.first() else {
        return false;
    };
    let follows = |offset: usize| text.as_bytes().get(offset) == Some(&b'\n');
    let mut end = first.span.start();
    if follows(end) {
        return false;
    }
    for edit in edits {
        if edit.span.start() > end {
            break;
        }
        if !edit.text.is_empty() {
            return edit.text.starts_with('\n');
        }
        end = edit.span.end();
    }
    follows(end)
}

/// A text with edits that are not applied yet. It is written piece by piece, so that a large file
/// is in memory only once.
#[derive(Clone, Debug)]
pub struct TextWithEdits {
    source: Arc<Source>,
    edits: Vec<TextEdit>,
}

impl TextWithEdits {
    /// Combines a source with edits, which are in order and do not overlap.
    pub fn new(source: Arc<Source>, edits: Vec<TextEdit>) -> TextWithEdits {
        TextWithEdits { source, edits }
    }

    /// Creates an empty text.
    pub fn empty() -> TextWithEdits {
        TextWithEdits::new(Source::empty(), Vec::new())
    }

    /// Returns the pieces that make the edited text, in order.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        pieces(self.source.written_text(), &self.edits)
    }
}

impl fmt::Display for TextWithEdits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| f.write_str(piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_two_line_breaks_apart() {
        let edit = |start, end, text: &str| TextEdit::replace(Span::new(start, end), text);
        let table = [
            ("a\rb\nc", vec![edit(2, 3, "")], "a\n\nc"),
            ("a\rb\nc", vec![edit(2, 3, "\nd")], "a\n\nd\nc"),
            ("a\rb\nc", vec![edit(2, 3, "d")], "a\rd\nc"),
            ("a\rbd\nc", vec![edit(2, 3, ""), edit(3, 4, "")], "a\n\nc"),
            ("a\rbd\nc", vec![edit(2, 3, ""), edit(4, 5, "")], "a\rdc"),
            ("a\rb\r", vec![edit(2, 3, "")], "a\r\r"),
            // The two characters were one line break before.
            ("a\r\nb\n", vec![edit(2, 3, "\nc\n")], "a\r\nc\nb\n"),
        ];
        for (text, edits, expected) in table {
            assert_eq!(apply(text, &edits), expected, "{text:?} {edits:?}");
        }
    }
}
