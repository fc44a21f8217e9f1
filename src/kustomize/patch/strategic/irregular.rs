//! Lists whose items do not all have all merge keys, or have the same keys twice, as kustomize
//! merges them.
//!
//! The ports of a Service are identified by `port` and `protocol`, and most people leave out the
//! protocol. kustomize then takes what is there for the key, with surprising results that real
//! kustomizations depend on:
//!
//! ```text
//! object                          patch                  result
//! [{port: 80}]                    [{port: 80, a: b}]     [{port: 80, a: b}]
//! [{port: 80, protocol: TCP}]     [{port: 80, a: b}]     [{port: 80, protocol: TCP}]
//! [{name: a, n: 1}, {name: a}]    [{name: b}]            [{name: b}, {name: a}]
//! ```
//!
//! So this is the procedure of kyaml's `yaml/walk/associative_sequence.go` step by step. The
//! regular case in [`list`](super::list) gives the same results in linear time.

use std::collections::HashSet;
use std::sync::Arc;

use super::merge::StrategicMerge;
use crate::edit::{ITEM, remake};
use crate::kubernetes::{MergeRule, MergeRules};
use crate::source::Result;
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

/// Returns the keys that some item has: kustomize does not look at the others. If no item has any,
/// returns all.
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
    /// Merges the items of a patch into those of a list. `keys` are those that are used.
    pub(super) fn irregular_items(
        &mut self,
        base: &Arc<Node>,
        old: &[Item],
        new: &[&Item],
        keys: &[&str],
        rules: MergeRules,
    ) -> Result<Arc<Node>> {
        let mut here: Vec<Arc<Node>> = Vec::with_capacity(old.len());
        here.extend(old.iter().map(|item| Arc::clone(item.value.resolved())));
        let there: Vec<&Arc<Node>> = new.iter().map(|item| &item.value).collect();
        let mut tuples = distinct_tuples(&there, &here, keys);
        if keys.len() > 1 {
            unify(&mut tuples);
        }
        let mut merged: Vec<Arc<Node>> = Vec::new();
        if let Some(path) = &mut self.keys {
            path.push(ITEM.to_owned());
        }
        for tuple in &tuples {
            let values: Vec<&str> = tuple.iter().map(String::as_str).collect();
            let position = find(here.iter(), keys, tuple);
            let patch = find(there.iter().copied(), keys, tuple).map(|index| there[index]);
            let value = match (position, patch) {
                (Some(position), None) => Some(Arc::clone(&here[position])),
                (position, Some(patch)) => {
                    let here = position.map(|position| &here[position]);
                    let rule = Some(MergeRule::Mapping(rules));
                    self.node(here, patch, rule, self.field(None))?
                }
                (None, None) => None,
            };
            let Some(value) = value.filter(|value| !is_nothing(value)) else {
                set(&mut here, None, keys, &values);
                continue;
            };
            let value = with_keys(value, keys, &values)?;
            if let Some(position) = position.filter(|_| !patch.is_some_and(replaces)) {
                here[position] = Arc::clone(&value);
            }
            set(&mut merged, Some(&value), keys, &values);
        }
        if let Some(path) = &mut self.keys {
            path.pop();
        }
        append_all(&mut merged, &here, keys);
        let items: Vec<Item> = merged
            .into_iter()
            .map(|value| Item { start: None, value })
            .collect();
        Ok(base.with_items(items))
    }
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
fn distinct_tuples(there: &[&Arc<Node>], here: &[Arc<Node>], keys: &[&str]) -> Vec<KeyTexts> {
    let mut seen = HashSet::new();
    let mut tuples = Vec::new();
    for item in there.iter().copied().chain(here) {
        let texts = key_texts(item, keys);
        if seen.insert(texts.clone()) {
            tuples.push(texts);
        }
    }
    tuples
}

/// Completes keys: `[80, ]` and `[80, TCP]` both become `[80, TCP]`.
fn unify(tuples: &mut [KeyTexts]) {
    for one in 0..tuples.len() {
        let first = tuples[one].clone();
        for other in 0..tuples.len() {
            if let Some(whole) = unified(&first, &tuples[other]) {
                tuples[one] = whole.clone();
                tuples[other] = whole;
            }
        }
    }
}

/// Returns what two keys are together, if they have a part in common and contradict each other in
/// none.
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

/// Returns the first item that has the keys which are known.
fn find<'i>(
    mut items: impl Iterator<Item = &'i Arc<Node>>,
    keys: &[&str],
    tuple: &KeyTexts,
) -> Option<usize> {
    let is_known = |text: &&String| !text.is_empty();
    if tuple.iter().find(is_known).is_none() {
        // Only an item whose keys are empty texts has them.
        return items.position(|item| keys.iter().all(|key| text_at(item, key) == Some("")));
    }
    items.position(|item| {
        let mut pairs = keys.iter().zip(tuple).filter(|(_, text)| is_known(text));
        pairs.all(|(key, text)| text_at(item, key) == Some(text))
    })
}

fn text_at<'n>(item: &'n Arc<Node>, key: &str) -> Option<&'n str> {
    item.resolved().get(key)?.resolved().text()
}

/// Replaces every item with the keys by `element`, or adds it if there is none. Without an
/// element, removes them.
///
/// A value that is empty stands for any, but the item has to have the key. A key without a value
/// is not compared.
fn set(items: &mut Vec<Arc<Node>>, element: Option<&Arc<Node>>, keys: &[&str], values: &[&str]) {
    let mut is_found = false;
    let mut result = Vec::with_capacity(items.len() + 1);
    for item in items.drain(..) {
        if is_nothing(&item) {
            continue;
        }
        let mut pairs = keys.iter().zip(values);
        let matches = pairs.all(|(key, value)| match text_at(&item, key) {
            Some(text) => value.is_empty() || text == *value,
            None => false,
        });
        if !matches {
            result.push(item);
            continue;
        }
        is_found = true;
        result.extend(element.cloned());
    }
    if let Some(element) = element.filter(|_| !is_found) {
        result.push(Arc::clone(element));
    }
    *items = result;
}

/// Adds the items of the object to those that were merged.
fn append_all(merged: &mut Vec<Arc<Node>>, here: &[Arc<Node>], keys: &[&str]) {
    for item in here {
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            match text_at(item, key) {
                Some(text) => values.push(text),
                // It is added here, and once more below, where it may replace itself.
                None => merged.push(Arc::clone(item)),
            }
        }
        if keys.len() > 1 {
            set(merged, None, keys, &values);
        }
        set(merged, Some(item), keys, &values);
    }
}

/// Adds the keys that a value lacks.
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
