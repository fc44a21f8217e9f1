//! Methods of strings that answer differently in ytt: `x.find(y)` becomes `__ytt_method(x, "find", y)`.

use super::edits::Edit;
use super::lexer::{Kind, Token};
use crate::source::Span;

/// The methods. What has a method of this name and is no string answers as before.
const METHODS: [&str; 13] = [
    "codepoint_ords",
    "codepoints",
    "elem_ords",
    "elems",
    "find",
    "format",
    "index",
    "removeprefix",
    "removesuffix",
    "rfind",
    "rindex",
    "split",
    "splitlines",
];

/// Words that stand before an expression and not in one.
const KEYWORDS: [&str; 10] = ["and", "elif", "else", "for", "if", "in", "lambda", "not", "or", "return"];

/// Finds the calls of methods and adds their changes.
pub(super) fn rewrite(text: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    let code: Vec<&Token> = tokens.iter().filter(|t| !matches!(t.kind, Kind::LineEnd | Kind::Comment)).collect();
    let partners = partners(&code);
    for index in 1..code.len().saturating_sub(2) {
        let (dot, name, bracket) = (code[index], code[index + 1], code[index + 2]);
        let word = text.get(name.span.range()).unwrap_or_default();
        if !dot.is(b'.') || !bracket.is(b'(') || name.kind != Kind::Word || !METHODS.contains(&word) {
            continue;
        }
        let Some(receiver) = receiver(text, &code, &partners, index - 1) else { continue };
        edits.push(Edit::insert(code[receiver].span.start(), "__ytt_method("));
        let has_arguments = code.get(index + 3).is_some_and(|next| !next.is(b')'));
        let separator = if has_arguments { ", " } else { "" };
        let span = Span::new(dot.span.start(), bracket.span.end());
        edits.push(Edit::replace(span, format!(", \"{word}\"{separator}")));
    }
}

/// For each closing bracket, where its opening one is.
fn partners(code: &[&Token]) -> Vec<Option<usize>> {
    let mut open = Vec::new();
    let partner = |(index, token): (usize, &&Token)| {
        if token.opens() {
            open.push(index);
        }
        if token.closes() { open.pop() } else { None }
    };
    code.iter().enumerate().map(partner).collect()
}

/// Where the expression starts that ends at `last` and whose attribute is taken.
fn receiver(text: &str, code: &[&Token], partners: &[Option<usize>], last: usize) -> Option<usize> {
    let is_operand = |index: usize| match code[index].kind {
        Kind::Word => !KEYWORDS.contains(&text.get(code[index].span.range()).unwrap_or_default()),
        Kind::String { .. } => true,
        _ => code[index].is(b')') || code[index].is(b']'),
    };
    let mut at = last;
    loop {
        if code[at].closes() {
            let open = partners[at]?;
            let follows_operand = open > 0 && !code[open].is(b'{') && is_operand(open - 1);
            if !follows_operand {
                return Some(open);
            }
            at = open - 1;
        } else if code[at].kind == Kind::Word && at >= 2 && code[at - 1].is(b'.') {
            at -= 2;
        } else {
            return matches!(code[at].kind, Kind::Word | Kind::String { .. }).then_some(at);
        }
    }
}
