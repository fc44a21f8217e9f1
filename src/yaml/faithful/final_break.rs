//! Edits a text that does not end with a line break as if it did.
//!
//! The lines of children can then be inserted, moved and removed at the end of the text as anywhere
//! else. Afterwards, the line break is taken away again:
//!
//! ```text
//! a: 1⏎        a: 1⏎        a: 1⏎          a: 1⏎
//! b: 2    ->   b: 2⏎   ->   b: 2⏎     ->   b: 2⏎
//!                           c: 3⏎          c: 3
//! ```
//!
//! It stays if a new block scalar is at the end now: without it, the value of the scalar would have
//! no line break at its end. A block scalar that was there has such a value ([`OpenScalar`]).

use std::sync::Arc;

use super::block::last_node;
use super::layout::newline;
use super::lines::{SourceLines, without_break};
use crate::source::Span;
use crate::yaml::block_scalar::{self, Chomping};
use crate::yaml::node::{Node, Stream, Syntax};
use crate::yaml::text_edit::{TextEdit, apply, apply_within};

/// Returns the text of a YAML stream with a line break at its end. `None` if it has one, if it
/// is empty, and for JSON, which ends with a bracket and gets no lines after it.
pub(super) fn with_final_break(stream: &Stream) -> Option<String> {
    let text = stream.source.text();
    let is_ended = text.is_empty() || text.ends_with('\n');
    (stream.syntax == Syntax::Yaml && !is_ended).then(|| format!("{text}{}", newline(text)))
}

/// A block scalar at the end of a text without a final line break. Its value has no line break at
/// its end, and must not get one from a line that follows now:
///
/// ```text
/// a: |        a: |-
///   x¶          x
///             b: 1
/// ```
#[derive(Debug)]
pub(super) struct OpenScalar {
    /// The scalar in the text, from its header to the end of the text.
    span: Span,
    /// The edit that gives it the `-`; `None` if it has one.
    strip: Option<TextEdit>,
}

impl OpenScalar {
    /// Returns the scalar, if the text of `stream` ends with one.
    pub(super) fn of(stream: &Stream) -> Option<OpenScalar> {
        let text = stream.source.text();
        let scalar = last_node(&stream.documents.last()?.root);
        let span = scalar.origin.as_ref()?.span;
        let is_open = span.end() == text.len() && !text.ends_with('\n');
        if !is_open || !scalar.is_block_scalar() {
            return None;
        }
        let header = block_scalar::header(text.get(span.start()..)?);
        let indicators = Span::new(span.start() + 1, span.start() + header.length);
        let indentation = header.indicator.map(|digit| digit.to_string());
        let strip = TextEdit::replace(indicators, indentation.unwrap_or_default() + "-");
        Some(OpenScalar {
            span,
            strip: (header.chomping != Chomping::Strip).then_some(strip),
        })
    }

    /// Returns the scalar in the text, from its header to the end of the text.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Returns whether `edits` add text below the scalar. If it is a key, its colon may be added at
    /// its end.
    pub(super) fn is_followed(&self, edits: &[TextEdit]) -> bool {
        let mut edits = edits.iter();
        edits.any(|edit| {
            let is_below = edit.span.end() > self.span.end() && !edit.text.is_empty();
            let is_colon =
                edit.span.start() == self.span.end() && edit.text.trim_start().starts_with(':');
            is_below || is_colon
        })
    }

    /// Adds the edit that gives the scalar a `-`, unless `edits` remove or rewrite the scalar.
    pub(super) fn add_strip_indicator(&self, edits: &mut Vec<TextEdit>) {
        let header = Span::new(self.span.start(), self.span.start() + 1);
        let is_rewritten = edits.iter().any(|edit| edit.span.contains(header));
        if !is_rewritten {
            edits.extend(self.strip.clone());
        }
    }
}

/// Turns the edits of `ended`, which are in order, into those of the text without the line break at
/// its end. `last` is the last document after the edits.
pub(super) fn without_final_break(
    mut edits: Vec<TextEdit>,
    ended: &str,
    last: &Arc<Node>,
) -> Vec<TextEdit> {
    if edits.is_empty() {
        return edits;
    }
    let end = without_break(ended).len();
    let keeps_break = ends_with_block_scalar(&edits, ended, last);
    let Some(first) = edits.iter().find(|edit| edit.span.end() > end) else {
        if keeps_break {
            edits.push(TextEdit::insert(end, &ended[end..]));
        }
        return edits;
    };
    // All edits from there on become one, which ends before the line break.
    let mut start = first.span.start().min(end);
    let at = edits.partition_point(|edit| edit.span.start() < start);
    let tail = edits.split_off(at);
    let Some(mut text) = apply_within(ended, Span::new(start, ended.len()), tail) else {
        // The span reaches to the end of the text, so no edit is beyond it.
        return edits;
    };
    if !keeps_break {
        // If the last lines are removed, the line above them loses its line break.
        let above = SourceLines::new(ended).before_break(start);
        let is_free = edits.last().is_none_or(|edit| edit.span.end() <= above);
        if text.is_empty() && is_free {
            start = above;
        }
        text.truncate(without_break(&text).len());
    }
    edits.push(TextEdit::replace(Span::new(start, end), text));
    edits
}

/// Returns whether the edited text ends with a block scalar whose value ends with a line break. Its
/// last line is then the last line of the value, and not a comment or a closing quote.
fn ends_with_block_scalar(edits: &[TextEdit], ended: &str, last: &Arc<Node>) -> bool {
    let Some(value) = last_node(last).as_str() else {
        return false;
    };
    if !value.ends_with('\n') {
        return false;
    }
    let edited = apply(ended, edits);
    let last_line = edited.trim_end_matches(['\n', '\r']).rsplit('\n').next();
    let last_line = last_line.unwrap_or("");
    let last_of_value = value.trim_end_matches('\n').rsplit('\n').next();
    match (
        last_of_value.unwrap_or(""),
        last_line.trim_start_matches(' '),
    ) {
        // A block scalar of blank lines ends with its header: `|+`, `|2+`.
        ("", line) => line
            .trim_end_matches(['+', '-'])
            .trim_end_matches(char::is_numeric)
            .ends_with(['|', '>']),
        // Only blanks: they may be the last line of the value, or below it.
        (blanks, "") => last_line.ends_with(blanks),
        // The last line of a folded scalar is a part of a line of its value.
        (of_value, line) => of_value.ends_with(line),
    }
}
