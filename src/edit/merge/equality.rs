//! The equality of the items of lists, for `lists: union`.
//!
//! Items are equal if they have the same value, in any spelling and in any order of keys: `1` equals
//! `1.0`, as in the `test` of a JSON patch. [`is_same`](super::side::is_same) also compares the
//! spelling, for edits that keep it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::side::is_null;
use crate::yaml::{Content, Data, Node};

/// Returns whether two items have the same value. Keys are compared by their text.
///
/// It recurses once for each level, whose number the parser limits.
pub(super) fn is_equal(one: &Arc<Node>, other: &Arc<Node>) -> bool {
    let (one, other) = (one.resolved(), other.resolved());
    match (&one.content, &other.content) {
        (Content::Scalar(_), Content::Scalar(_)) if is_null(one) => is_null(other),
        (Content::Scalar(_), Content::Scalar(_)) => match (Data::of(one), Data::of(other)) {
            (Ok(one), Ok(other)) => one.equals(&other),
            _ => one.text() == other.text(),
        },
        (Content::Sequence(ours), Content::Sequence(theirs)) => {
            let mut items = ours.items.iter().zip(&theirs.items);
            ours.items.len() == theirs.items.len()
                && items.all(|(one, other)| is_equal(&one.value, &other.value))
        }
        (Content::Mapping(ours), Content::Mapping(theirs)) => {
            let mut entries = ours.entries.iter();
            ours.entries.len() == theirs.entries.len()
                && entries.all(|entry| {
                    let key = entry.key.resolved().text();
                    let value = key.and_then(|key| theirs.get(key));
                    value.is_some_and(|value| is_equal(&entry.value, value))
                })
        }
        _ => false,
    }
}

/// The levels of a tree that its [`likeness`] depends on.
const LEVELS: usize = 3;

/// A larger collection counts by its size alone. This limits the work for an item, also if its
/// aliases expand to many values.
const CHILDREN: usize = 16;

/// Returns a hash that is the same for [equal](is_equal) items, so that an item is compared with few
/// others instead of a whole list.
pub(super) fn likeness(item: &Arc<Node>) -> u64 {
    hash(item, LEVELS)
}

fn hash(node: &Arc<Node>, levels: usize) -> u64 {
    let node = node.resolved();
    let mut hasher = DefaultHasher::new();
    match &node.content {
        Content::Sequence(list) => {
            list.items.len().hash(&mut hasher);
            if levels > 0 && list.items.len() <= CHILDREN {
                for item in &list.items {
                    hash(&item.value, levels - 1).hash(&mut hasher);
                }
            }
        }
        Content::Mapping(mapping) => {
            mapping.entries.len().hash(&mut hasher);
            if levels > 0 && mapping.entries.len() <= CHILDREN {
                // A sum does not depend on the order of the keys.
                let mut sum = 0_u64;
                for entry in &mapping.entries {
                    let mut own = DefaultHasher::new();
                    entry.key.resolved().text().hash(&mut own);
                    hash(&entry.value, levels - 1).hash(&mut own);
                    sum = sum.wrapping_add(own.finish());
                }
                sum.hash(&mut hasher);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => match Data::of(node) {
            Ok(Data::Null) => hasher.write_u8(0),
            // Equal numbers are the same number as a float. Unequal ones may be so too.
            Ok(Data::Int(number)) => hash_number(number as f64, &mut hasher),
            Ok(Data::UInt(number)) => hash_number(number as f64, &mut hasher),
            Ok(Data::Float(number)) => hash_number(number, &mut hasher),
            // `yes` equals `true`.
            Ok(Data::Bool(value)) => value.hash(&mut hasher),
            _ => node.text().hash(&mut hasher),
        },
    }
    hasher.finish()
}

fn hash_number(number: f64, hasher: &mut DefaultHasher) {
    // `-0.0` equals `0`.
    let number = if number == 0.0 { 0.0 } else { number };
    number.to_bits().hash(hasher);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    /// Returns the items of a list.
    fn items(text: &str) -> Vec<Arc<Node>> {
        let stream = parse(&Source::new("a.yml", text).unwrap()).unwrap();
        let list = stream.documents[0].root.as_sequence().unwrap();
        list.items
            .iter()
            .map(|item| Arc::clone(&item.value))
            .collect()
    }

    #[test]
    fn equal_items_have_equal_hashes() {
        let table = [
            "[1, 1.0, 0x1, 1e0, 10e-1]",
            "[0, 0.0, -0.0]",
            "[1000, 1e3, 1_000]",
            "[~, null, NULL]",
            "[true, yes, on]",
            "[a, 'a', \"a\"]",
            "[&a {x: [1, ~], y: z}, *a, {\"y\": z, x: [1.0, null]}]",
            "[18446744073709551615, 0xFFFFFFFFFFFFFFFF]",
        ];
        for text in table {
            let items = items(text);
            for item in &items {
                assert!(is_equal(&items[0], item), "{text}");
                assert_eq!(likeness(&items[0]), likeness(item), "{text}");
            }
        }
    }

    #[test]
    fn items_with_other_values_are_not_equal() {
        let table = [
            "[1, '1', 1.5, true, ~, x]",
            "[{a: 1}, {a: 2}, {b: 1}, {a: 1, b: 1}, [1], [1, 1]]",
            "[9007199254740993, 9007199254740992.0]",
        ];
        for text in table {
            let items = items(text);
            for (at, item) in items.iter().enumerate() {
                for other in &items[at + 1..] {
                    assert!(!is_equal(item, other), "{text}");
                }
            }
        }
    }
}
