//! Merges a list of a patch into the list of an object.
//!
//! Kubernetes' schema decides how: items with merge keys are merged one by one, a list of scalars
//! can be a set, and any other list is replaced.

use std::collections::HashSet;
use std::sync::Arc;

use super::directive::{Strategy, is_directive};
use super::irregular::{has_no_key, is_regular, replaces, used_keys};
use super::item::{ItemIndex, ItemKey, ItemLookup, key_of};
use super::merge::StrategicMerge;
use super::merged_items::{ItemOrder, MergedItems, with_items};
use crate::edit::{ITEM, is_same, remake};
use crate::kubernetes::{MergeRule, MergeRules};
use crate::kustomize::EditRules;
use crate::source::suggest::list_of_all;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{CollectionStyle, Content, Item, Node, Sequence};

impl StrategicMerge<'_> {
    /// Returns the list that replaces `base`, or `None` if the patch deletes it. `rule` is the
    /// merge rule of Kubernetes for the field. Without a rule, the list of the patch replaces the
    /// old one.
    ///
    /// # Errors
    /// As [`merge`](super::merge::merge).
    pub(super) fn list(
        &mut self,
        base: &Arc<Node>,
        old: &Sequence,
        patch: &Arc<Node>,
        new: &Sequence,
        rule: Option<MergeRule>,
    ) -> Result<Option<Arc<Node>>> {
        let (strategy, new_items) = Strategy::of_list(new)?;
        match (strategy, rule) {
            (Strategy::Delete, _) => return Ok(None),
            (Strategy::Merge, Some(MergeRule::List { keys, items })) => {
                return self
                    .items(base, old, &new_items, &keys.names(), items)
                    .map(Some);
            }
            (Strategy::Merge, Some(MergeRule::Set)) => {
                return merge_set(base, old, &new_items, self.edit_rules).map(Some);
            }
            (Strategy::Merge, _) if is_same(base, patch) => return Ok(Some(Arc::clone(base))),
            (Strategy::Merge | Strategy::Replace, _) => {}
        }
        let Some(added) = self.added_list(new, rule)? else {
            return Ok(None);
        };
        // The new items go between the brackets of the old list, or in its lines.
        Ok(added
            .as_sequence()
            .map(|added| base.with_items(added.items.clone())))
    }

    /// Returns the list of the patch for a field that does not exist, or whose list is replaced.
    pub(super) fn added_list(
        &mut self,
        new: &Sequence,
        rule: Option<MergeRule>,
    ) -> Result<Option<Arc<Node>>> {
        let (strategy, new_items) = Strategy::of_list(new)?;
        if strategy == Strategy::Delete {
            return Ok(None);
        }
        if let Some(MergeRule::List { keys, items }) = rule {
            if self.edit_rules == EditRules::Kustomize {
                return self.items_as_written(&new_items, items).map(Some);
            }
            let nothing = Sequence {
                is_computed: false,
                style: CollectionStyle::Block,
                items: [].into(),
            };
            return self
                .items(
                    &Node::sequence([]),
                    &nothing,
                    &new_items,
                    &keys.names(),
                    items,
                )
                .map(Some);
        }
        let values = self.at_items(|merge| {
            let mut values = Vec::with_capacity(new_items.len());
            for item in new_items {
                refuse_directives(&item.value)?;
                values.push(merge.fit_whole(&remake(&item.value)?)?);
            }
            Ok(values)
        })?;
        Ok(Some(Node::sequence(values)))
    }

    /// Calls `walk` for the items of the list that the walk has reached.
    pub(super) fn at_items<T>(&mut self, walk: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if let Some(keys) = &mut self.keys {
            keys.push(ITEM.to_owned());
        }
        let outcome = walk(self);
        if let Some(keys) = &mut self.keys {
            keys.pop();
        }
        outcome
    }

    /// Returns the items of a patch for a list that the object does not have. kustomize does not
    /// check merge keys in this case, so they may be missing.
    fn items_as_written(&mut self, new: &[&Item], rules: MergeRules) -> Result<Arc<Node>> {
        let values = self.at_items(|merge| {
            let mut values = Vec::with_capacity(new.len());
            for item in new {
                let rule = Some(MergeRule::Mapping(rules));
                let field = merge.field(None);
                values.extend(merge.node(None, &item.value, rule, field)?);
            }
            Ok(values)
        })?;
        Ok(Node::sequence(values))
    }

    /// Merges items that are identified by keys, as the API server or as kustomize does.
    ///
    /// # Errors
    /// An item of the patch without a key, two with the same key, and a value that does not fit.
    fn items(
        &mut self,
        base: &Arc<Node>,
        old: &Sequence,
        new: &[&Item],
        keys: &[&str],
        rules: MergeRules,
    ) -> Result<Arc<Node>> {
        if self.edit_rules == EditRules::Inlay {
            return self.regular_items(base, old, new, keys, rules);
        }
        let here = || old.items.iter().map(|item| &item.value);
        let there = || new.iter().map(|item| &item.value);
        let keys = &used_keys(here().chain(there()), keys);
        if is_regular(here(), keys) && is_regular(there(), keys) {
            return self.regular_items(base, old, new, keys, rules);
        }
        // kustomize would lose the other items of a list with an item that has no key at all.
        if let Some(item) = there().chain(here()).find(|item| has_no_key(item, keys)) {
            return Err(without_key(item, keys));
        }
        self.irregular_items(base, &old.items, new, keys, rules)
    }

    /// Merges items with different keys.
    fn regular_items(
        &mut self,
        base: &Arc<Node>,
        old: &Sequence,
        new: &[&Item],
        keys: &[&str],
        rules: MergeRules,
    ) -> Result<Arc<Node>> {
        let patched = patched_items(old, new, keys)?;
        let order = self.item_order(&patched, keys);
        let mut merged = MergedItems::new(new.len());
        self.at_items(|merge| {
            for PatchedItem {
                key,
                item,
                position,
            } in patched
            {
                let here = position.and_then(|position| old.items.at(position));
                let value = merge.item_value(here, item, rules)?;
                if !merged.claim(key, position) {
                    return Err(given_twice(&item.value, keys));
                }
                let Some(position) = position else {
                    merged.add_new(value);
                    continue;
                };
                if value.is_none() {
                    merged.remove_duplicates(&old.items, keys, position);
                }
                merged.change(&old.items, position, value, order);
            }
            Ok(())
        })?;
        Ok(merged.into_list(base, old))
    }

    /// Decides which items of the result come before those that keep their places.
    ///
    /// A patch that only names existing items keeps their order, as the API server does. With new
    /// items, and always in a kustomization, the order is that of kustomize: the items of the patch
    /// come first, in its order. If several keys identify an item, only new items come first, and
    /// the others stay where they are:
    ///
    /// ```text
    /// existing items:           [a, b, c] + [c]    = [a, b, c]
    /// a new one, one key:       [a, b, c] + [c, d] = [c, d, a, b]
    /// a new one, several keys:  [a, b, c] + [c, d] = [d, a, b, c]
    /// ```
    fn item_order(&self, patched: &[PatchedItem<'_>], keys: &[&str]) -> ItemOrder {
        let has_new_items = patched
            .iter()
            .any(|patched| patched.position.is_none() && !is_deletion(&patched.item.value));
        let is_reordered = has_new_items || self.edit_rules == EditRules::Kustomize;
        match keys {
            [_] if is_reordered => ItemOrder::PatchFirst,
            _ => ItemOrder::NewFirst,
        }
    }

    /// Returns the value of an item after the patch, or `None` if the patch deletes it. `here` is
    /// the item of the object, if it exists.
    fn item_value(
        &mut self,
        here: Option<&Item>,
        item: &Item,
        rules: MergeRules,
    ) -> Result<Option<Arc<Node>>> {
        // In kustomize, the item of the object wins over one that is to replace it.
        if let Some(here) = here
            && self.edit_rules == EditRules::Kustomize
            && replaces(&item.value)
        {
            return Ok(Some(Arc::clone(&here.value)));
        }
        let base = here.map(|item| &item.value);
        let rule = Some(MergeRule::Mapping(rules));
        self.node(base, &item.value, rule, self.field(None))
    }
}

/// An item of a patch.
struct PatchedItem<'p> {
    key: ItemKey<'p>,
    item: &'p Item,
    /// The position of the item with its key in the list of the object; `None` if it is new.
    position: Option<usize>,
}

/// Finds the items of a list that a patch refers to.
///
/// # Errors
/// [`Code::Patch`] for an item without its merge key.
fn patched_items<'p>(
    old: &Sequence,
    new: &[&'p Item],
    keys: &[&str],
) -> Result<Vec<PatchedItem<'p>>> {
    let known = ItemLookup::new(&old.items, keys, new.len());
    let mut patched = Vec::with_capacity(new.len());
    for &item in new {
        let key = key_of(&item.value, keys).ok_or_else(|| without_key(&item.value, keys))?;
        let position = known.find(&key);
        patched.push(PatchedItem {
            key,
            item,
            position,
        });
    }
    Ok(patched)
}

/// Returns whether an item of a patch deletes the item with its key.
fn is_deletion(item: &Arc<Node>) -> bool {
    item.get("$patch").and_then(|node| node.text()) == Some("delete")
}

/// Merges a list of scalars without duplicates. As in kustomize, those of the patch come first if
/// one of them is new:
///
/// ```text
/// [a, b] + [b]      = [a, b]
/// [a, b] + [c, b]   = [c, b, a]
/// ```
///
/// # Errors
/// [`Code::Patch`] for an item of the patch that is not a scalar.
fn merge_set(
    base: &Arc<Node>,
    old: &Sequence,
    new: &[&Item],
    rules: EditRules,
) -> Result<Arc<Node>> {
    let known = ItemIndex::new(&old.items, &[]);
    let mut seen = HashSet::new();
    let mut has_new_items = false;
    let mut items = Vec::with_capacity(old.items.len() + new.len());
    for item in new {
        let Some(key) = key_of(&item.value, &[]) else {
            let found = item.value.described();
            let message = format!("expected a scalar in the list, found {found}");
            return Err(Diagnostic::error(Code::Patch, message).at(item.value.location(), ""));
        };
        let position = known.find(&key);
        if !seen.insert(key) {
            continue;
        }
        has_new_items |= position.is_none();
        items.push(match position {
            Some(position) => old.items[position].clone(),
            None => Item {
                start: None,
                value: remake(&item.value)?,
            },
        });
    }
    if !has_new_items && rules == EditRules::Inlay {
        return Ok(Arc::clone(base));
    }
    for item in &old.items {
        let is_in_patch = key_of(&item.value, &[]).is_some_and(|key| seen.contains(&key));
        if !is_in_patch {
            items.push(item.clone());
        }
    }
    Ok(with_items(base, old, items))
}

/// Refuses directives in a list that is replaced as a whole: they would be written into the object.
fn refuse_directives(node: &Arc<Node>) -> Result<()> {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                if let Some(key) = entry.key.text().filter(|key| is_directive(key)) {
                    let message = format!("`{key}` has no effect in a list that is replaced");
                    return Err(Diagnostic::error(Code::Patch, message)
                        .at(entry.key.location(), "")
                        .note("only lists with a merge key in Kubernetes' schema are merged item by item")
                        .help("write the whole list, or use a JSON patch"));
                }
                refuse_directives(&entry.value)?;
            }
        }
        Content::Sequence(list) => {
            for item in &list.items {
                refuse_directives(&item.value)?;
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
    Ok(())
}

/// Returns the error for an item of a patch without its merge key.
fn without_key(item: &Arc<Node>, keys: &[&str]) -> Box<Diagnostic> {
    let key = keys.first().copied().unwrap_or("");
    let found = match item.as_mapping() {
        Some(_) => format!("an item without `{key}`"),
        None => item.described().to_owned(),
    };
    let message = format!("expected an item with the merge key `{key}`, found {found}");
    Diagnostic::error(Code::Patch, message)
        .at(item.location(), "")
        .help(format!(
            "add {} to show which item of the list is meant",
            list_of_all(keys.iter().copied())
        ))
}

/// Returns the error for an item of a patch with the key of an earlier one.
fn given_twice(item: &Arc<Node>, keys: &[&str]) -> Box<Diagnostic> {
    let key = keys.first().copied().unwrap_or("");
    let value = item.get(key).and_then(|node| node.text()).unwrap_or("");
    let message = format!("expected one item with the {key} `{value}` in the patch, found several");
    Diagnostic::error(Code::Patch, message).at(
        item.get(key).and_then(|node| node.location()),
        "given again here",
    )
}
