//! Merges lists in which an item lacks a merge key, or two items have the same keys, in the same
//! way as kustomize.
//!
//! The ports of a Service are identified by `port` and `protocol`, and most people leave out the
//! protocol. kustomize then uses the keys that exist, with surprising results on which real
//! kustomizations depend:
//!
//! ```text
//! object                          patch                  result
//! [{port: 80}]                    [{port: 80, a: b}]     [{port: 80, a: b}]
//! [{port: 80, protocol: TCP}]     [{port: 80, a: b}]     [{port: 80, protocol: TCP}]
//! [{name: a, n: 1}, {name: a}]    [{name: b}]            [{name: b}, {name: a}]
//! ```
//!
//! This module follows kyaml's `yaml/walk/associative_sequence.go` step by step, with indexes where
//! kyaml compares every item. Regular lists are merged in [`list`](super::list).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::key_table::{KeyRow, KeyTable, WantedKey};
use super::merge::StrategicMerge;
use crate::edit::remake;
use crate::kubernetes::{MergeRule, MergeRules};
use crate::source::suggest::list_of_all;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Entry, Item, Node, Value};

/// The texts of the merge keys of an item; a missing one is empty.
type KeyTexts = Vec<String>;

/// Returns whether every item has every key as a scalar, and no two items of a list have the same.
pub(super) fn is_regular<'i>(items: impl Iterator<Item = &'i Arc<Node>>, keys: &[&str]) -> bool {
    let mut seen = HashSet::new();
    for item in items {
        let texts = key_texts(item, keys);
        if texts.iter().any(String::is_empty) || !seen.insert(texts) {
            return false;
        }
    }
    true
}

/// Returns the keys that at least one item has, because kustomize ignores the others. Returns all
/// keys if no item has any.
pub(super) fn used_keys<'i, 'k>(
    items: impl Iterator<Item = &'i Arc<Node>>,
    keys: &[&'k str],
) -> Vec<&'k str> {
    let mut is_used = vec![false; keys.len()];
    for item in items {
        for (text, is_used) in key_texts(item, keys).iter().zip(&mut is_used) {
            *is_used |= !text.is_empty();
        }
    }
    let used = keys.iter().zip(&is_used).filter(|(_, is_used)| **is_used);
    let used: Vec<&str> = used.map(|(key, _)| *key).collect();
    if used.is_empty() { keys.to_vec() } else { used }
}

/// Returns whether an item has none of the keys.
pub(super) fn has_no_key(item: &Arc<Node>, keys: &[&str]) -> bool {
    key_texts(item, keys).iter().all(String::is_empty)
}

impl StrategicMerge<'_> {
    /// Merges the items of a patch into those of a list. `keys` are those that are used, and every
    /// item has one of them.
    pub(super) fn irregular_items(
        &mut self,
        base: &Arc<Node>,
        old: &[Item],
        new: &[&Item],
        keys: &[&str],
        rules: MergeRules,
    ) -> Result<Arc<Node>> {
        let patch = new.iter().map(|item| Arc::clone(&item.value)).collect();
        let merged = self.at_items(|merge| {
            let rule = Some(MergeRule::Mapping(rules));
            merge_by_keys(old, patch, keys, |own, patch| {
                merge.node(own, patch, rule, merge.field(None))
            })
        })?;
        for item in &merged.lost {
            (self.warn)(lost_item(item, keys));
        }
        Ok(base.with_items(merged.items))
    }
}

/// The items of a list after kustomize has merged them.
pub(super) struct MergedByKeys {
    pub(super) items: Vec<Item>,
    /// The items of the object that are not in the result.
    pub(super) lost: Vec<Arc<Node>>,
}

/// Returns the items of a list after a patch that does not name the list, or `None` if they stay.
/// kustomize also walks such a list.
///
/// If an item has no key at all, kustomize loses the other items of the list. Here they stay.
pub(super) fn without_equal_items(items: &[Item], keys: &[&str]) -> Option<MergedByKeys> {
    let values = || items.iter().map(|item| &item.value);
    let keys = &used_keys(values(), keys);
    if is_regular(values(), keys) || values().any(|item| has_no_key(item, keys)) {
        return None;
    }
    let merged = merge_by_keys(items, Vec::new(), keys, |own, _| Ok(own.cloned()));
    merged.ok()
}

/// Merges items as [`StrategicMerge::irregular_items`] does. `merge_item` merges an item of the
/// patch into the item with the same keys, if there is one.
fn merge_by_keys(
    old: &[Item],
    new: Vec<Arc<Node>>,
    keys: &[&str],
    mut merge_item: impl FnMut(Option<&Arc<Node>>, &Arc<Node>) -> Result<Option<Arc<Node>>>,
) -> Result<MergedByKeys> {
    let values = old.iter().map(|item| Arc::clone(item.value.resolved()));
    let mut own_items = KeyedItems::new(values, keys);
    let mut patch_items = KeyedItems::new(new.into_iter(), keys);
    let mut tuples = distinct_tuples(&patch_items, &own_items);
    if keys.len() > 1 {
        unify(&mut tuples);
    }
    let mut merged = KeyedItems::new(std::iter::empty(), keys);
    for tuple in &tuples {
        let values: Vec<&str> = tuple.iter().map(String::as_str).collect();
        let position = own_items.find(tuple);
        let in_patch = patch_items.find(tuple);
        let patch = in_patch.and_then(|position| patch_items.at(position));
        let own = position.and_then(|position| own_items.at(position));
        let value = match patch {
            Some(patch) => merge_item(own, patch)?,
            None => own.cloned(),
        };
        let Some(value) = value.filter(|value| !is_nothing(value)) else {
            own_items.set(None, &values);
            continue;
        };
        let value = with_keys(value, keys, &values)?;
        if let Some(position) = position.filter(|_| !patch.is_some_and(replaces)) {
            own_items.put(position, Some(Arc::clone(&value)));
        }
        merged.set(Some(&value), &values);
    }
    append_all(&mut merged, &own_items);
    Ok(MergedByKeys {
        lost: lost_items(&own_items, &merged),
        items: with_starts(merged, old),
    })
}

/// Returns the items of the object that are not in the result.
fn lost_items(own_items: &KeyedItems<'_>, merged: &KeyedItems<'_>) -> Vec<Arc<Node>> {
    let kept: HashSet<*const Node> = merged.iter().map(Arc::as_ptr).collect();
    let lost = own_items
        .iter()
        .filter(|item| !kept.contains(&Arc::as_ptr(item)));
    lost.cloned().collect()
}

/// Returns the warning for an item that is lost, because another one has the same `keys`.
pub(super) fn lost_item(item: &Arc<Node>, keys: &[&str]) -> Box<Diagnostic> {
    let keys = list_of_all(keys.iter().copied());
    let message = format!("the patch removes an item of a list: another one has the same {keys}");
    Diagnostic::warning(Code::Patch, message)
        .at(item.location(), "this item")
        .note("kustomize merges the items of a list by their keys, also if the patch does not name the list")
        .help("give the items different keys, or use a JSON patch")
}

/// Returns merged items as items of a list. An unchanged item keeps its start, because the faithful
/// printer needs it to find the text.
fn with_starts(merged: KeyedItems<'_>, old: &[Item]) -> Vec<Item> {
    let starts = old
        .iter()
        .map(|item| (Arc::as_ptr(&item.value), item.start));
    let mut starts: HashMap<*const Node, Option<u32>> = starts.collect();
    let mut items = Vec::with_capacity(merged.items.len());
    for value in merged.items.into_iter().flatten() {
        let start = starts.remove(&Arc::as_ptr(&value)).flatten();
        items.push(Item { start, value });
    }
    items
}

/// Items that are found by their keys.
struct KeyedItems<'k> {
    keys: &'k [&'k str],
    /// `None` for an item that was removed, so that the positions of the others stay.
    items: Vec<Option<Arc<Node>>>,
    table: KeyTable,
}

impl<'k> KeyedItems<'k> {
    fn new(items: impl Iterator<Item = Arc<Node>>, keys: &'k [&'k str]) -> KeyedItems<'k> {
        let items: Vec<Option<Arc<Node>>> = items.map(Some).collect();
        let table = KeyTable::new(items.iter().flatten().map(|item| row(item, keys)));
        KeyedItems { keys, items, table }
    }

    fn at(&self, position: usize) -> Option<&Arc<Node>> {
        self.items.get(position)?.as_ref()
    }

    fn iter(&self) -> impl Iterator<Item = &Arc<Node>> {
        self.items.iter().flatten()
    }

    fn put(&mut self, position: usize, item: Option<Arc<Node>>) {
        let row = item.as_ref().map(|item| row(item, self.keys));
        self.table.put(position, row);
        self.items[position] = item;
    }

    fn push(&mut self, item: Arc<Node>) {
        self.table.push(row(&item, self.keys));
        self.items.push(Some(item));
    }

    /// Returns the first item that has the keys which are known.
    fn find(&mut self, tuple: &KeyTexts) -> Option<usize> {
        let wanted = tuple.iter().map(|text| match &**text {
            "" => WantedKey::Any,
            text => WantedKey::Text(text),
        });
        let wanted: Vec<WantedKey<'_>> = wanted.collect();
        self.table.matches(&wanted).next()
    }

    /// Replaces every item with the keys by `element`, or adds `element` if there is no such item.
    /// Without an element, removes the items.
    ///
    /// An empty value matches any text, but the item must have the key. A key without a value is
    /// not compared.
    fn set(&mut self, element: Option<&Arc<Node>>, values: &[&str]) {
        let wanted = (0..self.keys.len()).map(|key| match values.get(key) {
            None => WantedKey::Any,
            Some(&"") => WantedKey::Present,
            Some(&text) => WantedKey::Text(text),
        });
        let wanted: Vec<WantedKey<'_>> = wanted.collect();
        let positions: Vec<usize> = self.table.matches(&wanted).collect();
        for position in &positions {
            self.put(*position, element.cloned());
        }
        if let Some(element) = element.filter(|_| positions.is_empty()) {
            self.push(Arc::clone(element));
        }
    }
}

/// Returns the keys of an item. Unlike in [`KeyTexts`], an empty text is a text.
fn row(item: &Arc<Node>, keys: &[&str]) -> KeyRow {
    let texts = keys.iter().map(|key| text_at(item, key).map(Box::from));
    texts.collect()
}

fn key_texts(item: &Arc<Node>, keys: &[&str]) -> KeyTexts {
    let item = item.resolved();
    let text = |key: &&str| item.get(key).and_then(|value| value.resolved().text());
    let texts = keys
        .iter()
        .map(|key| text(key).unwrap_or_default().to_owned());
    texts.collect()
}

/// Returns the keys of all items, those of the patch first.
fn distinct_tuples(patch_items: &KeyedItems<'_>, own_items: &KeyedItems<'_>) -> Vec<KeyTexts> {
    let mut seen = HashSet::new();
    let mut tuples = Vec::new();
    for item in patch_items.iter().chain(own_items.iter()) {
        let texts = key_texts(item, own_items.keys);
        if seen.insert(texts.clone()) {
            tuples.push(texts);
        }
    }
    tuples
}

/// Completes keys: `[80, ]` and `[80, TCP]` both become `[80, TCP]`.
fn unify(tuples: &mut [KeyTexts]) {
    let mut table = KeyTable::new(tuples.iter().map(known_texts));
    for one in 0..tuples.len() {
        let first = tuples[one].clone();
        for other in similar(&mut table, &first) {
            let Some(whole) = unified(&first, &tuples[other]) else {
                continue;
            };
            for position in [one, other] {
                if tuples[position] != whole {
                    table.put(position, Some(known_texts(&whole)));
                    tuples[position].clone_from(&whole);
                }
            }
        }
    }
}

fn known_texts(tuple: &KeyTexts) -> KeyRow {
    let known = |text: &String| (!text.is_empty()).then(|| Box::from(&**text));
    tuple.iter().map(known).collect()
}

/// The maximum number of keys that are compared to find similar items, because each key doubles the
/// number of queries.
const COMPARED_KEYS: usize = 4;

/// Returns the positions of the keys that may be combined with `first`, in order. Each of them has
/// some of the same texts and lacks others.
///
/// ```text
/// [80, TCP]   ->   [80, TCP], [80, ], [ , TCP]
/// ```
fn similar(table: &mut KeyTable, first: &KeyTexts) -> Vec<usize> {
    let known = (0..first.len()).filter(|key| !first[*key].is_empty());
    let known: Vec<usize> = known.take(COMPARED_KEYS).collect();
    // Two keys with something in common share a text. Of more than two keys, they may share a
    // missing one.
    let least = usize::from(first.len() <= 2);
    let mut positions = BTreeSet::new();
    for chosen in least..1 << known.len() {
        let mut wanted = vec![WantedKey::Any; first.len()];
        for (bit, key) in known.iter().enumerate() {
            wanted[*key] = match chosen >> bit & 1 {
                1 => WantedKey::Text(&first[*key]),
                _ => WantedKey::Missing,
            };
        }
        positions.extend(table.matches(&wanted));
    }
    positions.into_iter().collect()
}

/// Combines two keys, if they have a part in common and no part in which they differ.
fn unified(one: &KeyTexts, other: &KeyTexts) -> Option<KeyTexts> {
    let mut has_common_part = false;
    let mut whole = Vec::with_capacity(one.len());
    for (one, other) in one.iter().zip(other) {
        has_common_part |= one == other;
        if one != other && !one.is_empty() && !other.is_empty() {
            return None;
        }
        whole.push(if one.is_empty() { other } else { one }.clone());
    }
    has_common_part.then_some(whole)
}

fn text_at<'n>(item: &'n Arc<Node>, key: &str) -> Option<&'n str> {
    item.resolved().get(key)?.resolved().text()
}

/// Adds the items of the object to the merged items.
fn append_all(merged: &mut KeyedItems<'_>, own_items: &KeyedItems<'_>) {
    let keys = own_items.keys;
    for item in own_items.iter() {
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            match text_at(item, key) {
                Some(text) => values.push(text),
                // kustomize adds the item here and again below, where it may replace itself.
                None => merged.push(Arc::clone(item)),
            }
        }
        if keys.len() > 1 {
            merged.set(None, &values);
        }
        merged.set(Some(item), &values);
    }
}

/// Adds the keys that a value does not have.
fn with_keys(value: Arc<Node>, keys: &[&str], values: &[&str]) -> Result<Arc<Node>> {
    let Some(mapping) = value.as_mapping() else {
        return Ok(value);
    };
    let mut entries = mapping.entries.to_vec();
    for (key, text) in keys.iter().zip(values) {
        if mapping.get(key).is_none() && !text.is_empty() {
            entries.push(Entry::new(key, remake(&Node::plain(*text))?));
        }
    }
    if entries.len() == mapping.entries.len() {
        return Ok(value);
    }
    Ok(value.with_entries(entries))
}

fn is_nothing(node: &Arc<Node>) -> bool {
    let node = node.resolved();
    matches!(node.value(), Some(Value::Null))
        || node
            .as_mapping()
            .is_some_and(|mapping| mapping.entries.is_empty())
}

/// Returns whether an item of a patch asks to replace the one in the object, which has no effect
/// there.
pub(super) fn replaces(item: &Arc<Node>) -> bool {
    item.get("$patch").and_then(|node| node.text()) == Some("replace")
}
