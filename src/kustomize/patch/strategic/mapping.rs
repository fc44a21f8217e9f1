//! A mapping over a mapping.

use std::collections::HashMap;
use std::sync::Arc;

use super::directive::{Directives, Strategy};
use super::{Holder, Merger};
use crate::edit::{EntryChanges, merged, refuse_duplicates, remake};
use crate::kubernetes::merge_keys::{self, Field, Type};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Entry, Mapping, Node};

impl Merger<'_> {
    pub(super) fn mapping(
        &mut self,
        base: &Arc<Node>,
        old: &Mapping,
        new: &Mapping,
        of: Type,
    ) -> Result<Option<Arc<Node>>> {
        let directives = Directives::of(new)?;
        match directives.strategy {
            Strategy::Delete => return Ok(None),
            Strategy::Replace => {
                // In the braces, or the lines, of the old one.
                let added = self.added_mapping(new, of)?;
                let entries = added.and_then(|added| Some(added.as_mapping()?.entries.clone()));
                return Ok(entries.map(|entries| base.with_entries(entries)));
            }
            Strategy::Merge => {}
        }
        refuse_duplicates(old)?;
        let keys = old
            .entries
            .iter()
            .enumerate()
            .filter_map(|(at, entry)| Some((entry.key.resolved().text()?, at)));
        let places: HashMap<&str, usize> = keys.collect();
        let mut changes = EntryChanges::of(&old.entries);
        for entry in directives.plain(new) {
            let name = name(entry)?;
            let Some(&at) = places.get(name) else {
                let given = merged(old, name);
                match self.entry(given, entry, of, &directives)? {
                    // A value from a merge key is changed for this mapping alone.
                    Some(value) => {
                        changes.add(Entry {
                            key: remake(&entry.key)?,
                            value: value.resolved().anchored(None),
                        });
                    }
                    None if given.is_some() => return Err(from_merge_key(name, given, entry)),
                    None => {}
                }
                continue;
            };
            changes.pass(at);
            let here = &old.entries[at].value;
            match self.entry(Some(here), entry, of, &directives)? {
                None => changes.remove(at),
                Some(value) if !Arc::ptr_eq(&value, here) => changes.set(at, value),
                Some(_) => {}
            }
        }
        for name in directives.lists_alone(new) {
            let Some((at, list)) = places
                .get(name)
                .and_then(|&at| Some((at, old.entries.get(at)?)))
            else {
                continue;
            };
            let arranged =
                directives.arrange(name, list.value.resolved(), merge_keys::field(of, name))?;
            if !Arc::ptr_eq(&arranged, list.value.resolved()) {
                changes.set(at, arranged.anchored(list.value.anchor()));
            }
        }
        if let Some(retained) = directives.retained(new)? {
            for (at, entry) in old.entries.iter().enumerate() {
                if entry
                    .key
                    .resolved()
                    .text()
                    .is_some_and(|name| !retained.contains(name))
                {
                    changes.remove(at);
                }
            }
        }
        Ok(Some(changes.entries().map_or_else(
            || Arc::clone(base),
            |entries| base.with_entries(entries),
        )))
    }

    /// A mapping of the patch where the object has none.
    pub(super) fn added_mapping(&mut self, new: &Mapping, of: Type) -> Result<Option<Arc<Node>>> {
        let directives = Directives::of(new)?;
        if directives.strategy == Strategy::Delete {
            return Ok(None);
        }
        directives.retained(new)?;
        let mut entries = Vec::with_capacity(new.entries.len());
        for entry in directives.plain(new) {
            if let Some(value) = self.entry(None, entry, of, &directives)? {
                entries.push(Entry {
                    key: remake(&entry.key)?,
                    value,
                });
            }
        }
        Ok(Some(Node::mapping(entries)))
    }

    /// The value of one entry of the patch.
    fn entry(
        &mut self,
        base: Option<&Arc<Node>>,
        entry: &Entry,
        of: Type,
        directives: &Directives<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let name = name(entry)?;
        let field = merge_keys::field(of, name);
        if let Some(names) = &mut self.names {
            names.push(name.to_owned());
        }
        let names = self
            .names
            .as_ref()
            .map(|names| names.iter().map(String::as_str));
        let text_field = names.and_then(|names| self.options.text_fields.encoding(names));
        let holder = Holder {
            key: Some(&entry.key),
            text_field,
        };
        let merged = self.list_field(base, entry, field, holder, directives);
        if let Some(names) = &mut self.names {
            names.pop();
        }
        merged
    }

    /// The value of an entry whose list the mapping around it may say more about.
    fn list_field(
        &mut self,
        base: Option<&Arc<Node>>,
        entry: &Entry,
        field: Option<Field>,
        holder: Holder<'_>,
        directives: &Directives<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let name = holder.name().unwrap_or("");
        let shortened = base
            .map(|base| directives.shorten(name, base))
            .transpose()?;
        let merged = self.node(shortened.as_ref(), &entry.value, field, holder)?;
        merged
            .map(|merged| directives.order(name, &merged, field))
            .transpose()
    }
}

/// The key of an entry of the patch.
fn name(entry: &Entry) -> Result<&str> {
    entry.key.text().ok_or_else(|| {
        Diagnostic::error(
            Code::Patch,
            format!(
                "expected a key that is a string, found {}",
                entry.key.described()
            ),
        )
        .at(entry.key.location(), "")
    })
}

fn from_merge_key(name: &str, given: Option<&Arc<Node>>, entry: &Entry) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Patch,
        format!("unable to remove `{name}`: it comes from a merge key"),
    )
    .at(entry.key.location(), "")
    .at(
        given.and_then(|given| given.location()),
        "the value that is merged",
    )
    .help("remove it where it stands, or the merge key `<<`")
}
