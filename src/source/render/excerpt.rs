//! The few lines of a source that a snippet shows, with hidden characters made visible and long lines cut.
//!
//! A file can be one line of 20 MB, and a label can cover a whole file. So an excerpt takes only what stands around the
//! marks, that is, the starts and ends of the spans; its size depends on their number and the width, not on the source.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::source::{Source, Span};

use super::visible;

/// The most lines from a span's start to its end, and from one span to another, that one excerpt bridges.
pub(super) const MAX_LINES: usize = 1000;

/// How many lines before and after a mark are taken over. The lines further off stand empty; a snippet of
/// `annotate-snippets` draws at most four lines after the start of a span and one before its end.
const NEAR_LINES: usize = 5;

/// How little may be left around a mark, however narrow the terminal.
const MIN_CONTEXT: usize = 10;

/// Stands for the text that was cut.
const CUT: char = '…';

/// Consecutive lines of a source, as they are shown.
pub(super) struct Excerpt {
    /// The text; every line of it ends with a line feed.
    pub(super) text: String,
    /// The number of the first line, from 1.
    pub(super) first_line: usize,
    /// Where each of the spans stands in `text`, in the order given.
    pub(super) ranges: Vec<Range<usize>>,
}

impl Excerpt {
    /// The lines of `source` around `spans`, which must fit its text. Lines of more than `width` characters are cut.
    pub(super) fn new(source: &Source, spans: &[Span], width: usize) -> Excerpt {
        let spans: Vec<Span> = spans.iter().map(|&span| shorten(source, span)).collect();
        let marks: BTreeSet<usize> = spans
            .iter()
            .flat_map(|span| [span.start(), span.end()])
            .collect();
        let first_line = marks.first().map_or(1, |&mark| source.line(mark));
        let last_line = marks.last().map_or(1, |&mark| source.line(mark));
        let near = near_lines(source, &marks);
        let mut text = Text {
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

/// The span as it is underlined: a line break at its end is not, and a span of very many lines ends with its first.
fn shorten(source: &Source, span: Span) -> Span {
    let first = source.line(span.start());
    let start = span.start().min(source.line_span(first).end());
    let last_byte = span.end().saturating_sub(1).max(span.start());
    let last = source.line(if span.is_empty() {
        span.start()
    } else {
        last_byte
    });
    let last = if last - first > MAX_LINES {
        first
    } else {
        last
    };
    let end = span.end().min(source.line_span(last).end());
    Span::new(start, end.max(start))
}

/// The numbers of the lines that are taken over.
fn near_lines(source: &Source, marks: &BTreeSet<usize>) -> BTreeSet<usize> {
    let lines: BTreeSet<usize> = marks.iter().map(|&mark| source.line(mark)).collect();
    lines
        .into_iter()
        .flat_map(|line| line.saturating_sub(NEAR_LINES)..=line + NEAR_LINES)
        .collect()
}

/// The text that grows line by line, and where each mark got to.
struct Text {
    shown: String,
    marks: BTreeMap<usize, usize>,
}

impl Text {
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
        let within = marks
            .iter()
            .copied()
            .filter(|mark| (piece.start()..=piece.end()).contains(mark));
        for mark in within {
            self.push_text(source.slice(Span::new(done, mark)));
            self.marks.insert(mark, self.shown.len());
            done = mark;
        }
        self.push_text(source.slice(Span::new(done, piece.end())));
    }

    fn push_text(&mut self, text: &str) {
        text.chars()
            .for_each(|character| visible::push(&mut self.shown, character));
    }

    fn range(&self, span: Span) -> Range<usize> {
        let place = |mark: usize| self.marks.get(&mark).copied().unwrap_or(0);
        place(span.start())..place(span.end())
    }
}

/// The parts of a line that are shown: all of a short line, else what is around its marks, or the start if it has none.
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

/// Up to `context` characters of the line before and after a mark.
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

/// The number of bytes of the first `count` characters, or of the whole text if it has fewer.
fn end_of_characters(text: &str, count: usize) -> usize {
    text.char_indices()
        .nth(count)
        .map_or(text.len(), |(offset, _)| offset)
}
