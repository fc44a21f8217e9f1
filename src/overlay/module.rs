//! `@ytt:overlay`: the functions that templates call.

use std::sync::Arc;

use super::instruction::{a_type, error};
use super::matcher::{ALL, AND, INDEX, Index, KEY, Matcher, NOT, OR, SUBSET, Subject};
use super::{documents, node, strip};
use crate::script::fragments::Built;
use crate::script::{Arguments, Caller, Native, NativeModule, Value};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::Node;

/// The module `@ytt:overlay`.
pub fn module() -> NativeModule {
    NativeModule {
        name: "overlay",
        functions: &[
            ("overlay.apply", apply),
            (KEY, map_key),
            (INDEX, index),
            (ALL, all),
            (SUBSET, subset),
            (AND, and_op),
            (OR, or_op),
            (NOT, not_op),
        ],
    }
}

/// `apply(left, right…)`: the left with each right applied to it. The left itself stays as it is.
fn apply<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let arguments = positional("overlay.apply", arguments)?;
    let Some((first, rights)) = arguments.split_first() else {
        return Err(
            error("expected a value to apply overlays to, found no arguments")
                .help("write `overlay.apply(left(), right())`"),
        );
    };
    let mut left = Side::of(*first, caller)?.stripped(caller)?;
    for right in rights {
        left = on_top(caller, left, &Side::of(*right, caller)?)?;
    }
    Ok(match left {
        Side::Documents(documents) => caller.documents(documents),
        Side::Node(node) => caller.value(&node),
    })
}

/// What is changed, or what changes it.
enum Side {
    Documents(Vec<Built>),
    Node(Arc<Node>),
}

impl Side {
    fn of<'v>(value: Value<'v>, caller: &Caller<'_, 'v>) -> Result<Side> {
        match value.as_documents() {
            Some(documents) => Ok(Side::Documents(documents.to_vec())),
            None => caller.node(value).map(Side::Node),
        }
    }

    /// The same without the annotations of overlays, which a value has that is an overlay elsewhere.
    fn stripped(self, caller: &Caller<'_, '_>) -> Result<Side> {
        Ok(match self {
            Side::Documents(documents) => {
                let stripped = documents
                    .iter()
                    .map(|document| strip::document(document, caller));
                Side::Documents(stripped.collect::<Result<_>>()?)
            }
            Side::Node(node) => Side::Node(strip::value(&node, caller)?),
        })
    }
}

fn on_top(caller: &mut Caller<'_, '_>, left: Side, right: &Side) -> Result<Side> {
    let outcome = match (left, right) {
        (Side::Documents(left), Side::Documents(right)) => {
            let mut files = Ok(vec![left]);
            for overlay in right {
                files = files.and_then(|files| documents(caller, files, overlay));
            }
            files.map(|files| Side::Documents(files.into_iter().flatten().collect()))
        }
        (Side::Node(left), Side::Node(right)) => node(caller, &left, right).map(Side::Node),
        (Side::Node(left), Side::Documents(right)) => {
            let place = right.first().and_then(|document| document.place.clone());
            let message = format!(
                "expected documents to apply documents to, found {}",
                left.described()
            );
            return Err(error(message)
                .at(place, "a document")
                .at(left.location(), "no document")
                .help(
                    "leave out the `---` of the overlay, or write one in what it is applied to",
                ));
        }
        (Side::Documents(left), Side::Node(right)) => {
            let place = left.first().and_then(|document| document.place.clone());
            let message = format!(
                "expected documents to apply to documents, found {}",
                right.described()
            );
            return Err(error(message).at(right.location(), "no document").at(place, "a document").help(
                "write `#@overlay/match by=overlay.all` and `---` above the overlay, or leave out the `---` below",
            ));
        }
    };
    outcome.map_err(|faults| {
        // A function fails with one error: the first, which others may follow from.
        let mut faults = faults.into_iter();
        let first = faults.next().unwrap_or_else(|| {
            Diagnostic::error(Code::Internal, "an overlay failed without a reason")
        });
        match faults.count() {
            0 => first,
            more => first.note(format!("and {more} more errors in the same call")),
        }
    })
}

fn map_key<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let key = one("overlay.map_key", arguments)?;
    if key.as_str().is_none() {
        return Err(error(format!(
            "expected a string for `overlay.map_key`, found {}",
            a_type(key)
        )));
    }
    Ok(bind(caller, KEY, judge_key, &[key]))
}

fn index<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let index = one("overlay.index", arguments)?;
    if index.as_integer().is_none() {
        return Err(error(format!(
            "expected a whole number for `overlay.index`, found {}",
            a_type(index)
        )));
    }
    Ok(bind(caller, INDEX, judge_index, &[index]))
}

fn subset<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let target = one("overlay.subset", arguments)?;
    // A value that cannot be compared is best told where it is given.
    caller.node(target)?;
    Ok(bind(caller, SUBSET, judge_subset, &[target]))
}

fn and_op<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let matchers = matchers(AND, arguments)?;
    Ok(bind(caller, AND, judge_and, &matchers))
}

fn or_op<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let matchers = matchers(OR, arguments)?;
    Ok(bind(caller, OR, judge_or, &matchers))
}

fn not_op<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let matchers = matchers(NOT, arguments)?;
    match matchers.as_slice() {
        [_] => Ok(bind(caller, NOT, judge_not, &matchers)),
        _ => Err(error(format!(
            "expected 1 matcher for `overlay.not_op`, found {}",
            matchers.len()
        ))),
    }
}

/// `all` is a matcher itself.
fn all<'v>(_: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let arguments = positional(ALL, arguments)?;
    match arguments.len() {
        3 => Ok(Value::boolean(true)),
        found => Err(error(format!(
            "expected 3 arguments for the matcher `{ALL}`, found {found}"
        ))
        .help("give the matcher itself, and do not call it: `by=overlay.all`")),
    }
}

fn judge_key<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    judge(KEY, caller, arguments)
}

fn judge_index<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    judge(INDEX, caller, arguments)
}

fn judge_subset<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    judge(SUBSET, caller, arguments)
}

fn judge_and<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    judge(AND, caller, arguments)
}

fn judge_or<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    judge(OR, caller, arguments)
}

fn judge_not<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    judge(NOT, caller, arguments)
}

/// A matcher that a program calls: what was bound comes first, then the index, the left and the right.
fn judge<'v>(
    name: &str,
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    let arguments = positional(name, arguments)?;
    let Some((bound, [index, left, right])) = arguments.split_last_chunk::<3>() else {
        return Err(error(format!(
            "expected 3 arguments for a matcher of `{name}`, found {}",
            arguments.len()
        )));
    };
    let matcher = Matcher::bound(name, bound, caller, Value::none())?;
    let (left, right) = (caller.node(*left)?, caller.node(*right)?);
    let subject = Subject {
        index: Index::Value(*index),
        left: &left,
        right: &right,
    };
    matcher.accepts(subject, caller).map(Value::boolean)
}

fn bind<'v>(
    caller: &Caller<'_, 'v>,
    name: &'static str,
    judge: Native,
    first: &[Value<'v>],
) -> Value<'v> {
    caller.bind(caller.function(name, judge), first)
}

fn positional<'v>(name: &str, arguments: Arguments<'v>) -> Result<Vec<Value<'v>>> {
    match arguments.named.first() {
        Some((named, _)) => Err(error(format!(
            "expected no named arguments for `{name}`, found `{named}`"
        ))),
        None => Ok(arguments.positional),
    }
}

fn one<'v>(name: &str, arguments: Arguments<'v>) -> Result<Value<'v>> {
    match positional(name, arguments)?.as_slice() {
        [only] => Ok(*only),
        found => Err(error(format!(
            "expected 1 argument for `{name}`, found {}",
            found.len()
        ))),
    }
}

fn matchers<'v>(name: &str, arguments: Arguments<'v>) -> Result<Vec<Value<'v>>> {
    let matchers = positional(name, arguments)?;
    match matchers.iter().find(|matcher| !matcher.is_function()) {
        Some(other) => {
            let message = format!("expected matchers for `{name}`, found {}", a_type(*other));
            Err(error(message)
                .help("make one with `overlay.subset(…)`, or give a function of three arguments"))
        }
        None => Ok(matchers),
    }
}
