//! Plain merging: how values that carry no instructions go onto the values so far.
//!
//! Mappings are merged key by key; anything else replaces what is there. Nothing but a mapping or null can give way to a
//! mapping, so that a mistake in the shape of the values is told and not hidden. Keys that are new come last, and what
//! replaces something stands where it was given.
//!
//! The merge of `edit` is another one, and one could not serve both: there the base keeps its node wherever the overlay
//! says nothing new, so that its bytes stay; here what was said last counts, also if it is the same, since messages show
//! where a value was given. There keys are texts, as kustomize has them; here `1` and `"1"` are two, as in ytt. And there
//! one overlay makes one tree, where thousands of flags go onto the same one here.

use std::collections::HashMap;
use std::sync::Arc;

use crate::script::fragments::PartKey;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Entry, Node};

/// A tree that others are merged onto.
///
/// A mapping that was merged onto stays open, with an index of its keys, until the tree is finished: a run of many small
/// merges takes the time of one large one.
pub(in crate::workspace) struct Merged {
    root: Slot,
}

/// A value of the tree.
enum Slot {
    /// As it was given.
    Shared(Arc<Node>),
    /// A mapping that was merged onto.
    Open(OpenMapping),
}

struct OpenMapping {
    base: Arc<Node>,
    entries: Vec<(Arc<Node>, Slot)>,
    /// Where each key stands.
    places: HashMap<PartKey, usize>,
}

impl Merged {
    /// The tree to merge onto.
    pub(in crate::workspace) fn new(root: Arc<Node>) -> Merged {
        Merged {
            root: Slot::Shared(root),
        }
    }

    /// Merges a tree. Mappings at `depth` levels below the root and deeper are not merged; they replace what is there.
    ///
    /// # Errors
    /// A mapping over something that is neither a mapping nor null, with the places of both.
    pub(in crate::workspace) fn merge(&mut self, right: &Arc<Node>, depth: usize) -> Result<()> {
        self.root.merge(right, depth, None)
    }

    /// The tree with all that was merged.
    pub(in crate::workspace) fn finish(self) -> Arc<Node> {
        self.root.finish()
    }
}

impl Slot {
    /// Calls itself for each level of `right`, which its parser bounds.
    fn merge(&mut self, right: &Arc<Node>, depth: usize, key: Option<&Arc<Node>>) -> Result<()> {
        let entries = match &right.resolved().content {
            Content::Mapping(mapping) if depth > 0 => &mapping.entries,
            _ => {
                *self = Slot::Shared(Arc::clone(right));
                return Ok(());
            }
        };
        match self.open() {
            Ok(open) => entries
                .iter()
                .try_for_each(|entry| open.merge(entry, depth - 1)),
            Err(left) if left.kind() == "null" => {
                *self = Slot::Shared(Arc::clone(right));
                Ok(())
            }
            Err(left) => Err(misfit(&left, right, key)),
        }
    }

    /// The slot as a mapping to merge onto, or what it is instead.
    fn open(&mut self) -> std::result::Result<&mut OpenMapping, Arc<Node>> {
        if let Slot::Shared(node) = self {
            let Content::Mapping(mapping) = &node.resolved().content else {
                return Err(Arc::clone(node));
            };
            let base = Arc::clone(node.resolved());
            let places = mapping.entries.iter().enumerate();
            let places = places
                .filter_map(|(place, entry)| Some((PartKey::of(&entry.key)?, place)))
                .collect();
            let entries = mapping.entries.iter();
            let entries = entries.map(|entry| {
                (
                    Arc::clone(&entry.key),
                    Slot::Shared(Arc::clone(&entry.value)),
                )
            });
            *self = Slot::Open(OpenMapping {
                entries: entries.collect(),
                base,
                places,
            });
        }
        match self {
            Slot::Open(open) => Ok(open),
            Slot::Shared(node) => Err(Arc::clone(node)),
        }
    }

    fn finish(self) -> Arc<Node> {
        match self {
            Slot::Shared(node) => node,
            Slot::Open(OpenMapping { base, entries, .. }) => {
                let entries = entries.into_iter().map(|(key, slot)| Entry {
                    key,
                    value: slot.finish(),
                });
                base.with_entries(entries.collect::<Vec<_>>())
            }
        }
    }
}

impl OpenMapping {
    fn merge(&mut self, entry: &Entry, depth: usize) -> Result<()> {
        let says = PartKey::of(&entry.key);
        let place = says
            .as_ref()
            .and_then(|says| self.places.get(says).copied());
        match place.and_then(|place| self.entries.get_mut(place)) {
            Some((key, slot)) => {
                slot.merge(&entry.value, depth, Some(&entry.key))?;
                if matches!(slot, Slot::Shared(value) if Arc::ptr_eq(value, &entry.value)) {
                    *key = Arc::clone(&entry.key);
                }
            }
            None => {
                if let Some(says) = says {
                    self.places.insert(says, self.entries.len());
                }
                self.entries.push((
                    Arc::clone(&entry.key),
                    Slot::Shared(Arc::clone(&entry.value)),
                ));
            }
        }
        Ok(())
    }
}

fn misfit(left: &Arc<Node>, right: &Arc<Node>, key: Option<&Arc<Node>>) -> Box<Diagnostic> {
    let name = key
        .and_then(|key| key.text())
        .map(|name| format!(" for `{name}`"))
        .unwrap_or_default();
    let found = left.kind();
    let message = format!("expected a mapping{name} to merge a mapping into, found a {found}");
    let first = || right.as_mapping()?.entries.first()?.key.location();
    let place = key
        .and_then(|key| key.location())
        .or_else(|| right.location())
        .or_else(first);
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
        let mut merged = Merged::new(tree(texts[0]));
        for text in &texts[1..] {
            merged.merge(&tree(text), depth)?;
        }
        canonical_node(&merged.finish())
    }

    #[test]
    fn mappings_are_merged_and_anything_else_replaces() {
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
    fn a_mapping_over_a_value_is_an_error_with_both_places() {
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
    fn below_the_depth_a_mapping_replaces() {
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
    fn what_is_not_merged_onto_is_shared() {
        let left = tree("{a: {b: 1}, c: {d: 2}}");
        let mut merged = Merged::new(Arc::clone(&left));
        merged.merge(&tree("{c: {d: 3}}"), usize::MAX).unwrap();
        let finished = merged.finish();
        assert!(Arc::ptr_eq(
            finished.get("a").unwrap(),
            left.get("a").unwrap()
        ));
        assert_eq!(
            canonical_node(&left).unwrap(),
            "a:\n  b: 1\nc:\n  d: 2\n",
            "the tree before is as it was"
        );
    }
}
