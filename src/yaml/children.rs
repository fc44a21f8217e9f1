//! New values for the children of a collection.
//!
//! Most edits keep the shape of a tree: entries keep their keys, items keep their dashes, and only
//! some values change. Such an edit computes a new value for each child that changes, and creates
//! the next version of the collection from them:
//!
//! ```text
//! before    {a: 1, b: {c: 2}}     change: 2 becomes 3
//!
//!           a: none               b: {c: 3}
//!
//! after     {a: 1, b: {c: 3}}     the entry `a` is shared with the version before
//! ```
//!
//! If no child has a new value, there is no next version: an unchanged tree is the same `Arc`.

use std::convert::Infallible;
use std::sync::Arc;

use super::node::{Content, Entry, Item, Node};

impl Node {
    /// Returns a version of the collection in which some children have other values. `values`
    /// contains their positions in ascending order. Returns `None` if `values` is empty, or if the
    /// node has no children.
    pub fn with_values(&self, values: Vec<(usize, Arc<Node>)>) -> Option<Arc<Node>> {
        if values.is_empty() {
            return None;
        }
        match &self.content {
            Content::Mapping(mapping) => {
                let mut new = Vec::with_capacity(values.len());
                for (at, value) in values {
                    let key = Arc::clone(&mapping.entries.at(at)?.key);
                    new.push((at, Entry { key, value }));
                }
                Some(self.with_entries(mapping.entries.replaced(new)))
            }
            Content::Sequence(sequence) => {
                let mut new = Vec::with_capacity(values.len());
                for (at, value) in values {
                    let start = sequence.items.at(at)?.start;
                    new.push((at, Item { start, value }));
                }
                Some(self.with_items(sequence.items.replaced(new)))
            }
            Content::Scalar(_) | Content::Alias(_) => None,
        }
    }

    /// Returns a version of the collection in which each child has the value that `change` returns
    /// for it. `None` keeps a child. Returns `None` if nothing changes, or if the node has no
    /// children.
    pub fn map_values(
        &self,
        mut change: impl FnMut(&Arc<Node>) -> Option<Arc<Node>>,
    ) -> Option<Arc<Node>> {
        let Ok(changed) = self.try_map_values(|value| Ok::<_, Infallible>(change(value)));
        changed
    }

    /// Like [`map_values`](Node::map_values), for a change that can fail.
    ///
    /// # Errors
    /// Returns the first error of `change`.
    pub fn try_map_values<E>(
        &self,
        mut change: impl FnMut(&Arc<Node>) -> Result<Option<Arc<Node>>, E>,
    ) -> Result<Option<Arc<Node>>, E> {
        let mut values = Vec::new();
        match &self.content {
            Content::Mapping(mapping) => {
                for (at, entry) in mapping.entries.iter().enumerate() {
                    values.extend(change(&entry.value)?.map(|value| (at, value)));
                }
            }
            Content::Sequence(sequence) => {
                for (at, item) in sequence.items.iter().enumerate() {
                    values.extend(change(&item.value)?.map(|value| (at, value)));
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
        Ok(self.with_values(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::{canonical_node, parse_data};

    fn parsed(text: &str) -> Arc<Node> {
        let source = Source::new("text.yml", text).unwrap();
        let stream = parse_data(&source).unwrap();
        Arc::clone(&stream.documents[0].root)
    }

    fn one_for_two(value: &Arc<Node>) -> Option<Arc<Node>> {
        (value.text() == Some("2")).then(|| Node::plain("1"))
    }

    #[test]
    fn changes_some_values_and_keeps_keys_and_order() {
        let table = [
            ("{a: 2, b: 3, c: 2}", "a: 1\nb: 3\nc: 1\n"),
            ("[2, 3, 2]", "- 1\n- 3\n- 1\n"),
        ];
        for (before, after) in table {
            let changed = parsed(before).map_values(one_for_two).unwrap();
            assert_eq!(canonical_node(&changed).unwrap(), after, "{before}");
        }
    }

    #[test]
    fn returns_none_if_nothing_changes() {
        for text in ["{a: 3}", "[3]", "{}", "[]", "2"] {
            assert!(parsed(text).map_values(one_for_two).is_none(), "{text}");
        }
    }

    #[test]
    fn stops_at_the_first_error() {
        let mut seen = 0;
        let outcome = parsed("[1, 2, 3]").try_map_values(|value| {
            seen += 1;
            match value.text() {
                Some("2") => Err("two"),
                _ => Ok(None),
            }
        });
        assert_eq!(outcome.err(), Some("two"));
        assert_eq!(seen, 2);
    }
}
