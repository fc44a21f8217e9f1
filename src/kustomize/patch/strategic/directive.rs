//! The directives of a strategic merge patch: keys that begin with `$` and say how to merge what stands beside them.
//!
//! kustomize knows `$patch`; the others are those of the API server, which kustomize would write into the object.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::item::{Items, key_of};
use crate::kubernetes::merge_keys::Field;
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Entry, Item, Mapping, Node, Sequence};

/// `$patch`: what becomes of the mapping or list that it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Strategy {
    /// It is merged.
    #[default]
    Merge,
    /// It takes the place of the one in the object.
    Replace,
    /// The one in the object goes.
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
        STRATEGIES
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, strategy)| *strategy)
            .ok_or_else(|| {
                let found = node
                    .text()
                    .map_or_else(|| node.described().to_owned(), |text| format!("`{text}`"));
                let names = STRATEGIES.map(|(name, _)| name);
                Diagnostic::error(Code::Patch, format!("unknown patch strategy {found}"))
                    .at(node.location(), "")
                    .help(format!("use {}", list(names)))
                    .help_if(did_you_mean(text, names))
            })
    }

    /// What a list says about itself, with an item that is nothing but `$patch`, and its other items.
    pub(super) fn of_list(list: &Sequence) -> Result<(Strategy, Vec<&Item>)> {
        let directive = |item: &&Item| {
            let mapping = item
                .value
                .as_mapping()
                .filter(|mapping| mapping.entries.len() == 1);
            mapping.is_some_and(|mapping| mapping.get(PATCH).is_some())
        };
        let (directives, items): (Vec<&Item>, Vec<&Item>) = list.items.iter().partition(directive);
        let mut strategy = Strategy::Merge;
        for item in directives {
            strategy = item.value.get(PATCH).map_or(Ok(strategy), Strategy::read)?;
        }
        Ok((strategy, items))
    }
}

/// The directives of one mapping of a patch.
#[derive(Default)]
pub(super) struct Directives<'p> {
    /// `$patch`.
    pub(super) strategy: Strategy,
    retain: Option<&'p Arc<Node>>,
    delete: BTreeMap<&'p str, &'p Sequence>,
    order: BTreeMap<&'p str, &'p Sequence>,
}

impl<'p> Directives<'p> {
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

    /// The entries of the patch that are no directives.
    pub(super) fn plain(&self, patch: &'p Mapping) -> impl Iterator<Item = &'p Entry> + use<'p> {
        patch
            .entries
            .iter()
            .filter(|entry| !entry.key.text().is_some_and(is_directive))
    }

    /// The lists that only directives speak of, in order of their names.
    pub(super) fn lists_alone(&self, patch: &Mapping) -> Vec<&'p str> {
        let names: HashSet<&str> = patch
            .entries
            .iter()
            .filter_map(|entry| entry.key.text())
            .collect();
        let mut lists: Vec<&str> = self
            .delete
            .keys()
            .chain(self.order.keys())
            .copied()
            .collect();
        lists.sort_unstable();
        lists.dedup();
        lists.retain(|list| !names.contains(list));
        lists
    }

    /// The keys that `$retainKeys` keeps; `None` without that directive.
    ///
    /// # Errors
    /// A key of the patch that is not among them.
    pub(super) fn retained(&self, patch: &'p Mapping) -> Result<Option<HashSet<&'p str>>> {
        let Some(node) = self.retain else {
            return Ok(None);
        };
        let items = node.as_sequence().map_or(&[][..], |list| &list.items);
        let retained: HashSet<&str> = items.iter().filter_map(|item| item.value.text()).collect();
        for entry in self.plain(patch) {
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

    /// The list of the object without the items that `$deleteFromPrimitiveList` names, before anything is merged.
    pub(super) fn shorten(&self, name: &str, base: &Arc<Node>) -> Result<Arc<Node>> {
        let list = self.delete.get(name).zip(base.resolved().as_sequence());
        let Some((gone, list)) = list else {
            return Ok(Arc::clone(base));
        };
        let gone: HashSet<&str> = gone
            .items
            .iter()
            .filter_map(|item| item.value.text())
            .collect();
        let stays = |item: &&Item| {
            !item
                .value
                .resolved()
                .text()
                .is_some_and(|text| gone.contains(text))
        };
        let kept: Vec<Item> = list.items.iter().filter(stays).cloned().collect();
        Ok(if kept.len() == list.items.len() {
            Arc::clone(base)
        } else {
            base.resolved().with_items(kept)
        })
    }

    /// The merged list in the order of `$setElementOrder`. Items that it does not name stay after the item that they stood
    /// behind.
    pub(super) fn order(
        &self,
        name: &str,
        list: &Arc<Node>,
        field: Option<Field>,
    ) -> Result<Arc<Node>> {
        let ordered = self.order.get(name).zip(list.resolved().as_sequence());
        let Some((order, items)) = ordered else {
            return Ok(Arc::clone(list));
        };
        let keys = match field {
            Some(Field::Items { keys, .. }) => keys,
            _ => &[],
        };
        let known = Items::of(&items.items, keys);
        // Every item with those behind it that the order does not name; the first group has no named item.
        let mut place = vec![None; items.items.len()];
        for (rank, item) in order.items.iter().enumerate() {
            let at = key_of(&item.value, keys).and_then(|key| known.find(&key));
            let at = at.filter(|&at| place.get(at) == Some(&None));
            if let Some(place) = at.and_then(|at| place.get_mut(at)) {
                *place = Some(rank);
            }
        }
        let mut groups: Vec<(Option<usize>, Vec<Item>)> = vec![(None, Vec::new())];
        for (item, rank) in items.items.iter().zip(place) {
            match (rank, groups.last_mut()) {
                (None, Some((_, group))) => group.push(item.clone()),
                _ => groups.push((rank, vec![item.clone()])),
            }
        }
        groups.sort_by_key(|(rank, _)| *rank);
        let sorted: Vec<Item> = groups.into_iter().flat_map(|(_, group)| group).collect();
        let same = sorted
            .iter()
            .zip(&items.items)
            .all(|(one, other)| Arc::ptr_eq(&one.value, &other.value));
        Ok(if same {
            Arc::clone(list)
        } else {
            list.resolved().with_items(sorted)
        })
    }

    /// Both of them, for a list that the patch does not have.
    pub(super) fn arrange(
        &self,
        name: &str,
        base: &Arc<Node>,
        field: Option<Field>,
    ) -> Result<Arc<Node>> {
        self.order(name, &self.shorten(name, base)?, field)
    }
}

/// Whether a key of a patch is a directive.
pub(super) fn is_directive(key: &str) -> bool {
    key == PATCH
        || key == RETAIN_KEYS
        || key.starts_with(DELETE_FROM_LIST)
        || key.starts_with(SET_ORDER)
}

fn sequence(entry: &Entry) -> Result<&Sequence> {
    entry.value.as_sequence().ok_or_else(|| {
        let name = entry.key.text().unwrap_or("");
        Diagnostic::error(
            Code::Patch,
            format!(
                "expected a list for `{name}`, found {}",
                entry.value.described()
            ),
        )
        .at(entry.value.location(), "")
    })
}
