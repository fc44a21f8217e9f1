//! Compares values regardless of how they are written: `yes` equals `true`, and an alias its
//! target.

use std::sync::Arc;

use super::node::{Content, Node, Text};

/// Returns whether one node could replace the other without changing any value.
///
/// Scalars are compared by value and tag, so `0x10` equals `16`, and `"a"` equals `a`. An alias
/// equals its target. The order of entries matters.
pub fn is_equal(one: &Arc<Node>, other: &Arc<Node>) -> bool {
    let (one, other) = (one.resolved(), other.resolved());
    // Versions of a tree share most of their nodes, so this is the usual end of the comparison.
    if Arc::ptr_eq(one, other) {
        return true;
    }
    if one.tag() != other.tag() {
        return false;
    }
    match (&one.content, &other.content) {
        (Content::Scalar(left), Content::Scalar(right)) => {
            if let (Text::Derived(left), Text::Derived(right)) = (&left.text, &right.text)
                && left.is_certainly_other(&**right)
            {
                return false;
            }
            one.value() == other.value()
        }
        (Content::Mapping(one), Content::Mapping(other)) => {
            let pairs = one.entries.differing_pairs(&other.entries);
            pairs.is_some_and(|pairs| {
                let mut pairs = pairs.into_iter();
                pairs.all(|(one, other)| {
                    is_equal(&one.key, &other.key) && is_equal(&one.value, &other.value)
                })
            })
        }
        (Content::Sequence(one), Content::Sequence(other)) => {
            let pairs = one.items.differing_pairs(&other.items);
            pairs.is_some_and(|pairs| {
                let mut pairs = pairs.into_iter();
                pairs.all(|(one, other)| is_equal(&one.value, &other.value))
            })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn are_equal(one: &str, other: &str) -> bool {
        let [one, other] = [one, other].map(|text| {
            let stream = parse(&Source::new("test.yml", text).unwrap()).unwrap();
            Arc::clone(&stream.documents[0].root)
        });
        is_equal(&one, &other)
    }

    #[test]
    fn compares_values_and_not_their_spelling() {
        assert!(are_equal("[16, a, {b: null}]", "- 0x10\n- 'a'\n- b:\n"));
        assert!(are_equal("[&x {a: 1}, *x]", "[{a: 1}, {a: 1}]"));
    }

    #[test]
    fn distinguishes_types_tags_order_and_length() {
        for (one, other) in [
            ("1", "'1'"),
            ("!a x", "x"),
            ("[1, 2]", "[2, 1]"),
            ("[1, 2]", "[1]"),
            ("{a: 1, b: 2}", "{b: 2, a: 1}"),
            ("[]", "{}"),
        ] {
            assert!(!are_equal(one, other), "{one} {other}");
        }
    }
}
