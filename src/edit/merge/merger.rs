//! The walk over both trees at the same time.

use std::collections::HashMap;
use std::sync::Arc;

use super::changes::EntryChanges;
use super::equality::{is_equal, likeness};
use super::options::{KindMismatch, Lists, MergeOptions, Nulls};
use super::side::{MergeSide, different_kinds, given_twice, is_null, is_same, without_key};
use crate::edit::lookup::{KeyPositions, merged, refuse_duplicates};
use crate::source::Result;
use crate::yaml::{
    CollectionStyle, Content, Entry, Item, Mapping, Node, PlainContext, Scalar, ScalarStyle,
    Sequence, Text, is_plain_string,
};

/// Merges recursively, one call for each level of the overlay. Its depth is that of a parsed tree.
pub(super) struct TreeMerger<'o> {
    pub(super) options: &'o MergeOptions,
}

impl TreeMerger<'_> {
    /// Returns the base after the merge of the overlay, or the base itself if nothing changed.
    ///
    /// # Errors
    /// Values of different kinds, unless the options allow one to replace the other.
    pub(super) fn node(&self, base: MergeSide<'_>, overlay: MergeSide<'_>) -> Result<Arc<Node>> {
        let node = base.node.resolved();
        let changed = match (&node.content, &overlay.node.content) {
            (Content::Mapping(old), Content::Mapping(new)) => self.mapping(node, old, new)?,
            (Content::Sequence(old), Content::Sequence(new)) => {
                self.sequence(node, old, overlay.node, new)?
            }
            _ if is_same(node, overlay.node) => Arc::clone(node),
            (Content::Scalar(old), Content::Scalar(_)) => in_quotes_of(old.style, overlay.node),
            _ if self.options.kind_mismatch == KindMismatch::Replace
                || is_same_kind(node, overlay.node) =>
            {
                self.fresh(overlay.node)
            }
            _ => return Err(different_kinds(base, overlay)),
        };
        // Unchanged means the same node, even if it is an alias. A replacement takes over the
        // anchor.
        let same = Arc::ptr_eq(&changed, node);
        Ok(if same {
            Arc::clone(base.node)
        } else {
            changed.anchored(base.node.anchor())
        })
    }

    fn mapping(&self, base: &Arc<Node>, old: &Mapping, new: &Mapping) -> Result<Arc<Node>> {
        // Parsers disagree on which of two entries with the same key is used, so neither is the
        // right one to merge into.
        refuse_duplicates(old)?;
        let places = KeyPositions::new(old, new.entries.len());
        let mut changes = EntryChanges::of(&old.entries);
        for entry in &new.entries {
            let known = entry.key.text().and_then(|key| places.get(key));
            // Deleting a missing key is not an error (RFC 7396), so this is decided before the
            // look-up.
            let deletes = self.options.nulls == Nulls::Delete && is_null(&entry.value);
            let Some(at) = known else {
                if !deletes {
                    changes.add(self.new_entry(old, entry)?);
                }
                continue;
            };
            changes.pass(at);
            let Some(here) = old.entries.at(at) else {
                continue;
            };
            if deletes {
                changes.remove(at);
                continue;
            }
            let value = self.node(MergeSide::value(here), MergeSide::value(entry))?;
            if !Arc::ptr_eq(&value, &here.value) {
                changes.set(at, value);
            }
        }
        Ok(changes
            .entries()
            .map_or_else(|| Arc::clone(base), |entries| base.with_entries(entries)))
    }

    /// Returns the entry for a key that the base does not contain. A merge key (`<<`) of the base
    /// may provide the value to merge with.
    fn new_entry(&self, old: &Mapping, entry: &Entry) -> Result<Entry> {
        let given = entry.key.text().and_then(|key| merged(old, key));
        let value = match given {
            Some(given) => self
                .node(
                    MergeSide {
                        node: given,
                        key: None,
                    },
                    MergeSide::value(entry),
                )?
                .resolved()
                .anchored(None),
            None => self.fresh(&entry.value),
        };
        // A new key takes the quotes of its neighbours, so JSON keys stay in double quotes.
        let style = old
            .entries
            .first()
            .and_then(|first| first.key.as_scalar())
            .map(|key| key.style);
        Ok(Entry {
            key: style.map_or_else(
                || entry.key.anchored(None),
                |style| in_quotes_of(style, &entry.key),
            ),
            value,
        })
    }

    /// Merges a list into a list according to the options. The same node means "unchanged", so that
    /// nothing is rebuilt without need.
    fn sequence(
        &self,
        base: &Arc<Node>,
        old: &Sequence,
        overlay: &Arc<Node>,
        new: &Sequence,
    ) -> Result<Arc<Node>> {
        match &self.options.lists {
            Lists::Append if new.items.is_empty() => Ok(Arc::clone(base)),
            Lists::Append => {
                let mut items = old.items.to_vec();
                items.extend(new.items.iter().map(added));
                Ok(base.with_items(items))
            }
            Lists::Union => Ok(union(base, old, new)),
            Lists::MergeBy(key) if new.items.iter().any(|item| item.value.get(key).is_some()) => {
                self.items_by(key, base, old, new)
            }
            Lists::Replace | Lists::MergeBy(_) if is_same(base, overlay) => Ok(Arc::clone(base)),
            Lists::Replace | Lists::MergeBy(_) if old.style == CollectionStyle::Flow => {
                Ok(base.with_items(in_old_places(old, new)))
            }
            Lists::Replace | Lists::MergeBy(_) => Ok(self.fresh(overlay)),
        }
    }

    /// Merges the items that have the same value under `key`.
    fn items_by(
        &self,
        key: &str,
        base: &Arc<Node>,
        old: &Sequence,
        new: &Sequence,
    ) -> Result<Arc<Node>> {
        let names: Vec<Option<Arc<Node>>> = old
            .items
            .iter()
            .map(|item| name_of(&item.value, key))
            .collect();
        let places = unique_names(key, &names)?;
        let mut items = old.items.to_vec();
        let mut seen: HashMap<&str, &Arc<Node>> = HashMap::with_capacity(new.items.len());
        let mut changed = false;
        for item in &new.items {
            let found = item
                .value
                .get(key)
                .and_then(|name| Some((name.text()?, name)));
            let Some((text, name)) = found else {
                return Err(without_key(key, &item.value));
            };
            if let Some(first) = seen.insert(text, name) {
                return Err(given_twice(key, text, Some(first), name));
            }
            let Some(&at) = places.get(text) else {
                // Unlike an item that is appended, a new item loses its nulls, because it is merged
                // into nothing.
                items.push(Item {
                    start: None,
                    value: self.fresh(&item.value),
                });
                changed = true;
                continue;
            };
            let value = self.node(MergeSide::of(&items[at].value), MergeSide::of(&item.value))?;
            changed |= !Arc::ptr_eq(&value, &items[at].value);
            items[at].value = value;
        }
        Ok(if changed {
            base.with_items(items)
        } else {
            Arc::clone(base)
        })
    }

    /// Returns a copy of a value of the overlay that the base does not have: without anchors, and
    /// without nulls in its mappings if null deletes.
    fn fresh(&self, node: &Arc<Node>) -> Arc<Node> {
        let node = node.anchored(None);
        match &node.content {
            Content::Mapping(mapping) => {
                let drops = |entry: &&Entry| {
                    !(self.options.nulls == Nulls::Delete && is_null(&entry.value))
                };
                let kept = mapping.entries.iter().filter(drops);
                let entries: Vec<Entry> = kept
                    .map(|entry| Entry {
                        key: entry.key.anchored(None),
                        value: self.fresh(&entry.value),
                    })
                    .collect();
                node.with_entries(entries)
            }
            Content::Sequence(sequence) => {
                let items = sequence.items.iter();
                let items = items.map(|item| Item {
                    start: item.start,
                    value: whole(&item.value),
                });
                node.with_items(items.collect::<Vec<_>>())
            }
            Content::Scalar(_) | Content::Alias(_) => node,
        }
    }
}

/// Returns an item of the overlay as a new item.
fn added(item: &Item) -> Item {
    Item {
        start: None,
        value: whole(&item.value),
    }
}

/// Returns a list with those items of `new` added that it does not contain yet, in any spelling.
///
/// ```text
/// [a, 1] + [1.0, c, c]   =   [a, 1, c]
/// ```
fn union(base: &Arc<Node>, old: &Sequence, new: &Sequence) -> Arc<Node> {
    let mut items = old.items.to_vec();
    // Items are compared only if they have the same hash, so that two lists of a thousand items do
    // not need a million comparisons.
    let mut alike: HashMap<u64, Vec<usize>> = HashMap::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        alike.entry(likeness(&item.value)).or_default().push(index);
    }
    for item in &new.items {
        let candidates = alike.entry(likeness(&item.value)).or_default();
        let mut known = candidates.iter().map(|at| &items[*at].value);
        if !known.any(|known| is_equal(known, &item.value)) {
            candidates.push(items.len());
            items.push(added(item));
        }
    }
    match items.len() == old.items.len() {
        true => Arc::clone(base),
        false => base.with_items(items),
    }
}

/// Returns the items of `new` with the source positions of the old items at the same indices. This
/// way a flow list over several lines keeps its line breaks.
fn in_old_places(old: &Sequence, new: &Sequence) -> Vec<Item> {
    let mut places = old.items.iter().map(|item| item.start);
    let mut items = Vec::with_capacity(new.items.len());
    for item in &new.items {
        items.push(Item {
            start: places.next().flatten(),
            value: whole(&item.value),
        });
    }
    items
}

/// Returns the value under `key` that identifies an item.
fn name_of(item: &Arc<Node>, key: &str) -> Option<Arc<Node>> {
    let name = item.resolved().get(key)?;
    Some(Arc::clone(name.resolved()))
}

/// Returns the positions of the items by their names. `names` has one element for each item of a
/// list.
///
/// # Errors
/// Two items have the same name.
fn unique_names<'n>(key: &str, names: &'n [Option<Arc<Node>>]) -> Result<HashMap<&'n str, usize>> {
    let mut places = HashMap::with_capacity(names.len());
    for (at, name) in names.iter().enumerate() {
        let Some(name) = name else {
            continue;
        };
        let Some(text) = name.text() else {
            continue;
        };
        if let Some(first) = places.insert(text, at) {
            return Err(given_twice(key, text, names[first].as_ref(), name));
        }
    }
    Ok(places)
}

/// Returns whether values of different kinds may replace each other, because one of them is null.
fn is_same_kind(base: &Node, overlay: &Node) -> bool {
    is_null(base) || is_null(overlay)
}

/// Returns an item of a list without its anchors. A list is replaced as a whole, so null within it
/// does not delete.
fn whole(item: &Arc<Node>) -> Arc<Node> {
    TreeMerger {
        options: &MergeOptions::default(),
    }
    .fresh(item)
}

/// Returns a scalar in the style of its neighbour or predecessor. A string takes over the quotes,
/// or has none if it is still a string without them.
fn in_quotes_of(style: ScalarStyle, node: &Arc<Node>) -> Arc<Node> {
    let fits = |text: &&str| match style {
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => !text.contains('\n'),
        ScalarStyle::Plain => is_plain_string(text, PlainContext::Flow) && !text.contains('\n'),
        ScalarStyle::Literal | ScalarStyle::Folded => false,
    };
    match node.as_str().filter(fits).filter(|_| node.tag().is_none()) {
        Some(text) => node.with_content(Content::Scalar(Scalar {
            style,
            text: Text::Owned(text.into()),
        })),
        None => Arc::clone(node),
    }
    .anchored(None)
}
