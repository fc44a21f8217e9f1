//! The directives of a strategic merge patch: keys that begin with `$` and change how the other
//! fields of their mapping are merged.
//!
//! kustomize supports only `$patch`. The others are directives of the API server, which kustomize
//! would write into the object.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::item::{ItemIndex, key_of};
use crate::kubernetes::MergeRule;
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Entry, Item, Mapping, Node, Sequence, Value};

/// `$patch`: what happens to the mapping or list that contains it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Strategy {
    /// It is merged into the one in the object.
    #[default]
    Merge,
    /// It replaces the one in the object.
    Replace,
    /// The one in the object is removed.
    Delete,
}

const PATCH: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList/";
const SET_ORDER: &str = "$setElementOrder/";
const STRATEGIES: [(&str, Strategy); 3] = [
    ("merge", Strategy::Merge),
    ("replace", Strategy::Replace),
    ("delete", Strategy::Delete),
];

impl Strategy {
    fn read(node: &Arc<Node>) -> Result<Strategy> {
        let text = node.text().unwrap_or("");
        for (name, strategy) in STRATEGIES {
            if name == text {
                return Ok(strategy);
            }
        }
        let found = match node.text() {
            Some(text) => format!("`{text}`"),
            None => node.described().to_owned(),
        };
        let names = STRATEGIES.map(|(name, _)| name);
        Err(
            Diagnostic::error(Code::Patch, format!("unknown patch strategy {found}"))
                .at(node.location(), "")
                .help(format!("use {}", list(names)))
                .help_if(did_you_mean(text, names)),
        )
    }

    /// Returns the strategy of a list and its items. An item that contains only `$patch` sets the
    /// strategy.
    pub(super) fn of_list(list: &Sequence) -> Result<(Strategy, Vec<&Item>)> {
        let mut strategy = Strategy::Merge;
        let mut items = Vec::with_capacity(list.items.len());
        for item in &list.items {
            match item.value.as_mapping() {
                Some(mapping) if mapping.entries.len() == 1 => match mapping.get(PATCH) {
                    Some(directive) => strategy = Strategy::read(directive)?,
                    None => items.push(item),
                },
                _ => items.push(item),
            }
        }
        Ok((strategy, items))
    }
}

/// The directives of one mapping of a patch.
#[derive(Default)]
pub(super) struct Directives<'p> {
    /// `$patch`.
    pub(super) strategy: Strategy,
    /// `$retainKeys`.
    retain: Option<&'p Arc<Node>>,
    /// `$deleteFromPrimitiveList/…`, by the name of the list.
    delete: BTreeMap<&'p str, &'p Sequence>,
    /// `$setElementOrder/…`, by the name of the list.
    order: BTreeMap<&'p str, &'p Sequence>,
}

impl<'p> Directives<'p> {
    /// Reads the directives of a mapping.
    ///
    /// # Errors
    /// [`Code::Patch`] for an unknown strategy, and for a directive that needs a list and has none.
    pub(super) fn of(patch: &'p Mapping) -> Result<Directives<'p>> {
        let mut directives = Directives::default();
        for entry in &patch.entries {
            let Some(key) = entry.key.text().filter(|key| key.starts_with('$')) else {
                continue;
            };
            if key == PATCH {
                directives.strategy = Strategy::read(&entry.value)?;
            } else if key == RETAIN_KEYS {
                sequence(entry)?;
                directives.retain = Some(&entry.value);
            } else if let Some(field) = key.strip_prefix(DELETE_FROM_LIST) {
                directives.delete.insert(field, sequence(entry)?);
            } else if let Some(field) = key.strip_prefix(SET_ORDER) {
                directives.order.insert(field, sequence(entry)?);
            }
        }
        Ok(directives)
    }

    /// Returns the entries of the patch that are not directives.
    pub(super) fn fields(&self, patch: &'p Mapping) -> impl Iterator<Item = &'p Entry> + use<'p> {
        patch
            .entries
            .iter()
            .filter(|entry| !entry.key.text().is_some_and(is_directive))
    }

    /// Returns the names of lists that have directives but no entry in the patch, sorted.
    pub(super) fn lists_without_entry(&self, patch: &Mapping) -> BTreeSet<&'p str> {
        let mut lists: BTreeSet<&str> = self.delete.keys().copied().collect();
        lists.extend(self.order.keys());
        for entry in &patch.entries {
            if let Some(key) = entry.key.text() {
                lists.remove(key);
            }
        }
        lists
    }

    /// Returns the keys that `$retainKeys` keeps, or `None` without that directive.
    ///
    /// # Errors
    /// [`Code::Patch`] for a key of the patch that is not among them.
    pub(super) fn retained(&self, patch: &'p Mapping) -> Result<Option<HashSet<&'p str>>> {
        let Some(node) = self.retain else {
            return Ok(None);
        };
        let retained = node.as_sequence().map(texts).unwrap_or_default();
        for entry in self.fields(patch) {
            // A key that the patch removes need not be listed: `kubectl apply` sends such nulls.
            if matches!(entry.value.value(), Some(Value::Null)) {
                continue;
            }
            if let Some(key) = entry.key.text().filter(|key| !retained.contains(key)) {
                let message = format!(
                    "expected every key of the patch in `{RETAIN_KEYS}`, found `{key}` outside"
                );
                return Err(Diagnostic::error(Code::Patch, message)
                    .at(entry.key.location(), "set here")
                    .at(node.location(), "the keys to retain"));
            }
        }
        Ok(Some(retained))
    }

    /// Returns a list of the object without the items that `$deleteFromPrimitiveList` names. This
    /// precedes the merge.
    pub(super) fn shorten(&self, name: &str, base: &Arc<Node>) -> Arc<Node> {
        let (Some(deleted), Some(list)) = (self.delete.get(name), base.resolved().as_sequence())
        else {
            return Arc::clone(base);
        };
        let deleted = texts(deleted);
        let mut kept = list.items.to_vec();
        kept.retain(|item| match item.value.resolved().text() {
            Some(text) => !deleted.contains(text),
            None => true,
        });
        if kept.len() == list.items.len() {
            Arc::clone(base)
        } else {
            base.resolved().with_items(kept)
        }
    }

    /// Returns a merged list in the order of `$setElementOrder`. `server` is the list before the
    /// merge.
    ///
    /// As in the API server, an item that the directive does not name stays before the first named
    /// item that it preceded on the server:
    ///
    /// ```text
    /// server [x, a, y, b], order [b, a]  ->  [x, y, b, a]
    /// server [a, x, b, y], order [b, a]  ->  [x, b, a, y]
    /// ```
    pub(super) fn order(
        &self,
        name: &str,
        server: Option<&Arc<Node>>,
        list: &Arc<Node>,
        rule: Option<MergeRule>,
    ) -> Arc<Node> {
        let (Some(order), Some(items)) = (self.order.get(name), list.resolved().as_sequence())
        else {
            return Arc::clone(list);
        };
        let keys = match rule {
            Some(MergeRule::List { keys, .. }) => keys.names(),
            _ => Vec::new(),
        };
        let keys = keys.as_slice();
        let known = ItemIndex::new(&items.items, keys);
        // The rank of an item is its first position in the directive.
        let mut ranks: Vec<Option<usize>> = vec![None; items.items.len()];
        for (rank, item) in order.items.iter().enumerate() {
            let position = key_of(&item.value, keys).and_then(|key| known.find(&key));
            if let Some(position) = position {
                ranks[position].get_or_insert(rank);
            }
        }
        let places = server_places(&items.items, server, keys);
        let (mut named, mut others): (Vec<usize>, Vec<usize>) =
            (0..items.items.len()).partition(|&position| ranks[position].is_some());
        named.sort_by_key(|&position| ranks[position]);
        // An item that the server does not have is new, so it has no old position. It comes last.
        others.sort_by_key(|&position| places[position].unwrap_or(usize::MAX));
        let sorted: Vec<Item> = interleaved(&named, &others, &places)
            .into_iter()
            .map(|position| items.items[position].clone())
            .collect();
        let is_unchanged = sorted
            .iter()
            .zip(&items.items)
            .all(|(one, other)| Arc::ptr_eq(&one.value, &other.value));
        if is_unchanged {
            Arc::clone(list)
        } else {
            list.resolved().with_items(sorted)
        }
    }
}

/// Returns where each item was in the list before the merge.
fn server_places(items: &[Item], server: Option<&Arc<Node>>, keys: &[&str]) -> Vec<Option<usize>> {
    let Some(before) = server.and_then(|server| server.as_sequence()) else {
        return vec![None; items.len()];
    };
    let index = ItemIndex::new(&before.items, keys);
    items
        .iter()
        .map(|item| index.find(&key_of(&item.value, keys)?))
        .collect()
}

/// Merges two orders and keeps both. An item of `others` comes before the next item of `named` if
/// it was before it on the server.
fn interleaved(named: &[usize], others: &[usize], places: &[Option<usize>]) -> Vec<usize> {
    let mut result = Vec::with_capacity(named.len() + others.len());
    let mut rest = others.iter().copied().peekable();
    for &next in named {
        let is_before = |other: &usize| match (places[*other], places[next]) {
            (Some(other), Some(next)) => other < next,
            _ => false,
        };
        while let Some(other) = rest.next_if(is_before) {
            result.push(other);
        }
        result.push(next);
    }
    result.extend(rest);
    result
}

/// Returns the texts of the scalars in a list.
fn texts(list: &Sequence) -> HashSet<&str> {
    list.items
        .iter()
        .filter_map(|item| item.value.text())
        .collect()
}

/// Returns whether a key of a patch is a directive.
pub(super) fn is_directive(key: &str) -> bool {
    key == PATCH
        || key == RETAIN_KEYS
        || key.starts_with(DELETE_FROM_LIST)
        || key.starts_with(SET_ORDER)
}

/// Returns the list of a directive.
fn sequence(entry: &Entry) -> Result<&Sequence> {
    entry.value.as_sequence().ok_or_else(|| {
        let name = entry.key.text().unwrap_or("");
        let found = entry.value.described();
        let message = format!("expected a list for `{name}`, found {found}");
        Diagnostic::error(Code::Patch, message).at(entry.value.location(), "")
    })
}
