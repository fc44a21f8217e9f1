//! The edits of a JSON patch (RFC 6902) at the place that a pointer leads to.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::access::{find, update};
use super::failure::{EditFailure, EditResult, Missing};
use super::fit::{fit_copied, fit_own_type};
use super::options::{EditOptions, EditTarget};
use super::path::{FieldPath, PathSegment, Pointer};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::{Content, Entry, Item, Node, Sequence};

/// Returns the value that a pointer leads to.
///
/// # Errors
/// [`EditFailure::Missing`] if there is no value.
pub fn get(root: &Arc<Node>, pointer: &Pointer, options: &EditOptions) -> EditResult<Arc<Node>> {
    // A field path reads `-` as the last item. A pointer means the place after it, where no value
    // is.
    check_ends_of_lists(root, pointer, pointer.depth(), options)?;
    one(root, &pointer.path, options)
}

/// Writes a value at the place that the pointer leads to: it replaces the value of a key, or is
/// added under a new key, before an item of a list, or with `-` after the last item. Returns the
/// new root.
///
/// # Errors
/// [`EditFailure::Missing`] if the collection that should contain the value does not exist.
pub fn add(
    root: &Arc<Node>,
    pointer: &Pointer,
    value: &Arc<Node>,
    options: &EditOptions,
) -> EditResult<Arc<Node>> {
    put(root, pointer, value, options, fit_own_type)
}

/// Adds a copy of a value of the same object. Returns the new root.
///
/// # Errors
/// As [`add`], and an alias that has no end.
pub fn copy(
    root: &Arc<Node>,
    pointer: &Pointer,
    value: &Arc<Node>,
    options: &EditOptions,
) -> EditResult<Arc<Node>> {
    put(root, pointer, value, options, fit_copied)
}

/// Writes a value at the place that the pointer leads to, converted by `fit`.
fn put(
    root: &Arc<Node>,
    pointer: &Pointer,
    value: &Arc<Node>,
    options: &EditOptions,
    fit: Fit,
) -> EditResult<Arc<Node>> {
    let Some((parent, last)) = parent(root, pointer, options)? else {
        return write(root, pointer, value, options, fit);
    };
    let holder = one(root, &parent, options)?;
    let Content::Sequence(list) = &holder.content else {
        return write(
            root,
            pointer,
            value,
            &EditOptions {
                create: true,
                ..*options
            },
            fit,
        );
    };
    let count = list.items.len();
    let at = if last.is_last() {
        count
    } else {
        index(last, pointer, &holder, list)?
    };
    if at > count {
        return Err(beyond(pointer, at, count, &holder));
    }
    change(root, &parent, options, &mut |target, node| {
        // The walk reached the list. Its items have a place of their own.
        let item = EditTarget {
            current: None,
            place: target.place.item(value),
            key: None,
            ..target
        };
        let value = fit(value, &item)?;
        let Some(list) = node.as_sequence() else {
            return Ok(Arc::clone(node));
        };
        Ok(node.with_items(list.items.inserted(at, Item { start: None, value })))
    })
}

/// Replaces the value at a place. Returns the new root.
///
/// # Errors
/// [`EditFailure::Missing`] if there is no value.
pub fn replace(
    root: &Arc<Node>,
    pointer: &Pointer,
    value: &Arc<Node>,
    options: &EditOptions,
) -> EditResult<Arc<Node>> {
    check_ends_of_lists(root, pointer, pointer.depth(), options)?;
    write(root, pointer, value, options, fit_own_type)
}

/// Removes the value at a place. Returns the new root.
///
/// # Errors
/// [`EditFailure::Missing`] if there is no value; an error for a value from a merge key (`<<`), and
/// for the whole tree.
pub fn remove(root: &Arc<Node>, pointer: &Pointer, options: &EditOptions) -> EditResult<Arc<Node>> {
    take_out(root, pointer, options, &mut |_| {})
}

/// Removes the value at a place and passes it to `removed`, as it is in the tree of the new root.
/// Returns the new root.
fn take_out(
    root: &Arc<Node>,
    pointer: &Pointer,
    options: &EditOptions,
    removed: &mut dyn FnMut(&Arc<Node>),
) -> EditResult<Arc<Node>> {
    check_ends_of_lists(root, pointer, pointer.depth(), options)?;
    let Some((parent, last)) = parent(root, pointer, options)? else {
        return Err(Diagnostic::error(
            Code::Patch,
            "expected a part to remove, found the whole object",
        )
        .into());
    };
    let holder = one(root, &parent, options)?;
    if let Content::Sequence(list) = &holder.content {
        let at = index(last, pointer, &holder, list)?;
        if at >= list.items.len() {
            return Err(beyond(pointer, at, list.items.len(), &holder));
        }
        return change(root, &parent, options, &mut |_, node| {
            let item = node
                .as_sequence()
                .and_then(|list| Some((list, list.items.at(at)?)));
            let Some((list, item)) = item else {
                return Ok(Arc::clone(node));
            };
            removed(&item.value);
            Ok(node.with_items(list.items.removed(at)))
        });
    }
    // The walk finds the value, so that a value from a merge key is found too and can be reported.
    let value = one(root, &pointer.path, options)?;
    change(root, &parent, options, &mut |_, node| {
        let own = node
            .as_mapping()
            .and_then(|mapping| Some((mapping, mapping.position(last.as_key()?)?)));
        let Some((mapping, at)) = own else {
            let message = format!("unable to remove `{pointer}`: it comes from a merge key");
            return Err(Diagnostic::error(Code::Patch, message)
                .at(value.location(), "the value that is merged")
                .help("remove it from the mapping that is merged, or remove the merge key `<<`"));
        };
        if let Some(entry) = mapping.entries.at(at) {
            removed(&entry.value);
        }
        Ok(node.with_entries(mapping.entries.removed(at)))
    })
}

/// Moves an item to another place in its list. It stays the same item, so its text moves with it,
/// including comments. Returns the new root. `None` if the places are not both in one list.
///
/// # Errors
/// As [`get`] for the list.
pub fn move_item(
    root: &Arc<Node>,
    from: &Pointer,
    to: &Pointer,
    options: &EditOptions,
) -> EditResult<Option<Arc<Node>>> {
    let same_parent = from.depth() == to.depth()
        && from.path.segments().split_last().map(|(_, parent)| parent)
            == to.path.segments().split_last().map(|(_, parent)| parent);
    if !same_parent {
        return Ok(None);
    }
    let Some((list_path, old_place)) = parent(root, from, options)? else {
        return Ok(None);
    };
    let Some((_, new_place)) = to.path.split_last() else {
        return Ok(None);
    };
    let holder = one(root, &list_path, options)?;
    let Some(list) = holder.as_sequence() else {
        return Ok(None);
    };
    // Both indices refer to the list that still contains the item, so `-` is the last place and not
    // the one after it.
    let last = list.items.len().saturating_sub(1);
    let existing = |segment: &PathSegment| segment.as_index().filter(|&place| place <= last);
    let new_place = match new_place.is_last() {
        true => Some(last),
        false => existing(new_place),
    };
    let (Some(old_place), Some(new_place)) = (existing(old_place), new_place) else {
        return Ok(None);
    };
    let moved = change(root, &list_path, options, &mut |_, node| {
        let list = node.as_sequence();
        let item = list.and_then(|list| list.items.at(old_place));
        Ok(match (list, item) {
            (Some(list), Some(item)) => {
                let item = item.clone();
                let items = list.items.removed(old_place).inserted(new_place, item);
                node.with_items(items)
            }
            _ => Arc::clone(node),
        })
    })?;
    Ok(Some(moved))
}

/// Moves a value to another key, or to another list. Returns the new root.
///
/// Within one text the value stays the same node, so its bytes move, including comments. Comments
/// of a value that it replaces are removed. In another text it takes the style of its new
/// surroundings.
///
/// # Errors
/// As [`remove`] and [`add`].
pub fn move_value(
    root: &Arc<Node>,
    from: &Pointer,
    to: &Pointer,
    options: &EditOptions,
) -> EditResult<Arc<Node>> {
    // Each edit opens a string again, so the value has to come from the edit that removes it.
    let mut value = get(root, from, options)?;
    let root = &take_out(root, from, options, &mut |removed| {
        value = Arc::clone(removed);
    })?;
    let target = match parent(root, to, options)? {
        Some((parent, _)) => one(root, &parent, options)?,
        None => Arc::clone(root),
    };
    // The bytes of the value are not at an alias.
    let is_own = Arc::ptr_eq(&value, value.resolved());
    let is_same_text = match (&value.origin, &target.origin) {
        (Some(from), Some(to)) => Arc::ptr_eq(&from.source, &to.source),
        _ => false,
    };
    if !is_same_text || !is_own {
        return copy(root, to, &value, options);
    }
    let moved = put(root, to, &value, options, fit_moved)?;
    match parent(root, to, options)? {
        Some((parent, key)) => with_new_key(&moved, &parent, key, options),
        None => Ok(moved),
    }
}

/// Returns the root with a new key node for an entry. An entry with its old key node stays where it
/// is and keeps its own comments:
///
/// ```text
/// # about a                         # about a
/// a: # a        move a to b         b: # a
///   k: 1             ->               k: 1
/// # about b
/// b: 2
/// ```
fn with_new_key(
    root: &Arc<Node>,
    parent: &FieldPath,
    key: &PathSegment,
    options: &EditOptions,
) -> EditResult<Arc<Node>> {
    change(root, parent, options, &mut |_, node| {
        let entry = node.as_mapping().and_then(|mapping| {
            let at = mapping.position(key.as_key()?)?;
            Some((mapping, at, mapping.entries.at(at)?))
        });
        let Some((mapping, at, entry)) = entry else {
            return Ok(Arc::clone(node));
        };
        let entry = Entry {
            key: entry.key.with_content(entry.key.content.clone()),
            value: Arc::clone(&entry.value),
        };
        Ok(node.with_entries(mapping.entries.replaced(vec![(at, entry)])))
    })
}

/// Converts a value that moves within its text as [`fit_own_type`] does, except that a string and
/// the keys of a mapping keep their spelling.
fn fit_moved(value: &Arc<Node>, target: &EditTarget<'_>) -> Result<Arc<Node>> {
    match value.as_str() {
        Some(_) => Ok(Arc::clone(value)),
        None => {
            let target = EditTarget {
                has_text_keys: false,
                ..target.clone()
            };
            fit_own_type(value, &target)
        }
    }
}

/// Converts a value to the form in which it is written at a target.
type Fit = fn(&Arc<Node>, &EditTarget<'_>) -> Result<Arc<Node>>;

/// Writes the value at the place that the pointer leads to.
fn write(
    root: &Arc<Node>,
    pointer: &Pointer,
    value: &Arc<Node>,
    options: &EditOptions,
    fit: Fit,
) -> EditResult<Arc<Node>> {
    let mut count = 0;
    let changed = update(root, &pointer.path, options, &mut |target| {
        count += 1;
        fit(value, &target).map(Some)
    })?;
    check_count(count, &pointer.path)?;
    Ok(changed.unwrap_or_else(|| Arc::clone(root)))
}

/// Returns a changed version of a collection.
type CollectionChange<'a> = dyn FnMut(EditTarget<'_>, &Arc<Node>) -> Result<Arc<Node>> + 'a;

/// Replaces the collection at `path` by the result of `act`.
fn change(
    root: &Arc<Node>,
    path: &FieldPath,
    options: &EditOptions,
    act: &mut CollectionChange<'_>,
) -> EditResult<Arc<Node>> {
    let changed = update(root, path, options, &mut |target| {
        let Some(current) = target.current else {
            return Ok(None);
        };
        act(target, current).map(Some)
    })?;
    Ok(changed.unwrap_or_else(|| Arc::clone(root)))
}

/// Returns the path to the collection that contains the place, and the last step. If a string
/// contains the place, the path leads to its document. `None` for the root.
fn parent<'p>(
    root: &Arc<Node>,
    pointer: &'p Pointer,
    options: &EditOptions,
) -> EditResult<Option<(FieldPath, &'p PathSegment)>> {
    let Some((parent, last)) = pointer.path.split_last() else {
        return Ok(None);
    };
    check_ends_of_lists(root, pointer, pointer.depth() - 1, options)?;
    let holder = one(root, &parent, options)?;
    let parent = if holder.as_scalar().is_some() {
        parent.opened()
    } else {
        parent
    };
    Ok(Some((parent, last)))
}

/// Returns the only value that a path leads to. An alias is replaced by its target.
fn one(root: &Arc<Node>, path: &FieldPath, options: &EditOptions) -> EditResult<Arc<Node>> {
    let found = find(root, path, options)?;
    check_count(found.len(), path)?;
    let first = found.into_iter().next().map(|found| found.node);
    Ok(first.unwrap_or_else(|| Arc::clone(root.resolved())))
}

/// Refuses several values: a pointer leads to one place, but a string may contain several documents
/// that have it.
fn check_count(count: usize, path: &FieldPath) -> EditResult<()> {
    if count <= 1 {
        return Ok(());
    }
    let message =
        format!("expected one value at `{path}`, found {count} in the documents of a string");
    Err(Diagnostic::error(Code::Patch, message)
        .help("pick one document by its number, from 0, after the key of the string")
        .into())
}

/// Refuses `-`, the place after the last item, among the first `depth` steps, because no value is
/// there. A field path would read it as the last item.
fn check_ends_of_lists(
    root: &Arc<Node>,
    pointer: &Pointer,
    depth: usize,
    options: &EditOptions,
) -> EditResult<()> {
    for (at, segment) in pointer.path.segments().iter().enumerate().take(depth) {
        if !segment.is_last() {
            continue;
        }
        let list = one(root, &pointer.path.first(at), options)?;
        if let Content::Sequence(items) = &list.content {
            return Err(missing(
                at,
                &list,
                format!("`-` is the place after the last of {}", items.items.len()),
            ));
        }
    }
    Ok(())
}

/// Returns the index that the last step of a pointer names.
fn index(
    last: &PathSegment,
    pointer: &Pointer,
    holder: &Arc<Node>,
    list: &Sequence,
) -> EditResult<usize> {
    last.as_index().ok_or_else(|| {
        let count = list.items.len();
        let reason = format!(
            "expected an index up to {count} in a list of {count} items, found `{}`",
            last.as_key().unwrap_or("-")
        );
        missing(pointer.depth() - 1, holder, reason)
    })
}

fn beyond(pointer: &Pointer, at: usize, count: usize, holder: &Arc<Node>) -> EditFailure {
    missing(
        pointer.depth() - 1,
        holder,
        format!("index {at} specified but only {count} elements found"),
    )
}

fn missing(depth: usize, holder: &Arc<Node>, reason: String) -> EditFailure {
    let location = first_location(holder);
    let missing = Missing {
        code: Code::PathNotFound,
        depth,
        location,
        reason,
        help: None,
        corrected: None,
        cause: None,
    };
    EditFailure::Missing(Box::new(missing))
}

fn first_location(node: &Arc<Node>) -> Option<Location> {
    let items = node.as_sequence().map(|list| &list.items)?;
    items
        .first()
        .and_then(|item| item.value.location())
        .or_else(|| node.location())
}
