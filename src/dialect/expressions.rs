//! Finds the extent of expressions without parsing: pairs of brackets, and the start of a receiver.

use super::lexer::{StarlarkToken, StarlarkTokenKind, with_statement_ends};
use crate::source::Span;

/// Words that do not end an expression. A bracket after one of them starts another expression.
const KEYWORDS: [&str; 11] = [
    "and", "elif", "else", "for", "if", "in", "lambda", "not", "or", "return", "while",
];

/// The code tokens of a program and the line ends between its statements. All positions here are
/// indices of these tokens, not byte offsets.
///
/// ```text
/// f ( a [ 1 ] ) . b
/// 0 1 2 3 4 5 6 7 8      partners: 1 ↔ 6, 3 ↔ 5
/// ```
pub(super) struct Expressions<'a> {
    text: &'a str,
    code: Vec<&'a StarlarkToken>,
    /// The index of each bracket's partner. `None` for other tokens and for a bracket without a
    /// partner.
    partners: Vec<Option<usize>>,
}

impl<'a> Expressions<'a> {
    /// Pairs the brackets of a program. The parser of the crate reports brackets without a partner
    /// later.
    pub(super) fn new(text: &'a str, tokens: &'a [StarlarkToken]) -> Expressions<'a> {
        let code = with_statement_ends(tokens);
        let mut open = Vec::new();
        let mut partners = vec![None; code.len()];
        for (index, token) in code.iter().enumerate() {
            if token.opens() {
                open.push(index);
            } else if token.closes()
                // The kinds of the brackets are not compared: the parser reports the syntax error
                // of `(]`.
                && let Some(start) = open.pop()
            {
                partners[index] = Some(start);
                partners[start] = Some(index);
            }
        }
        Expressions {
            text,
            code,
            partners,
        }
    }

    /// Returns the number of tokens.
    pub(super) fn len(&self) -> usize {
        self.code.len()
    }

    /// Returns the token at an index, if there is one.
    pub(super) fn get(&self, index: usize) -> Option<&'a StarlarkToken> {
        self.code.get(index).copied()
    }

    /// Returns the index of the token that starts at a byte offset.
    pub(super) fn at_offset(&self, offset: usize) -> Option<usize> {
        self.code
            .binary_search_by_key(&offset, |token| token.span.start())
            .ok()
    }

    /// Returns the place of the token at an index.
    pub(super) fn span(&self, index: usize) -> Span {
        self.code[index].span
    }

    /// Returns whether the token at an index is a mark, such as `(` or `=`.
    pub(super) fn is(&self, index: usize, mark: u8) -> bool {
        self.code[index].is(mark)
    }

    /// Returns the name or reserved word at an index, or an empty text for any other token.
    pub(super) fn word(&self, index: usize) -> &'a str {
        self.code[index].word(self.text)
    }

    /// Returns the index of the other bracket of the pair.
    pub(super) fn partner(&self, index: usize) -> Option<usize> {
        self.partners[index]
    }

    /// Returns all pairs of brackets whose opening bracket is `mark`.
    pub(super) fn pairs(&self, mark: u8) -> impl Iterator<Item = (usize, usize)> {
        (0..self.code.len()).filter_map(move |open| {
            if !self.code[open].is(mark) {
                return None;
            }
            Some((open, self.partners[open]?))
        })
    }

    /// Returns the tokens directly inside a pair of brackets, without inner brackets and the
    /// parameters of lambdas.
    ///
    /// An inner bracket is represented by its opening token. The parameters of a lambda are left
    /// out because their colon and commas do not belong to the bracket: `{lambda a: b: c}` has one
    /// key.
    pub(super) fn inside(&self, open: usize, close: usize) -> impl Iterator<Item = usize> {
        let mut at = open + 1;
        let mut lambdas = 0usize;
        std::iter::from_fn(move || {
            while at < close {
                let here = at;
                at = match self.partners[here] {
                    // Skip an inner bracket with its content.
                    Some(partner) if partner > here => partner + 1,
                    _ => here + 1,
                };
                if self.word(here) == "lambda" {
                    lambdas += 1;
                } else if self.code[here].is(b':') && lambdas > 0 {
                    lambdas -= 1;
                } else if lambdas == 0 {
                    return Some(here);
                }
            }
            None
        })
    }

    /// Returns whether the token is a string or a number.
    pub(super) fn is_literal(&self, index: usize) -> bool {
        matches!(
            self.code[index].kind,
            StarlarkTokenKind::String { .. } | StarlarkTokenKind::Number
        )
    }

    /// Returns whether the token ends an expression, so that a bracket after it is a call, an index
    /// or a slice.
    pub(super) fn ends_operand(&self, index: usize) -> bool {
        match self.code[index].kind {
            StarlarkTokenKind::Word => !KEYWORDS.contains(&self.word(index)),
            StarlarkTokenKind::String { .. } => true,
            _ => self.code[index].closes(),
        }
    }

    /// Returns whether the bracket at `open` indexes the operand before it, as in `d[k]`. A slice
    /// is not an index.
    pub(super) fn is_index(&self, open: usize, close: usize) -> bool {
        self.is(open, b'[')
            && open > 0
            && open + 1 < close
            && self.ends_operand(open - 1)
            && !self.inside(open, close).any(|at| self.is(at, b':'))
    }

    /// Returns the first token of the receiver that ends at `last`.
    ///
    /// ```text
    /// x = not f ( a ) . b [ 1 ] . find ( y )
    ///         ^ the result      ^ `last` is the `]` before this dot
    /// ```
    ///
    /// The search goes backwards over attributes and over brackets that follow an operand. `None`
    /// if no possible receiver ends at `last`: a number is none.
    pub(super) fn receiver_start(&self, last: usize) -> Option<usize> {
        let mut at = last;
        loop {
            let token = self.code[at];
            if token.closes() {
                let open = self.partners[at]?;
                // `f(a)` continues with `f`. `(a)`, `[a]` and `{a: b}` are operands themselves.
                let continues =
                    open > 0 && !self.code[open].is(b'{') && self.ends_operand(open - 1);
                if !continues {
                    return Some(open);
                }
                at = open - 1;
            } else if token.kind == StarlarkTokenKind::Word && at >= 2 && self.code[at - 1].is(b'.')
            {
                at -= 2;
            } else {
                let is_operand = matches!(
                    token.kind,
                    StarlarkTokenKind::Word | StarlarkTokenKind::String { .. }
                );
                return is_operand.then_some(at);
            }
        }
    }
}
