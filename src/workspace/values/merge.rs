//! Plain merging of data values: merges documents without annotations into the previous values.
//!
//! Mappings are merged key by key; any other value replaces. A mapping can only replace null or be
//! merged into a mapping, so that a mistake in the shape of the values is an error and not hidden.
//! New keys are added at the end.
//!
//! This differs from `edit::merge` in its rules and its cost:
//!
//! - `edit::merge` keeps a node that the overlay does not change, because its bytes are printed.
//!   Here, the last node wins even if its value is the same, because messages show the place that
//!   set the value last.
//! - `edit::merge` compares keys as text, as kustomize does. Here, `1` and `"1"` are different
//!   keys, as in ytt.
//! - `edit::merge` creates one tree for each overlay. Here, thousands of flags are merged into the
//!   same tree.

use std::collections::HashMap;
use std::sync::Arc;

use crate::script::fragments::PartKey;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Entry, Node};

/// A tree that other trees are merged into.
///
/// A mapping that was merged into stays open, with an index of its keys, until the tree is
/// finished. Many small merges therefore cost about as much as one large merge. Rebuilding the
/// mapping each time would take quadratic time for a thousand flags.
pub(in crate::workspace) struct MergedValues {
    root: MergeSlot,
}

/// A value of the tree.
enum MergeSlot {
    /// A value that was not merged into.
    Shared(Arc<Node>),
    /// A mapping that was merged into.
    Open(OpenMapping),
}

struct OpenMapping {
    /// The mapping before the first merge, which determines the style of the result.
    base: Arc<Node>,
    entries: Vec<OpenEntry>,
    /// The index of each key in `entries`.
    positions: HashMap<PartKey, usize>,
}

struct OpenEntry {
    key: Arc<Node>,
    value: MergeSlot,
}

impl MergedValues {
    /// Creates the values from a tree.
    pub(in crate::workspace) fn new(root: Arc<Node>) -> MergedValues {
        MergedValues {
            root: MergeSlot::Shared(root),
        }
    }

    /// Merges a tree. Mappings that are `depth` or more levels below the root replace instead.
    ///
    /// # Errors
    /// Fails for a mapping over a value that is neither a mapping nor null, with the places of
    /// both.
    pub(in crate::workspace) fn merge(&mut self, right: &Arc<Node>, depth: usize) -> Result<()> {
        self.root.merge(right, depth, None)
    }

    /// Returns the tree with all merged values.
    pub(in crate::workspace) fn finish(self) -> Arc<Node> {
        self.root.finish()
    }
}

impl MergeSlot {
    /// Merges `right`, the value of `key`. The recursion is safe because the parser limits the
    /// depth of `right`.
    fn merge(&mut self, right: &Arc<Node>, depth: usize, key: Option<&Arc<Node>>) -> Result<()> {
        let entries = match &right.resolved().content {
            Content::Mapping(mapping) if depth > 0 => &mapping.entries,
            _ => {
                *self = MergeSlot::Shared(Arc::clone(right));
                return Ok(());
            }
        };
        self.open();
        match self {
            MergeSlot::Open(open) => {
                for entry in entries {
                    open.merge(entry, depth - 1)?;
                }
                Ok(())
            }
            // In a schema, the default of a nullable map is null, so a given map replaces it.
            MergeSlot::Shared(left) if left.kind() == "null" => {
                *self = MergeSlot::Shared(Arc::clone(right));
                Ok(())
            }
            MergeSlot::Shared(left) => Err(not_a_mapping(left, right, key)),
        }
    }

    /// Opens the slot, if its value is a mapping.
    fn open(&mut self) {
        let MergeSlot::Shared(node) = self else {
            return;
        };
        let base = Arc::clone(node.resolved());
        let Content::Mapping(mapping) = &base.content else {
            return;
        };
        let mut entries = Vec::with_capacity(mapping.entries.len());
        let mut positions = HashMap::with_capacity(mapping.entries.len());
        for (position, entry) in mapping.entries.iter().enumerate() {
            if let Some(key) = PartKey::of(&entry.key) {
                positions.insert(key, position);
            }
            // Values stay shared: only values that a later merge reaches are opened.
            entries.push(OpenEntry {
                key: Arc::clone(&entry.key),
                value: MergeSlot::Shared(Arc::clone(&entry.value)),
            });
        }
        *self = MergeSlot::Open(OpenMapping {
            base,
            entries,
            positions,
        });
    }

    fn finish(self) -> Arc<Node> {
        match self {
            MergeSlot::Shared(node) => node,
            MergeSlot::Open(OpenMapping { base, entries, .. }) => {
                let mut finished = Vec::with_capacity(entries.len());
                for entry in entries {
                    finished.push(Entry {
                        key: entry.key,
                        value: entry.value.finish(),
                    });
                }
                base.with_entries(finished)
            }
        }
    }
}

impl OpenMapping {
    fn merge(&mut self, entry: &Entry, depth: usize) -> Result<()> {
        let key = PartKey::of(&entry.key);
        let position = key.as_ref().and_then(|key| self.positions.get(key));
        if let Some(own) = position.and_then(|position| self.entries.get_mut(*position)) {
            own.value.merge(&entry.value, depth, Some(&entry.key))?;
            // A replacing value was given with the new key, and messages show that key.
            if matches!(&own.value, MergeSlot::Shared(value) if Arc::ptr_eq(value, &entry.value)) {
                own.key = Arc::clone(&entry.key);
            }
            return Ok(());
        }
        if let Some(key) = key {
            self.positions.insert(key, self.entries.len());
        }
        self.entries.push(OpenEntry {
            key: Arc::clone(&entry.key),
            value: MergeSlot::Shared(Arc::clone(&entry.value)),
        });
        Ok(())
    }
}

/// Returns the error for a mapping that cannot be merged into `left`.
fn not_a_mapping(left: &Node, right: &Arc<Node>, key: Option<&Arc<Node>>) -> Box<Diagnostic> {
    let name = match key.and_then(|key| key.text()) {
        Some(name) => format!(" for `{name}`"),
        None => String::new(),
    };
    let found = left.kind();
    let message = format!("expected a mapping{name} to merge a mapping into, found a {found}");
    // A mapping that was created for a flag's keys has no place, but its first key has one.
    let place = key
        .and_then(|key| key.location())
        .or_else(|| right.location())
        .or_else(|| right.as_mapping()?.entries.first()?.key.location());
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(place, "the mapping")
        .at(left.location(), format!("the {found}"))
        .help("give a value of the same kind, or remove one of the two")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::{canonical_node, parse_data};

    fn tree(text: &str) -> Arc<Node> {
        let stream = parse_data(&Source::new("test.yml", text).unwrap()).unwrap();
        stream.documents.first().map_or_else(
            || Node::plain("null"),
            |document| Arc::clone(&document.root),
        )
    }

    fn merged(texts: &[&str], depth: usize) -> Result<String> {
        let mut merged = MergedValues::new(tree(texts[0]));
        for text in &texts[1..] {
            merged.merge(&tree(text), depth)?;
        }
        canonical_node(&merged.finish())
    }

    #[test]
    fn merges_mappings_and_replaces_anything_else() {
        let table = [
            ("{a: 1, b: 2}", "{b: 3, c: 4}", "{a: 1, b: 3, c: 4}"),
            ("{a: {b: 1, c: 2}}", "{a: {c: 3}}", "{a: {b: 1, c: 3}}"),
            ("{a: [1, 2]}", "{a: [3]}", "{a: [3]}"),
            ("{a: {b: 1}}", "{a: 1}", "{a: 1}"),
            ("{a: {b: 1}}", "{a: [1]}", "{a: [1]}"),
            ("{a: {b: 1}}", "{a: null}", "{a: null}"),
            ("{a: null}", "{a: {b: 1}}", "{a: {b: 1}}"),
            ("{a: {b: 1}}", "{a: {}}", "{a: {b: 1}}"),
            ("{a: 1}", "42", "42"),
            ("42", "[1]", "[1]"),
            ("{1: a}", "{'1': b, 1.0: c}", "{1: a, '1': b, 1.0: c}"),
            ("{on: a}", "{true: b}", "{on: b}"),
        ];
        for (left, right, expected) in table {
            assert_eq!(
                merged(&[left, right], usize::MAX).unwrap(),
                merged(&[expected], 0).unwrap(),
                "{left} {right}"
            );
        }
    }

    #[test]
    fn refuses_a_mapping_over_a_value_with_both_places() {
        for (left, right) in [
            ("{a: 1}", "{a: {b: 1}}"),
            ("{a: [1]}", "{a: {b: 1}}"),
            ("{a: 1}", "{a: {}}"),
            ("1", "{}"),
        ] {
            let error = merged(&[left, right], usize::MAX).unwrap_err();
            assert_eq!(
                (error.code, error.labels.len()),
                (Code::ValueDoesNotFit, 2),
                "{left} {right}"
            );
        }
    }

    #[test]
    fn replaces_mappings_below_the_depth() {
        assert_eq!(
            merged(&["{a: {b: {c: 1}}}", "{a: {b: {d: 2}}}"], 2).unwrap(),
            "a:\n  b:\n    d: 2\n"
        );
        assert_eq!(
            merged(&["{a: {b: {c: 1}}}", "{a: {b: {d: 2}}}"], 3).unwrap(),
            "a:\n  b:\n    c: 1\n    d: 2\n"
        );
    }

    #[test]
    fn shares_what_is_not_changed() {
        let left = tree("{a: {b: 1}, c: {d: 2}}");
        let mut merged = MergedValues::new(Arc::clone(&left));
        merged.merge(&tree("{c: {d: 3}}"), usize::MAX).unwrap();
        let finished = merged.finish();
        assert!(Arc::ptr_eq(
            finished.get("a").unwrap(),
            left.get("a").unwrap()
        ));
        assert_eq!(
            canonical_node(&left).unwrap(),
            "a:\n  b: 1\nc:\n  d: 2\n",
            "the first tree is unchanged"
        );
    }
}
