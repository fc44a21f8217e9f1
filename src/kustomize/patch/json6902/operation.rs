//! Parses the operations of a JSON patch.

use std::sync::Arc;

use serde::Deserialize;

use super::yaml_1_1::as_json;
use crate::edit::Pointer;
use crate::kustomize::EditRules;
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, collect_all};
use crate::typed::{RawNode, Spanned, from_node};
use crate::yaml::{Node, expand, expand_to_text_keys};

/// One operation of a JSON patch.
#[derive(Clone, Debug)]
pub(in super::super) struct PatchOperation {
    pub(super) action: Action,
    /// The place that the operation changes.
    pub(in super::super) path: Pointer,
    /// The place of the pointer in the patch.
    pub(in super::super) location: Option<Location>,
}

impl PatchOperation {
    /// Returns the value that the operation writes, if it has one.
    pub(in super::super) fn value(&self) -> Option<&Arc<Node>> {
        match &self.action {
            Action::Add(value) | Action::Replace(value) => Some(value),
            Action::Remove | Action::Move(_) | Action::Copy(_) | Action::Test(_) => None,
        }
    }
}

/// The kind of an operation.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Adds a value, or replaces the one that exists.
    Add(Arc<Node>),
    /// Removes the value.
    Remove,
    /// Replaces the value, which must exist.
    Replace(Arc<Node>),
    /// Moves a value here from another place.
    Move(Pointer),
    /// Copies a value here from another place.
    Copy(Pointer),
    /// Fails unless the value equals this one.
    Test(Arc<Node>),
}

impl Action {
    /// Returns the value of `op`.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Action::Add(_) => "add",
            Action::Remove => "remove",
            Action::Replace(_) => "replace",
            Action::Move(_) => "move",
            Action::Copy(_) => "copy",
            Action::Test(_) => "test",
        }
    }
}

const ACTION_NAMES: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// An operation as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperationConfig {
    op: Spanned<String>,
    path: Spanned<String>,
    from: Option<Spanned<String>>,
    /// Whether `value: null` was given is not visible here, so the value is read from the tree.
    #[serde(rename = "value")]
    _value: Option<RawNode>,
}

impl PatchOperation {
    /// Returns whether the operation changes the annotations of an object as a whole.
    pub(in super::super) fn replaces_annotations(&self) -> bool {
        let path = self.path.to_string();
        let is_test = matches!(self.action, Action::Test(_));
        !is_test && matches!(&*path, "/metadata/annotations" | "/metadata" | "")
    }

    /// Parses the operations of a patch. A field that an operation does not use is a warning.
    ///
    /// # Errors
    /// Reports every operation that is not valid, with [`Code::Patch`], [`Code::PathSyntax`] or
    /// [`Code::Config`].
    pub(in super::super) fn read_all(
        list: &Arc<Node>,
        rules: EditRules,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<PatchOperation>, Reported> {
        let items = list.as_sequence().map_or(&[][..], |list| &list.items);
        collect_all(items.iter().map(|item| {
            let operation = read(&item.value, rules, diagnostics);
            diagnostics.check(operation)
        }))
    }
}

fn read(
    node: &Arc<Node>,
    rules: EditRules,
    diagnostics: &mut Diagnostics,
) -> Result<PatchOperation> {
    let OperationConfig { op, path, from, .. } = from_node(node)?;
    let value = node.resolved().get("value");
    let action = match &*op.value {
        "add" => Action::Add(required_value(value, rules, &op, diagnostics)?),
        "remove" => Action::Remove,
        "replace" => Action::Replace(required_value(value, rules, &op, diagnostics)?),
        "move" => Action::Move(required_from(from.as_ref(), &op)?),
        "copy" => Action::Copy(required_from(from.as_ref(), &op)?),
        "test" => Action::Test(required_value(value, rules, &op, diagnostics)?),
        other => {
            let message = format!("expected an operation of a JSON patch, found `{other}`");
            return Err(Diagnostic::error(Code::Patch, message)
                .at(op.location, "")
                .help_if(did_you_mean(other, ACTION_NAMES))
                .help(format!("use {}", list(ACTION_NAMES))));
        }
    };
    let uses_from = matches!(action, Action::Move(_) | Action::Copy(_));
    if let (Some(from), false) = (&from, uses_from) {
        diagnostics.push(unused("from", &op).at(from.location.clone(), ""));
    }
    let uses_value = matches!(
        action,
        Action::Add(_) | Action::Replace(_) | Action::Test(_)
    );
    if let (Some(value), false) = (value, uses_value) {
        diagnostics.push(unused("value", &op).at(value.location(), ""));
    }
    Ok(PatchOperation {
        action,
        path: pointer(&path)?,
        location: path.location,
    })
}

/// Returns the value of an operation. For kustomize, a missing one is null.
fn required_value(
    value: Option<&Arc<Node>>,
    rules: EditRules,
    op: &Spanned<String>,
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Node>> {
    match (value, rules) {
        (None, EditRules::Inlay) => Err(missing("value", op)),
        (None, EditRules::Kustomize) => {
            let message = format!(
                "the operation `{}` has no `value`, which means null",
                op.value
            );
            diagnostics.push(
                Diagnostic::warning(Code::Patch, message)
                    .at(op.location.clone(), "")
                    .help("write `value: null` if this is intended"),
            );
            Ok(Node::plain("null"))
        }
        // As in every patch, keys are text: the object is JSON underneath.
        (Some(value), EditRules::Inlay) => expand_to_text_keys(value),
        (Some(value), EditRules::Kustomize) => as_json(&expand(value)?),
    }
}

fn required_from(from: Option<&Spanned<String>>, op: &Spanned<String>) -> Result<Pointer> {
    match from {
        Some(from) => pointer(from),
        None => Err(missing("from", op)),
    }
}

fn pointer(text: &Spanned<String>) -> Result<Pointer> {
    Pointer::parse(&text.value).map_err(|error| error.at(text.location.clone(), ""))
}

fn missing(field: &str, op: &Spanned<String>) -> Box<Diagnostic> {
    let message = format!(
        "expected `{field}` in the operation `{}`, found none",
        op.value
    );
    Diagnostic::error(Code::Patch, message).at(op.location.clone(), "")
}

fn unused(field: &str, op: &Spanned<String>) -> Box<Diagnostic> {
    let message = format!("`{field}` has no effect in the operation `{}`", op.value);
    Diagnostic::warning(Code::Patch, message)
}
