//! A list over a list.

use std::collections::HashSet;
use std::sync::Arc;

use super::directive::{Strategy, is_directive};
use super::item::{Items, Key, key_of};
use super::{Holder, Merger};
use crate::edit::{is_same, remake};
use crate::kubernetes::merge_keys::{Field, Type};
use crate::source::suggest::list as names;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Item, Node, Sequence};

impl Merger<'_> {
    pub(super) fn list(
        &mut self,
        base: &Arc<Node>,
        old: &Sequence,
        patch: &Arc<Node>,
        new: &Sequence,
        field: Option<Field>,
    ) -> Result<Option<Arc<Node>>> {
        let (strategy, items) = Strategy::of_list(new)?;
        match (strategy, field) {
            (Strategy::Delete, _) => Ok(None),
            (Strategy::Merge, Some(Field::Items { keys, of })) => {
                self.items(base, old, &items, keys, of).map(Some)
            }
            (Strategy::Merge, Some(Field::Set)) => Ok(Some(set(base, old, &items)?)),
            (Strategy::Merge, _) if is_same(base, patch) => Ok(Some(Arc::clone(base))),
            _ => {
                // In the brackets, or the lines, of the old one.
                let added = self.added_list(new, field)?;
                let items = added.and_then(|added| Some(added.as_sequence()?.items.clone()));
                Ok(items.map(|items| base.with_items(items)))
            }
        }
    }

    /// A list of the patch where the object has none, or one that it takes the place of.
    pub(super) fn added_list(
        &mut self,
        new: &Sequence,
        field: Option<Field>,
    ) -> Result<Option<Arc<Node>>> {
        let (strategy, items) = Strategy::of_list(new)?;
        if strategy == Strategy::Delete {
            return Ok(None);
        }
        if let Some(Field::Items { keys, of }) = field {
            let empty = Node::sequence([]);
            let none = Sequence {
                style: crate::yaml::CollectionStyle::Block,
                items: [].into(),
            };
            return self.items(&empty, &none, &items, keys, of).map(Some);
        }
        items
            .iter()
            .try_for_each(|item| refuse_directives(&item.value))?;
        let values = items
            .iter()
            .map(|item| remake(&item.value))
            .collect::<Result<Vec<_>>>()?;
        Ok(Some(Node::sequence(values)))
    }

    /// Items that are told apart by keys. As in kustomize, those that the patch names come first, in its order; where it
    /// takes several keys to tell them apart, only those that are new do.
    fn items(
        &mut self,
        base: &Arc<Node>,
        old: &Sequence,
        new: &[&Item],
        keys: &[&str],
        of: Type,
    ) -> Result<Arc<Node>> {
        let known = Items::of(&old.items, keys);
        let mut first = Vec::with_capacity(new.len());
        let mut values: Vec<Option<Option<Arc<Node>>>> = vec![None; old.items.len()];
        let mut seen: HashSet<Key<'_>> = HashSet::with_capacity(new.len());
        let names = self.names.take();
        for item in new {
            let key = key_of(&item.value, keys).ok_or_else(|| without_key(&item.value, keys))?;
            let at = known.find(&key);
            let here = at.and_then(|at| old.items.get(at));
            let value = self.node(
                here.map(|item| &item.value),
                &item.value,
                Some(Field::Is(of)),
                Holder::default(),
            )?;
            let place = at.and_then(|at| values.get_mut(at));
            if !seen.insert(key) || place.as_ref().is_some_and(|place| place.is_some()) {
                return Err(given_twice(&item.value, keys));
            }
            match (place, value) {
                (Some(place), value) => {
                    *place = Some(value.clone());
                    let start = here.and_then(|item| item.start);
                    if keys.len() == 1 {
                        first.extend(value.map(|value| Item { start, value }));
                    }
                }
                (None, Some(value)) => first.push(Item { start: None, value }),
                (None, None) => {}
            }
        }
        self.names = names;
        for (item, value) in old.items.iter().zip(values) {
            match value {
                None => first.push(item.clone()),
                Some(Some(value)) if keys.len() > 1 => first.push(Item {
                    start: item.start,
                    value,
                }),
                Some(_) => {}
            }
        }
        Ok(changed(base, old, first))
    }
}

/// A list of scalars without duplicates: those of the patch come first, as in kustomize.
fn set(base: &Arc<Node>, old: &Sequence, new: &[&Item]) -> Result<Arc<Node>> {
    let known = Items::of(&old.items, &[]);
    let mut seen = HashSet::new();
    let mut items = Vec::with_capacity(old.items.len() + new.len());
    for item in new {
        let key = key_of(&item.value, &[]).ok_or_else(|| {
            Diagnostic::error(
                Code::Patch,
                format!(
                    "expected a scalar in the list, found {}",
                    item.value.described()
                ),
            )
            .at(item.value.location(), "")
        })?;
        let here = known.find(&key).and_then(|at| old.items.get(at));
        if seen.insert(key) {
            items.push(match here {
                Some(item) => item.clone(),
                None => Item {
                    start: None,
                    value: remake(&item.value)?,
                },
            });
        }
    }
    items.extend(
        old.items
            .iter()
            .filter(|item| key_of(&item.value, &[]).is_none_or(|key| !seen.contains(&key)))
            .cloned(),
    );
    Ok(changed(base, old, items))
}

/// The next version of a list, or the list itself where nothing changed.
fn changed(base: &Arc<Node>, old: &Sequence, items: Vec<Item>) -> Arc<Node> {
    let same = |(one, other): (&Item, &Item)| Arc::ptr_eq(&one.value, &other.value);
    let unchanged = items.len() == old.items.len() && items.iter().zip(&old.items).all(same);
    if unchanged {
        Arc::clone(base)
    } else {
        base.with_items(items)
    }
}

/// A list that is replaced is not looked into, so a directive in it would be written into the object.
fn refuse_directives(node: &Arc<Node>) -> Result<()> {
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.iter().try_for_each(|entry| match entry.key.text() {
            Some(key) if is_directive(key) => {
                let message = format!("`{key}` has no effect in a list that is replaced");
                Err(Diagnostic::error(Code::Patch, message)
                    .at(entry.key.location(), "")
                    .note("only lists of which Kubernetes knows a merge key are merged item by item")
                    .help("write the whole list, or use a JSON patch"))
            }
            _ => refuse_directives(&entry.value),
        }),
        Content::Sequence(list) => list.items.iter().try_for_each(|item| refuse_directives(&item.value)),
        Content::Scalar(_) | Content::Alias(_) => Ok(()),
    }
}

fn without_key(item: &Arc<Node>, keys: &[&str]) -> Box<Diagnostic> {
    let key = keys.first().copied().unwrap_or("");
    let found = match item.as_mapping() {
        Some(_) => format!("an item without `{key}`"),
        None => item.described().to_owned(),
    };
    Diagnostic::error(
        Code::Patch,
        format!("expected an item with the merge key `{key}`, found {found}"),
    )
    .at(item.location(), "")
    .help(format!(
        "say with {} which item of the list is meant",
        names(keys.iter().copied())
    ))
}

fn given_twice(item: &Arc<Node>, keys: &[&str]) -> Box<Diagnostic> {
    let key = keys.first().copied().unwrap_or("");
    let value = item.get(key).and_then(|node| node.text()).unwrap_or("");
    Diagnostic::error(
        Code::Patch,
        format!("expected one item with the {key} `{value}` in the patch, found several"),
    )
    .at(
        item.get(key).and_then(|node| node.location()),
        "given again here",
    )
}
