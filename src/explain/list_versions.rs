//! The items of a list in two of its versions.
//!
//! A step may insert, remove and move items, so an item may have another index in the version
//! before. Its node, its place in a file and its name identify it there, in this order.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::versions::{MOST_REMEMBERED, address};
use crate::yaml::{Item, Node, Sequence};

/// The keys that identify the items of lists, the most specific first. They are the merge keys of
/// Kubernetes.
const ITEM_KEYS: [&str; 8] = [
    "name",
    "key",
    "mountPath",
    "devicePath",
    "containerPort",
    "port",
    "ip",
    "topologyKey",
];

/// The maximum number of items of lists that are compared without an index. Most lists are that
/// short.
const SHORT_LIST: usize = 8;

/// Two versions of a list. It keeps both, so that no other list gets the address of one of them.
#[derive(Debug)]
struct ComparedLists {
    _lists: [Arc<Node>; 2],
    /// The positions of the nodes of the other list, by their addresses.
    positions: HashMap<usize, usize>,
    /// The positions in the other list whose nodes are not in the list, by where they start.
    starts: HashMap<u32, Vec<usize>>,
    /// The positions in the other list whose nodes are not in the list, by their names.
    names: HashMap<ItemName, Vec<usize>>,
}

/// The name of an item: the key that contains it, if the item is a mapping, and the text.
type ItemName = (Option<&'static str>, String);

/// The pairs of lists that were compared. There may be questions about many items of one list.
#[derive(Debug, Default)]
pub(super) struct ListVersions {
    compared: RefCell<HashMap<(usize, usize), Rc<ComparedLists>>>,
}

impl ListVersions {
    /// Returns the index of an item in another version of a list.
    ///
    /// This is the item with the same node. If the item was edited, it is the item that was parsed
    /// at the same place or that has the same name. All items that a loop creates have the same
    /// place, and an inserted item may have the name of another one. So an item of `other` that is
    /// still in `list` is not a candidate:
    ///
    /// ```text
    /// other              list                           items of `list` in `other`
    /// - {name: a}  1     - {name: a, port: 2}  3        3: none, since 1 is still there
    ///                    - {name: a}  1                 1: the same node
    /// ```
    pub(super) fn item_in(
        &self,
        other: &Arc<Node>,
        list: &Arc<Node>,
        index: usize,
    ) -> Option<usize> {
        let (items, others) = (list.as_sequence()?, other.as_sequence()?);
        let item = items.items.at(index)?;
        if items.items.len().max(others.items.len()) <= SHORT_LIST {
            return item_in_short_list(others, items, item);
        }
        let compared = self.compare(other, list);
        if let Some(&at) = compared.positions.get(&address(item.value.resolved())) {
            return Some(at);
        }
        let is_at_place = |at: usize| {
            let other = others.items.at(at);
            other.is_some_and(|other| is_same_place(other, item))
        };
        let at_start = item.start.and_then(|start| compared.starts.get(&start));
        let mut at_place = at_start.cloned().unwrap_or_default();
        at_place.retain(|at| is_at_place(*at));
        if let [at] = at_place.as_slice() {
            return Some(*at);
        }
        let named = compared.names.get(&item_name(&item.value)?)?;
        if at_place.is_empty() {
            return named.first().copied();
        }
        named.iter().find(|at| at_place.contains(at)).copied()
    }

    /// Returns the comparison of two versions of a list, which is made once.
    fn compare(&self, other: &Arc<Node>, list: &Arc<Node>) -> Rc<ComparedLists> {
        let key = (address(other), address(list));
        if let Some(compared) = self.compared.borrow().get(&key) {
            return Rc::clone(compared);
        }
        let kept: HashSet<usize> = list
            .children()
            .into_iter()
            .map(|child| address(child.resolved()))
            .collect();
        let mut positions = HashMap::new();
        let mut starts: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut names: HashMap<ItemName, Vec<usize>> = HashMap::new();
        let others = other.as_sequence().map(|list| &list.items);
        for (at, item) in others.into_iter().flatten().enumerate() {
            let child = address(item.value.resolved());
            positions.entry(child).or_insert(at);
            if kept.contains(&child) {
                continue;
            }
            if let Some(start) = item.start {
                starts.entry(start).or_default().push(at);
            }
            if let Some(name) = item_name(&item.value) {
                names.entry(name).or_default().push(at);
            }
        }
        let compared = Rc::new(ComparedLists {
            _lists: [Arc::clone(other), Arc::clone(list)],
            positions,
            starts,
            names,
        });
        let mut all = self.compared.borrow_mut();
        if all.len() >= MOST_REMEMBERED {
            all.clear();
        }
        all.insert(key, Rc::clone(&compared));
        compared
    }
}

/// Does what [`ListVersions::item_in`] does, without an index.
fn item_in_short_list(others: &Sequence, items: &Sequence, item: &Item) -> Option<usize> {
    let same = others.items.iter().position(|other| is_node(other, item));
    if same.is_some() {
        return same;
    }
    let mut candidates: Vec<(usize, &Item)> = others.items.iter().enumerate().collect();
    candidates.retain(|(_, other)| !items.items.iter().any(|kept| is_node(kept, other)));
    let mut at_place = candidates.clone();
    at_place.retain(|(_, other)| is_same_place(other, item));
    if let [(at, _)] = at_place.as_slice() {
        return Some(*at);
    }
    if !at_place.is_empty() {
        candidates = at_place;
    }
    let name = item_name(&item.value)?;
    candidates
        .into_iter()
        .find(|(_, other)| item_name(&other.value).as_ref() == Some(&name))
        .map(|(at, _)| at)
}

/// Returns whether both items were parsed at the same place of the same file.
fn is_same_place(one: &Item, other: &Item) -> bool {
    if one.start.is_none() || one.start != other.start {
        return false;
    }
    match (one.value.location(), other.value.location()) {
        (Some(one), Some(other)) => one.in_file() == other.in_file(),
        _ => false,
    }
}

/// Returns the name of an item: the first merge key of a mapping, or the text of a scalar.
fn item_name(item: &Arc<Node>) -> Option<ItemName> {
    let item = item.resolved();
    if item.as_scalar().is_some() {
        return Some((None, item.text()?.to_owned()));
    }
    ITEM_KEYS.into_iter().find_map(|key| {
        let name = item.get(key)?.resolved().text()?;
        Some((Some(key), name.to_owned()))
    })
}

/// Returns whether both items have the same node as value.
fn is_node(one: &Item, other: &Item) -> bool {
    Arc::ptr_eq(one.value.resolved(), other.value.resolved())
}
