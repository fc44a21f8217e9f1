//! `@ytt:overlay`: the functions that templates call.

use std::sync::Arc;

use super::apply::{DocumentGroups, apply_to_value};
use super::error::{overlay_error, type_of};
use super::matcher::{
    ALL, AND, ElementIndex, ElementMatcher, INDEX, KEY, MatchedElement, NOT, OR, SUBSET,
};
use super::overlaying::{EqualValues, OverlayOptions};
use super::strip::{strip_document, strip_value};
use crate::script::fragments::Built;
use crate::script::{Arguments, Caller, Native, NativeModule, Value};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::{Node, Value as Scalar};

/// Returns the module `@ytt:overlay`.
pub fn module() -> NativeModule {
    NativeModule::new(
        "overlay",
        &[
            ("overlay.apply", apply),
            (KEY, map_key),
            (INDEX, index),
            (ALL, all),
            (SUBSET, subset),
            (AND, and_op),
            (OR, or_op),
            (NOT, not_op),
        ],
    )
}

/// `apply(left, right…)` returns the left with each right applied to it, one after another. The
/// left itself does not change.
fn apply<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let arguments = positional("overlay.apply", arguments)?;
    let Some((first, rights)) = arguments.split_first() else {
        return Err(
            overlay_error("expected a value to apply overlays to, found no arguments")
                .caught_as("overlay.apply: expected exactly at least argument")
                .help("write `overlay.apply(left(), right())`"),
        );
    };
    // Both sides are walked without the interpreter, which could count the steps.
    for argument in &arguments {
        caller.charge_fragment(*argument)?;
    }
    // ytt changes the left in place. Here nodes are immutable, so the variable that the template
    // passed keeps its value (docs/differences-ytt.md).
    let mut left = OverlaySide::of(*first, caller)?.stripped(caller)?;
    for right in rights {
        let right = OverlaySide::of(*right, caller)?;
        // Only collections have parts to apply. A function whose condition is false returns no
        // value at all, so that applying its result changes nothing.
        if let OverlaySide::Value(value) = &right
            && let Some(scalar) = value.value()
        {
            if scalar != Scalar::Null {
                warn_of_scalar(value, caller)?;
            }
            continue;
        }
        left = apply_one(caller, left, &right)?;
    }
    Ok(match left {
        OverlaySide::Documents(documents) => caller.documents(documents),
        OverlaySide::Value(node) => caller.value(&node),
    })
}

/// The left or the right of an application.
enum OverlaySide {
    Documents(Vec<Built>),
    Value(Arc<Node>),
}

impl OverlaySide {
    fn of<'v>(value: Value<'v>, caller: &Caller<'_, 'v>) -> Result<OverlaySide> {
        match value.as_documents() {
            Some(documents) => Ok(OverlaySide::Documents(documents.to_vec())),
            None => caller.kept_node(value).map(OverlaySide::Value),
        }
    }

    /// Returns the side without overlay annotations.
    fn stripped(self, caller: &Caller<'_, '_>) -> Result<OverlaySide> {
        match self {
            OverlaySide::Value(node) => Ok(OverlaySide::Value(strip_value(&node, caller)?)),
            OverlaySide::Documents(documents) => {
                let mut stripped = Vec::with_capacity(documents.len());
                for document in &documents {
                    stripped.push(strip_document(document, caller)?);
                }
                Ok(OverlaySide::Documents(stripped))
            }
        }
    }
}

/// Applies one right. Either both sides are documents, or both are values.
fn apply_one(
    caller: &mut Caller<'_, '_>,
    left: OverlaySide,
    right: &OverlaySide,
) -> Result<OverlaySide> {
    // A function fails with one error. The errors of this application are collected here, and the
    // first becomes the error of the call.
    let mut diagnostics = Diagnostics::default();
    let applied = match (left, right) {
        (OverlaySide::Documents(left), OverlaySide::Documents(right)) => {
            let mut groups = DocumentGroups::new(vec![left]);
            let options = OverlayOptions::yaml(EqualValues::KeepLeft);
            let applied = right
                .iter()
                .try_for_each(|overlay| groups.apply(caller, overlay, options, &mut diagnostics));
            applied.map(|()| {
                let files = groups.into_files();
                OverlaySide::Documents(files.into_iter().flatten().collect())
            })
        }
        (OverlaySide::Value(left), OverlaySide::Value(right)) => {
            apply_to_value(caller, &left, right, &mut diagnostics).map(OverlaySide::Value)
        }
        (OverlaySide::Value(left), OverlaySide::Documents(right)) => {
            return Err(documents_on_value(&left, right));
        }
        (OverlaySide::Documents(left), OverlaySide::Value(right)) => {
            return Err(value_on_documents(&left, right));
        }
    };
    applied.map_err(|_| {
        let error = first_error(&diagnostics);
        let caught = format!("overlay.apply: {}", error.caught_message());
        error.caught_as(caught)
    })
}

/// Warns that a string, number or boolean has no effect as an overlay.
fn warn_of_scalar(right: &Node, caller: &Caller<'_, '_>) -> Result<()> {
    let warning = Diagnostic::warning(
        Code::Overlay,
        format!("this overlay has no effect: it is {}", right.described()),
    );
    caller.warn(
        warning
            .at(caller.place(), "")
            .help("a mapping, a list or documents can be applied"),
    )
}

fn documents_on_value(left: &Arc<Node>, right: &[Built]) -> Box<Diagnostic> {
    let place = right.first().and_then(|document| document.place.clone());
    overlay_error(format!(
        "expected documents to apply documents to, found {}",
        left.described()
    ))
    .at(place, "a document")
    .at(left.location(), "not a document")
    .help("leave out the `---` of the overlay, or write one in what it is applied to")
}

fn value_on_documents(left: &[Built], right: &Arc<Node>) -> Box<Diagnostic> {
    let place = left.first().and_then(|document| document.place.clone());
    overlay_error(format!(
        "expected documents to apply to documents, found {}",
        right.described()
    ))
    .at(right.location(), "not a document")
    .at(place, "a document")
    .help("write `#@overlay/match by=overlay.all` and `---` above the overlay, or leave out the `---` below")
}

/// Returns the first of several errors. A function fails with one error, and the others may be
/// consequences of the first.
fn first_error(diagnostics: &Diagnostics) -> Box<Diagnostic> {
    let Some(first) = diagnostics.as_slice().first() else {
        return Diagnostic::error(Code::Internal, "an overlay failed without a reason");
    };
    let mut first = Box::new(first.clone());
    first.secret_texts = diagnostics.secret_texts().clone();
    match diagnostics.errors() {
        0 | 1 => first,
        errors => first.note(format!("and {} more errors in the same call", errors - 1)),
    }
}

fn map_key<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let key = one("overlay.map_key", arguments)?;
    if key.as_str().is_none() {
        return Err(overlay_error(format!(
            "expected a string for `overlay.map_key`, found {}",
            type_of(key)
        )));
    }
    Ok(bind(caller, KEY, match_key, &[key]))
}

fn index<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let index = one("overlay.index", arguments)?;
    if index.as_integer().is_none() {
        return Err(overlay_error(format!(
            "expected a whole number for `overlay.index`, found {}",
            type_of(index)
        )));
    }
    Ok(bind(caller, INDEX, match_index, &[index]))
}

fn subset<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let target = one("overlay.subset", arguments)?;
    // Report a value that cannot be compared here, at the call that contains it.
    caller.node(target)?;
    Ok(bind(caller, SUBSET, match_subset, &[target]))
}

fn and_op<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let matchers = matchers(AND, arguments)?;
    Ok(bind(caller, AND, match_and, &matchers))
}

fn or_op<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let matchers = matchers(OR, arguments)?;
    Ok(bind(caller, OR, match_or, &matchers))
}

fn not_op<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let matchers = matchers(NOT, arguments)?;
    match matchers.as_slice() {
        [_] => Ok(bind(caller, NOT, match_not, &matchers)),
        _ => Err(overlay_error(format!(
            "expected 1 matcher for `overlay.not_op`, found {}",
            matchers.len()
        ))),
    }
}

/// `all` is a matcher itself, not a function that returns one.
fn all<'v>(_: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let arguments = positional(ALL, arguments)?;
    match arguments.len() {
        3 => Ok(Value::boolean(true)),
        found => Err(overlay_error(format!(
            "expected 3 arguments for the matcher `{ALL}`, found {found}"
        ))
        .caught_as(format!("{ALL}: expected exactly 3 arguments"))
        .help("give the matcher itself, and do not call it: `by=overlay.all`")),
    }
}

fn match_key<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    run_matcher(KEY, caller, arguments)
}

fn match_index<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    run_matcher(INDEX, caller, arguments)
}

fn match_subset<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    run_matcher(SUBSET, caller, arguments)
}

fn match_and<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    run_matcher(AND, caller, arguments)
}

fn match_or<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    run_matcher(OR, caller, arguments)
}

fn match_not<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    run_matcher(NOT, caller, arguments)
}

/// Runs a matcher that a program calls. The arguments are the bound ones, then the index, the left
/// and the right.
fn run_matcher<'v>(
    name: &str,
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    let arguments = positional(name, arguments)?;
    // `overlay.subset(x)` is the native function with `x` bound, so a call passes `x` first:
    //
    //    overlay.subset(x)(index, left, right)   ->   match_subset(x, index, left, right)
    let Some((bound, [index, left, right])) = arguments.split_last_chunk::<3>() else {
        return Err(overlay_error(format!(
            "expected 3 arguments for a matcher of `{name}`, found {}",
            arguments.len()
        ))
        .caught_as(format!(
            "{}: expected exactly 3 arguments",
            caught_matcher(name)
        )));
    };
    let matcher = ElementMatcher::bound(name, bound, caller, Value::none())?;
    let (left, right) = (caller.node(*left)?, caller.node(*right)?);
    let element = MatchedElement {
        index: ElementIndex::Value(*index),
        left: &left,
        right: &right,
    };
    matcher.accepts(element, caller).map(Value::boolean)
}

fn bind<'v>(
    caller: &Caller<'_, 'v>,
    name: &'static str,
    matcher: Native,
    first: &[Value<'v>],
) -> Value<'v> {
    caller.bind(caller.function(name, matcher), first)
}

/// Returns the name of a matcher in ytt's messages.
fn caught_matcher(name: &str) -> &str {
    match name {
        KEY => "overlay.map_key_matcher",
        INDEX => "overlay.index_matcher",
        SUBSET => "overlay.subset_matcher",
        // ytt uses this name for both.
        NOT => OR,
        other => other,
    }
}

fn positional<'v>(name: &str, arguments: Arguments<'v>) -> Result<Vec<Value<'v>>> {
    match arguments.named.first() {
        Some((named, _)) => Err(overlay_error(format!(
            "expected no named arguments for `{name}`, found `{named}`"
        ))),
        None => Ok(arguments.positional),
    }
}

fn one<'v>(name: &str, arguments: Arguments<'v>) -> Result<Value<'v>> {
    match positional(name, arguments)?.as_slice() {
        [only] => Ok(*only),
        found => Err(overlay_error(format!(
            "expected 1 argument for `{name}`, found {}",
            found.len()
        ))
        .caught_as(format!("{name}: expected exactly one argument"))),
    }
}

fn matchers<'v>(name: &str, arguments: Arguments<'v>) -> Result<Vec<Value<'v>>> {
    let matchers = positional(name, arguments)?;
    match matchers.iter().find(|matcher| !matcher.is_function()) {
        Some(other) => {
            let message = format!("expected matchers for `{name}`, found {}", type_of(*other));
            Err(overlay_error(message)
                .help("make one with `overlay.subset(…)`, or give a function of three arguments"))
        }
        None => Ok(matchers),
    }
}
