//! Changes to a text.

use crate::source::Span;

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
        TextEdit { span, text: text.into() }
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
    let mut done = 0;
    for edit in edits {
        debug_assert!(edit.span.start() >= done, "edits overlap at {}", edit.span.start());
        result.push_str(text.get(done..edit.span.start()).unwrap_or(""));
        result.push_str(&edit.text);
        done = edit.span.end();
    }
    result.push_str(text.get(done..).unwrap_or(""));
    result
}
