//! What ytt's Starlark spells differently from the crate's.
//!
//! | ytt | here |
//! | --- | --- |
//! | `assert`, `async`, `await` are names | renamed |
//! | `"\u00e9"` is no escape | the backslash is doubled |
//! | `f(*a, x=1)` | `f(*a, **__ytt_named(x=1))` |
//! | `f(**struct)` | `f(**__ytt_keywords(struct))` |
//! | `x.find(y)` and `x[1:]` count bytes | `__ytt_method(x, "find", y)`, `__ytt_slice(x, 1, None)` |
//! | `f(*x)`, `d[k] = v`, `{k: v for …}` take memory | `f(*__ytt_star(x))`, `__ytt_store(d, k, v)`, `{k: __ytt_entry(v) for …}` |
//! | `d[k]` and `{k: v}` walk through `k` | `d[__ytt_key((k))]`, `{__ytt_key((k)): v}` |
//! | `x *= y` takes what `x * y` takes | `x = x * (y)` |
//! | `x += y` is checked before it grows | `x += __ytt_addend(x, (y))` |

use super::lexer::{Kind, Token};
use super::operands::Operands;
use super::{calls, keys, stores};
use crate::source::Span;

/// Names that the crate reserves and ytt does not.
const RESERVED: [&str; 3] = ["assert", "async", "await"];

/// What stands before a renamed name.
pub const RENAMED: &str = "__ytt_name_";

/// A change of the text.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) span: Span,
    pub(super) text: String,
    /// Whether it belongs to what stands before it, at a place where two parts meet.
    pub(super) is_closing: bool,
}

impl Edit {
    pub(super) fn replace(span: Span, text: impl Into<String>) -> Edit {
        Edit {
            span,
            text: text.into(),
            is_closing: false,
        }
    }

    pub(super) fn insert(offset: usize, text: impl Into<String>) -> Edit {
        Edit::replace(Span::at(offset), text)
    }

    pub(super) fn close(offset: usize, text: impl Into<String>) -> Edit {
        Edit {
            is_closing: true,
            ..Edit::insert(offset, text)
        }
    }
}

/// All changes that single tokens and calls need.
pub(super) fn of(text: &str, tokens: &[Token]) -> Vec<Edit> {
    // Where two changes insert at one place, the one made first stands first, so the outer ones come first.
    let mut edits = Vec::new();
    let operands = Operands::new(text, tokens);
    stores::statements(tokens, &operands, &mut edits);
    stores::comprehensions(&operands, &mut edits);
    keys::rewrite(&operands, &mut edits);
    calls::rewrite(text, tokens, &mut edits);
    operands.rewrite(&mut edits);
    names(text, tokens, &mut edits);
    sort(&mut edits);
    let assignments = assignments(text, tokens, &edits);
    edits.extend(assignments);
    edits
}

/// Puts changes in the order of their places; at one place, what closes stands before what opens.
pub(super) fn sort(edits: &mut [Edit]) {
    edits.sort_by_key(|edit| (edit.span.start(), !edit.is_closing));
}

fn names(text: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    let mut load = Load::None;
    for (index, token) in tokens.iter().enumerate() {
        let word = text.get(token.span.range()).unwrap_or_default();
        load = load.after(word, token);
        match token.kind {
            Kind::Word if RESERVED.contains(&word) => {
                edits.push(Edit::insert(token.span.start(), RENAMED))
            }
            Kind::String { prefix: 0 }
                if load == Load::Names && RESERVED.contains(&word.trim_matches(['"', '\''])) =>
            {
                let is_renamed = index > 0 && tokens[index - 1].is(b'=');
                let name = word.trim_matches(['"', '\'']);
                let local = if is_renamed {
                    String::new()
                } else {
                    format!("{RENAMED}{name}=")
                };
                edits.push(Edit::replace(token.span, format!("{local}{word}")));
            }
            Kind::String { prefix: 0 } => escapes(word, token.span.start(), edits),
            _ => {}
        }
    }
}

/// How much of a `load(…)` was seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Load {
    None,
    Word,
    Names,
}

impl Load {
    fn after(self, word: &str, token: &Token) -> Load {
        match self {
            _ if token.kind == Kind::Word && word == "load" => Load::Word,
            Load::Word if token.is(b'(') => Load::Names,
            Load::Word => Load::None,
            Load::Names if token.is(b')') => Load::None,
            other => other,
        }
    }
}

fn escapes(literal: &str, start: usize, edits: &mut Vec<Edit>) {
    let mut bytes = literal.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\\'
            && let Some((_, b'u' | b'U')) = bytes.next()
        {
            edits.push(Edit::insert(start + at, "\\"));
        }
    }
}

/// `x *= y`, `x %= y`, `x |= y` and `x += y`, so that they mean what the operators mean here. `within` are the other
/// changes in order, which the second `x` needs too.
fn assignments(text: &str, tokens: &[Token], within: &[Edit]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut line = 0;
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        if depth > 0 {
            continue;
        }
        match token.kind {
            Kind::LineEnd | Kind::Mark(b';' | b':') => line = index + 1,
            Kind::Mark(operator @ (b'*' | b'%' | b'|' | b'+'))
                if followed_by_equals(tokens, index) =>
            {
                let Some(target) = tokens
                    .get(line)
                    .map(|first| Span::new(first.span.start(), token.span.start()))
                else {
                    continue;
                };
                let end = statement_end(tokens, index);
                let name = rewritten(text, target, within);
                let name = name.trim();
                let both = token.span.to(tokens[index + 1].span);
                if operator == b'+' {
                    edits.push(Edit::replace(both, format!("+= __ytt_addend({name}, (")));
                    edits.push(Edit::close(end, "))"));
                } else {
                    edits.push(Edit::replace(
                        both,
                        format!("= {name} {} (", char::from(operator)),
                    ));
                    edits.push(Edit::close(end, ")"));
                }
            }
            _ => {}
        }
    }
    edits
}

/// A part of the text after the changes in it, of which `edits` has all in order.
fn rewritten(text: &str, part: Span, edits: &[Edit]) -> String {
    let first = edits.partition_point(|edit| edit.span.start() < part.start());
    let inside = edits[first..]
        .iter()
        .take_while(|edit| edit.span.start() < part.end());
    let mut out = String::new();
    let mut at = part.start();
    for edit in inside {
        out.push_str(text.get(at..edit.span.start()).unwrap_or_default());
        out.push_str(&edit.text);
        at = edit.span.end();
    }
    out.push_str(text.get(at..part.end()).unwrap_or_default());
    out
}

fn followed_by_equals(tokens: &[Token], index: usize) -> bool {
    tokens
        .get(index + 1)
        .is_some_and(|next| next.is(b'=') && next.span.start() == tokens[index].span.end())
}

/// Where the statement ends that `index` is in.
pub(super) fn statement_end(tokens: &[Token], index: usize) -> usize {
    let mut depth = 0usize;
    let mut end = tokens[index].span.end();
    for token in &tokens[index..] {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        match token.kind {
            Kind::LineEnd | Kind::Comment if depth == 0 => break,
            Kind::Mark(b';') if depth == 0 => break,
            Kind::LineEnd | Kind::Comment => {}
            _ => end = token.span.end(),
        }
    }
    end
}
