//! Lists and tables that are written as one value.

use std::collections::HashMap;
use std::sync::Arc;

use super::elements::pairs;
use super::{ROOT, TableId, TomlWriter, pair};
use crate::formats::toml::bracket::{Bracket, BracketChanges};
use crate::formats::toml::document::{TomlEntry, TomlValue};
use crate::formats::toml::string::{TomlQuote, spell_key};
use crate::formats::toml::write;
use crate::yaml::{Mapping, Node, TextEdit};

impl<'a> TomlWriter<'a> {
    /// Edits a list in brackets.
    pub(super) fn list(
        &mut self,
        bracket: &Bracket,
        items: &'a [TomlValue],
        before: &Arc<Node>,
        after: &Arc<Node>,
    ) {
        let (Some(old), Some(new)) = (before.as_sequence(), after.as_sequence()) else {
            return;
        };
        let pairs = pairs(before, after, old, new);
        let mut changes = BracketChanges::none(bracket);
        // An item stays only if it is the partner of a new one.
        changes.kept.fill_with(|| None);
        let quote = self.quote(items);
        let mut last = 0;
        for (item, pair) in new.items.iter().zip(pairs) {
            match pair.and_then(|at| Some((at, items.get(at)?, old.items.get(at)?))) {
                Some((at, held, known)) => {
                    changes.kept[at] = Some(self.within(held, &known.value, &item.value));
                    last = at + 1;
                }
                // A new item follows the kept item that comes before it in the new list.
                None => changes.added[last].push(write::inline(&item.value, quote)),
            }
        }
        let edits = bracket.edits(self.edits.lines.text, changes);
        self.edits.replaced.extend(edits);
    }

    /// Returns the quotes of new strings in a list.
    fn quote(&mut self, items: &[TomlValue]) -> TomlQuote {
        // The last string of the list, because a new item is most often added behind it.
        let own = items.iter().rev().find_map(|held| match held {
            TomlValue::Scalar(node) => node
                .origin
                .as_ref()
                .and_then(|origin| TomlQuote::of(origin.source.slice(origin.span))),
            _ => None,
        });
        own.map_or_else(|| self.style(None, ROOT).quote, TomlQuote::short)
    }

    /// Returns the edits of a value in brackets.
    fn within(
        &mut self,
        held: &'a TomlValue,
        before: &Arc<Node>,
        after: &Arc<Node>,
    ) -> Vec<TextEdit> {
        // The edits of a member are gathered apart from those of the whole text: if members are
        // added or removed, the bracket is written again, with these edits in the copied bytes.
        let outside = std::mem::take(&mut self.edits.replaced);
        self.value(held, before, after, None);
        std::mem::replace(&mut self.edits.replaced, outside)
    }

    /// Edits a table in braces.
    pub(super) fn inline_table(
        &mut self,
        id: TableId,
        bracket: &Bracket,
        before: &Mapping,
        after: &Mapping,
    ) {
        let mut changes = BracketChanges::none(bracket);
        self.members(id, before, after, "", bracket, &mut changes);
        let edits = bracket.edits(self.edits.lines.text, changes);
        self.edits.replaced.extend(edits);
    }

    /// Collects the changes of the members of a table: one in braces, or one of dotted keys within
    /// braces.
    fn members(
        &mut self,
        id: TableId,
        before: &Mapping,
        after: &Mapping,
        prefix: &str,
        bracket: &Bracket,
        changes: &mut BracketChanges,
    ) {
        let toml = self.toml;
        let table = &toml.tables[id];
        let wanted: HashMap<&str, &Arc<Node>> = after.entries.iter().filter_map(pair).collect();
        let mut stays = Vec::with_capacity(table.entries.len());
        for (entry, old) in table.entries.iter().zip(&before.entries) {
            let new = wanted
                .get(entry.key.text().unwrap_or(""))
                .map(|new| new.resolved());
            // Three kinds of entry, by how they are written:
            //
            //    { a = 1, b.x = 2, b.y = 3 }
            //      ^ has a statement of its own
            //               ^ `b` has none: it is a table of the dotted keys `b.x` and `b.y`
            let stays_here = match (new, &entry.statement, &entry.held) {
                (None, _, _) => false,
                (Some(new), Some(statement), held) => {
                    let edits = self.within(held, &old.value, new);
                    if let Some(at) = member(bracket, statement.start) {
                        changes.kept[at] = Some(edits);
                    }
                    true
                }
                (Some(new), None, TomlValue::Table(inner)) => {
                    match (old.value.as_mapping(), new.as_mapping()) {
                        (Some(old), Some(new)) if !new.entries.is_empty() => {
                            let prefix = format!("{prefix}{}.", self.spelled(entry));
                            self.members(*inner, old, new, &prefix, bracket, changes);
                            true
                        }
                        _ => false,
                    }
                }
                (Some(_), None, _) => false,
            };
            // A dotted table that becomes a scalar, or empty, cannot be written by its keys any
            // more. All of them are removed, and it is added below as a new member.
            if !stays_here {
                self.drop_members(entry, bracket, changes);
            }
            stays.push(stays_here);
        }
        let style = self.style(None, id);
        // New members without a predecessor come before the first one.
        let mut last = table
            .entries
            .first()
            .and_then(|entry| self.first_member(entry, bracket))
            .unwrap_or(0);
        for entry in &after.entries {
            let Some(key) = entry.key.resolved().text() else {
                continue;
            };
            if let Some(old) = table
                .index
                .get(key)
                .filter(|&&at| stays[at])
                .and_then(|&at| table.entries.get(at))
            {
                last = self.last_member(old, bracket).map_or(last, |at| at + 1);
                continue;
            }
            let value = write::inline(&entry.value, style.quote);
            changes.added[last].push(format!("{prefix}{}{}{value}", spell_key(key), style.equals));
        }
    }

    fn spelled(&self, entry: &TomlEntry) -> &str {
        entry
            .key
            .origin
            .as_ref()
            .map_or("", |origin| self.toml.source.slice(origin.span))
    }

    fn drop_members(&self, entry: &TomlEntry, bracket: &Bracket, changes: &mut BracketChanges) {
        match (&entry.statement, &entry.held) {
            (Some(statement), _) => {
                if let Some(at) = member(bracket, statement.start) {
                    changes.kept[at] = None;
                }
            }
            (None, TomlValue::Table(id)) => {
                let entries = &self.toml.tables[*id].entries;
                for entry in entries {
                    self.drop_members(entry, bracket, changes);
                }
            }
            (None, _) => {}
        }
    }

    fn first_member(&self, entry: &TomlEntry, bracket: &Bracket) -> Option<usize> {
        self.toml
            .lines_of(entry)
            .and_then(|span| member(bracket, span.start()))
    }

    fn last_member(&self, entry: &TomlEntry, bracket: &Bracket) -> Option<usize> {
        let end = self.toml.lines_of(entry)?.end();
        let after = bracket
            .members
            .partition_point(|member| member.span.start() < end);
        after.checked_sub(1)
    }
}

/// Returns the index of the member that begins at `start`.
fn member(bracket: &Bracket, start: usize) -> Option<usize> {
    bracket
        .members
        .binary_search_by_key(&start, |member| member.span.start())
        .ok()
}
