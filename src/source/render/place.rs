//! A label's place in the file on disk, made safe to print.

use std::sync::Arc;

use crate::source::{LineColumn, Location, Source, Span};

/// A place in an outermost source, whose span fits the text and cuts no character.
pub(super) struct Place {
    pub(super) source: Arc<Source>,
    pub(super) span: Span,
    /// The position in the embedded text, where its bytes do not stand in the file as such (base64, for one) and `span`
    /// can only cover the whole string.
    pub(super) inside: Option<LineColumn>,
}

impl Place {
    pub(super) fn of(location: &Location) -> Place {
        let file = location.in_file();
        let span = fit(file.source.text(), file.span);
        Place {
            source: file.source,
            span,
            inside: position_inside(location),
        }
    }

    pub(super) fn start(&self) -> LineColumn {
        self.source.line_column(self.span.start())
    }

    pub(super) fn end(&self) -> LineColumn {
        self.source.line_column(self.span.end())
    }
}

/// The position in the innermost source that cannot be mapped outwards, if there is one on the way to the file.
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

/// The span, widened to whole characters, as far as it lies in the text.
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

    #[test]
    fn a_span_is_fitted_to_the_characters_of_the_text() {
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
    fn a_backward_span_becomes_empty() {
        assert_eq!(fit("abcdef", Span { start: 4, end: 2 }), Span::at(4));
    }
}
