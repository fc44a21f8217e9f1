//! Changes to a text.

use std::fmt;
use std::sync::Arc;

use crate::source::{Source, Span};

/// A change to a text: the bytes `span` become `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes to replace; empty to insert.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

impl TextEdit {
    /// Replaces the bytes `span` by `text`.
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

/// Applies edits, which must be in order and must not overlap. Insertions at the same place keep their order.
pub fn apply(text: &str, edits: &[TextEdit]) -> String {
    let grown: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut result = String::with_capacity(text.len() + grown);
    result.extend(pieces(text, edits));
    result
}

/// The pieces of `text` with the edits applied, in order.
fn pieces<'a>(text: &'a str, edits: &'a [TextEdit]) -> impl Iterator<Item = &'a str> {
    let mut done = 0;
    let changed = edits.iter().flat_map(move |edit| {
        debug_assert!(
            edit.span.start() >= done,
            "edits overlap at {}",
            edit.span.start()
        );
        let kept = text.get(done..edit.span.start()).unwrap_or("");
        done = edit.span.end();
        [kept, &*edit.text]
    });
    let rest = edits.last().map_or(0, |edit| edit.span.end());
    changed.chain([text.get(rest..).unwrap_or("")])
}

/// A text and the edits that make another one of it, which thus need not be held in memory as a whole.
#[derive(Clone, Debug)]
pub struct EditedText {
    source: Arc<Source>,
    edits: Vec<TextEdit>,
}

impl EditedText {
    /// The text of `source` after `edits`, which must be in order and must not overlap.
    pub fn new(source: Arc<Source>, edits: Vec<TextEdit>) -> EditedText {
        EditedText { source, edits }
    }

    /// A text of nothing.
    pub fn empty() -> EditedText {
        EditedText::new(Source::empty(), Vec::new())
    }

    /// The pieces that make the text, in order.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        pieces(self.source.text(), &self.edits)
    }
}

impl fmt::Display for EditedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| f.write_str(piece))
    }
}
