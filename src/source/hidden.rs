//! Hides the parts of a source that must not be shown, such as the values of Secrets.
//!
//! ```text
//! password: s3cret        password: …
//! key: |                  key: …
//!   line one                …
//! ```

use std::borrow::Cow;

use super::{Source, Span, steps};

/// The replacement for a hidden part.
const HIDDEN: char = '…';

/// The parts of a source that must not be shown.
#[derive(Debug, Default)]
pub(super) struct HiddenParts {
    spans: Vec<Span>,
    /// Whether the spans are in order and do not overlap. They are sorted when they are first read,
    /// so that the parts of a line are found without visiting all of them.
    is_sorted: bool,
}

impl HiddenParts {
    pub(super) fn add(&mut self, span: Span) {
        self.spans.push(span);
        self.is_sorted = false;
    }

    /// Returns the spans in order. Those that overlap are one.
    pub(super) fn sorted(&mut self) -> &[Span] {
        if !self.is_sorted {
            steps::count(self.spans.len());
            self.spans.sort_unstable();
            self.spans.dedup_by(|next, span| {
                let overlaps = next.start() < span.end() || next.start() == span.start();
                if overlaps {
                    *span = Span::new(span.start(), span.end().max(next.end()));
                }
                overlaps
            });
            self.is_sorted = true;
        }
        &self.spans
    }
}

impl Source {
    /// Returns the text of `span` without the parts that must not be shown. The indentation of
    /// their lines and the line breaks stay.
    pub fn shown(&self, span: Span) -> Cow<'_, str> {
        let text = self.slice(span);
        let hidden = self.hidden_in(span);
        if hidden.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut shown = String::with_capacity(text.len());
        steps::count(hidden.len());
        let mut is_after_hidden = false;
        for (offset, character) in text.char_indices() {
            let offset = span.start() + offset;
            let is_hidden = hidden.iter().any(|part| part.range().contains(&offset));
            match is_hidden {
                // Blanks between the words of a value would reveal the number of words.
                true if is_after_hidden && character != '\n' => {}
                true if !character.is_whitespace() => {
                    shown.push(HIDDEN);
                    is_after_hidden = true;
                }
                _ => {
                    shown.push(character);
                    is_after_hidden = false;
                }
            }
        }
        Cow::Owned(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_parts_that_overlap_are_one() {
        let source = Source::new("", "0123456789").unwrap();
        let spans =
            [(6, 8), (1, 3), (2, 5), (1, 2), (5, 6)].map(|(start, end)| Span::new(start, end));
        for span in spans {
            source.hide(span);
        }
        let expected = [(1, 5), (5, 6), (6, 8)].map(|(start, end)| Span::new(start, end));
        assert_eq!(source.hidden(), expected);
        assert_eq!(source.hidden_in(Span::new(5, 7)), expected[1..]);
        assert_eq!(source.hidden_in(Span::new(8, 10)), []);
        assert_eq!(source.shown(Span::new(0, 10)), "0…89");
    }

    #[test]
    fn shows_the_place_and_the_indentation_of_hidden_text() {
        let text = "password: a secret\nkey: |\n  line one\n  two\nnext: 1\n";
        let source = Source::new("", text).unwrap();
        let whole = Span::new(0, text.len());
        assert_eq!(source.shown(whole), text);
        for part in ["a secret", "|\n  line one\n  two"] {
            let start = text.find(part).unwrap();
            source.hide(Span::new(start, start + part.len()));
        }
        assert_eq!(
            source.shown(whole),
            "password: …\nkey: …\n  …\n  …\nnext: 1\n"
        );
    }
}
