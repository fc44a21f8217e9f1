//! An operation as it is written.

use std::sync::Arc;

use serde::Deserialize;

use crate::edit::Pointer;
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result};
use crate::typed::{RawNode, Spanned, from_node};
use crate::yaml::{Node, expand};

/// One operation of a JSON patch.
#[derive(Clone, Debug)]
pub(in super::super) struct Operation {
    /// What it does.
    pub(super) action: Action,
    /// Where.
    pub(super) path: Pointer,
    /// Where the pointer stands in the patch.
    pub(super) location: Option<Location>,
}

/// What an operation does at its place.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Puts a value there, where nothing has to be.
    Add(Arc<Node>),
    /// Takes the value out.
    Remove,
    /// Puts a value in the place of the one there.
    Replace(Arc<Node>),
    /// Takes a value from another place.
    Move(Pointer),
    /// Puts the value of another place there.
    Copy(Pointer),
    /// Fails unless the value is this one.
    Test(Arc<Node>),
}

impl Action {
    /// The word for it.
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

const NAMES: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// An operation as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    op: Spanned<String>,
    path: Spanned<String>,
    from: Option<Spanned<String>>,
    #[serde(rename = "value")]
    _value: Option<RawNode>,
}

impl Operation {
    /// Reads the operations of a patch and tells every mistake in them. A field that an operation has no use for is told
    /// as a warning.
    pub(in super::super) fn read_all(
        list: &Arc<Node>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<Operation>> {
        let items = list.as_sequence().map_or(&[][..], |list| &list.items);
        let read: Vec<Option<Operation>> = items
            .iter()
            .map(|item| {
                let operation = read(&item.value, diagnostics);
                diagnostics.take(operation)
            })
            .collect();
        read.into_iter().collect()
    }
}

fn read(node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Result<Operation> {
    let Config { op, path, from, .. } = from_node(node)?;
    let value = node.resolved().get("value");
    let needs_from = matches!(&*op.value, "move" | "copy");
    let needs_value = matches!(&*op.value, "add" | "replace" | "test");
    let missing = |field: &str| {
        Diagnostic::error(
            Code::Patch,
            format!(
                "expected `{field}` in the operation `{}`, found none",
                op.value
            ),
        )
        .at(op.location.clone(), "")
    };
    let pointer = |text: &Spanned<String>| {
        Pointer::parse(&text.value).map_err(|error| error.at(text.location.clone(), ""))
    };
    let value_of = || expand(value.ok_or_else(|| missing("value"))?);
    let from_of = || pointer(from.as_ref().ok_or_else(|| missing("from"))?);
    let action = match &*op.value {
        "add" => Action::Add(value_of()?),
        "remove" => Action::Remove,
        "replace" => Action::Replace(value_of()?),
        "move" => Action::Move(from_of()?),
        "copy" => Action::Copy(from_of()?),
        "test" => Action::Test(value_of()?),
        other => {
            return Err(Diagnostic::error(
                Code::Patch,
                format!("expected an operation of a JSON patch, found `{other}`"),
            )
            .at(op.location, "")
            .help_if(did_you_mean(other, NAMES))
            .help(format!("use {}", list(NAMES))));
        }
    };
    let useless = [
        (
            "from",
            from.as_ref().and_then(|from| from.location.clone()),
            from.is_some() && !needs_from,
        ),
        (
            "value",
            value.and_then(|value| value.location()),
            value.is_some() && !needs_value,
        ),
    ];
    for (field, location, _) in useless.into_iter().filter(|(_, _, is_useless)| *is_useless) {
        let message = format!("`{field}` has no effect in the operation `{}`", op.value);
        diagnostics.push(Diagnostic::warning(Code::Patch, message).at(location, ""));
    }
    let location = path.location.clone();
    Ok(Operation {
        action,
        path: pointer(&path)?,
        location,
    })
}
