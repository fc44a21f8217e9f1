//! Turns the changes of a tree into edits of the TOML text.
//!
//! Both trees are compared from the root. A changed value is replaced in its place. A new value is
//! written like its neighbours, each form in a place where TOML allows it:
//!
//! ```text
//! a = 1              a line, below the line that it follows
//! b.x = 1            a line with a dotted key, if the tables next to it are dotted
//! [c]                a header with its lines, below the section that it follows
//! d = { x = 1 }      a member between brackets (`inline`)
//! [[e]]              an element of a list of tables (`elements`)
//! ```

mod elements;
mod inline;
mod place;

use std::collections::HashMap;
use std::sync::Arc;

use self::place::TableStyle;
use super::comments::RemovedComments;
use super::document::{ROOT, TableForm, TableId, TomlEntry, TomlTable, TomlText, TomlValue};
use super::scalar;
use super::string::{self, TomlQuote, spell_key};
use super::write::{self, TomlStyle, ValueForm, below};
use crate::formats::language::{DocumentFormat, ParsedText};
use crate::formats::lines::{LineEdits, Lines};
use crate::source::{Source, Span, steps};
use crate::yaml::{self, Content, Mapping, Node, Text, TextEdit};

/// The lines of a table come before headers that are added at the same place.
const LINE: u8 = 0;

impl ParsedText for TomlText {
    fn format(&self) -> DocumentFormat {
        DocumentFormat(&super::LANGUAGE)
    }

    fn source(&self) -> &Arc<Source> {
        &self.source
    }

    fn roots(&self) -> Vec<Arc<Node>> {
        vec![Arc::clone(&self.root)]
    }

    fn edits(&self, roots: &[Arc<Node>]) -> Vec<TextEdit> {
        let Some(root) = roots.first().filter(|root| !Arc::ptr_eq(&self.root, root)) else {
            return Vec::new();
        };
        let (Some(before), Some(after)) = (self.root.as_mapping(), root.resolved().as_mapping())
        else {
            return Vec::new();
        };
        let edits = self.compare(before, after, None);
        let removed = edits.removed_spans();
        if removed.is_empty() || !edits.adds() {
            return edits.finish();
        }
        // An edit may add a removed value again in another place, which may be above the old one.
        let comments = RemovedComments::new(self, edits.lines, &removed);
        self.compare(before, after, Some(&comments)).finish()
    }
}

impl TomlText {
    /// Returns the edits that change the root. `removed` are the comments of the values that these
    /// edits remove, if they are known.
    fn compare<'a>(
        &'a self,
        before: &Mapping,
        after: &Mapping,
        removed: Option<&'a RemovedComments<'a>>,
    ) -> LineEdits<'a> {
        let lines = Lines::new(self.source.text(), &self.ends, |line| line.starts_with('#'));
        let mut writer = TomlWriter {
            toml: self,
            edits: LineEdits::new(lines),
            document: None,
            tables: HashMap::new(),
            removed,
        };
        writer.table(ROOT, before, after, &TomlScope::default());
        writer.edits
    }
}

/// The position of a table, as it is spelled in keys.
#[derive(Clone, Debug, Default)]
struct TomlScope {
    /// The key of the table's header.
    header: String,
    /// The prefix of the table's keys in the table that contains its lines: `a.` in `a.b = 1`.
    prefix: String,
}

/// The place of a value.
#[derive(Clone, Copy)]
enum ValuePlace<'p> {
    /// In an entry of a table that is not inline, with the scope of the table.
    Entry(&'p TomlEntry, &'p TomlScope),
    /// Between brackets or braces.
    Bracket,
}

/// Compares trees and collects changes.
struct TomlWriter<'a> {
    toml: &'a TomlText,
    edits: LineEdits<'a>,
    /// The style of the document, once it was detected.
    document: Option<TomlStyle<'a>>,
    /// The style of each table for which it was detected.
    tables: HashMap<TableId, TableStyle<'a>>,
    /// The comments of removed values, once they are known.
    removed: Option<&'a RemovedComments<'a>>,
}

impl<'a> TomlWriter<'a> {
    /// Edits a table that is not inline.
    fn table(&mut self, id: TableId, before: &Mapping, after: &Mapping, scope: &TomlScope) {
        let toml = self.toml;
        let table = &toml.tables[id];
        let wanted: HashMap<&str, &Arc<Node>> = after.entries.iter().filter_map(pair).collect();
        let mut stays = Vec::with_capacity(table.entries.len());
        for (entry, old) in table.entries.iter().zip(&before.entries) {
            let stays_here = match wanted.get(entry.key.text().unwrap_or("")) {
                None => false,
                Some(new) => {
                    let place = ValuePlace::Entry(entry, scope);
                    self.value(&entry.value, &old.value, new, place)
                }
            };
            if !stays_here {
                self.remove(entry);
            }
            stays.push(stays_here);
        }
        self.additions(id, &stays, after, scope);
    }

    /// Returns the scope of the value at a place.
    fn scope_at(&self, place: ValuePlace<'_>) -> TomlScope {
        match place {
            ValuePlace::Entry(entry, scope) => self.scope_of(entry, scope),
            ValuePlace::Bracket => TomlScope::default(),
        }
    }

    /// Returns the scope of the value of `entry`, whose table has the scope `scope`.
    fn scope_of(&self, entry: &TomlEntry, scope: &TomlScope) -> TomlScope {
        let key = entry
            .key
            .origin
            .as_ref()
            .map_or("", |origin| origin.source.slice(origin.span));
        let prefix = if self.is_dotted(&entry.value) {
            format!("{}{key}.", scope.prefix)
        } else {
            String::new()
        };
        TomlScope {
            header: below(&scope.header, key),
            prefix,
        }
    }

    /// Returns whether a value is a table of dotted keys: `a` in `a.b = 1`.
    fn is_dotted(&self, value: &TomlValue) -> bool {
        match value {
            TomlValue::Table(id) => matches!(self.toml.tables[*id].kind, TableForm::Dotted),
            _ => false,
        }
    }

    /// Edits `value`, whose tree was `before` and becomes `after`.
    ///
    /// Returns `false` and does nothing if the value has to be removed and written in another form.
    fn value(
        &mut self,
        value: &'a TomlValue,
        before: &Arc<Node>,
        after: &Arc<Node>,
        place: ValuePlace<'_>,
    ) -> bool {
        let after = after.resolved();
        if Arc::ptr_eq(before, after) {
            return true;
        }
        if let ValuePlace::Entry(entry, _) = place
            && entry.statement.is_some()
            && self.is_moved_over(before, after)
        {
            return false;
        }
        match (value, &after.content) {
            (TomlValue::Scalar(_), Content::Scalar(_)) => self.scalar(before, after),
            (TomlValue::List(bracket, items), Content::Sequence(_)) => {
                self.list(bracket, items, before, after)
            }
            (TomlValue::Table(id), Content::Mapping(mapping)) => {
                return self.table_in_any_form(*id, before, mapping, place);
            }
            (TomlValue::Elements(ids), Content::Sequence(_))
                if ValueForm::of(after) == ValueForm::Elements =>
            {
                let scope = self.scope_at(place);
                self.elements(ids, before, after, &scope);
            }
            _ => return self.replace(value, after),
        }
        true
    }

    /// Returns whether `after` was moved from another place of the text to that of `before`. Its line
    /// with its comments then replaces that of `before`.
    fn is_moved_over(&self, before: &Arc<Node>, after: &Arc<Node>) -> bool {
        let (Some(old), Some(new)) = (&before.origin, &after.origin) else {
            return false;
        };
        old.span != new.span && write::moved_bytes(after, Some(&self.toml.source)).is_some()
    }

    /// Edits a table. Returns `false` if it has to be removed and written in another form.
    fn table_in_any_form(
        &mut self,
        id: TableId,
        before: &Arc<Node>,
        after: &Mapping,
        place: ValuePlace<'_>,
    ) -> bool {
        let Some(before) = before.as_mapping() else {
            return false;
        };
        let toml = self.toml;
        match &toml.tables[id].kind {
            TableForm::Inline(bracket) => self.inline_table(id, bracket, before, after),
            // Such a table exists only because of its keys. Without keys it has to become `a = {}`.
            TableForm::Implicit | TableForm::Dotted if after.entries.is_empty() => return false,
            _ => {
                let scope = self.scope_at(place);
                self.table(id, before, after, &scope);
            }
        }
        true
    }

    /// Replaces a value by a value of another kind. Returns `false` if its bytes are not in one
    /// place.
    fn replace(&mut self, value: &TomlValue, after: &Arc<Node>) -> bool {
        let Some(span) = self.toml.value_span(value) else {
            return false;
        };
        let style = self.value_style(ROOT);
        self.edits.replace(span, write::inline(after, style));
        true
    }

    /// Edits a scalar that becomes another scalar.
    fn scalar(&mut self, before: &Arc<Node>, after: &Arc<Node>) {
        let Some(origin) = &before.origin else {
            return;
        };
        if scalar::is_same(before, after) {
            return;
        }
        if let Some(edits) = edits_in_string(before, after) {
            self.edits.replaced.extend(edits);
            return;
        }
        if let Some(bytes) = write::moved_bytes(after, Some(&self.toml.source)) {
            self.edits.replace(origin.span, bytes);
            return;
        }
        let own = TomlQuote::of(origin.source.slice(origin.span));
        let quote = own.unwrap_or_else(|| self.value_style(ROOT).quote);
        self.edits.replace(origin.span, scalar::spell(after, quote));
    }

    /// Removes the value of a key, including lines that are in several places.
    fn remove(&mut self, entry: &TomlEntry) {
        match (&entry.statement, &entry.value) {
            (Some(statement), _) => self.edits.remove(statement.start, statement.value.end()),
            (None, TomlValue::Table(id)) => self.remove_table(*id),
            (None, TomlValue::Elements(ids)) => {
                for &id in ids {
                    self.remove_table(id);
                }
            }
            (None, _) => {}
        }
    }

    /// Removes a table: its header with the lines below it, or all of its keys.
    fn remove_table(&mut self, id: TableId) {
        let toml = self.toml;
        let table = &toml.tables[id];
        let TableForm::Header(header) = table.kind else {
            for entry in &table.entries {
                self.remove(entry);
            }
            return;
        };
        let section = toml.lines_in(id).map_or(header, |lines| header.to(lines));
        self.edits.remove_section(section.start(), section.end());
        self.remove_headers_in(id);
    }

    /// Removes the headers below a table, and the lines below them.
    fn remove_headers_in(&mut self, id: TableId) {
        let toml = self.toml;
        for entry in &toml.tables[id].entries {
            // The caller removes the statements of the table.
            if entry.statement.is_some() {
                continue;
            }
            match &entry.value {
                // The keys of a dotted table are statements of the surrounding table.
                TomlValue::Table(inner)
                    if matches!(toml.tables[*inner].kind, TableForm::Dotted) =>
                {
                    self.remove_headers_in(*inner);
                }
                _ => self.remove(entry),
            }
        }
    }

    /// Adds the new entries of a table, each after the neighbour that it follows in `after`.
    /// `stays` is whether each old entry of the table still exists.
    fn additions(&mut self, id: TableId, stays: &[bool], after: &Mapping, scope: &TomlScope) {
        let toml = self.toml;
        let table = &toml.tables[id];
        let mut new = NewEntries::default();
        // The last lines, and the end of the last section, of the previous entries.
        let (mut line, mut section): (Option<Span>, _) = (None, None);
        // All new lines have the style of the first of them.
        let mut style = None;
        let mut form_of_tables = None;
        for entry in &after.entries {
            let Some(key) = entry.key.resolved().text() else {
                continue;
            };
            if let Some(old) = staying_entry(table, key, stays) {
                line = toml.lines_of(old).or(line);
                section = toml.section_of(old).map(|span| span.end()).or(section);
                continue;
            }
            let style = match style {
                Some(style) => style,
                None => *style.insert(self.style(line.map(|span| span.start()), id)),
            };
            // A table that had only dotted keys and loses the last of them becomes `a = {}`.
            let removed = table.index.get(key).map(|at| &table.entries[*at].value);
            let was_dotted = removed.is_some_and(|value| self.is_dotted(value));
            let key = format!("{}{}", scope.prefix, spell_key(key));
            let form = match ValueForm::of_new(&entry.value, style) {
                ValueForm::Value => NewForm::Line,
                _ if was_dotted => NewForm::Dotted,
                _ => *form_of_tables.get_or_insert_with(|| self.form_of_tables(id, stays)),
            };
            let lines = match form {
                NewForm::Section => {
                    new.sections.push(NewSection {
                        after: section,
                        key,
                        value: &entry.value,
                    });
                    continue;
                }
                NewForm::Line => vec![write::statement(&key, &entry.value, style)],
                NewForm::Dotted => dotted(&key, &entry.value, style),
            };
            new.lines.push(NewLines {
                after: line.map(|span| span.end()),
                lines,
            });
        }
        self.add_lines(id, stays, scope, &new.lines);
        self.add_sections(id, scope, new.sections);
    }

    /// Adds the lines of new values.
    fn add_lines(&mut self, id: TableId, stays: &[bool], scope: &TomlScope, new: &[NewLines]) {
        let toml = self.toml;
        if new.is_empty() {
            return;
        }
        if matches!(toml.tables[id].kind, TableForm::Implicit) {
            self.add_with_header(id, scope, new);
            return;
        }
        for group in new {
            let place = self.place_of_line(id, group.after);
            for line in &group.lines {
                self.edits.add(place, LINE, line.clone());
            }
        }
        // The first values of the document get a blank line below them if a header follows.
        let is_first_value = id == ROOT && toml.lines_in(ROOT).is_none();
        let entries = toml.tables[id].entries.iter().zip(stays);
        let mut staying = entries.filter(|(_, stays)| **stays);
        if is_first_value && staying.any(|(entry, _)| toml.section_of(entry).is_some()) {
            self.edits
                .add(self.first_section(ROOT), LINE, String::new());
        }
    }

    /// Adds the first lines of a table that has no header yet: `[a.b]` alone implies the table `a`.
    /// Its first value needs a header `[a]`, above `[a.b]`.
    fn add_with_header(&mut self, id: TableId, scope: &TomlScope, new: &[NewLines]) {
        let newline = self.edits.lines.newline;
        let mut text = format!("[{}]", scope.header);
        for line in new.iter().flat_map(|group| &group.lines) {
            text.push_str(newline);
            text.push_str(line);
        }
        let place = self.first_section(id);
        self.add_section(place, &text);
    }

    /// Adds the headers of new tables, and their lines.
    fn add_sections(&mut self, id: TableId, scope: &TomlScope, sections: Vec<NewSection<'_>>) {
        for section in sections {
            let place = self.place_of_section(id, section.after);
            let style = TomlStyle {
                indent: self.header_indent(),
                ..self.value_style(id)
            };
            let path = below(&scope.header, &section.key);
            let text = write::sections(&path, section.value, style);
            self.add_section(place, &text);
        }
    }

    /// Adds lines that begin with a header.
    fn add_section(&mut self, place: usize, text: &str) {
        self.edits.add_section(&self.toml.headers, place, text);
    }

    /// Chooses the form of new tables and lists of tables in a table that is not inline: the form of
    /// the tables next to them. Tables with headers take precedence.
    fn form_of_tables(&self, id: TableId, stays: &[bool]) -> NewForm {
        let table = &self.toml.tables[id];
        if matches!(table.kind, TableForm::Dotted) {
            return NewForm::Dotted;
        }
        steps::count(table.entries.len());
        let (mut has_section, mut has_inline, mut has_dotted) = (false, false, false);
        for (entry, stays) in table.entries.iter().zip(stays) {
            if !stays {
                continue;
            }
            match &entry.value {
                TomlValue::Table(id) => match self.toml.tables[*id].kind {
                    TableForm::Inline(_) => has_inline = true,
                    TableForm::Dotted => has_dotted = true,
                    _ => has_section = true,
                },
                TomlValue::Elements(_) => has_section = true,
                TomlValue::List(_, items) => {
                    let has_table = items.iter().any(|item| matches!(item, TomlValue::Table(_)));
                    has_inline |= has_table;
                }
                TomlValue::Scalar(_) => {}
            }
        }
        match (has_section, has_inline, has_dotted) {
            (false, true, _) => NewForm::Line,
            (false, false, true) => NewForm::Dotted,
            _ => NewForm::Section,
        }
    }
}

/// The new entries of a table.
#[derive(Default)]
struct NewEntries<'a> {
    lines: Vec<NewLines>,
    sections: Vec<NewSection<'a>>,
}

/// The lines of a new value: one line, or one for each dotted key.
struct NewLines {
    /// The end of the line that comes before them.
    after: Option<usize>,
    lines: Vec<String>,
}

/// A table or a list of tables that gets headers.
struct NewSection<'a> {
    /// The end of the section that comes before it.
    after: Option<usize>,
    key: String,
    value: &'a Arc<Node>,
}

/// The form in which a new value is written.
#[derive(Clone, Copy, Debug)]
enum NewForm {
    /// `key = value`
    Line,
    /// `key.inner = value`
    Dotted,
    /// Under headers.
    Section,
}

/// Returns the statements of a new table in dotted keys.
fn dotted(key: &str, value: &Arc<Node>, style: TomlStyle<'_>) -> Vec<String> {
    match &value.resolved().content {
        Content::Mapping(mapping) if !mapping.entries.is_empty() => mapping
            .entries
            .iter()
            .flat_map(|entry| {
                let inner = spell_key(entry.key.resolved().text().unwrap_or(""));
                dotted(&below(key, &inner), &entry.value, style)
            })
            .collect(),
        _ => vec![write::statement(key, value, style)],
    }
}

/// Returns the edits of a string whose text was edited, if they can be applied to its bytes.
fn edits_in_string(before: &Arc<Node>, after: &Arc<Node>) -> Option<Vec<TextEdit>> {
    let Text::Derived(derived) = &after.as_scalar()?.text else {
        return None;
    };
    if !Arc::ptr_eq(derived.base(), before) {
        return None;
    }
    string::splice(before, &**derived)
}

/// Returns the entry with a key, unless it is removed. An entry that needs other lines for its new
/// form is removed and added as a new one.
fn staying_entry<'t>(table: &'t TomlTable, key: &str, stays: &[bool]) -> Option<&'t TomlEntry> {
    let at = *table.index.get(key)?;
    if stays[at] {
        table.entries.get(at)
    } else {
        None
    }
}

/// Returns the key of an entry as text, and its value.
fn pair(entry: &yaml::Entry) -> Option<(&str, &Arc<Node>)> {
    Some((entry.key.resolved().text()?, &entry.value))
}
