//! Collects the rewrites inside lines: the different spellings of the two languages, and the
//! expressions that become calls of Inlay's functions.
//!
//! | ytt | converted | why |
//! | --- | --- | --- |
//! | `assert`, `async`, `await` | `__ytt_name_assert`, … | the crate reserves these names |
//! | `"\u00e9"` | `"\\u00e9"` | ytt has no such escape |
//! | `f(*a, x=1)` | `f(*a, **__ytt_named(x=1))` | the crate requires `*a` after named arguments |
//! | `f(**s)` | `f(**__ytt_keywords(s))` | ytt also accepts structs |
//! | `x.find(y)` | `__ytt_method(x, "find", y)` | ytt counts bytes, the crate characters |
//! | `x.f(y)` | `__ytt_member(x, "f")(y)` | the crate would register all its methods |
//! | `x[1:]` | `__ytt_slice(x, 1, None)` | ytt counts bytes, the crate characters |
//! | `x[i]` | `__ytt_item(x, (i))` | ytt counts bytes, the crate characters |
//! | `-x` | `__ytt_negative(x)` | the memory is counted |
//! | `f(*x)` | `f(*__ytt_star(x))` | the memory is counted |
//! | `d[k] = v` | `__ytt_store(d, (k), (v))` | the memory is counted |
//! | `{k: v for …}` | `{k: __ytt_entry(v) for …}` | the memory is counted |
//! | `load("@ytt:data", "data")` | `…; data = __ytt_live(data)` | data values can be changed |
//! | `load("a", "b")` in a block | `[b] = __ytt_load("a", "b")` | the crate refuses it in blocks |
//! | `{k: v}` | `{__ytt_key((k)): v}` | hashing a key is bounded |
//! | `"""a⏎  b"""` | `"""a⏎b"""` | ytt trims each line of code |
//! | `x *= y` | `x = x * (y)` | Inlay replaces binary operators only |
//! | `d[k] *= y` | `__ytt_modify(__ytt_target(d, (k)), "*", (y))` | they are evaluated once |
//! | `x += y` | `x += __ytt_addend(x, (y))` | the size is checked before `x` grows |

use super::collections::Assignment;
use super::expressions::Expressions;
use super::lexer::{StarlarkToken, StarlarkTokenKind};
use super::rewrite::{self, Rewrite};
use super::targets::AssignedEntries;
use super::{calls, collections, live_data, methods, unary};
use crate::source::Span;

/// Names that the crate reserves and ytt does not.
pub(super) const RESERVED: [&str; 3] = ["assert", "async", "await"];

/// The prefix of a renamed name.
pub const RENAMED: &str = "__ytt_name_";

/// Returns the rewrites of a program, except those of `return`. `literals` are the rewrites of
/// numbers and strings.
pub(super) fn rewrites(
    text: &str,
    tokens: &[StarlarkToken],
    literals: Vec<Rewrite>,
) -> Vec<Rewrite> {
    // Invariant: if two opening rewrites are at the same offset, the outer one is added first. So
    // statements come before expressions. Keys and arguments, which get brackets around a whole
    // expression, come before the unary operators, methods and slices inside.
    let mut rewrites = Vec::new();
    let expressions = Expressions::new(text, tokens);
    let assignments = collections::assignments(text, tokens, &expressions);
    let targets = AssignedEntries::new(&assignments, &expressions);
    collections::stores(&assignments, &expressions, &mut rewrites);
    collections::comprehensions(&expressions, &mut rewrites);
    collections::keys(&expressions, &targets, &mut rewrites);
    live_data::rewrite(text, tokens, &assignments, &mut rewrites);
    calls::rewrite(text, tokens, &mut rewrites);
    unary::rewrite(&expressions, &mut rewrites);
    methods::rewrite(&expressions, &targets, &mut rewrites);
    names_and_escapes(text, tokens, &mut rewrites);
    rewrites.extend(literals);

    // An assignment repeats its target with the rewrites in it, so these must be complete and in
    // order.
    rewrite::sort(&mut rewrites);
    let modified = modifications(text, &assignments, &expressions, &rewrites);
    rewrites.extend(modified);
    rewrites
}

/// Renames reserved names and doubles the backslash of escapes that ytt does not have.
fn names_and_escapes(text: &str, tokens: &[StarlarkToken], rewrites: &mut Vec<Rewrite>) {
    let mut load = LoadProgress::Outside;
    for (index, token) in tokens.iter().enumerate() {
        load = load.after(token, text);
        let literal = token.text(text);
        if matches!(token.kind, StarlarkTokenKind::String { .. }) {
            indentation(literal, token.span.start(), rewrites);
        }
        let name = literal.trim_matches(['"', '\'']);
        match token.kind {
            StarlarkTokenKind::Word if RESERVED.contains(&literal) => {
                rewrites.push(Rewrite::insert(token.span.start(), RENAMED));
            }
            // `load("m", "assert")` gets a local name. `load("m", x="assert")` already has one.
            StarlarkTokenKind::String { prefix: 0 }
                if load == LoadProgress::Names && RESERVED.contains(&name) =>
            {
                //    load("m", "assert")      ->   load("m", __ytt_name_assert="assert")
                //    load("m", x="assert")    ->   unchanged
                let has_local_name = index > 0 && tokens[index - 1].is(b'=');
                if !has_local_name {
                    let renamed = format!("{RENAMED}{name}={literal}");
                    rewrites.push(Rewrite::replace(token.span, renamed));
                }
            }
            StarlarkTokenKind::String { prefix: 0 } => {
                escapes(literal, token.span.start(), rewrites)
            }
            _ => {}
        }
    }
}

/// The progress in reading a `load(…)`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoadProgress {
    Outside,
    Word,
    Names,
}

impl LoadProgress {
    fn after(self, token: &StarlarkToken, text: &str) -> LoadProgress {
        match self {
            _ if token.word(text) == "load" => LoadProgress::Word,
            LoadProgress::Word if token.is(b'(') => LoadProgress::Names,
            LoadProgress::Word => LoadProgress::Outside,
            LoadProgress::Names if token.is(b')') => LoadProgress::Outside,
            unchanged => unchanged,
        }
    }
}

/// Removes the blanks at the start of the lines of a string.
///
/// ytt trims each line of code before it reads it, even inside a string. A line after a backslash
/// is not trimmed:
///
/// ```text
/// x = """a         →   x = """a
///     b                b
///     c \              c \
///     d"""                 d"""
/// ```
fn indentation(literal: &str, start: usize, rewrites: &mut Vec<Rewrite>) {
    let mut at = 0;
    let mut is_trimmed = false;
    for line in literal.split_inclusive('\n') {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        if is_trimmed && blanks > 0 {
            let span = Span::new(start + at, start + at + blanks);
            rewrites.push(Rewrite::replace(span, ""));
        }
        is_trimmed = !line.trim_end_matches(['\r', '\n']).ends_with('\\');
        at += line.len();
    }
}

fn escapes(literal: &str, start: usize, rewrites: &mut Vec<Rewrite>) {
    let mut bytes = literal.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\\'
            // `next` also consumes the character after any other backslash, so the second of `\\`
            // does not count as an escape.
            && let Some((_, b'u' | b'U')) = bytes.next()
        {
            rewrites.push(Rewrite::insert(start + at, "\\"));
        }
    }
}

/// Rewrites the assignments with an operator whose target is a name or an attribute. Entries of
/// collections must be evaluated once; see [`collections::stores`].
///
/// ```text
/// n *= 2 + 3   →   n = n * ( 2 + 3)
/// n += 1       →   n += __ytt_addend(n, ( 1))
/// ```
///
/// `within` contains all other rewrites, in order: the second copy of the target needs them too.
fn modifications(
    text: &str,
    assignments: &[Assignment],
    expressions: &Expressions<'_>,
    within: &[Rewrite],
) -> Vec<Rewrite> {
    let mut rewrites = Vec::new();
    for assignment in assignments {
        let Some(operator) = assignment.operator else {
            continue;
        };
        if collections::entry_of_target(assignment, expressions).is_some() {
            continue;
        }
        let first = expressions.span(assignment.first).start();
        let operator_span = expressions
            .span(assignment.target_end)
            .to(expressions.span(assignment.equals));
        // The target occurs twice. The second copy is generated text, which the writer does not
        // rewrite, so its rewrites are applied here.
        let target = rewritten(text, Span::new(first, operator_span.start()), within);
        let target = target.trim();
        if operator == "+" {
            let opening = format!("+= __ytt_addend({target}, (");
            rewrites.push(Rewrite::replace(operator_span, opening));
            rewrites.push(Rewrite::close(assignment.end, "))"));
        } else {
            let opening = format!("= {target} {operator} (");
            rewrites.push(Rewrite::replace(operator_span, opening));
            rewrites.push(Rewrite::close(assignment.end, ")"));
        }
    }
    rewrites
}

/// Returns a part of the text with the rewrites in it applied. `rewrites` are in order.
fn rewritten(text: &str, part: Span, rewrites: &[Rewrite]) -> String {
    let first = rewrites.partition_point(|rewrite| rewrite.span.start() < part.start());
    let mut out = String::new();
    let mut at = part.start();
    for rewrite in &rewrites[first..] {
        if rewrite.span.start() >= part.end() {
            break;
        }
        out.push_str(text.get(at..rewrite.span.start()).unwrap_or_default());
        out.push_str(&rewrite.text);
        at = rewrite.span.end();
    }
    out.push_str(text.get(at..part.end()).unwrap_or_default());
    out
}
