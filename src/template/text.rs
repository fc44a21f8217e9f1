//! Text templates: text with code between `(@` and `@)`.

use crate::source::{Code, Diagnostic, Span};

/// A piece of a text template, as bytes of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text as it is.
    Text(Span),
    /// `(@ code @)`
    Code(Span),
    /// `(@= expression @)`
    Print(Span),
}

/// Why a text is no template, and where.
#[derive(Debug)]
pub(super) struct TextFault {
    pub(super) message: &'static str,
    pub(super) span: Span,
}

impl TextFault {
    pub(super) fn diagnostic(&self) -> Box<Diagnostic> {
        Diagnostic::error(Code::ScriptSyntax, self.message)
            .help("text with `(@` in it is printed by `(@= \"(@\" @)`")
    }
}

/// Whether a text holds any marks of code.
pub(super) fn has_code(text: &str) -> bool {
    text.contains("(@") || text.contains("@)")
}

/// Divides a text template into its pieces.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, TextFault> {
    let mut pieces = Vec::new();
    let mut at = 0;
    // Whether the code before this text trims its start.
    let mut trims_start = false;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let (open, close) = (rest.find("(@"), rest.find("@)"));
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
                trims_start,
                false,
            );
            return Ok(pieces);
        };
        let start = at + open;
        let code = code(text, start)?;
        push_text(
            &mut pieces,
            text,
            Span::new(at, start),
            trims_start,
            code.trims_before,
        );
        pieces.push(code.piece);
        trims_start = code.trims_after;
        at = code.end;
    }
}

/// Code with its marks.
struct CodeParts {
    piece: Piece,
    trims_before: bool,
    trims_after: bool,
    end: usize,
}

/// The code that starts at `start`, where `(@` stands.
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
    let trims_after = code.ends_with('-');
    let to = inner + close - usize::from(trims_after);
    let span = Span::new(from, to.max(from));
    let piece = if prints {
        Piece::Print(span)
    } else {
        Piece::Code(span)
    };
    Ok(CodeParts {
        piece,
        trims_before,
        trims_after,
        end: inner + close + 2,
    })
}

fn push_text(pieces: &mut Vec<Piece>, text: &str, span: Span, trims_start: bool, trims_end: bool) {
    let mut span = span;
    if trims_start {
        let part = text.get(span.range()).unwrap_or_default();
        span = Span::new(span.end() - part.trim_start().len(), span.end());
    }
    if trims_end {
        let part = text.get(span.range()).unwrap_or_default();
        span = Span::new(span.start(), span.start() + part.trim_end().len());
    }
    if !span.is_empty() {
        pieces.push(Piece::Text(span));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_code_are_divided() {
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
            let shown = |piece: &Piece| match piece {
                Piece::Text(span) => text[span.range()].to_owned(),
                Piece::Code(span) => format!("[{}]", &text[span.range()]),
                Piece::Print(span) => format!("<={}>", &text[span.range()]),
            };
            let found: Vec<String> = pieces(text).unwrap().iter().map(shown).collect();
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn a_mark_alone_is_shown_where_it_is() {
        for (text, at) in [("a @) b", 2), ("a (@ b", 2), ("(@ a (@ b @)", 5)] {
            assert_eq!(pieces(text).unwrap_err().span.start(), at, "{text}");
        }
    }
}
