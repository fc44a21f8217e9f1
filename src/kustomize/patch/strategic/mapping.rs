//! Merges a mapping of a patch into a mapping of an object.

use std::collections::HashSet;
use std::sync::Arc;

use super::directive::{Directives, Strategy};
use super::merge::StrategicMerge;
use crate::edit::{EntryChanges, KeyPositions, merged, refuse_duplicates, remake};
use crate::kubernetes::MergeRules;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Entry, Mapping, Node};

impl StrategicMerge<'_> {
    /// Returns the mapping that replaces `base`, or `None` if the patch deletes it.
    pub(super) fn mapping(
        &mut self,
        base: &Arc<Node>,
        old: &Mapping,
        new: &Mapping,
        rules: MergeRules,
    ) -> Result<Option<Arc<Node>>> {
        let directives = Directives::of(new)?;
        match directives.strategy {
            Strategy::Delete => return Ok(None),
            Strategy::Replace => {
                let added = self.added_mapping(new, rules)?;
                let added = added.as_ref().and_then(|added| added.as_mapping());
                // The new entries go between the braces of the old mapping, or in its lines.
                return Ok(added.map(|added| base.with_entries(added.entries.clone())));
            }
            Strategy::Merge => {}
        }
        refuse_duplicates(old)?;
        let positions = KeyPositions::new(old, new.entries.len());
        let mut changes = EntryChanges::of(&old.entries);
        for entry in directives.fields(new) {
            let here = positions.get(name_of(entry)?);
            match here.and_then(|position| Some((position, old.entries.at(position)?))) {
                Some((position, here)) => {
                    changes.pass(position);
                    match self.entry(Some(&here.value), entry, rules, &directives)? {
                        None => changes.remove(position),
                        Some(value) if !Arc::ptr_eq(&value, &here.value) => {
                            changes.set(position, value);
                        }
                        Some(_) => {}
                    }
                }
                None => {
                    let added = self.new_entry(old, entry, rules, &directives)?;
                    if let Some(added) = added {
                        changes.add(added);
                    }
                }
            }
        }
        for name in directives.lists_without_entry(new) {
            let Some(position) = positions.get(name) else {
                continue;
            };
            let list = &old.entries[position].value;
            if let Some(arranged) = arranged(&directives, name, list, rules) {
                changes.set(position, arranged);
            }
        }
        if let Some(retained) = directives.retained(new)? {
            remove_others(old, &retained, &mut changes);
        }
        Ok(Some(match changes.entries() {
            Some(entries) => base.with_entries(entries),
            None => Arc::clone(base),
        }))
    }

    /// Returns the entry to add for a key that the mapping does not have itself.
    ///
    /// If the key comes from a merge key (`<<`), the value is changed for this mapping alone:
    ///
    /// ```text
    /// base: {<<: *defaults}   patch: {size: 2}   ->   {<<: *defaults, size: 2}
    /// ```
    fn new_entry(
        &mut self,
        old: &Mapping,
        entry: &Entry,
        rules: MergeRules,
        directives: &Directives<'_>,
    ) -> Result<Option<Entry>> {
        let name = name_of(entry)?;
        let inherited = merged(old, name);
        match (self.entry(inherited, entry, rules, directives)?, inherited) {
            (Some(value), _) => Ok(Some(Entry {
                key: remake(&entry.key)?,
                value: value.resolved().anchored(None),
            })),
            (None, Some(inherited)) => Err(cannot_remove_inherited(name, inherited, entry)),
            (None, None) => Ok(None),
        }
    }

    /// Returns the mapping of the patch for a field that does not exist, or whose mapping is
    /// replaced.
    pub(super) fn added_mapping(
        &mut self,
        new: &Mapping,
        rules: MergeRules,
    ) -> Result<Option<Arc<Node>>> {
        let directives = Directives::of(new)?;
        if directives.strategy == Strategy::Delete {
            return Ok(None);
        }
        // Only for its check of the patch: there is nothing to retain.
        directives.retained(new)?;
        let mut entries = Vec::with_capacity(new.entries.len());
        for entry in directives.fields(new) {
            if let Some(value) = self.entry(None, entry, rules, &directives)? {
                entries.push(Entry {
                    key: remake(&entry.key)?,
                    value,
                });
            }
        }
        Ok(Some(Node::mapping(entries)))
    }

    /// Returns the value for one entry of the patch, or `None` if it removes the field.
    fn entry(
        &mut self,
        base: Option<&Arc<Node>>,
        entry: &Entry,
        rules: MergeRules,
        directives: &Directives<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let name = name_of(entry)?;
        if let Some(keys) = &mut self.keys {
            keys.push(name.to_owned());
        }
        let field = self.field(Some(&entry.key));
        let rule = rules.field(name);
        // Directives for the list delete items before the merge, and order the items afterwards.
        let shortened = base.map(|base| directives.shorten(name, base));
        let merged = self.node(shortened.as_ref(), &entry.value, rule, field);
        if let Some(keys) = &mut self.keys {
            keys.pop();
        }
        let server = base.map(|base| base.resolved());
        Ok(merged?.map(|merged| directives.order(name, server, &merged, rule)))
    }
}

/// Removes the entries whose keys `$retainKeys` does not list.
fn remove_others(old: &Mapping, retained: &HashSet<&str>, changes: &mut EntryChanges<'_>) {
    for (position, entry) in old.entries.iter().enumerate() {
        let key = entry.key.resolved().text();
        if key.is_some_and(|key| !retained.contains(key)) {
            changes.remove(position);
        }
    }
}

/// Applies the directives for a list that the patch itself does not contain. Returns `None` if the
/// list does not change.
fn arranged(
    directives: &Directives<'_>,
    name: &str,
    value: &Arc<Node>,
    rules: MergeRules,
) -> Option<Arc<Node>> {
    let list = value.resolved();
    let shortened = directives.shorten(name, list);
    let arranged = directives.order(name, Some(list), &shortened, rules.field(name));
    let is_changed = !Arc::ptr_eq(&arranged, list);
    is_changed.then(|| arranged.anchored(value.anchor()))
}

/// Returns the key of an entry of the patch.
fn name_of(entry: &Entry) -> Result<&str> {
    entry.key.text().ok_or_else(|| {
        let found = entry.key.described();
        let message = format!("expected a key that is a string, found {found}");
        Diagnostic::error(Code::Patch, message).at(entry.key.location(), "")
    })
}

fn cannot_remove_inherited(name: &str, inherited: &Arc<Node>, entry: &Entry) -> Box<Diagnostic> {
    let message = format!("unable to remove `{name}`: it comes from a merge key");
    Diagnostic::error(Code::Patch, message)
        .at(entry.key.location(), "")
        .at(inherited.location(), "the value that is merged")
        .help("remove it where it is defined, or remove the merge key `<<`")
}
