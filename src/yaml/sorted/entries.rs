//! Collects the entries of a mapping, sorted and with merge keys expanded.
//!
//! ```yaml
//! b: 1                    # printed:
//! <<: [{b: 2, a: 3}, {a: 4}]  # a: 3
//!                         # b: 1
//! ```
//!
//! A merged entry never replaces a written one. Of several merged entries, the first is used.

use std::collections::HashSet;
use std::sync::Arc;

use super::natural_order;
use super::printer::SortedPrinter;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::merge_key::is_merge;
use crate::yaml::node::{Content, Entry, Mapping, Node};
use crate::yaml::value::{CoreValue, core_value};

/// An entry to print.
#[derive(Clone, Copy)]
pub(super) struct SortedEntry<'a> {
    pub(super) key: &'a str,
    pub(super) key_node: &'a Arc<Node>,
    pub(super) value: &'a Arc<Node>,
    /// Whether it was merged through an alias.
    pub(super) is_aliased: bool,
}

impl<'a> SortedPrinter<'a, '_> {
    /// Pushes the entries of a mapping to the stack of entries, sorted. `is_root` is whether the
    /// mapping is the root of the document.
    pub(super) fn push_entries(&mut self, mapping: &'a Mapping, is_root: bool) -> Result<()> {
        let first = self.entries.len();
        let mut merges = None;
        for entry in &mapping.entries {
            if is_merge(&entry.key) {
                refuse_second_merge(entry, merges)?;
                merges = Some(entry);
            } else {
                self.entries.push(SortedEntry {
                    key: key_text(&entry.key, is_root)?,
                    key_node: &entry.key,
                    value: &entry.value,
                    is_aliased: false,
                });
            }
        }
        if let Some(merge) = merges {
            self.push_merged(&merge.value, first)?;
        }
        let entries = &mut self.entries[first..];
        entries.sort_by_key(|entry| entry.key);
        refuse_equal_keys(entries)?;
        natural_order::sort(entries, |entry| entry.key);
        Ok(())
    }

    /// Adds the entries that a merge key refers to, except those whose keys are among the entries
    /// from `first` on.
    fn push_merged(&mut self, value: &'a Arc<Node>, first: usize) -> Result<()> {
        let written = self.entries[first..].iter();
        let mut known = written.map(|entry| entry.key).collect();
        self.push_merge_value(value, false, &mut known)
    }

    /// Adds the entries of a mapping, or of a list of mappings.
    fn push_merge_value(
        &mut self,
        value: &'a Arc<Node>,
        in_alias: bool,
        known: &mut HashSet<&'a str>,
    ) -> Result<()> {
        let target = value.resolved();
        let Content::Sequence(sequence) = &target.content else {
            return self.push_merged_mapping(value, in_alias, known);
        };
        let in_alias = in_alias || !Arc::ptr_eq(value, target);
        for item in &sequence.items {
            self.push_merged_mapping(&item.value, in_alias, known)?;
        }
        Ok(())
    }

    /// Adds the entries of one merged mapping whose keys are not in `known`, and then the entries
    /// that this mapping merges itself.
    fn push_merged_mapping(
        &mut self,
        value: &'a Arc<Node>,
        in_alias: bool,
        known: &mut HashSet<&'a str>,
    ) -> Result<()> {
        let merged = self.budget.enter_merged(value)?;
        let is_aliased = in_alias || merged.is_alias;
        let mut inner = None;
        let own = self.entries.len();
        for entry in &merged.mapping.entries {
            if is_merge(&entry.key) {
                refuse_second_merge(entry, inner)?;
                inner = Some(entry);
                continue;
            }
            self.budget.spend(0, || entry.key.location())?;
            let key = key_text(&entry.key, false)?;
            if !known.contains(key) {
                self.entries.push(SortedEntry {
                    key,
                    key_node: &entry.key,
                    value: &entry.value,
                    is_aliased,
                });
            }
        }
        // Not earlier, so that equal keys inside one merged mapping are found.
        known.extend(self.entries[own..].iter().map(|entry| entry.key));
        if let Some(inner) = inner {
            self.push_merge_value(&inner.value, is_aliased, known)?;
        }
        self.budget.leave_merged(&merged);
        Ok(())
    }
}

/// Returns the text of a key.
///
/// JSON has only strings as keys. The keys of the document itself are read as text even if they have
/// another type, as kustomize does.
fn key_text(key: &Arc<Node>, is_root: bool) -> Result<&str> {
    let target = key.resolved();
    let text = target.text().unwrap_or_default();
    let is_string = target.as_scalar().is_some()
        && match core_value(target) {
            Ok(CoreValue::String(_)) => true,
            Ok(CoreValue::Null) | Err(_) => false,
            Ok(_) => is_root,
        };
    if is_string {
        return Ok(text);
    }
    // A date is a string to other readers, but not to this one.
    let found = match core_value(target) {
        Ok(CoreValue::Timestamp(_)) => "a timestamp",
        _ => target.described(),
    };
    let message = format!("expected a key that is a string, found {found}");
    Err(Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(key.location(), "")
        .help("put the key in quotes"))
}

fn refuse_second_merge(entry: &Entry, first: Option<&Entry>) -> Result<()> {
    match first {
        None => Ok(()),
        Some(first) => Err(equal_keys("<<", &first.key, &entry.key)),
    }
}

/// Reports two entries with the same key. The entries are in the order of the bytes of their keys.
fn refuse_equal_keys(entries: &[SortedEntry<'_>]) -> Result<()> {
    for pair in entries.windows(2) {
        if pair[0].key == pair[1].key {
            return Err(equal_keys(pair[0].key, pair[0].key_node, pair[1].key_node));
        }
    }
    Ok(())
}

fn equal_keys(key: &str, first: &Arc<Node>, second: &Arc<Node>) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::DuplicateKey,
        format!("key `{key}` is given twice in one mapping"),
    )
    .at(second.location(), "given again here")
    .at(first.location(), "first given here")
    .help("remove one of the two: some programs use the first, others the last")
}
