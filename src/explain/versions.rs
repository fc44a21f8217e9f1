//! One value in several versions of an object.
//!
//! Steps that lead to a value in one version may lead to another value in the version before: an
//! item that is inserted moves those behind it. So the steps are translated.
//!
//! ```text
//! before                    after                       steps to the image of `web`
//! containers:               containers:                 after:   containers, 1, image
//! - {name: web, image: a}   - {name: proxy, image: p}   before:  containers, 0, image
//!                           - {name: web, image: b}
//! ```

use std::collections::HashSet;
use std::sync::Arc;

use crate::edit::{EditOptions, FieldPath, PathStep, find};
use crate::kubernetes::text_fields;
use crate::yaml::{Entry, Item, Node, is_equal};

/// The keys by which the items of lists are told apart, the most telling first. They are the merge
/// keys of Kubernetes.
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

/// Returns the value that steps lead to, also below strings; `None` if there is none.
pub(super) fn value_at(root: &Arc<Node>, steps: &[PathStep]) -> Option<Arc<Node>> {
    if steps.is_empty() {
        return Some(Arc::clone(root.resolved()));
    }
    let options = EditOptions {
        text_fields: text_fields(root),
        ..EditOptions::default()
    };
    // A value that cannot be reached in an earlier version was not there.
    let found = find(root, &FieldPath::of_steps(steps), &options).ok()?;
    found.into_iter().next().map(|found| found.node)
}

/// Whether `root` and `other` share the node of a collection on the way along `steps`, so that the
/// value is the same in both.
pub(super) fn is_shared(root: &Arc<Node>, other: &Arc<Node>, steps: &[PathStep]) -> bool {
    let (mut one, mut two) = (root.resolved(), other.resolved());
    for step in steps {
        if Arc::ptr_eq(one, two) {
            return true;
        }
        match (child(one, step), child(two, step)) {
            (Some(first), Some(second)) => {
                one = first.resolved();
                two = second.resolved();
            }
            _ => return false,
        }
    }
    Arc::ptr_eq(one, two)
}

/// Returns the child of a collection.
pub(super) fn child<'n>(node: &'n Arc<Node>, step: &PathStep) -> Option<&'n Arc<Node>> {
    match step {
        PathStep::Key(key) => node.get(key),
        PathStep::Index(index) => Some(&node.as_sequence()?.items.at(*index)?.value),
    }
}

/// Returns the steps to a value in another version; `None` if it is not there.
pub(super) fn steps_in(
    other: &Arc<Node>,
    root: &Arc<Node>,
    steps: &[PathStep],
) -> Option<Vec<PathStep>> {
    let mut found: Vec<PathStep> = Vec::with_capacity(steps.len());
    for (depth, step) in steps.iter().enumerate() {
        // The whole way from the root, since steps may lead into strings.
        let (here, there) = (value_at(root, &steps[..depth])?, value_at(other, &found)?);
        found.push(match step {
            PathStep::Key(key) => key_in(&there, &here, key)?,
            PathStep::Index(index) => index_in(&there, &here, *index)?,
        });
    }
    Some(found)
}

/// Returns how far steps lead in a tree of the same shape, such as a patch.
pub(super) fn deepest_in(tree: &Arc<Node>, root: &Arc<Node>, steps: &[PathStep]) -> Arc<Node> {
    for depth in (1..=steps.len()).rev() {
        let found = steps_in(tree, root, &steps[..depth]);
        if let Some(node) = found.and_then(|found| value_at(tree, &found)) {
            return node;
        }
    }
    Arc::clone(tree)
}

/// Returns the step to the value of a key in another version of a mapping. A key that was renamed
/// is found by its value.
fn key_in(other: &Arc<Node>, mapping: &Arc<Node>, key: &str) -> Option<PathStep> {
    if other.get(key).is_some() || mapping.as_scalar().is_some() {
        return Some(PathStep::Key(key.into()));
    }
    let value = mapping.get(key)?;
    let mut entries = other.as_mapping()?.entries.iter();
    let same = |entry: &&Entry| Arc::ptr_eq(entry.value.resolved(), value.resolved());
    let renamed = entries.find(same)?;
    Some(PathStep::Key(renamed.key.resolved().text()?.into()))
}

/// Returns the step to an item in another version of a list.
///
/// It is the item with the same node. An item that was edited is the one that was parsed at the
/// same place, or has the same name. The turns of a loop have the same place, and an inserted item
/// may have the name of another, so an item that is still there is no candidate:
///
/// ```text
/// other              list                           items of `list` in `other`
/// - {name: a}  1     - {name: a, port: 2}  3        3: none, since 1 is still there
///                    - {name: a}  1                 1: the same node
/// ```
fn index_in(other: &Arc<Node>, list: &Arc<Node>, index: usize) -> Option<PathStep> {
    let (Some(list), Some(other)) = (list.as_sequence(), other.as_sequence()) else {
        // The document of a string with several.
        return Some(PathStep::Index(index));
    };
    let item = list.items.at(index)?;
    // Most items do not move.
    if let Some(same) = other.items.at(index)
        && Arc::ptr_eq(same.value.resolved(), item.value.resolved())
    {
        return Some(PathStep::Index(index));
    }
    let address = |item: &Item| Arc::as_ptr(item.value.resolved()).addr();
    let kept: HashSet<usize> = list.items.iter().map(address).collect();
    let mut candidates: Vec<(usize, &Item)> = Vec::new();
    for (at, candidate) in other.items.iter().enumerate() {
        if Arc::ptr_eq(candidate.value.resolved(), item.value.resolved()) {
            return Some(PathStep::Index(at));
        }
        if !kept.contains(&address(candidate)) {
            candidates.push((at, candidate));
        }
    }
    let mut at_place = candidates.clone();
    at_place.retain(|(_, candidate)| is_same_place(candidate, item));
    if let [(at, _)] = at_place.as_slice() {
        return Some(PathStep::Index(*at));
    }
    if !at_place.is_empty() {
        candidates = at_place;
    }
    let named = candidates
        .iter()
        .find(|(_, candidate)| is_same_item(&candidate.value, &item.value));
    named.map(|(at, _)| PathStep::Index(*at))
}

fn is_same_place(one: &Item, other: &Item) -> bool {
    if one.start.is_none() || one.start != other.start {
        return false;
    }
    match (one.value.location(), other.value.location()) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Whether two items have the same name, or are equal scalars.
fn is_same_item(one: &Arc<Node>, other: &Arc<Node>) -> bool {
    let (one, other) = (one.resolved(), other.resolved());
    if one.as_scalar().is_some() {
        return is_equal(one, other);
    }
    for key in ITEM_KEYS {
        if let (Some(first), Some(second)) = (one.get(key), other.get(key)) {
            return is_equal(first, second);
        }
    }
    false
}

/// Whether a step made another value of `before`. A value that was given again at another place
/// counts, since only this place matters from then on.
pub(super) fn is_changed(before: &Arc<Node>, after: &Arc<Node>) -> bool {
    if Arc::ptr_eq(before, after) {
        return false;
    }
    if !is_equal(before, after) {
        return true;
    }
    let place = |node: &Arc<Node>| node.location().map(|location| location.in_file());
    match (place(before), place(after)) {
        (Some(before), Some(after)) => before != after,
        (None, Some(_)) => true,
        (_, None) => false,
    }
}
