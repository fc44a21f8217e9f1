//! The two values that meet in a merge: whether they are the same, and the errors if they do not
//! fit.

use std::sync::Arc;

use crate::source::{Code, Diagnostic, Location};
use crate::yaml::{Content, Entry, Node, Value};

/// One of two values that are merged, and the key that it belongs to.
#[derive(Clone, Copy)]
pub(super) struct MergeSide<'a> {
    pub(super) node: &'a Arc<Node>,
    pub(super) key: Option<&'a Arc<Node>>,
}

impl<'a> MergeSide<'a> {
    /// Returns a side without a key: a root or an item.
    pub(super) fn of(node: &'a Arc<Node>) -> MergeSide<'a> {
        MergeSide { node, key: None }
    }

    /// Returns the value of an entry, with its key for messages.
    pub(super) fn value(entry: &'a Entry) -> MergeSide<'a> {
        MergeSide {
            node: &entry.value,
            key: Some(&entry.key),
        }
    }

    /// Returns the place for messages: a scalar itself, otherwise the key, since a collection may
    /// be long.
    pub(super) fn location(self) -> Option<Location> {
        let own = self.node.location();
        if self.node.as_scalar().is_some() {
            own
        } else {
            self.key.and_then(|key| key.location()).or(own)
        }
    }
}

/// Returns whether a value is null, which may be written or empty.
pub(super) fn is_null(node: &Node) -> bool {
    matches!(node.value(), Some(Value::Null))
}

/// Returns whether two values are equal and spelled alike, so that the base can keep its spelling
/// and its comments.
pub fn is_same(base: &Node, overlay: &Node) -> bool {
    match (&base.content, &overlay.content) {
        (Content::Alias(alias), _) => is_same(&alias.target, overlay),
        (Content::Scalar(_), Content::Scalar(_)) if is_null(base) => is_null(overlay),
        (Content::Scalar(_), Content::Scalar(_)) => {
            base.value() == overlay.value() && base.text() == overlay.text()
        }
        (Content::Sequence(old), Content::Sequence(new)) => {
            let mut items = old.items.iter().zip(&new.items);
            old.items.len() == new.items.len()
                && items.all(|(old, new)| is_same(&old.value, &new.value))
        }
        (Content::Mapping(old), Content::Mapping(new)) => {
            let mut entries = old.entries.iter().zip(&new.entries);
            let same = |(old, new): (&Entry, &Entry)| {
                is_same_key(&old.key, &new.key) && is_same(&old.value, &new.value)
            };
            old.entries.len() == new.entries.len() && entries.all(same)
        }
        _ => false,
    }
}

/// Returns whether two keys are equal. The entries of mappings are found by the spelling of their
/// keys, so keys are compared by spelling here too: `y` and `"y"` are one key.
fn is_same_key(base: &Arc<Node>, overlay: &Arc<Node>) -> bool {
    match (base.resolved().text(), overlay.resolved().text()) {
        (Some(old), Some(new)) => old == new,
        _ => is_same(base, overlay),
    }
}

/// Returns the error for two values that cannot be merged.
pub(super) fn different_kinds(base: MergeSide<'_>, overlay: MergeSide<'_>) -> Box<Diagnostic> {
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

/// Returns the error for an item without the key by which items are merged.
pub(super) fn without_key(key: &str, item: &Arc<Node>) -> Box<Diagnostic> {
    let found = match item.resolved().as_mapping() {
        Some(_) => "a mapping without it",
        None => item.described(),
    };
    let message = format!("expected an item with the key `{key}`, found {found}");
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(item.location(), "")
        .note(format!(
            "items are merged by `{key}`, which other items of this list have"
        ))
        .help(format!("give every item of the list a `{key}`"))
}

/// Returns the error for two items with the same value of the key by which items are merged.
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
