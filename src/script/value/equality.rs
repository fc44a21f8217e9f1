//! Equality of nodes, as `==` of two fragments compares them.

use std::sync::Arc;

use super::ScalarKey;
use super::key::KeyIndex;
use crate::yaml::{Content, Mapping, Node, Value};

/// Returns whether two nodes are equal: scalars by value, sequences in order, mappings in any
/// order.
pub(in crate::script) fn is_equal(left: &Arc<Node>, right: &Arc<Node>) -> bool {
    let (left, right) = (left.resolved(), right.resolved());
    // Nodes are shared, so a fragment that is compared with itself need not be walked.
    if Arc::ptr_eq(left, right) {
        return true;
    }
    match (&left.content, &right.content) {
        (Content::Mapping(left), Content::Mapping(right)) => is_equal_mapping(left, right),
        (Content::Sequence(left), Content::Sequence(right)) => {
            left.items.len() == right.items.len()
                && left
                    .items
                    .iter()
                    .zip(&right.items)
                    .all(|(left, right)| is_equal(&left.value, &right.value))
        }
        (Content::Scalar(_), Content::Scalar(_)) => is_equal_scalar(left, right),
        _ => false,
    }
}

fn is_equal_mapping(left: &Mapping, right: &Mapping) -> bool {
    if left.entries.len() != right.entries.len() {
        return false;
    }
    // The order does not matter, so each key is looked up; comparing all pairs would take quadratic
    // time.
    let index = KeyIndex::of(right);
    left.entries.iter().all(|entry| {
        let place = ScalarKey::of(&entry.key).and_then(|key| index.place(&key));
        place
            .and_then(|place| right.entries.get(place))
            .is_some_and(|other| is_equal(&entry.value, &other.value))
    })
}

/// Returns whether two scalars are equal. An integer and a float are equal if their values are, as
/// in Starlark.
fn is_equal_scalar(left: &Node, right: &Node) -> bool {
    match (left.value(), right.value()) {
        (Some(Value::Int(int)), Some(Value::Float(float)))
        | (Some(Value::Float(float)), Some(Value::Int(int))) => int as f64 == float,
        (left, right) => left == right,
    }
}
