//! A tree with everything written out that stands for something else: the value, not the way it was written.
//!
//! Aliases give way to their targets, merge keys to the entries that they merge, and of entries with equal keys the last
//! stands in the place of the first, as in [`canonical`](mod@super::canonical). What needs no change is shared.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::canonical::scalar::scalar;
use super::canonical_node;
use super::limits::AliasBudget;
use super::merge_key::is_merge;
use super::node::{Content, Entry, Item, Mapping, Node, Sequence};
use crate::source::Result;

/// Writes out the aliases, merge keys and equal keys of a tree.
///
/// # Errors
/// As [`canonical_node`].
pub fn expand(node: &Arc<Node>) -> Result<Arc<Node>> {
    Expander {
        budget: AliasBudget::default(),
        is_deep: true,
    }
    .node(node)
}

/// The entries that a mapping stands for: those that it merges in the place of each merge key, and of entries with equal
/// keys the last in the place of the first. Keys and values are as they stand. Borrowed where that is how it is written.
///
/// # Errors
/// As [`expand`].
pub fn effective_entries(mapping: &Mapping) -> Result<Cow<'_, [Entry]>> {
    if is_as_written(mapping) {
        return Ok(Cow::Borrowed(&mapping.entries));
    }
    let mut entries = Vec::with_capacity(mapping.entries.len());
    Expander {
        budget: AliasBudget::default(),
        is_deep: false,
    }
    .collect(mapping, &mut entries)?;
    last_of_equals(entries).map(Cow::Owned)
}

/// Whether a mapping surely has no merge key and no two equal keys.
fn is_as_written(mapping: &Mapping) -> bool {
    /// Up to so many keys are compared with each other.
    const FEW: usize = 8;
    let mut other = 0;
    let mut texts: Vec<&str> = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        match entry.key.as_str() {
            Some("<<") | None => other += 1,
            Some(text) => texts.push(text),
        }
        if other > 1 || is_merge(&entry.key) || matches!(entry.key.content, Content::Alias(_)) {
            return false;
        }
    }
    if texts.len() <= FEW {
        return texts
            .iter()
            .enumerate()
            .all(|(place, text)| !texts[..place].contains(text));
    }
    let mut known = HashSet::with_capacity(texts.len());
    texts.into_iter().all(|text| known.insert(text))
}

struct Expander {
    budget: AliasBudget,
    /// Whether keys and values are expanded too.
    is_deep: bool,
}

impl Expander {
    fn node(&mut self, node: &Arc<Node>) -> Result<Arc<Node>> {
        let target = node.resolved();
        let is_alias = !Arc::ptr_eq(node, target);
        if is_alias {
            self.budget.enter_alias();
        }
        self.budget
            .spend(target.text().map_or(0, str::len), || node.location())?;
        let expanded = match &target.content {
            Content::Scalar(_) | Content::Alias(_) => Arc::clone(target),
            Content::Sequence(sequence) => {
                self.budget.enter(node.location())?;
                let items = self.items(sequence)?;
                self.budget.leave();
                items.map_or_else(
                    || Arc::clone(target),
                    |items| {
                        target.with_content(Content::Sequence(Sequence {
                            style: sequence.style,
                            items: items.into(),
                        }))
                    },
                )
            }
            Content::Mapping(mapping) => {
                self.budget.enter(node.location())?;
                let entries = self.entries(mapping)?;
                self.budget.leave();
                entries.map_or_else(
                    || Arc::clone(target),
                    |entries| {
                        target.with_content(Content::Mapping(Mapping {
                            style: mapping.style,
                            entries: entries.into(),
                        }))
                    },
                )
            }
        };
        if is_alias {
            self.budget.leave_alias();
        }
        Ok(expanded)
    }

    /// The items, if any of them changes.
    fn items(&mut self, sequence: &Sequence) -> Result<Option<Vec<Item>>> {
        let mut changed = false;
        let mut items = Vec::with_capacity(sequence.items.len());
        for item in &sequence.items {
            let value = self.node(&item.value)?;
            changed |= !Arc::ptr_eq(&value, &item.value);
            items.push(Item {
                start: item.start,
                value,
            });
        }
        Ok(changed.then_some(items))
    }

    /// The entries, if any of them changes.
    fn entries(&mut self, mapping: &Mapping) -> Result<Option<Vec<Entry>>> {
        let mut entries = Vec::with_capacity(mapping.entries.len());
        self.collect(mapping, &mut entries)?;
        let entries = last_of_equals(entries)?;
        let same = |(new, old): (&Entry, &Entry)| {
            Arc::ptr_eq(&new.key, &old.key) && Arc::ptr_eq(&new.value, &old.value)
        };
        let unchanged = entries.len() == mapping.entries.len()
            && entries.iter().zip(&mapping.entries).all(same);
        Ok((!unchanged).then_some(entries))
    }

    fn collect(&mut self, mapping: &Mapping, entries: &mut Vec<Entry>) -> Result<()> {
        for entry in &mapping.entries {
            if is_merge(&entry.key) {
                self.merge(&entry.value, entries)?;
            } else if !self.is_deep {
                self.budget.spend(0, || entry.key.location())?;
                entries.push(entry.clone());
            } else {
                entries.push(Entry {
                    key: self.node(&entry.key)?,
                    value: self.node(&entry.value)?,
                });
            }
        }
        Ok(())
    }

    fn merge(&mut self, value: &Arc<Node>, entries: &mut Vec<Entry>) -> Result<()> {
        let merged = self.budget.enter_merged(value)?;
        self.collect(merged.mapping, entries)?;
        self.budget.leave_merged(&merged);
        Ok(())
    }
}

/// Keeps the last of entries with equal keys, in the place of the first. Keys are equal where they are printed equally,
/// but for a float and an integer.
fn last_of_equals(entries: Vec<Entry>) -> Result<Vec<Entry>> {
    let mut places: HashMap<(Cow<'_, str>, bool), usize> = HashMap::with_capacity(entries.len());
    let mut order = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let key = match entry.key.as_scalar() {
            Some(_) => scalar(&entry.key, 0).map(|spelling| (spelling.text, spelling.is_float))?,
            None => (Cow::Owned(canonical_node(&entry.key)?), false),
        };
        let place = *places.entry(key).or_insert(order.len());
        match order.get_mut(place) {
            Some(last) => *last = index,
            None => order.push(index),
        }
    }
    drop(places);
    if order.len() == entries.len() {
        return Ok(entries);
    }
    let mut entries: Vec<Option<Entry>> = entries.into_iter().map(Some).collect();
    Ok(order
        .into_iter()
        .filter_map(|index| entries.get_mut(index)?.take())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Code, Source};
    use crate::yaml::parse;

    fn root(text: &str) -> Arc<Node> {
        Arc::clone(
            &parse(&Source::new("test.yml", text).unwrap())
                .unwrap()
                .documents[0]
                .root,
        )
    }

    #[test]
    fn an_expanded_tree_is_printed_as_the_tree() {
        let table = [
            "a: &x {b: 1, c: [1, *y]}\nd: *x".replace("*y", "2"),
            "a: &x {b: 1}\nc: {<<: *x, d: 2, b: 3}\n".to_owned(),
            "a: &x {b: 1}\nc: {<<: {<<: *x}}\n".to_owned(),
            "a: 1\nb: 2\na: 3\n'1': x\n1: y\n1.0: z\n".to_owned(),
            "[&k a, *k]: 1\n[a, a]: 2\n".to_owned(),
        ];
        for text in table {
            let tree = root(&text);
            let expanded = expand(&tree).unwrap();
            assert_eq!(
                canonical_node(&expanded).unwrap(),
                canonical_node(&tree).unwrap(),
                "{text}"
            );
            assert!(!has_aliases(&expanded), "{text}");
        }
    }

    fn has_aliases(node: &Node) -> bool {
        match &node.content {
            Content::Alias(_) => true,
            Content::Scalar(_) => false,
            Content::Sequence(sequence) => {
                sequence.items.iter().any(|item| has_aliases(&item.value))
            }
            Content::Mapping(mapping) => mapping
                .entries
                .iter()
                .any(|entry| has_aliases(&entry.key) || has_aliases(&entry.value)),
        }
    }

    #[test]
    fn a_tree_with_nothing_to_expand_is_shared() {
        let tree = root("a: [1, {b: 2}]\nc: x\n");
        assert!(Arc::ptr_eq(&tree, &expand(&tree).unwrap()));
    }

    #[test]
    fn what_aliases_stand_for_is_bounded() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..7 {
            let before = format!("*a{}, ", level - 1).repeat(10);
            text.push_str(&format!("a{level}: &a{level} [{before}]\n"));
        }
        let parsed = parse(&Source::new("test.yml", text).unwrap());
        let outcome = parsed.and_then(|stream| expand(&stream.documents[0].root));
        assert_eq!(outcome.unwrap_err().code, Code::Limit);
    }
}
