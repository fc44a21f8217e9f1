//! What parts are applied to: the documents of all files, the entries of a mapping, the items of a list.
//!
//! All changes to one collection are gathered here, and the collection is made anew once. What no part touches stays
//! the same node.

mod documents;
mod entries;
mod items;

use std::sync::Arc;

pub(super) use documents::Documents;
pub(super) use entries::Entries;
pub(super) use items::Items;

use super::matcher::Index;
use super::part::{Kind, Part};
use crate::script::Caller;
use crate::source::{Location, Result};
use crate::yaml::{Content, Node};

/// Elements that parts are applied to. An element is named by its position, which holds until one is removed or inserted.
pub(super) trait Elements {
    /// The kind of part that is applied to them.
    const KIND: Kind;

    /// Where the collection stands.
    fn whole(&self) -> Option<Location>;

    /// The positions of all elements, in order.
    fn positions(&self) -> Vec<usize>;

    /// How many elements there are.
    fn count(&self) -> usize;

    /// The positions of the elements with the key `key`.
    fn with_key(&mut self, key: &Node) -> Vec<usize>;

    /// The value of an element, an alias followed.
    fn value(&self, at: usize) -> &Arc<Node>;

    /// What tells an element from the others.
    fn index<'v>(&self, at: usize) -> Index<'_, 'v>;

    /// The key of an entry.
    fn key(&self, at: usize) -> Option<&Arc<Node>> {
        match self.index(at) {
            Index::Key(key) => Some(key),
            _ => None,
        }
    }

    /// Where an element stands.
    fn place(&self, at: usize) -> Option<Location>;

    /// Gives an element another value; it keeps its annotations.
    fn set(&mut self, at: usize, value: Arc<Node>, caller: &Caller<'_, '_>) -> Result<()>;

    /// Gives an element the value that `part` makes of it, and the annotations of `part`.
    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &Part<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()>;

    /// Gives an entry the key of `part`, unless another entry has that key. Other elements have no keys.
    fn rename(&mut self, _at: usize, _part: &Part<'_>, _caller: &Caller<'_, '_>) -> Result<()> {
        Ok(())
    }

    /// Takes elements out, whose positions are in order.
    fn remove(&mut self, positions: &[usize]);

    /// Puts values of `part` beside elements whose positions are in order.
    fn insert(
        &mut self,
        values: Vec<Insertion>,
        part: &Part<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()>;

    /// Adds a value of `part`.
    fn add(
        &mut self,
        value: Arc<Node>,
        end: End,
        part: &Part<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()>;
}

/// A value that comes beside an element.
pub(super) struct Insertion {
    pub(super) at: usize,
    pub(super) value: Arc<Node>,
    pub(super) before: bool,
    pub(super) after: bool,
}

/// Where a value is added. For all but documents it makes no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// After the documents of the first file.
    First,
    /// After the documents of the last file.
    Last,
}

/// The next version of `old`: an edited copy of what an alias stands for leaves the anchor behind.
fn next_version(old: &Arc<Node>, value: Arc<Node>) -> Arc<Node> {
    match &old.content {
        Content::Alias(alias) if !alias.name.is_empty() => value.anchored(None),
        _ => value,
    }
}

/// Puts values beside the elements of a list.
fn inserted<T>(
    elements: Vec<T>,
    values: Vec<Insertion>,
    make: impl Fn(&Insertion, &T) -> Result<T>,
) -> Result<Vec<T>> {
    let mut result = Vec::with_capacity(elements.len() + values.len());
    let mut values = values.into_iter().peekable();
    for (at, element) in elements.into_iter().enumerate() {
        let Some(insertion) = values.next_if(|insertion| insertion.at == at) else {
            result.push(element);
            continue;
        };
        if insertion.before {
            result.push(make(&insertion, &element)?);
        }
        let after = if insertion.after {
            Some(make(&insertion, &element)?)
        } else {
            None
        };
        result.push(element);
        result.extend(after);
    }
    Ok(result)
}

/// Takes elements out of a list, given their positions in order.
fn without<T>(elements: Vec<T>, positions: &[usize]) -> Vec<T> {
    let mut positions = positions.iter().copied().peekable();
    let kept = elements
        .into_iter()
        .enumerate()
        .filter(|(at, _)| positions.next_if_eq(at).is_none());
    kept.map(|(_, element)| element).collect()
}
