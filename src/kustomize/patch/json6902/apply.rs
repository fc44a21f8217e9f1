//! Carrying out the operations.

use std::sync::Arc;

use super::operation::{Action, Operation};
use crate::edit::{self, EditFailure, EditOptions, Pointer, remake};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{ALIAS_LIMIT, Data, Node, Value, faithful, measure};

/// Carries out the operations on `object`, each on what the one before it left.
///
/// With `allow_missing`, an operation at a place that is not there is left out; a `test` fails all the same.
///
/// # Errors
/// [`Code::PathNotFound`] for such a place, [`Code::Patch`] for a test that fails and an operation that cannot be carried out.
pub(in super::super) fn apply(
    operations: &[Operation],
    object: &Arc<Node>,
    options: &EditOptions,
    allow_missing: bool,
) -> Result<Arc<Node>> {
    let mut root = Arc::clone(object);
    let mut copied = 0;
    for operation in operations {
        match carry_out(operation, &root, options, &mut copied) {
            Ok(changed) => root = changed,
            Err(failure)
                if allow_missing
                    && failure.is_absent()
                    && !matches!(operation.action, Action::Test(_)) => {}
            Err(failure) => {
                let name = operation.action.name();
                let message = || format!("unable to {name} `{}`", operation.path);
                return Err(failure
                    .diagnostic(message)
                    .at(operation.location.clone(), "the operation")
                    .in_field(operation.path.to_string()));
            }
        }
    }
    Ok(root)
}

fn carry_out(
    operation: &Operation,
    root: &Arc<Node>,
    options: &EditOptions,
    copied: &mut u64,
) -> std::result::Result<Arc<Node>, EditFailure> {
    let path = &operation.path;
    match &operation.action {
        Action::Add(value) => edit::add(
            &with_annotations(root, path, options)?,
            path,
            &sized(value, path)?,
            options,
        ),
        Action::Replace(value) => edit::replace(root, path, &sized(value, path)?, options),
        Action::Remove => edit::remove(root, path, options),
        Action::Copy(from) => {
            let value = sized(&edit::get(root, from, options)?, path)?;
            *copied += measure(&value, path.depth())?;
            if *copied > ALIAS_LIMIT {
                let message = format!("the patch copies more than {ALIAS_LIMIT} nodes");
                return Err(Diagnostic::error(Code::Limit, message).into());
            }
            edit::add(root, path, &value, options)
        }
        Action::Move(from) => {
            if from == path {
                return edit::get(root, from, options).map(|_| Arc::clone(root));
            }
            if from.holds(path) {
                let message =
                    format!("expected another place than one inside of `{from}` to move it to");
                return Err(Diagnostic::error(Code::Patch, message).into());
            }
            let value = sized(&edit::get(root, from, options)?, path)?;
            edit::add(&edit::remove(root, from, options)?, path, &value, options)
        }
        Action::Test(expected) => {
            let found = edit::get(root, path, options)?;
            test(expected, &found)?;
            Ok(Arc::clone(root))
        }
    }
}

/// The object with `metadata.annotations`, if `path` leads to one of them and it has none: kustomize notes the name of an
/// object there before it patches it, so that one may always be added.
fn with_annotations(
    root: &Arc<Node>,
    path: &Pointer,
    options: &EditOptions,
) -> std::result::Result<Arc<Node>, EditFailure> {
    let annotations = Pointer::parse("/metadata/annotations")?;
    let is_one = path.depth() == annotations.depth() + 1 && annotations.holds(path);
    let has_none = || {
        let found = root.get_in(&["metadata", "annotations"]);
        root.get("metadata").is_some()
            && found.is_none_or(|node| matches!(node.value(), Some(Value::Null)))
    };
    if is_one && has_none() {
        return edit::add(root, &annotations, &Node::mapping(Vec::new()), options);
    }
    Ok(Arc::clone(root))
}

/// The value as it is to be written, if there is room for it at `path`.
fn sized(value: &Arc<Node>, path: &Pointer) -> Result<Arc<Node>> {
    measure(value, path.depth())?;
    remake(value)
}

fn test(expected: &Arc<Node>, found: &Arc<Node>) -> Result<()> {
    if Data::of(expected)?.equals(&Data::of(found)?) {
        return Ok(());
    }
    let message = format!("expected {}, found {}", shown(expected), shown(found));
    Err(Diagnostic::error(Code::Patch, message)
        .at(found.location(), "this value")
        .at(expected.location(), "the test"))
}

/// A value for a message: a scalar as it is written, anything else by its kind.
fn shown(node: &Arc<Node>) -> String {
    match node.as_scalar() {
        Some(_) => format!("`{}`", faithful::excerpt(node).trim_end()),
        None => format!("another {}", node.kind()),
    }
}
