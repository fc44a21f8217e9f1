//! The place of a label in the file, made safe to print.

use std::sync::Arc;

use super::visible::visible_line;
use crate::source::{LineColumn, Location, Source, Span};

/// The name of a text that code made, such as a string of a template that contains a document.
const COMPUTED: &str = "(computed text)";

/// A place in its printed form: in the outermost source.
///
/// Invariant: the span is inside the text and does not cut a character. Spans come from many
/// computations, and a wrong one must not make the report of an error fail.
pub(super) struct PrintedPlace {
    pub(super) source: Arc<Source>,
    pub(super) span: Span,
    /// The position inside the embedded text, if the file does not contain its bytes directly (as
    /// with base64). Then `span` covers the whole string, which alone would be too vague.
    pub(super) inside: Option<LineColumn>,
}

impl PrintedPlace {
    /// Converts a location to a place in the file.
    pub(super) fn of(location: &Location) -> PrintedPlace {
        let file = location.in_file();
        let span = fit(file.source.text(), file.span);
        PrintedPlace {
            source: file.source,
            span,
            inside: position_inside(location),
        }
    }

    /// Returns the position of the first character.
    pub(super) fn start(&self) -> LineColumn {
        self.source.line_column(self.span.start())
    }

    /// Returns the position after the last character.
    pub(super) fn end(&self) -> LineColumn {
        self.source.line_column(self.span.end())
    }

    /// Returns `file:line:column`, the form that editors and CI systems turn into a link. The
    /// column counts characters.
    pub(super) fn origin(&self) -> String {
        let LineColumn { line, column } = match self.inside {
            // A text that is in no file has only positions of its own.
            Some(inside) if self.source.shown_name().is_empty() => inside,
            _ => self.start(),
        };
        format!("{}:{line}:{column}", visible_line(self.name()))
    }

    /// Returns the name of the file, or what the text is if it is in no file.
    pub(super) fn name(&self) -> &str {
        match self.source.shown_name() {
            "" => COMPUTED,
            name => name,
        }
    }
}

/// Returns the position in the innermost source that cannot be mapped outwards, if there is one on
/// the way to the file.
fn position_inside(location: &Location) -> Option<LineColumn> {
    let mut location = location.clone();
    while let Some(outer) = location.source.outer() {
        let Some(span) = outer.map.outer_span(location.span) else {
            return Some(location.line_column());
        };
        location = Location::new(&outer.source, span);
    }
    None
}

/// Returns the part of the span that is inside the text, extended to whole characters.
fn fit(text: &str, span: Span) -> Span {
    let mut start = span.start().min(text.len());
    let mut end = span.end().clamp(start, text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(start, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{OffsetMap, Outer};

    #[test]
    fn fits_a_span_to_the_characters_of_the_text() {
        let cases = [
            ((0, 2), (0, 4)),
            ((2, 3), (1, 4)),
            ((4, 4), (4, 4)),
            ((5, 99), (5, 5)),
            ((98, 99), (5, 5)),
        ];
        for ((start, end), (fitted_start, fitted_end)) in cases {
            assert_eq!(
                fit("a漢b", Span::new(start, end)),
                Span::new(fitted_start, fitted_end),
                "{start}..{end}"
            );
        }
    }

    #[test]
    fn a_place_in_a_text_without_a_file_has_a_name_and_a_position() {
        let outer = Outer {
            source: Source::empty(),
            span: Span::at(0),
            map: OffsetMap::default(),
        };
        let source = Source::embedded("a: 1\nb: 2\n", outer);
        let place = PrintedPlace::of(&Location::new(&source, Span::new(5, 6)));
        assert_eq!(place.origin(), "(computed text):2:1");
    }

    #[test]
    fn makes_a_backward_span_empty() {
        assert_eq!(fit("abcdef", Span { start: 4, end: 2 }), Span::at(4));
    }
}
