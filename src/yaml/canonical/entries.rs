//! The entries of a mapping as they are printed: merge keys expanded, equal keys made one.
//!
//! A merge key puts the entries of its value in its own place. Of entries with equal keys the last counts, and it stands
//! where the first stood. Keys are equal when they are printed equally, but for a float and an integer.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::sync::Arc;

use super::printer::Printer;
use super::scalar;
use crate::source::Result;
use crate::yaml::merge_key::is_merge;
use crate::yaml::node::{Content, Mapping, Node};

/// An entry to print.
pub(super) struct Pair<'a> {
    pub(super) key: Key<'a>,
    pub(super) value: &'a Arc<Node>,
    /// Whether it was merged through an alias.
    pub(super) aliased: bool,
}

/// A key, printed.
pub(super) struct Key<'a> {
    /// The text, for a key that is not simple with what follows its `?`.
    pub(super) text: Cow<'a, str>,
    /// Whether the key stands on one line with its value.
    pub(super) is_simple: bool,
    is_float: bool,
}

impl Printer {
    /// The entries of a mapping whose keys stand at `indent`.
    pub(super) fn pairs<'a>(
        &mut self,
        mapping: &'a Mapping,
        indent: usize,
    ) -> Result<Vec<Pair<'a>>> {
        let mut pairs = Vec::with_capacity(mapping.entries.len());
        self.collect(mapping, indent, false, &mut pairs)?;
        Ok(last_of_equals(pairs))
    }

    fn collect<'a>(
        &mut self,
        mapping: &'a Mapping,
        indent: usize,
        aliased: bool,
        pairs: &mut Vec<Pair<'a>>,
    ) -> Result<()> {
        for entry in &mapping.entries {
            if is_merge(&entry.key) {
                self.merge(&entry.value, indent, aliased, pairs)?;
            } else {
                let key = self.key(&entry.key, indent)?;
                pairs.push(Pair {
                    key,
                    value: &entry.value,
                    aliased,
                });
            }
        }
        Ok(())
    }

    fn merge<'a>(
        &mut self,
        value: &'a Arc<Node>,
        indent: usize,
        aliased: bool,
        pairs: &mut Vec<Pair<'a>>,
    ) -> Result<()> {
        let merged = self.budget.enter_merged(value)?;
        self.collect(merged.mapping, indent, aliased || merged.is_alias, pairs)?;
        self.budget.leave_merged(&merged);
        Ok(())
    }

    fn key<'a>(&mut self, key: &'a Arc<Node>, indent: usize) -> Result<Key<'a>> {
        let target = key.resolved();
        if let Content::Scalar(_) = &target.content {
            let spelling = scalar::scalar(target, indent)?;
            self.spend(key, spelling.text.len())?;
            return Ok(Key {
                text: spelling.text,
                is_simple: spelling.is_simple_key,
                is_float: spelling.is_float,
            });
        }
        let text = self.aside(key, indent)?;
        Ok(match text.strip_suffix('\n') {
            Some(empty @ ("{}" | "[]")) => Key {
                text: Cow::Owned(empty.to_owned()),
                is_simple: true,
                is_float: false,
            },
            _ => Key {
                text: Cow::Owned(text),
                is_simple: false,
                is_float: false,
            },
        })
    }
}

/// Keeps the last of equal keys, in the place of the first.
fn last_of_equals(pairs: Vec<Pair<'_>>) -> Vec<Pair<'_>> {
    if pairs.len() < 2 {
        return pairs;
    }
    let mut places = HashMap::with_capacity(pairs.len());
    let mut order = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        match places.entry((&*pair.key.text, pair.key.is_float)) {
            Slot::Vacant(slot) => {
                slot.insert(order.len());
                order.push(index);
            }
            Slot::Occupied(slot) => order[*slot.get()] = index,
        }
    }
    if order.len() == pairs.len() {
        return pairs;
    }
    let mut pairs: Vec<Option<Pair<'_>>> = pairs.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|index| pairs.get_mut(index)?.take())
        .collect()
}
