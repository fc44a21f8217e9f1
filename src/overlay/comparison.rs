//! Whether one value has all that another says: what `overlay.subset` and `@overlay/assert` ask.
//!
//! A mapping may have more entries than asked for, a list more items at its end; scalars are equal by type and value,
//! so that 1 and 1.0 differ.

use std::sync::Arc;

use super::key::Lookup;
use crate::source::Location;
use crate::yaml::{Content, Mapping, Node, Sequence, Value};

/// The first place where a value has not what was asked for.
#[derive(Debug)]
pub(super) struct Mismatch<'a> {
    left: &'a Arc<Node>,
    right: &'a Arc<Node>,
    why: Why,
}

#[derive(Debug)]
enum Why {
    Kind,
    Value,
    /// The left has no such key.
    Key(Arc<Node>),
    /// The left has only so many items.
    Length(usize, usize),
}

/// Where `left` has not all that `right` says; `None` if it has.
pub(super) fn mismatch<'a>(left: &'a Arc<Node>, right: &'a Arc<Node>) -> Option<Mismatch<'a>> {
    let (left, right) = (left.resolved(), right.resolved());
    if Arc::ptr_eq(left, right) {
        return None;
    }
    match (&left.content, &right.content) {
        (Content::Mapping(had), Content::Mapping(wanted)) => in_mapping(left, had, right, wanted),
        (Content::Sequence(had), Content::Sequence(wanted)) => {
            in_sequence(left, had, right, wanted)
        }
        (Content::Scalar(_), Content::Scalar(_)) => {
            let why = match (left.value(), right.value()) {
                (had, wanted) if had == wanted => return None,
                (Some(Value::String(_)), Some(Value::String(_))) => Why::Value,
                _ if left.kind() == right.kind() => Why::Value,
                _ => Why::Kind,
            };
            Some(Mismatch { left, right, why })
        }
        _ => Some(Mismatch {
            left,
            right,
            why: Why::Kind,
        }),
    }
}

fn in_mapping<'a>(
    left: &'a Arc<Node>,
    had: &'a Mapping,
    right: &'a Arc<Node>,
    wanted: &'a Mapping,
) -> Option<Mismatch<'a>> {
    let lookup = Lookup::new(had, wanted.entries.len());
    wanted
        .entries
        .iter()
        .find_map(|entry| match lookup.get(&entry.key) {
            Some(value) => mismatch(value, &entry.value),
            None => Some(Mismatch {
                left,
                right,
                why: Why::Key(Arc::clone(&entry.key)),
            }),
        })
}

fn in_sequence<'a>(
    left: &'a Arc<Node>,
    had: &'a Sequence,
    right: &'a Arc<Node>,
    wanted: &'a Sequence,
) -> Option<Mismatch<'a>> {
    if had.items.len() < wanted.items.len() {
        return Some(Mismatch {
            left,
            right,
            why: Why::Length(had.items.len(), wanted.items.len()),
        });
    }
    had.items
        .iter()
        .zip(&wanted.items)
        .find_map(|(had, wanted)| mismatch(&had.value, &wanted.value))
}

impl Mismatch<'_> {
    /// What was expected and what was found.
    pub(super) fn message(&self) -> String {
        match &self.why {
            Why::Kind => format!(
                "expected {}, found {}",
                self.right.described(),
                self.left.described()
            ),
            Why::Value => format!(
                "expected {}, found {}",
                spelled(self.right),
                spelled(self.left)
            ),
            Why::Key(key) => format!("expected the key {}, found none", spelled(key)),
            Why::Length(had, wanted) => format!("expected at least {wanted} items, found {had}"),
        }
    }

    /// Where the left differs.
    pub(super) fn left(&self) -> Option<Location> {
        self.left.location()
    }

    /// Where the right asks for something else.
    pub(super) fn right(&self) -> Option<Location> {
        match &self.why {
            Why::Key(key) => key.location(),
            _ => self.right.location(),
        }
    }
}

/// A scalar as a message shows it.
pub(super) fn spelled(node: &Arc<Node>) -> String {
    const SHOWN: usize = 60;
    let Some(text) = node.resolved().text() else {
        return node.described().to_owned();
    };
    if node.resolved().value() == Some(Value::Null) {
        return "null".to_owned();
    }
    let shown: String = text.chars().take(SHOWN).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    let is_string = node.resolved().as_str().is_some();
    if is_string {
        format!("\"{shown}{more}\"")
    } else {
        format!("{shown}{more}")
    }
}
