//! When two values say the same.

use crate::yaml::{Content, Entry, Node, Value};

pub(super) fn is_null(node: &Node) -> bool {
    matches!(node.value(), Some(Value::Null))
}

/// Whether two values say the same in the same words, so that the base's spelling and comments can stay.
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
                is_same(&old.key, &new.key) && is_same(&old.value, &new.value)
            };
            old.entries.len() == new.entries.len() && entries.all(same)
        }
        _ => false,
    }
}
