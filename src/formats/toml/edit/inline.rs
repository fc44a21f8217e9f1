//! Edits lists and tables that are written as a single value: `[1, 2]` and `{ a = 1 }`.

use std::collections::HashMap;
use std::sync::Arc;

use super::elements::pairs;
use super::place::own_quote;
use super::{ROOT, TableId, TomlWriter, ValuePlace, pair, staying_entry};
use crate::formats::toml::bracket::{Bracket, BracketChanges};
use crate::formats::toml::document::{TomlEntry, TomlValue};
use crate::formats::toml::string::{TomlQuote, spell_key};
use crate::formats::toml::write::{self, TomlStyle};
use crate::yaml::{Mapping, Node, TextEdit};

/// An edited table in braces.
struct Braces<'b> {
    /// Its old members.
    bracket: &'b Bracket,
    /// The changes to these members.
    changes: BracketChanges,
}

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
        // An item stays only if it is paired with a new one.
        changes.kept.fill_with(|| None);
        let style = TomlStyle {
            quote: self.quote(items),
            ..self.value_style(ROOT)
        };
        let mut last = 0;
        for (item, pair) in new.items.iter().zip(pairs) {
            let Some(at) = pair else {
                // A new item comes after the kept item that precedes it in the new list.
                changes.added[last].push(write::inline(&item.value, style));
                continue;
            };
            let edits = self.within(&items[at], &old.items[at].value, &item.value);
            changes.kept[at] = Some(edits);
            last = at + 1;
        }
        let edits = bracket.edits(self.edits.lines.text, changes);
        self.edits.replaced.extend(edits);
    }

    /// Returns the quotes of new strings in a list.
    fn quote(&mut self, items: &[TomlValue]) -> TomlQuote {
        // Use the last string of the list, because a new item is most often added after it.
        match items.iter().rev().find_map(own_quote) {
            Some(quote) => quote,
            None => self.value_style(ROOT).quote,
        }
    }

    /// Returns the edits inside a value in brackets.
    fn within(
        &mut self,
        value: &'a TomlValue,
        before: &Arc<Node>,
        after: &Arc<Node>,
    ) -> Vec<TextEdit> {
        // The edits of a member are collected separately from those of the whole text. If members
        // are added or removed, the bracket is written again, with these edits in the copied bytes.
        let outside = std::mem::take(&mut self.edits.replaced);
        self.value(value, before, after, ValuePlace::Bracket);
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
        let mut braces = Braces {
            bracket,
            changes: BracketChanges::none(bracket),
        };
        self.members(id, before, after, "", &mut braces);
        let edits = bracket.edits(self.edits.lines.text, braces.changes);
        self.edits.replaced.extend(edits);
    }

    /// Collects the changes to the members of a table. It is in braces, or is a table of dotted
    /// keys inside braces, which begin with `prefix`.
    fn members(
        &mut self,
        id: TableId,
        before: &Mapping,
        after: &Mapping,
        prefix: &str,
        braces: &mut Braces<'_>,
    ) {
        let toml = self.toml;
        let table = &toml.tables[id];
        let wanted: HashMap<&str, &Arc<Node>> = after.entries.iter().filter_map(pair).collect();
        let mut stays = Vec::with_capacity(table.entries.len());
        for (entry, old) in table.entries.iter().zip(&before.entries) {
            let stays_here = match wanted.get(entry.key.text().unwrap_or("")) {
                None => false,
                Some(new) => self.member_value(entry, &old.value, new.resolved(), prefix, braces),
            };
            if !stays_here {
                self.drop_members(entry, braces);
            }
            stays.push(stays_here);
        }
        self.add_members(id, &stays, after, prefix, braces);
    }

    /// Collects the changes to one entry between braces. There are two kinds:
    ///
    /// ```text
    /// { a = 1, b.x = 2, b.y = 3 }
    ///   ^ `a` has a statement
    ///          ^ `b` has none: it is a table of the dotted keys `b.x` and `b.y`
    /// ```
    ///
    /// Returns `false` if the entry has to be removed and added in another form: a dotted table
    /// that becomes a scalar, or empty, cannot be written as dotted keys.
    fn member_value(
        &mut self,
        entry: &'a TomlEntry,
        before: &Arc<Node>,
        after: &Arc<Node>,
        prefix: &str,
        braces: &mut Braces<'_>,
    ) -> bool {
        if let Some(statement) = &entry.statement {
            let edits = self.within(&entry.value, before, after);
            if let Some(at) = member(braces.bracket, statement.start) {
                braces.changes.kept[at] = Some(edits);
            }
            return true;
        }
        let TomlValue::Table(inner) = entry.value else {
            return false;
        };
        match (before.as_mapping(), after.as_mapping()) {
            (Some(before), Some(after)) if !after.entries.is_empty() => {
                let prefix = format!("{prefix}{}.", self.spelled(entry));
                self.members(inner, before, after, &prefix, braces);
                true
            }
            _ => false,
        }
    }

    /// Adds the entries of `after` that are not in the table, each after the member of the entry
    /// before it.
    fn add_members(
        &mut self,
        id: TableId,
        stays: &[bool],
        after: &Mapping,
        prefix: &str,
        braces: &mut Braces<'_>,
    ) {
        let bracket = braces.bracket;
        let table = &self.toml.tables[id];
        let style = self.value_style(id);
        // New members without a predecessor come before the first one.
        let first = table.entries.first();
        let first = first.and_then(|entry| self.first_member(entry, bracket));
        let mut last = first.unwrap_or(0);
        for entry in &after.entries {
            let Some(key) = entry.key.resolved().text() else {
                continue;
            };
            if let Some(old) = staying_entry(table, key, stays) {
                last = self.last_member(old, bracket).map_or(last, |at| at + 1);
                continue;
            }
            let value = write::inline(&entry.value, style);
            braces.changes.added[last].push(format!(
                "{prefix}{}{}{value}",
                spell_key(key),
                style.equals
            ));
        }
    }

    /// Returns the key of an entry as it is spelled.
    fn spelled(&self, entry: &TomlEntry) -> &str {
        entry
            .key
            .origin
            .as_ref()
            .map_or("", |origin| self.toml.source.slice(origin.span))
    }

    /// Removes the members of an entry: one member, or all dotted keys of a table.
    fn drop_members(&self, entry: &TomlEntry, braces: &mut Braces<'_>) {
        match (&entry.statement, &entry.value) {
            (Some(statement), _) => {
                if let Some(at) = member(braces.bracket, statement.start) {
                    braces.changes.kept[at] = None;
                }
            }
            (None, TomlValue::Table(id)) => {
                let entries = &self.toml.tables[*id].entries;
                for entry in entries {
                    self.drop_members(entry, braces);
                }
            }
            (None, _) => {}
        }
    }

    /// Returns the index of the first member of an entry.
    fn first_member(&self, entry: &TomlEntry, bracket: &Bracket) -> Option<usize> {
        self.toml
            .lines_of(entry)
            .and_then(|span| member(bracket, span.start()))
    }

    /// Returns the index of the last member of an entry.
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
