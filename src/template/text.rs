//! Text templates: text with code between `(@` and `@)`.

use crate::source::{Code, Diagnostic, Span};

/// A piece of a text template, as a span of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextPiece {
    /// Literal text.
    Text(Span),
    /// `(@ code @)`
    Code(Span),
    /// `(@= expression @)`
    Print(Span),
}

/// The reason why a text is not a valid template, and the place.
#[derive(Debug)]
pub(super) struct TextFault {
    pub(super) message: &'static str,
    pub(super) span: Span,
}

impl TextFault {
    /// Returns the diagnostic without a place, because only the caller knows the source.
    pub(super) fn diagnostic(&self) -> Box<Diagnostic> {
        Diagnostic::error(Code::ScriptSyntax, self.message)
            .help("text with `(@` in it is printed by `(@= \"(@\" @)`")
    }
}

/// Returns whether a text contains a code delimiter.
pub(super) fn has_code(text: &str) -> bool {
    text.contains("(@") || text.contains("@)")
}

/// Splits a text template into its pieces.
///
/// ```text
/// a (@- b -@) c      "a", code ` b `, "c": `-` trims the text next to it
/// ```
pub(super) fn pieces(text: &str) -> Result<Vec<TextPiece>, TextFault> {
    let mut pieces = Vec::new();
    let mut at = 0;
    // Whether the previous code trims the start of this text.
    let mut trims_start = false;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let (open, close) = (rest.find("(@"), rest.find("@)"));
        // A delimiter without its counterpart is an error and not text, as in ytt.
        if let Some(close) = close
            && open.is_none_or(|open| close < open)
        {
            let span = Span::new(at + close, at + close + 2);
            return Err(TextFault {
                message: "expected `(@` before this `@)`",
                span,
            });
        }
        let Some(open) = open else {
            push_text(
                &mut pieces,
                text,
                Span::new(at, text.len()),
                Trims {
                    start: trims_start,
                    end: false,
                },
            );
            return Ok(pieces);
        };
        let start = at + open;
        let code = code(text, start)?;
        push_text(
            &mut pieces,
            text,
            Span::new(at, start),
            Trims {
                start: trims_start,
                end: code.trims_before,
            },
        );
        pieces.push(code.piece);
        trims_start = code.trims_after;
        at = code.end;
    }
}

/// The ends of a text whose whitespace is trimmed.
#[derive(Clone, Copy)]
struct Trims {
    start: bool,
    end: bool,
}

/// Code, with the effect of its delimiters.
struct CodeParts {
    piece: TextPiece,
    trims_before: bool,
    trims_after: bool,
    end: usize,
}

/// Reads the code whose `(@` is at `start`.
///
/// ```text
/// (@-= x -@)
///     ^^^       the span of the expression; each `-` trims the text next to it, `=` prints the value
/// ```
fn code(text: &str, start: usize) -> Result<CodeParts, TextFault> {
    let inner = start + 2;
    let rest = text.get(inner..).unwrap_or_default();
    let opening = Span::new(start, inner);
    let Some(close) = rest.find("@)") else {
        return Err(TextFault {
            message: "expected `@)` to close this code",
            span: opening,
        });
    };
    if let Some(open) = rest.find("(@").filter(|open| *open < close) {
        let span = Span::new(inner + open, inner + open + 2);
        return Err(TextFault {
            message: "expected `@)` before the next `(@`",
            span,
        });
    }
    let mut code = rest.get(..close).unwrap_or_default();
    let mut from = inner;
    let trims_before = code.starts_with('-');
    if trims_before {
        (code, from) = (&code[1..], from + 1);
    }
    let prints = code.starts_with('=');
    if prints {
        (code, from) = (&code[1..], from + 1);
    }
    // Check this after the marks at the start are removed, so that the single dash of `(@-@)` does
    // not trim both sides.
    let trims_after = code.ends_with('-');
    let to = inner + close - usize::from(trims_after);
    let span = Span::new(from, to.max(from));
    let piece = if prints {
        TextPiece::Print(span)
    } else {
        TextPiece::Code(span)
    };
    Ok(CodeParts {
        piece,
        trims_before,
        trims_after,
        end: inner + close + 2,
    })
}

/// Adds the text between two pieces of code, unless nothing is left of it. `trims` says which ends
/// the delimiters of the surrounding code trim.
fn push_text(pieces: &mut Vec<TextPiece>, text: &str, span: Span, trims: Trims) {
    let mut span = span;
    if trims.start {
        let part = text.get(span.range()).unwrap_or_default();
        // This also trims line breaks, as in ytt: `-` joins lines.
        span = Span::new(span.end() - part.trim_start().len(), span.end());
    }
    if trims.end {
        let part = text.get(span.range()).unwrap_or_default();
        span = Span::new(span.start(), span.start() + part.trim_end().len());
    }
    if !span.is_empty() {
        pieces.push(TextPiece::Text(span));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_text_and_code() {
        let cases: &[(&str, &[&str])] = &[
            ("plain", &["plain"]),
            ("a(@ b @)c", &["a", "[ b ]", "c"]),
            ("a (@-= b -@) c", &["a", "<= b >", "c"]),
            ("a \n (@- b @) c", &["a", "[ b ]", " c"]),
            ("con (@--@) tent", &["con", "[]", "tent"]),
            ("(@= x @)", &["<= x >"]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let shown = |piece: &TextPiece| match piece {
                TextPiece::Text(span) => text[span.range()].to_owned(),
                TextPiece::Code(span) => format!("[{}]", &text[span.range()]),
                TextPiece::Print(span) => format!("<={}>", &text[span.range()]),
            };
            let found: Vec<String> = pieces(text).unwrap().iter().map(shown).collect();
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn reports_a_mark_without_its_partner() {
        for (text, at) in [("a @) b", 2), ("a (@ b", 2), ("(@ a (@ b @)", 5)] {
            assert_eq!(pieces(text).unwrap_err().span.start(), at, "{text}");
        }
    }
}
