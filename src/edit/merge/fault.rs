//! What to say where two values cannot be merged.

use std::sync::Arc;

use super::merger::Side;
use crate::source::{Code, Diagnostic};
use crate::yaml::Node;

pub(super) fn unlike(base: Side<'_>, overlay: Side<'_>) -> Box<Diagnostic> {
    let (old, new) = (base.node.described(), overlay.node.described());
    let key = overlay.key.and_then(|key| key.text());
    let at = key.map(|key| format!(" for `{key}`")).unwrap_or_default();
    Diagnostic::error(
        Code::ValueDoesNotFit,
        format!("expected {old} to merge{at}, found {new}"),
    )
    .at(overlay.location(), format!("this is {new}"))
    .at(base.location(), format!("it would take the place of {old}"))
    .help("give both the same shape; only values of one kind can be merged")
}

pub(super) fn without_key(key: &str, item: &Arc<Node>) -> Box<Diagnostic> {
    let message = format!(
        "expected an item with the key `{key}`, found {}",
        item.described()
    );
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(item.location(), "")
        .note(format!(
            "items are merged by `{key}`, which other items of this list have"
        ))
        .help(format!("give every item of the list a `{key}`"))
}

pub(super) fn given_twice(
    key: &str,
    text: &str,
    first: Option<&Arc<Node>>,
    second: &Node,
) -> Box<Diagnostic> {
    let message = format!("expected one item with the {key} `{text}`, found several");
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(second.location(), "given again here")
        .at(first.and_then(|first| first.location()), "first given here")
        .help(format!(
            "items are merged by `{key}`: give each item another one"
        ))
}
