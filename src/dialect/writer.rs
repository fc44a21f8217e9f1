//! Writes the converted program and keeps its map.

use super::edits::Edit;
use super::lines::Line;
use crate::source::{OffsetMap, Span};

/// Builds the converted text from copied and made pieces.
pub(super) struct Writer<'a> {
    text: &'a str,
    /// In order of their places.
    edits: Vec<Edit>,
    out: String,
    map: OffsetMap,
}

impl<'a> Writer<'a> {
    pub(super) fn new(text: &'a str, edits: Vec<Edit>) -> Writer<'a> {
        Writer {
            text,
            edits,
            out: String::with_capacity(text.len() * 2),
            map: OffsetMap::default(),
        }
    }

    pub(super) fn finish(self) -> (String, OffsetMap) {
        (self.out, self.map)
    }

    /// A line that stands nowhere in the source, on behalf of what stands at `place`.
    pub(super) fn made(&mut self, level: usize, line: &str, place: Span) {
        self.indent(level);
        self.spell(line, place);
        self.out.push('\n');
    }

    /// A line of a copied part between two made ones.
    pub(super) fn around(&mut self, level: usize, before: &str, part: Span, after: &str) {
        self.indent(level);
        self.spell(before, Span::at(part.start()));
        self.copy(part);
        self.spell(after, Span::at(part.end()));
        self.out.push('\n');
    }

    /// A line as it stands.
    pub(super) fn copy_line(&mut self, level: usize, line: &Line<'_>) {
        self.indent(level);
        self.copy(line.span());
        self.out.push('\n');
    }

    /// A `for` whose values may stand without brackets: `for x in 1, 2:`.
    pub(super) fn for_loop(&mut self, level: usize, line: &Line<'_>) {
        let values = self.loop_values(line);
        self.indent(level);
        match values {
            None => self.copy(line.span()),
            Some(values) => {
                self.copy(Span::new(line.start().start(), values.start()));
                self.spell(" (", Span::at(values.start()));
                self.copy(values);
                self.spell(")", Span::at(values.end()));
                self.copy(Span::new(values.end(), line.span().end()));
            }
        }
        self.out.push('\n');
    }

    fn word(&self, span: Span) -> Option<&'a str> {
        self.text.get(span.range())
    }

    fn loop_values(&self, line: &Line<'_>) -> Option<Span> {
        let mut tokens = line
            .outside(self.text)
            .skip_while(|token| self.word(token.span) != Some("in"));
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

    fn spell(&mut self, text: &str, place: Span) {
        if text.is_empty() {
            return;
        }
        let start = self.out.len();
        self.out.push_str(text);
        self.map
            .push_spelled(Span::new(start, self.out.len()), place);
    }

    /// Copies a part with the edits in it.
    fn copy(&mut self, part: Span) {
        let mut at = part.start();
        let mut next = self
            .edits
            .partition_point(|edit| edit.span.start() < part.start());
        while let Some(edit) = self.edits.get(next)
            && edit.span.end() <= part.end()
            && (edit.span.start() < part.end() || edit.is_closing)
        {
            let (span, with) = (edit.span, edit.text.clone());
            next += 1;
            if span.start() < at
                || (span.start() == part.start() && edit_closes(&self.edits, next - 1))
            {
                continue;
            }
            self.verbatim(Span::new(at, span.start()));
            self.spell(&with, span);
            at = span.end();
        }
        self.verbatim(Span::new(at.min(part.end()), part.end()));
    }

    fn verbatim(&mut self, part: Span) {
        let text = self.text.get(part.range()).unwrap_or_default();
        self.map
            .push_verbatim(self.out.len(), part.start(), text.len());
        self.out.push_str(text);
    }
}

/// An edit that closes something at the very start of a part belongs to the part before it.
fn edit_closes(edits: &[Edit], index: usize) -> bool {
    edits.get(index).is_some_and(|edit| edit.is_closing)
}
