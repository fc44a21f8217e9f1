//! Writes the converted program and records where each byte came from.

use super::lines::LogicalLine;
use super::rewrite::Rewrite;
use crate::source::{OffsetMap, Span};

/// The converted text so far, with its map.
pub(super) struct ConvertedWriter<'a> {
    text: &'a str,
    /// Invariant: in the order of [`rewrite::sort`](super::rewrite::sort).
    rewrites: Vec<Rewrite>,
    out: String,
    map: OffsetMap,
}

impl<'a> ConvertedWriter<'a> {
    pub(super) fn new(text: &'a str, rewrites: Vec<Rewrite>) -> ConvertedWriter<'a> {
        ConvertedWriter {
            text,
            rewrites,
            out: String::with_capacity(text.len() * 2),
            map: OffsetMap::default(),
        }
    }

    /// Returns the converted program, and the map from its bytes to those of the original.
    pub(super) fn finish(self) -> (String, OffsetMap) {
        (self.out, self.map)
    }

    /// Writes a line that is not in the original program. Errors in it are shown at `place`.
    pub(super) fn generated_line(&mut self, level: usize, line: &str, place: Span) {
        self.indent(level);
        self.generate(line, place);
        self.out.push('\n');
    }

    /// Writes a copied part between two generated parts, as one line.
    pub(super) fn wrapped_line(&mut self, level: usize, before: &str, part: Span, after: &str) {
        self.indent(level);
        self.generate(before, Span::at(part.start()));
        self.copy(part);
        self.generate(after, Span::at(part.end()));
        self.out.push('\n');
    }

    /// Writes a line whose first word is replaced. Errors in the replacement are shown at the word.
    pub(super) fn line_with_start(&mut self, level: usize, start: &str, word: Span, rest: Span) {
        self.indent(level);
        self.generate(start, word);
        self.copy(rest);
        self.out.push('\n');
    }

    /// Copies a line.
    pub(super) fn copy_line(&mut self, level: usize, line: &LogicalLine<'_>) {
        self.indent(level);
        self.copy(line.span());
        self.out.push('\n');
    }

    /// Copies the header of a `for`, whose values need brackets in the crate: `for x in 1, 2:` →
    /// `for x in ( 1, 2):`.
    pub(super) fn for_loop(&mut self, level: usize, line: &LogicalLine<'_>) {
        let Some(values) = self.bare_tuple(line) else {
            self.copy_line(level, line);
            return;
        };
        self.indent(level);
        self.copy(Span::new(line.start().start(), values.start()));
        self.generate(" (", Span::at(values.start()));
        self.copy(values);
        self.generate(")", Span::at(values.end()));
        self.copy(Span::new(values.end(), line.span().end()));
        self.out.push('\n');
    }

    /// Returns the span of several values without brackets between `in` and the colon.
    fn bare_tuple(&self, line: &LogicalLine<'_>) -> Option<Span> {
        let mut tokens = line
            .outside_brackets(self.text)
            .skip_while(|token| token.word(self.text) != "in");
        let start = tokens.next()?.span.end();
        let mut has_comma = false;
        for token in tokens {
            if token.is(b':') {
                return has_comma.then(|| Span::new(start, token.span.start()));
            }
            has_comma |= token.is(b',');
        }
        None
    }

    fn indent(&mut self, level: usize) {
        self.out.extend(std::iter::repeat_n(' ', level));
    }

    fn generate(&mut self, text: &str, place: Span) {
        if text.is_empty() {
            return;
        }
        let start = self.out.len();
        self.out.push_str(text);
        self.map
            .push_spelled(Span::new(start, self.out.len()), place);
    }

    /// Copies a part of the program and applies the rewrites in it.
    ///
    /// ```text
    /// program       x.find(y) + d[k]
    /// part          ^^^^^^^^^            rewrites: "__ytt_method(" at x, `, "find", ` for `.find(`
    /// written       __ytt_method(x, "find", y)
    /// ```
    ///
    /// A part is a line, or one of the pieces of a line that is written in several steps (`while`,
    /// `for`). Two pieces may meet at one offset. Then a text that closes an expression there
    /// belongs to the first piece, and a text that opens one belongs to the second.
    fn copy(&mut self, part: Span) {
        let mut at = part.start();
        let mut next = self
            .rewrites
            .partition_point(|rewrite| rewrite.span.start() < part.start());
        while let Some(rewrite) = self.rewrites.get(next) {
            let span = rewrite.span;
            let belongs_to_next = span.start() >= part.end() && !rewrite.is_closing;
            if span.end() > part.end() || belongs_to_next {
                break;
            }
            next += 1;
            let belongs_to_previous = span.start() == part.start() && rewrite.is_closing;
            if span.start() < at || belongs_to_previous {
                continue;
            }
            let replacement = rewrite.text.clone();
            self.copy_verbatim(Span::new(at, span.start()));
            self.generate(&replacement, span);
            at = span.end();
        }
        self.copy_verbatim(Span::new(at.min(part.end()), part.end()));
    }

    fn copy_verbatim(&mut self, part: Span) {
        let text = self.text.get(part.range()).unwrap_or_default();
        self.map
            .push_verbatim(self.out.len(), part.start(), text.len());
        self.out.push_str(text);
    }
}
