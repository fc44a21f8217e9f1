//! Extracts the few lines of a source that a snippet shows. Hidden characters become visible, and
//! long lines are cut.
//!
//! A file can be one line of 20 MB, and a label can cover a whole file. So an excerpt contains only
//! the text around the *marks*, the starts and ends of the spans. Its size depends on their number
//! and the width, not on the source:
//!
//! ```text
//! source     {"a":1,…20 MB…,"port":"x",…20 MB…}
//! span                               ~~~               marks: its start and its end
//! excerpt    …"name":"web","port":"x","image":"we…     `width / 2` characters around each mark
//! ```
//!
//! Lines far from any mark are left empty instead of being removed, so that the line numbers of the
//! other lines stay correct.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::source::{Source, Span};

use super::visible;

/// The maximum number of lines between the start and the end of a span, and between two spans, in
/// one excerpt.
pub(super) const MAX_LINES: usize = 1000;

/// The number of lines before and after a mark that are copied. Lines further away are left empty,
/// because `annotate-snippets` draws at most four lines after the start of a span and one before
/// its end.
const NEAR_LINES: usize = 5;

/// The minimum number of characters on each side of a mark, even in a narrow terminal.
const MIN_CONTEXT: usize = 10;

/// The replacement for text that was cut.
const CUT: char = '…';

/// Consecutive lines of a source in their shown form.
pub(super) struct Excerpt {
    /// The text; every line ends with a line feed.
    pub(super) text: String,
    /// The number of the first line, from 1.
    pub(super) first_line: usize,
    /// The ranges of the spans in `text`, in the order in which they were given.
    pub(super) ranges: Vec<Range<usize>>,
}

impl Excerpt {
    /// Extracts the lines of `source` around `spans`, which must be inside its text. Lines with
    /// more than `width` characters are cut.
    pub(super) fn new(source: &Source, spans: &[Span], width: usize) -> Excerpt {
        let spans: Vec<Span> = spans.iter().map(|&span| shorten(source, span)).collect();
        let marks: BTreeSet<usize> = spans
            .iter()
            .flat_map(|span| [span.start(), span.end()])
            .collect();
        let first_line = marks.first().map_or(1, |&mark| source.line(mark));
        let last_line = marks.last().map_or(1, |&mark| source.line(mark));
        let near = near_lines(source, &marks);
        let mut text = ExcerptText {
            shown: String::new(),
            marks: BTreeMap::new(),
        };
        for line in first_line..=last_line {
            if near.contains(&line) {
                text.push_line(source, source.line_span(line), &marks, width);
            }
            text.shown.push('\n');
        }
        let ranges = spans.iter().map(|&span| text.range(span)).collect();
        Excerpt {
            text: text.shown,
            first_line,
            ranges,
        }
    }
}

/// Returns the underlined part of a span: without a line break at its end, and only its first line
/// if it covers too many lines.
fn shorten(source: &Source, span: Span) -> Span {
    let first = source.line(span.start());
    let start = span.start().min(source.line_span(first).end());
    // The end is exclusive, so a span that ends with a line break does not extend into the next
    // line.
    let last_byte = span.end().saturating_sub(1).max(span.start());
    let mut last = source.line(last_byte);
    if last - first > MAX_LINES {
        last = first;
    }
    let end = span.end().min(source.line_span(last).end());
    Span::new(start, end.max(start))
}

/// Returns the numbers of the lines to copy.
fn near_lines(source: &Source, marks: &BTreeSet<usize>) -> BTreeSet<usize> {
    let lines: BTreeSet<usize> = marks.iter().map(|&mark| source.line(mark)).collect();
    lines
        .into_iter()
        .flat_map(|line| line.saturating_sub(NEAR_LINES)..=line + NEAR_LINES)
        .collect()
}

/// The text of an excerpt, built line by line.
struct ExcerptText {
    shown: String,
    /// The offset of each mark in `shown`, by its offset in the source. It is recorded while the
    /// text is copied, because characters change their length when they are made visible.
    marks: BTreeMap<usize, usize>,
}

impl ExcerptText {
    fn push_line(&mut self, source: &Source, line: Span, marks: &BTreeSet<usize>, width: usize) {
        let marks: Vec<usize> = marks.range(line.start()..=line.end()).copied().collect();
        let mut shown_to = line.start();
        for piece in pieces(source, line, &marks, width) {
            if piece.start() > shown_to {
                self.shown.push(CUT);
            }
            self.push_piece(source, piece, &marks);
            shown_to = piece.end();
        }
        if shown_to < line.end() {
            self.shown.push(CUT);
        }
    }

    fn push_piece(&mut self, source: &Source, piece: Span, marks: &[usize]) {
        let mut done = piece.start();
        for &mark in marks {
            if mark < piece.start() || mark > piece.end() {
                continue;
            }
            self.push_text(source, Span::new(done, mark));
            self.marks.insert(mark, self.shown.len());
            done = mark;
        }
        self.push_text(source, Span::new(done, piece.end()));
    }

    fn push_text(&mut self, source: &Source, span: Span) {
        for character in source.shown(span).chars() {
            visible::push(&mut self.shown, character);
        }
    }

    fn range(&self, span: Span) -> Range<usize> {
        let start = self.marks.get(&span.start()).copied().unwrap_or(0);
        let end = self.marks.get(&span.end()).copied().unwrap_or(0);
        start..end
    }
}

/// Returns the parts of a line that are shown. A short line is shown as a whole. A long line is
/// reduced to the text around its marks, or to its start if it has none. Parts that touch are
/// joined, so that nothing is shown twice.
fn pieces(source: &Source, line: Span, marks: &[usize], width: usize) -> Vec<Span> {
    if end_of_characters(source.slice(line), width) == line.len() {
        return vec![line];
    }
    if marks.is_empty() {
        return vec![Span::new(
            line.start(),
            line.start() + end_of_characters(source.slice(line), width),
        )];
    }
    let context = (width / 2).max(MIN_CONTEXT);
    let mut pieces: Vec<Span> = Vec::new();
    for &mark in marks {
        let piece = around(source, line, mark, context);
        match pieces.last_mut() {
            Some(last) if piece.start() <= last.end() => *last = last.to(piece),
            _ => pieces.push(piece),
        }
    }
    pieces
}

/// Returns the span of up to `context` characters of the line before and after a mark.
fn around(source: &Source, line: Span, mark: usize, context: usize) -> Span {
    let before = source.slice(Span::new(line.start(), mark));
    let after = source.slice(Span::new(mark, line.end()));
    let start = before
        .char_indices()
        .rev()
        .take(context)
        .last()
        .map_or(before.len(), |(offset, _)| offset);
    Span::new(
        line.start() + start,
        mark + end_of_characters(after, context),
    )
}

/// Returns the length in bytes of the first `count` characters, or of the whole text if it has
/// fewer.
fn end_of_characters(text: &str, count: usize) -> usize {
    text.char_indices()
        .nth(count)
        .map_or(text.len(), |(offset, _)| offset)
}
