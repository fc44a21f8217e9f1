//! Methods and slices that answer differently in ytt, or whose results are as large as what they are taken of:
//! `x.find(y)` becomes `__ytt_method(x, "find", y)`, and `x[1:]` becomes `__ytt_slice(x, 1, None)`.

use super::edits::Edit;
use super::lexer::{Kind, Token};
use crate::source::Span;

/// The methods. What has a method of this name and is no string, list, dictionary or set answers as before.
const METHODS: [&str; 46] = [
    "add",
    "capitalize",
    "codepoint_ords",
    "codepoints",
    "count",
    "difference",
    "difference_update",
    "discard",
    "elem_ords",
    "elems",
    "extend",
    "find",
    "format",
    "get",
    "index",
    "intersection",
    "intersection_update",
    "issubset",
    "issuperset",
    "items",
    "join",
    "keys",
    "lower",
    "lstrip",
    "partition",
    "pop",
    "remove",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rpartition",
    "rsplit",
    "rstrip",
    "setdefault",
    "split",
    "splitlines",
    "strip",
    "symmetric_difference",
    "symmetric_difference_update",
    "title",
    "union",
    "update",
    "upper",
    "values",
];

/// Words that stand before an expression and not in one.
const KEYWORDS: [&str; 10] = [
    "and", "elif", "else", "for", "if", "in", "lambda", "not", "or", "return",
];

/// The tokens of a program that are code, and which brackets belong together.
pub(super) struct Operands<'a> {
    text: &'a str,
    code: Vec<&'a Token>,
    /// For each closing bracket its opening one, and the other way round.
    partners: Vec<Option<usize>>,
}

impl<'a> Operands<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Token]) -> Operands<'a> {
        let code: Vec<&Token> = tokens
            .iter()
            .filter(|t| !matches!(t.kind, Kind::LineEnd | Kind::Comment))
            .collect();
        let mut open = Vec::new();
        let mut partners = vec![None; code.len()];
        for (index, token) in code.iter().enumerate() {
            if token.opens() {
                open.push(index);
            } else if token.closes()
                && let Some(start) = open.pop()
            {
                partners[index] = Some(start);
                partners[start] = Some(index);
            }
        }
        Operands {
            text,
            code,
            partners,
        }
    }

    /// Adds the changes of methods and slices. Those that stand further back are around those before them.
    pub(super) fn rewrite(&self, edits: &mut Vec<Edit>) {
        for index in (1..self.code.len()).rev() {
            self.method(index, edits);
            self.slice(index, edits);
        }
    }

    fn method(&self, index: usize, edits: &mut Vec<Edit>) {
        let (Some(name), Some(bracket)) = (self.code.get(index + 1), self.code.get(index + 2))
        else {
            return;
        };
        let (dot, word) = (self.code[index], self.word(index + 1));
        if !dot.is(b'.') || !bracket.is(b'(') || name.kind != Kind::Word || !METHODS.contains(&word)
        {
            return;
        }
        let Some(receiver) = self.receiver(index - 1) else {
            return;
        };
        edits.push(Edit::insert(
            self.code[receiver].span.start(),
            "__ytt_method(",
        ));
        let has_arguments = self.code.get(index + 3).is_some_and(|next| !next.is(b')'));
        let separator = if has_arguments { ", " } else { "" };
        let span = Span::new(dot.span.start(), bracket.span.end());
        edits.push(Edit::replace(span, format!(", \"{word}\"{separator}")));
    }

    fn slice(&self, index: usize, edits: &mut Vec<Edit>) {
        let (true, Some(close)) = (self.code[index].is(b'['), self.partners[index]) else {
            return;
        };
        let colons: Vec<usize> = self
            .inside(index, close)
            .filter(|at| self.code[*at].is(b':'))
            .collect();
        if colons.is_empty() || colons.len() > 2 || !self.is_operand(index - 1) {
            return;
        }
        let Some(receiver) = self.receiver(index - 1) else {
            return;
        };
        edits.push(Edit::insert(
            self.code[receiver].span.start(),
            "__ytt_slice(",
        ));
        for at in std::iter::once(index).chain(colons.iter().copied()) {
            let is_empty = at + 1 == close || colons.contains(&(at + 1));
            edits.push(Edit::replace(
                self.code[at].span,
                if is_empty { ", None" } else { ", " },
            ));
        }
        edits.push(Edit::replace(self.code[close].span, ")"));
    }

    /// The tokens directly inside of a pair of brackets, but for the parameters of lambdas.
    pub(super) fn inside(&self, open: usize, close: usize) -> impl Iterator<Item = usize> {
        let mut at = open + 1;
        let mut lambdas = 0usize;
        std::iter::from_fn(move || {
            while at < close {
                let here = at;
                at = self.partners[here]
                    .filter(|partner| *partner > here)
                    .map_or(here + 1, |partner| partner + 1);
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

    /// All pairs of brackets that open with `mark`.
    pub(super) fn pairs(&self, mark: u8) -> impl Iterator<Item = (usize, usize)> {
        let opening = move |index: &usize| self.code[*index].is(mark);
        (0..self.code.len())
            .filter(opening)
            .filter_map(|open| Some((open, self.partners[open]?)))
    }

    /// The index of the code token that starts at an offset.
    pub(super) fn at(&self, offset: usize) -> Option<usize> {
        self.code
            .binary_search_by_key(&offset, |token| token.span.start())
            .ok()
    }

    pub(super) fn span(&self, index: usize) -> Span {
        self.code[index].span
    }

    pub(super) fn is(&self, index: usize, mark: u8) -> bool {
        self.code[index].is(mark)
    }

    pub(super) fn partner(&self, index: usize) -> Option<usize> {
        self.partners[index]
    }

    pub(super) fn word(&self, index: usize) -> &'a str {
        match self.code[index].kind {
            Kind::Word => self
                .text
                .get(self.code[index].span.range())
                .unwrap_or_default(),
            _ => "",
        }
    }

    /// Whether a token is a string or a number.
    pub(super) fn is_literal(&self, index: usize) -> bool {
        matches!(self.code[index].kind, Kind::String { .. } | Kind::Number)
    }

    /// Whether a token ends an expression, so that a bracket behind it belongs to it.
    pub(super) fn is_operand(&self, index: usize) -> bool {
        match self.code[index].kind {
            Kind::Word => !KEYWORDS.contains(&self.word(index)),
            Kind::String { .. } => true,
            _ => self.code[index].is(b')') || self.code[index].is(b']'),
        }
    }

    /// Where the expression starts that ends at `last` and whose attribute or part is taken.
    pub(super) fn receiver(&self, last: usize) -> Option<usize> {
        let mut at = last;
        loop {
            let token = self.code[at];
            if token.closes() {
                let open = self.partners[at]?;
                let follows_operand =
                    open > 0 && !self.code[open].is(b'{') && self.is_operand(open - 1);
                if !follows_operand {
                    return Some(open);
                }
                at = open - 1;
            } else if token.kind == Kind::Word && at >= 2 && self.code[at - 1].is(b'.') {
                at -= 2;
            } else {
                return matches!(token.kind, Kind::Word | Kind::String { .. }).then_some(at);
            }
        }
    }
}
