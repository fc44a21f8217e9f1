//! BracketChanges of the tree as changes of the text.

mod elements;
mod inline;
mod place;

use std::collections::HashMap;
use std::sync::Arc;

use super::document::{ROOT, TableForm, TableId, TomlEntry, TomlText, TomlValue};
use super::scalar;
use super::string::{self, TomlQuote, spell_key};
use super::write::{self, TomlStyle, ValueForm, below};
use crate::formats::language::{DocumentFormat, ParsedText};
use crate::formats::lines::{LineEdits, Lines};
use crate::source::Source;
use crate::yaml::{self, Content, Mapping, Node, Scalar, Text, TextEdit};

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
        let lines = Lines::new(self.source.text(), &self.ends, |line| line.starts_with('#'));
        let mut writer = TomlWriter {
            toml: self,
            edits: LineEdits::new(lines),
            document: None,
        };
        writer.table(ROOT, before, after, &TomlScope::default());
        writer.edits.finish()
    }
}

/// The position of a table, as its keys are spelled there.
#[derive(Clone, Debug, Default)]
struct TomlScope {
    /// The key of its header.
    header: String,
    /// The prefix of its keys in the table that contains its lines: `a.` in `a.b = 1`.
    prefix: String,
}

/// Compares trees and collects changes.
struct TomlWriter<'a> {
    toml: &'a TomlText,
    edits: LineEdits<'a>,
    /// The style of the document, once it was looked for.
    document: Option<TomlStyle<'a>>,
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
                Some(new) => self.value(&entry.held, &old.value, new, Some((entry, scope))),
            };
            if !stays_here {
                self.remove(entry);
            }
            stays.push(stays_here);
        }
        self.additions(id, &stays, after, scope);
    }

    /// Returns the scope of the value of `entry`, whose table has the scope `scope`.
    fn scope_of(&self, entry: &TomlEntry, scope: &TomlScope) -> TomlScope {
        let key = entry
            .key
            .origin
            .as_ref()
            .map_or("", |origin| origin.source.slice(origin.span));
        let dotted = match entry.held {
            TomlValue::Table(id) => matches!(self.toml.tables[id].kind, TableForm::Dotted),
            _ => false,
        };
        let prefix = if dotted {
            format!("{}{key}.", scope.prefix)
        } else {
            String::new()
        };
        TomlScope {
            header: below(&scope.header, key),
            prefix,
        }
    }

    /// Edits `held` so that its value `before` becomes `after`. Returns `false` and does nothing if
    /// it has to be removed and written in another form. `place` is the entry of the value and the
    /// scope of its table; there is none in brackets.
    fn value(
        &mut self,
        held: &'a TomlValue,
        before: &Arc<Node>,
        after: &Arc<Node>,
        place: Option<(&TomlEntry, &TomlScope)>,
    ) -> bool {
        let after = after.resolved();
        if Arc::ptr_eq(before, after) {
            return true;
        }
        let scope = || {
            place.map_or_else(TomlScope::default, |(entry, scope)| {
                self.scope_of(entry, scope)
            })
        };
        match (held, &after.content) {
            (TomlValue::Scalar(_), Content::Scalar(_)) => self.scalar(before, after),
            (TomlValue::List(bracket, items), Content::Sequence(_)) => {
                self.list(bracket, items, before, after)
            }
            (TomlValue::Table(id), Content::Mapping(mapping)) => {
                let Some(old) = before.as_mapping() else {
                    return false;
                };
                match &self.toml.tables[*id].kind {
                    TableForm::Inline(bracket) => self.inline_table(*id, bracket, old, mapping),
                    // Without a line it would not be there at all.
                    TableForm::Implicit | TableForm::Dotted if mapping.entries.is_empty() => {
                        return false;
                    }
                    _ => {
                        let scope = scope();
                        self.table(*id, old, mapping, &scope);
                    }
                }
            }
            (TomlValue::Elements(ids), Content::Sequence(_))
                if ValueForm::of(after) == ValueForm::Elements =>
            {
                let scope = scope();
                self.elements(ids, before, after, &scope);
            }
            _ => match self.toml.value_span(held) {
                Some(span) => {
                    let quote = self.style(None, ROOT).quote;
                    self.edits.replace(span, write::inline(after, quote));
                }
                None => return false,
            },
        }
        true
    }

    fn scalar(&mut self, before: &Arc<Node>, after: &Arc<Node>) {
        let Some(origin) = before
            .origin
            .as_ref()
            .filter(|_| !scalar::is_same(before, after))
        else {
            return;
        };
        if let Content::Scalar(Scalar {
            text: Text::Derived(derived),
            ..
        }) = &after.content
            && Arc::ptr_eq(derived.base(), before)
            && let Some(edits) = string::splice(before, &**derived)
        {
            self.edits.replaced.extend(edits);
            return;
        }
        let own = TomlQuote::of(origin.source.slice(origin.span));
        let quote = own.unwrap_or_else(|| self.style(None, ROOT).quote);
        self.edits.replace(origin.span, scalar::spell(after, quote));
    }

    /// Removes the value of a key, wherever its lines are.
    fn remove(&mut self, entry: &TomlEntry) {
        match (&entry.statement, &entry.held) {
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

    fn remove_table(&mut self, id: TableId) {
        let toml = self.toml;
        if let TableForm::Header(header) = toml.tables[id].kind {
            let lines = toml.lines_in(id).map_or(header, |lines| header.to(lines));
            self.edits.remove_section(header.start(), lines.end());
            let below = toml.tables[id]
                .entries
                .iter()
                .filter(|entry| entry.statement.is_none());
            for entry in below {
                self.remove_sections(entry);
            }
        } else {
            for entry in &toml.tables[id].entries {
                self.remove(entry);
            }
        }
    }

    /// Removes the headers below `entry` and their lines; lines of its own are gone already.
    fn remove_sections(&mut self, entry: &TomlEntry) {
        let toml = self.toml;
        match &entry.held {
            TomlValue::Table(id) if matches!(toml.tables[*id].kind, TableForm::Dotted) => {
                let below = toml.tables[*id]
                    .entries
                    .iter()
                    .filter(|entry| entry.statement.is_none());
                for entry in below {
                    self.remove_sections(entry);
                }
            }
            _ => self.remove(entry),
        }
    }

    /// Adds what is new in a table, each after the neighbour that it follows in `after`.
    fn additions(&mut self, id: TableId, stays: &[bool], after: &Mapping, scope: &TomlScope) {
        let toml = self.toml;
        let table = &toml.tables[id];
        let mut new = NewEntries::default();
        // The last line, and the last section, of the entries so far.
        let (mut line, mut section) = (None, None);
        let mut style = None;
        for entry in &after.entries {
            let Some(key) = entry.key.resolved().text() else {
                continue;
            };
            // An entry that was removed, because its new form needs other lines, is added as a new
            // one.
            let known = table.index.get(key).filter(|&&at| stays[at]);
            if let Some(old) = known.and_then(|&at| table.entries.get(at)) {
                line = toml.lines_of(old).map(|span| span.end()).or(line);
                section = toml.section_of(old).map(|span| span.end()).or(section);
                continue;
            }
            let style = match style {
                Some(style) => style,
                None => *style.insert(self.style(line, id)),
            };
            let key = format!("{}{}", scope.prefix, spell_key(key));
            let lines = match self.form(id, stays, &entry.value) {
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
            new.lines.push((line, lines));
        }
        self.add_lines(id, stays, scope, &new);
        self.add_sections(id, scope, new.sections);
    }

    /// Adds the lines of new values.
    fn add_lines(&mut self, id: TableId, stays: &[bool], scope: &TomlScope, new: &NewEntries<'_>) {
        let toml = self.toml;
        if new.lines.is_empty() {
            return;
        }
        if matches!(toml.tables[id].kind, TableForm::Implicit) {
            // `[a.b]` alone implies the table `a`. Its first value needs a header of its own, above
            // `[a.b]`.
            let newline = self.edits.lines.newline;
            let lines: Vec<&str> = new
                .lines
                .iter()
                .flat_map(|(_, lines)| lines)
                .map(String::as_str)
                .collect();
            let text = format!("[{}]{newline}{}", scope.header, lines.join(newline));
            let place = self.first_section(id);
            self.add_section(place, &text);
            return;
        }
        for (after, lines) in &new.lines {
            let place = self.place_of_line(id, *after);
            for line in lines {
                self.edits.add(place, LINE, line.clone());
            }
        }
        // The first values of the document get a blank line below them if a header follows.
        let mut staying = toml.tables[id]
            .entries
            .iter()
            .zip(stays)
            .filter(|(_, stays)| **stays);
        if id == ROOT
            && toml.lines_in(ROOT).is_none()
            && staying.any(|(entry, _)| toml.section_of(entry).is_some())
        {
            self.edits
                .add(self.first_section(ROOT), LINE, String::new());
        }
    }

    /// Adds the headers of new tables, and their lines.
    fn add_sections(&mut self, id: TableId, scope: &TomlScope, sections: Vec<NewSection<'_>>) {
        for section in sections {
            let place = self.place_of_section(id, section.after);
            let style = TomlStyle {
                indent: self.header_indent(),
                ..self.style(None, id)
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

    /// Decides how a new value is written in a table that is not inline: like the tables beside it.
    /// Tables with headers take precedence.
    fn form(&self, id: TableId, stays: &[bool], value: &Arc<Node>) -> NewForm {
        let form = ValueForm::of(value);
        let table = &self.toml.tables[id];
        match (form, &table.kind) {
            (ValueForm::Value, _) => return NewForm::Line,
            (_, TableForm::Dotted) => return NewForm::Dotted,
            _ => {}
        }
        let (mut section, mut inline, mut dotted) = (false, false, false);
        for (entry, _) in table.entries.iter().zip(stays).filter(|(_, stays)| **stays) {
            match &entry.held {
                TomlValue::Table(id) => match self.toml.tables[*id].kind {
                    TableForm::Inline(_) => inline = true,
                    TableForm::Dotted => dotted = true,
                    _ => section = true,
                },
                TomlValue::Elements(_) => section = true,
                TomlValue::List(_, items) => {
                    inline |= items.iter().any(|item| matches!(item, TomlValue::Table(_)))
                }
                TomlValue::Scalar(_) => {}
            }
        }
        match (section, inline, dotted) {
            (false, true, _) => NewForm::Line,
            (false, false, true) => NewForm::Dotted,
            _ => NewForm::Section,
        }
    }
}

/// What is new in a table.
#[derive(Default)]
struct NewEntries<'a> {
    /// Lines, each group with the end of the line that it follows.
    lines: Vec<(Option<usize>, Vec<String>)>,
    sections: Vec<NewSection<'a>>,
}

/// A table or a list of tables that gets headers.
struct NewSection<'a> {
    /// The end of the section that it follows.
    after: Option<usize>,
    key: String,
    value: &'a Arc<Node>,
}

/// How something new is written.
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

fn pair(entry: &yaml::Entry) -> Option<(&str, &Arc<Node>)> {
    Some((entry.key.resolved().text()?, &entry.value))
}
