//! Whether two trees say the same.

use std::sync::Arc;

use super::node::{Content, Entry, Node};

/// Whether two nodes say the same in the same order, so that one in the place of the other changes no value: scalars by
/// value and tag, however they are written, aliases by what they stand for.
pub fn says_same(one: &Arc<Node>, other: &Arc<Node>) -> bool {
    let (one, other) = (one.resolved(), other.resolved());
    if Arc::ptr_eq(one, other) {
        return true;
    }
    match (&one.content, &other.content) {
        _ if one.tag() != other.tag() => false,
        (Content::Scalar(_), Content::Scalar(_)) => one.value() == other.value(),
        (Content::Mapping(one), Content::Mapping(other)) => {
            let same = |(one, other): (&Entry, &Entry)| {
                says_same(&one.key, &other.key) && says_same(&one.value, &other.value)
            };
            one.entries.len() == other.entries.len()
                && one.entries.iter().zip(&other.entries).all(same)
        }
        (Content::Sequence(one), Content::Sequence(other)) => {
            one.items.len() == other.items.len()
                && one
                    .items
                    .iter()
                    .zip(&other.items)
                    .all(|(one, other)| says_same(&one.value, &other.value))
        }
        _ => false,
    }
}
