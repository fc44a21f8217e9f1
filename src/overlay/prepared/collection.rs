//! A collection of the left with the changes by prepared parts. It is copied at the first change.

use std::sync::Arc;

use super::part::{PreparedMatcher, PreparedPart};
use super::{Prepared, Unprepared};
use crate::overlay::comparison::mismatch;
use crate::overlay::elements::next_version;
use crate::overlay::prepared::merge::{only_value, position_of};
use crate::script::fragments::Annotations;
use crate::yaml::{Elements, Entry, Item, Mapping, Node, Sequence, effective_entries, is_equal};

/// The entries or items of a collection, copied at the first change.
pub(super) trait Collection {
    /// Returns the positions of the elements that a part selects, in order.
    fn find(&self, part: &PreparedPart) -> Prepared<Vec<usize>>;

    /// Returns the value of an element. For an alias, this is its target.
    fn value(&self, at: usize) -> Prepared<&Arc<Node>>;

    /// Sets the value of an element, and keeps its annotations.
    fn set(&mut self, at: usize, value: Arc<Node>, annotations: &Annotations) -> Prepared<()>;

    /// Replaces an element by a value without annotations.
    fn replace(&mut self, at: usize, value: Arc<Node>, annotations: &Annotations) -> Prepared<()>;

    /// Removes the elements at `positions`, which are in ascending order.
    fn remove(&mut self, positions: &[usize]) -> Prepared<()>;

    /// Adds the value of a part at the end.
    fn add(&mut self, part: &PreparedPart) -> Prepared<()>;

    /// Returns the collection with the changes applied; `None` if its value is the same.
    fn finish(self) -> Option<Arc<Node>>;
}

/// A version of the elements, and the kinds of changes that produced it.
struct Version<'a, T> {
    before: &'a Elements<T>,
    edited: Option<Elements<T>>,
    has_removed: bool,
    has_added: bool,
}

impl<'a, T: Clone> Version<'a, T> {
    fn of(before: &'a Elements<T>) -> Version<'a, T> {
        Version {
            before,
            edited: None,
            has_removed: false,
            has_added: false,
        }
    }

    fn elements(&self) -> &Elements<T> {
        self.edited.as_ref().unwrap_or(self.before)
    }

    fn edit(&mut self) -> &mut Elements<T> {
        self.edited.get_or_insert_with(|| self.before.clone())
    }

    fn at(&self, at: usize) -> Prepared<&T> {
        self.elements().at(at).ok_or(Unprepared)
    }

    /// Returns the changed collection, which `make` creates from the elements; `None` if it has the
    /// value of `before`.
    fn finish(
        self,
        before: &Arc<Node>,
        make: impl FnOnce(Elements<T>) -> Arc<Node>,
    ) -> Option<Arc<Node>> {
        // Each single change changes a value, so the comparison is only needed if elements were
        // both removed and added: the same element may have been added again.
        let can_be_equal = self.has_removed && self.has_added;
        let after = make(self.edited?);
        (!can_be_equal || !is_equal(before, &after)).then_some(after)
    }
}

/// The entries of a mapping.
pub(super) struct EntryCollection<'a> {
    node: &'a Arc<Node>,
    mapping: &'a Mapping,
    version: Version<'a, Entry>,
}

impl<'a> EntryCollection<'a> {
    /// Creates the collection of the entries of `node`, whose content is `mapping`.
    pub(super) fn new(node: &'a Arc<Node>, mapping: &'a Mapping) -> EntryCollection<'a> {
        EntryCollection {
            node,
            mapping,
            version: Version::of(&mapping.entries),
        }
    }
}

impl Collection for EntryCollection<'_> {
    fn find(&self, part: &PreparedPart) -> Prepared<Vec<usize>> {
        if !matches!(part.matcher, PreparedMatcher::SameKey) {
            return Err(Unprepared);
        }
        let found = position_of(self.mapping, self.version.elements(), part.key_text()?)?;
        Ok(found.into_iter().collect())
    }

    fn value(&self, at: usize) -> Prepared<&Arc<Node>> {
        Ok(self.version.at(at)?.value.resolved())
    }

    fn set(&mut self, at: usize, value: Arc<Node>, _: &Annotations) -> Prepared<()> {
        let old = self.version.at(at)?;
        let entry = Entry {
            key: Arc::clone(&old.key),
            value: next_version(&old.value, value),
        };
        self.version.edit().set(at, entry);
        Ok(())
    }

    fn replace(&mut self, at: usize, value: Arc<Node>, annotations: &Annotations) -> Prepared<()> {
        let key = &self.version.at(at)?.key;
        if annotations.has(key) {
            return Err(Unprepared);
        }
        let key = Arc::clone(key);
        self.version.edit().set(at, Entry { key, value });
        Ok(())
    }

    fn remove(&mut self, positions: &[usize]) -> Prepared<()> {
        if positions.is_empty() {
            return Ok(());
        }
        // Removing an entry would reveal an earlier one with an equal key.
        let Ok(std::borrow::Cow::Borrowed(_)) = effective_entries(self.mapping) else {
            return Err(Unprepared);
        };
        self.version.has_removed = true;
        for &at in positions.iter().rev() {
            self.version.edit().remove(at);
        }
        Ok(())
    }

    fn add(&mut self, part: &PreparedPart) -> Prepared<()> {
        let key = Arc::clone(part.key.as_ref().ok_or(Unprepared)?);
        let value = Arc::clone(&part.plain_value);
        self.version.has_added = true;
        self.version.edit().push(Entry { key, value });
        Ok(())
    }

    fn finish(self) -> Option<Arc<Node>> {
        let node = self.node;
        self.version
            .finish(node, |entries| node.with_entries(entries))
    }
}

/// The items of a list.
pub(super) struct ItemCollection<'a> {
    node: &'a Arc<Node>,
    version: Version<'a, Item>,
}

impl<'a> ItemCollection<'a> {
    /// Creates the collection of the items of `node`, whose content is `sequence`.
    pub(super) fn new(node: &'a Arc<Node>, sequence: &'a Sequence) -> ItemCollection<'a> {
        ItemCollection {
            node,
            version: Version::of(&sequence.items),
        }
    }

    /// Returns the positions of the items that have the same value as `right` under `key`.
    fn with_key(&self, key: &str, right: &Arc<Node>) -> Prepared<Vec<usize>> {
        let items = self.version.elements();
        let wanted = only_value(right, key)?.value();
        let mut found = Vec::new();
        if items.is_large() {
            for at in items.candidates(key, right).ok_or(Unprepared)? {
                if only_value(self.value(at)?, key)?.value() == wanted {
                    found.push(at);
                }
            }
            return Ok(found);
        }
        for (at, item) in items.iter().enumerate() {
            if only_value(&item.value, key)?.value() == wanted {
                found.push(at);
            }
        }
        Ok(found)
    }
}

impl Collection for ItemCollection<'_> {
    fn find(&self, part: &PreparedPart) -> Prepared<Vec<usize>> {
        let items = self.version.elements();
        match &part.matcher {
            PreparedMatcher::New => Ok(Vec::new()),
            PreparedMatcher::All => Ok((0..items.len()).collect()),
            PreparedMatcher::Index(index) => {
                let at = usize::try_from(*index).ok();
                Ok(at.filter(|at| *at < items.len()).into_iter().collect())
            }
            PreparedMatcher::Key { key, right } => self.with_key(key, right),
            PreparedMatcher::Subset(target) => {
                let mut found = Vec::new();
                for at in 0..items.len() {
                    if mismatch(self.value(at)?, target).is_none() {
                        found.push(at);
                    }
                }
                Ok(found)
            }
            PreparedMatcher::SameKey => Err(Unprepared),
        }
    }

    fn value(&self, at: usize) -> Prepared<&Arc<Node>> {
        Ok(self.version.at(at)?.value.resolved())
    }

    fn set(&mut self, at: usize, value: Arc<Node>, annotations: &Annotations) -> Prepared<()> {
        let old = self.version.at(at)?;
        // The annotations of an item are attached to its value, so they would have to move to the
        // new value.
        if annotations.has(&old.value) {
            return Err(Unprepared);
        }
        let item = Item {
            start: old.start,
            value: next_version(&old.value, value),
        };
        self.version.edit().set(at, item);
        Ok(())
    }

    fn replace(&mut self, at: usize, value: Arc<Node>, _: &Annotations) -> Prepared<()> {
        let item = Item {
            start: self.version.at(at)?.start,
            value: Arc::clone(value.resolved()),
        };
        self.version.edit().set(at, item);
        Ok(())
    }

    fn remove(&mut self, positions: &[usize]) -> Prepared<()> {
        self.version.has_removed |= !positions.is_empty();
        for &at in positions.iter().rev() {
            self.version.edit().remove(at);
        }
        Ok(())
    }

    fn add(&mut self, part: &PreparedPart) -> Prepared<()> {
        self.version.has_added = true;
        let value = Arc::clone(part.plain_value.resolved());
        self.version.edit().push(Item { start: None, value });
        Ok(())
    }

    fn finish(self) -> Option<Arc<Node>> {
        let node = self.node;
        self.version.finish(node, |items| node.with_items(items))
    }
}
