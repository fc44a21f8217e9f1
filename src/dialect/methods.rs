//! Rewrites methods, slices and indices into calls of Inlay's functions.
//!
//! ```text
//! x.find(y)   →   __ytt_method(x, "find", y)
//! x.f(y)      →   __ytt_member(x, "f")(y)
//! x[1:]       →   __ytt_slice(x, 1, None)
//! x[i]        →   __ytt_item(x, (i))
//! ```
//!
//! The methods of strings, lists, dictionaries and sets are rewritten because some have other
//! results in ytt, whose strings consist of bytes, and the others need a limit, because their
//! results can be as large as their receivers. A call of a member with any other name is rewritten
//! because the crate registers the methods of all its types at the first method call;
//! see [`builtins`](crate::script).

use super::expressions::Expressions;
use super::lexer::StarlarkTokenKind;
use super::names::RESERVED_WORDS;
use super::rewrite::{Rewrite, call_opening};
use super::spelling::RESERVED;
use super::targets::AssignedEntries;
use crate::source::Span;

/// The names of the methods of strings, lists, dictionaries and sets, sorted. Another value keeps
/// its own method with the name.
const METHODS: [&str; 59] = [
    "add",
    "append",
    "capitalize",
    "clear",
    "codepoint_ords",
    "codepoints",
    "count",
    "difference",
    "difference_update",
    "discard",
    "elem_ords",
    "elems",
    "endswith",
    "extend",
    "find",
    "format",
    "get",
    "index",
    "insert",
    "intersection",
    "intersection_update",
    "isalnum",
    "isalpha",
    "isdigit",
    "islower",
    "isspace",
    "issubset",
    "issuperset",
    "istitle",
    "isupper",
    "items",
    "join",
    "keys",
    "lower",
    "lstrip",
    "partition",
    "pop",
    "popitem",
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
    "startswith",
    "strip",
    "symmetric_difference",
    "symmetric_difference_update",
    "title",
    "union",
    "update",
    "upper",
    "values",
];

/// Adds the rewrites of methods, slices and indices.
///
/// `targets` are the brackets of indices that are targets of assignments.
pub(super) fn rewrite(
    expressions: &Expressions<'_>,
    targets: &AssignedEntries,
    rewrites: &mut Vec<Rewrite>,
) {
    // Go backwards, because the later of two methods in a row is the outer one: in
    // `x.lower().find(y)` both insert before `x`, and the insertion of `find` has to come first.
    for index in (1..expressions.len()).rev() {
        rewrite_method(expressions, index, rewrites);
        rewrite_slice(expressions, index, rewrites);
        rewrite_index(expressions, index, targets, rewrites);
    }
}

/// Rewrites the method call whose dot is at `dot`, if there is one.
fn rewrite_method(expressions: &Expressions<'_>, dot: usize, rewrites: &mut Vec<Rewrite>) {
    let (Some(name), Some(bracket)) = (expressions.get(dot + 1), expressions.get(dot + 2)) else {
        return;
    };
    let is_call =
        expressions.is(dot, b'.') && name.kind == StarlarkTokenKind::Word && bracket.is(b'(');
    if !is_call {
        return;
    }
    // `1.5.find` has no receiver.
    let Some(receiver) = expressions.receiver_start(dot - 1) else {
        return;
    };
    let method = expressions.word(dot + 1);
    if METHODS.binary_search(&method).is_ok() {
        call_function(expressions, dot, receiver, rewrites);
    } else if is_name(method) {
        call_member(expressions, dot, receiver, rewrites);
    }
}

/// Rewrites the call of a method into a call of a function.
///
/// ```text
/// s.a[1].find(y)
/// ^     ^^^^^^     `__ytt_method(` before the receiver; `.find(` becomes `, "find", `
/// ```
fn call_function(
    expressions: &Expressions<'_>,
    dot: usize,
    receiver: usize,
    rewrites: &mut Vec<Rewrite>,
) {
    let method = expressions.word(dot + 1);
    let has_arguments = expressions.get(dot + 3).is_some_and(|next| !next.is(b')'));
    let separator = if has_arguments { ", " } else { "" };
    let span = expressions.span(dot).to(expressions.span(dot + 2));
    rewrites.push(open_call(expressions, receiver, "__ytt_method"));
    rewrites.push(Rewrite::replace(span, format!(", \"{method}\"{separator}")));
}

/// Rewrites the callee of the call of a member.
///
/// ```text
/// s.a[1].f(y)
/// ^     ^^         `__ytt_member(` before the receiver; `.` becomes `, "`; `")` after the name
/// ```
fn call_member(
    expressions: &Expressions<'_>,
    dot: usize,
    receiver: usize,
    rewrites: &mut Vec<Rewrite>,
) {
    let name = expressions.span(dot + 1);
    // The name is not replaced, because a reserved one gets a prefix. Line breaks and comments
    // between the dot and the name would become a part of the string.
    let before_name = Span::new(expressions.span(dot).start(), name.start());
    rewrites.push(open_call(expressions, receiver, "__ytt_member"));
    rewrites.push(Rewrite::replace(before_name, ", \""));
    rewrites.push(Rewrite::close(name.end(), "\")"));
}

/// Returns the rewrite that opens a call of `function` before the token `receiver`.
fn open_call(expressions: &Expressions<'_>, receiver: usize, function: &str) -> Rewrite {
    let start = expressions.span(receiver).start();
    Rewrite::insert(start, call_opening(expressions, receiver, function))
}

/// Returns whether a word can be the name of a member. The parser reports other words.
fn is_name(word: &str) -> bool {
    let is_reserved = RESERVED_WORDS.contains(&word) && !RESERVED.contains(&word) && word != "end";
    !is_reserved && word.is_ascii()
}

/// Rewrites the slice whose bracket is at `open`, if it is one:
///
/// ```text
/// a.b[1:]
/// ^  ^ ^^     `__ytt_slice(` before `a`; `[` becomes `, `; `:` becomes `, None`; `]` becomes `)`
/// ```
fn rewrite_slice(expressions: &Expressions<'_>, open: usize, rewrites: &mut Vec<Rewrite>) {
    if !expressions.is(open, b'[') || !expressions.ends_operand(open - 1) {
        return;
    }
    let Some(close) = expressions.partner(open) else {
        return;
    };
    let colons: Vec<usize> = expressions
        .inside(open, close)
        .filter(|at| expressions.is(*at, b':'))
        .collect();
    // Without a colon it is an index. More than two colons are a syntax error that the parser
    // reports.
    if colons.is_empty() || colons.len() > 2 {
        return;
    }
    let Some(receiver) = expressions.receiver_start(open - 1) else {
        return;
    };
    rewrites.push(open_call(expressions, receiver, "__ytt_slice"));
    for at in std::iter::once(open).chain(colons.iter().copied()) {
        //    x[:2]    ->  __ytt_slice(x, None, 2)
        //    x[::2]   ->  __ytt_slice(x, None, None, 2)
        let is_omitted = at + 1 == close || colons.contains(&(at + 1));
        let separator = if is_omitted { ", None" } else { ", " };
        rewrites.push(Rewrite::replace(expressions.span(at), separator));
    }
    rewrites.push(Rewrite::replace(expressions.span(close), ")"));
}

/// Rewrites the index whose bracket is at `open`, if it is one:
///
/// ```text
/// a.b[i]
/// ^  ^ ^      `__ytt_item(` before `a`; `[` becomes `, (`; `]` becomes `))`
/// ```
fn rewrite_index(
    expressions: &Expressions<'_>,
    open: usize,
    targets: &AssignedEntries,
    rewrites: &mut Vec<Rewrite>,
) {
    // The target of an assignment cannot be a call.
    if targets.is_rewritten(open) || targets.is_assigned(open) {
        return;
    }
    let Some(close) = expressions.partner(open) else {
        return;
    };
    if !expressions.is_index(open, close) {
        return;
    }
    let Some(receiver) = expressions.receiver_start(open - 1) else {
        return;
    };
    rewrites.push(open_call(expressions, receiver, "__ytt_item"));
    rewrites.push(Rewrite::replace(expressions.span(open), ", ("));
    rewrites.push(Rewrite::replace(expressions.span(close), "))"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_methods_are_sorted() {
        assert!(METHODS.is_sorted());
    }
}
