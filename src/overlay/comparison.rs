//! Compares a value with the part that it must contain, as `overlay.subset` and `@overlay/assert`
//! do.
//!
//! A mapping may have additional entries, and a list may have additional items at its end. Scalars
//! are equal by type and value: 1 and 1.0 differ.

use std::sync::Arc;

use super::error::caught_kind;
use super::key::KeyLookup;
use crate::source::Location;
use crate::yaml::{Content, Mapping, Node, Sequence, Value};

/// The first place where a value does not contain the required part.
#[derive(Debug)]
pub(super) struct Mismatch<'a> {
    left: &'a Arc<Node>,
    right: &'a Arc<Node>,
    reason: MismatchReason,
}

#[derive(Debug)]
enum MismatchReason {
    Kind,
    Value,
    /// The left does not have this key.
    Key(Arc<Node>),
    /// The left has fewer items.
    Length {
        found: usize,
        wanted: usize,
    },
}

/// Returns the first place where `left` does not contain `right`; `None` if it contains all of it.
pub(super) fn mismatch<'a>(left: &'a Arc<Node>, right: &'a Arc<Node>) -> Option<Mismatch<'a>> {
    let (left, right) = (left.resolved(), right.resolved());
    // Nodes are immutable and shared: a node contains itself, however large it is.
    if Arc::ptr_eq(left, right) {
        return None;
    }
    match (&left.content, &right.content) {
        (Content::Mapping(had), Content::Mapping(wanted)) => in_mapping(left, had, right, wanted),
        (Content::Sequence(had), Content::Sequence(wanted)) => {
            in_sequence(left, had, right, wanted)
        }
        (Content::Scalar(_), Content::Scalar(_)) => {
            let reason = match (left.value(), right.value()) {
                // Numbers are compared with their type, so 1 does not equal 1.0 here (as in ytt).
                (had, wanted) if had == wanted => return None,
                (Some(Value::String(_)), Some(Value::String(_))) => MismatchReason::Value,
                _ if left.kind() == right.kind() => MismatchReason::Value,
                _ => MismatchReason::Kind,
            };
            Some(Mismatch {
                left,
                right,
                reason,
            })
        }
        _ => Some(Mismatch {
            left,
            right,
            reason: MismatchReason::Kind,
        }),
    }
}

fn in_mapping<'a>(
    left: &'a Arc<Node>,
    had: &'a Mapping,
    right: &'a Arc<Node>,
    wanted: &'a Mapping,
) -> Option<Mismatch<'a>> {
    let lookup = KeyLookup::new(had, wanted.entries.len());
    for entry in &wanted.entries {
        let found = match lookup.get(&entry.key) {
            Some(value) => mismatch(value, &entry.value),
            None => Some(Mismatch {
                left,
                right,
                reason: MismatchReason::Key(Arc::clone(&entry.key)),
            }),
        };
        if found.is_some() {
            return found;
        }
    }
    None
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
            reason: MismatchReason::Length {
                found: had.items.len(),
                wanted: wanted.items.len(),
            },
        });
    }
    had.items
        .iter()
        .zip(&wanted.items)
        .find_map(|(had, wanted)| mismatch(&had.value, &wanted.value))
}

impl Mismatch<'_> {
    /// Returns a message with the expected and the actual value.
    pub(super) fn message(&self) -> String {
        match &self.reason {
            MismatchReason::Kind => format!(
                "expected {}, found {}",
                self.right.described(),
                self.left.described()
            ),
            MismatchReason::Value => format!(
                "expected {}, found {}",
                spelled(self.right),
                spelled(self.left)
            ),
            MismatchReason::Key(key) => format!("expected the key {}, found none", spelled(key)),
            MismatchReason::Length { found, wanted } => {
                format!("expected at least {wanted} items, found {found}")
            }
        }
    }

    /// Returns the reason in ytt's words, for a template that catches the error.
    pub(super) fn caught_message(&self) -> String {
        let (left, right) = (caught_kind(self.left), caught_kind(self.right));
        match &self.reason {
            MismatchReason::Kind if matches!(right, "map" | "array") => {
                format!("Expected {right}, but was {left}")
            }
            MismatchReason::Kind | MismatchReason::Value => {
                format!("Expected leaf values to match {left} {right}")
            }
            MismatchReason::Key(_) => "Expected at least one map item to match by key".to_owned(),
            MismatchReason::Length { .. } => {
                "Expected to have matching number of array items".to_owned()
            }
        }
    }

    /// Returns the place of the mismatch in the left.
    pub(super) fn left(&self) -> Option<Location> {
        self.left.location()
    }

    /// Returns the place in the right that the left does not satisfy.
    pub(super) fn right(&self) -> Option<Location> {
        match &self.reason {
            MismatchReason::Key(key) => key.location(),
            _ => self.right.location(),
        }
    }
}

/// Returns a scalar as a message shows it.
pub(super) fn spelled(node: &Arc<Node>) -> String {
    const SHOWN: usize = 60;
    let Some(text) = node.resolved().text() else {
        return node.described().to_owned();
    };
    if node.resolved().value() == Some(Value::Null) {
        return "null".to_owned();
    }
    // Cut by characters, not bytes, so that no character is split.
    let shown: String = text.chars().take(SHOWN).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    let is_string = node.resolved().as_str().is_some();
    if is_string {
        format!("\"{shown}{more}\"")
    } else {
        format!("{shown}{more}")
    }
}
