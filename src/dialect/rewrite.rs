//! A change to the program text.

use super::expressions::Expressions;
use super::lexer::StarlarkTokenKind;
use crate::source::Span;

/// Replaces a span of the program by other text.
#[derive(Debug)]
pub(super) struct Rewrite {
    pub(super) span: Span,
    pub(super) text: String,
    /// Whether the text ends the expression before it, such as a closing bracket.
    ///
    /// Two insertions can meet at the same offset: in `a.b(c)d`, the text that closes the call
    /// comes before the text that opens the next expression.
    pub(super) is_closing: bool,
}

impl Rewrite {
    /// Returns the rewrite that replaces a span of the program.
    pub(super) fn replace(span: Span, text: impl Into<String>) -> Rewrite {
        Rewrite {
            span,
            text: text.into(),
            is_closing: false,
        }
    }

    /// Returns the rewrite that inserts a text.
    pub(super) fn insert(offset: usize, text: impl Into<String>) -> Rewrite {
        Rewrite::replace(Span::at(offset), text)
    }

    /// Returns the rewrite that inserts the end of the expression before it, such as a closing
    /// bracket.
    pub(super) fn close(offset: usize, text: impl Into<String>) -> Rewrite {
        Rewrite {
            is_closing: true,
            ..Rewrite::insert(offset, text)
        }
    }
}

/// Returns the text that opens a call of `function` before the token at an index. A word directly
/// before the token must not become a part of the name:
///
/// ```text
/// not[a].f()   →   not __ytt_member([a], "f")()
/// ```
pub(super) fn call_opening(expressions: &Expressions<'_>, index: usize, function: &str) -> String {
    let before = index
        .checked_sub(1)
        .and_then(|before| expressions.get(before));
    let follows_word = before.is_some_and(|before| {
        before.kind == StarlarkTokenKind::Word
            && before.span.end() == expressions.span(index).start()
    });
    format!("{}{function}(", if follows_word { " " } else { "" })
}

/// Sorts rewrites by offset. At the same offset, closing texts come before opening ones.
///
/// The sort is stable: of two opening insertions at the same offset, the one that was added first
/// stays outside.
pub(super) fn sort(rewrites: &mut [Rewrite]) {
    rewrites.sort_by_key(|rewrite| (rewrite.span.start(), !rewrite.is_closing));
}
