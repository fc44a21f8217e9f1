//! Changes of the tree as changes of the text.

mod elements;
mod inline;
mod place;

use std::collections::HashMap;
use std::sync::Arc;

use super::document::{Entry, Held, Kind, ROOT, TableId, Toml};
use super::scalar;
use super::string::{self, Quote, spell_key};
use super::write::{self, Form, Style, below};
use crate::formats::lines::{LineEdits, Lines};
use crate::source::Span;
use crate::yaml::{self, Content, Mapping, Node, Scalar, Text, TextEdit};

/// Lines of tables stand before headers that are added at the same place.
const LINE: u8 = 0;
const SECTION: u8 = 1;

impl Toml {
    /// The changes to the text that make it say `after`; in order, none overlapping. TOML can hold what `after` says.
    pub fn edits(&self, after: &Arc<Node>) -> Vec<TextEdit> {
        if Arc::ptr_eq(&self.root, after) {
            return Vec::new();
        }
        let (Some(before), Some(after)) = (self.root.as_mapping(), after.resolved().as_mapping())
        else {
            return Vec::new();
        };
        let lines = Lines::new(self.source.text(), &self.ends, |line| line.starts_with('#'));
        let mut writer = Writer {
            toml: self,
            edits: LineEdits::new(lines),
            document: None,
        };
        writer.table(ROOT, before, after, &Scope::default());
        writer.edits.finish()
    }
}

/// Where a table stands, as keys are spelled there.
#[derive(Clone, Debug, Default)]
struct Scope {
    /// The key of its header.
    header: String,
    /// What its keys begin with in the table around it that has the lines: `a.` in `a.b = 1`.
    prefix: String,
}

/// Compares trees and collects changes.
struct Writer<'a> {
    toml: &'a Toml,
    edits: LineEdits<'a>,
    /// The style of the document, once it was looked for.
    document: Option<Style<'a>>,
}

impl<'a> Writer<'a> {
    /// Makes a table that is not inline say `after`.
    fn table(&mut self, id: TableId, before: &Mapping, after: &Mapping, scope: &Scope) {
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

    /// Where what stands under the key of `entry` stands, in a table that stands in `scope`.
    fn scope_of(&self, entry: &Entry, scope: &Scope) -> Scope {
        let key = entry
            .key
            .origin
            .as_ref()
            .map_or("", |origin| origin.source.slice(origin.span));
        let dotted = match entry.held {
            Held::Table(id) => matches!(self.toml.tables[id].kind, Kind::Dotted),
            _ => false,
        };
        let prefix = if dotted {
            format!("{}{key}.", scope.prefix)
        } else {
            String::new()
        };
        Scope {
            header: below(&scope.header, key),
            prefix,
        }
    }

    /// Makes `held`, which says `before`, say `after`. Returns `false`, with nothing done, where it has to be removed and
    /// written in another form. `place` is the entry that has it, and where its table stands; none in brackets.
    fn value(
        &mut self,
        held: &'a Held,
        before: &Arc<Node>,
        after: &Arc<Node>,
        place: Option<(&Entry, &Scope)>,
    ) -> bool {
        let after = after.resolved();
        if Arc::ptr_eq(before, after) {
            return true;
        }
        let scope =
            || place.map_or_else(Scope::default, |(entry, scope)| self.scope_of(entry, scope));
        match (held, &after.content) {
            (Held::Scalar(_), Content::Scalar(_)) => self.scalar(before, after),
            (Held::List(bracket, items), Content::Sequence(_)) => {
                self.list(bracket, items, before, after)
            }
            (Held::Table(id), Content::Mapping(mapping)) => {
                let Some(old) = before.as_mapping() else {
                    return false;
                };
                match &self.toml.tables[*id].kind {
                    Kind::Inline(bracket) => self.inline_table(*id, bracket, old, mapping),
                    // Without a line it would not be there at all.
                    Kind::Implicit | Kind::Dotted if mapping.entries.is_empty() => return false,
                    _ => {
                        let scope = scope();
                        self.table(*id, old, mapping, &scope);
                    }
                }
            }
            (Held::Elements(ids), Content::Sequence(_)) if Form::of(after) == Form::Elements => {
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
        let own = Quote::of(origin.source.slice(origin.span));
        let quote = own.unwrap_or_else(|| self.style(None, ROOT).quote);
        self.edits.replace(origin.span, scalar::spell(after, quote));
    }

    /// Removes what stands under a key, wherever it stands.
    fn remove(&mut self, entry: &Entry) {
        match (&entry.statement, &entry.held) {
            (Some(statement), _) => self.edits.remove(statement.start, statement.value.end()),
            (None, Held::Table(id)) => self.remove_table(*id),
            (None, Held::Elements(ids)) => ids.iter().for_each(|&id| self.remove_table(id)),
            (None, _) => {}
        }
    }

    fn remove_table(&mut self, id: TableId) {
        let toml = self.toml;
        if let Kind::Header(header) = toml.tables[id].kind {
            let lines = toml.lines_in(id).map_or(header, |lines| header.to(lines));
            self.edits.remove_section(header.start(), lines.end());
            let below = toml.tables[id]
                .entries
                .iter()
                .filter(|entry| entry.statement.is_none());
            below.for_each(|entry| self.remove_sections(entry));
        } else {
            toml.tables[id]
                .entries
                .iter()
                .for_each(|entry| self.remove(entry));
        }
    }

    /// Removes the headers below `entry` and their lines; lines of its own are gone already.
    fn remove_sections(&mut self, entry: &Entry) {
        let toml = self.toml;
        match &entry.held {
            Held::Table(id) if matches!(toml.tables[*id].kind, Kind::Dotted) => {
                let below = toml.tables[*id]
                    .entries
                    .iter()
                    .filter(|entry| entry.statement.is_none());
                below.for_each(|entry| self.remove_sections(entry));
            }
            _ => self.remove(entry),
        }
    }

    /// Adds what is new in a table, each after the neighbour that it follows in `after`.
    fn additions(&mut self, id: TableId, stays: &[bool], after: &Mapping, scope: &Scope) {
        let toml = self.toml;
        let table = &toml.tables[id];
        let (mut line, mut section) = (None, None);
        let mut lines_of_implicit = Vec::new();
        let mut tables = Vec::new();
        let (mut style, mut opens) = (None, false);
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
                line = toml.lines_of(old).map(|span| span.end()).or(line);
                section = toml.section_of(old).map(|span| span.end()).or(section);
                continue;
            }
            let style = match style {
                Some(style) => style,
                None => *style.insert(self.style(line, id)),
            };
            let key = spell_key(key);
            let key = format!("{}{key}", scope.prefix);
            let lines = match self.form(id, stays, &entry.value) {
                New::Section => {
                    tables.push((section, key, &entry.value));
                    continue;
                }
                New::Line => vec![write::statement(&key, &entry.value, style)],
                New::Dotted => dotted(&key, &entry.value, style),
            };
            if matches!(table.kind, Kind::Implicit) {
                lines_of_implicit.extend(lines);
                continue;
            }
            let place = self.place_of_line(id, line);
            lines
                .into_iter()
                .for_each(|line| self.edits.add(place, LINE, line));
            opens = id == ROOT && toml.lines_in(ROOT).is_none();
        }
        let mut staying = table.entries.iter().zip(stays).filter(|(_, stays)| **stays);
        if opens && staying.any(|(entry, _)| toml.section_of(entry).is_some()) {
            self.edits
                .add(self.first_section(ROOT), LINE, String::new());
        }
        if !lines_of_implicit.is_empty() {
            let lines = lines_of_implicit.join(self.edits.lines.newline);
            let newline = self.edits.lines.newline;
            let text = format!("[{}]{newline}{lines}", scope.header);
            let place = self.first_section(id);
            self.add_section(place, text);
        }
        for (section, key, value) in tables {
            let place = self.place_of_section(id, section);
            let indent = self.header_indent();
            let style = Style {
                indent,
                ..self.style(None, id)
            };
            self.add_section(
                place,
                write::sections(&below(&scope.header, &key), value, style),
            );
        }
    }

    /// Adds lines that begin with a header, with blank lines around them if other headers have those.
    fn add_section(&mut self, place: usize, text: String) {
        let lines = self.edits.lines;
        let headers = self.toml.headers.get(1..).unwrap_or_default();
        let is_close = |header: &Span| !lines.follows_blank(lines.own_comments(header.start()));
        if headers.iter().any(is_close) {
            self.edits.add(place, SECTION, text);
            return;
        }
        let before = if self.edits.follows_blank(place) {
            ""
        } else {
            lines.newline
        };
        let rest = lines.slice(place, lines.text.len());
        let after = if rest.is_empty() || rest.starts_with(['\n', '\r']) {
            ""
        } else {
            lines.newline
        };
        self.edits
            .add(place, SECTION, format!("{before}{text}{after}"));
    }

    /// How a new value is written in a table that is not inline: like the tables beside it. Those under headers decide
    /// over others.
    fn form(&self, id: TableId, stays: &[bool], value: &Arc<Node>) -> New {
        let form = Form::of(value);
        let table = &self.toml.tables[id];
        match (form, &table.kind) {
            (Form::Value, _) => return New::Line,
            (_, Kind::Dotted) => return New::Dotted,
            _ => {}
        }
        let (mut section, mut inline, mut dotted) = (false, false, false);
        for (entry, _) in table.entries.iter().zip(stays).filter(|(_, stays)| **stays) {
            match &entry.held {
                Held::Table(id) => match self.toml.tables[*id].kind {
                    Kind::Inline(_) => inline = true,
                    Kind::Dotted => dotted = true,
                    _ => section = true,
                },
                Held::Elements(_) => section = true,
                Held::List(_, items) => {
                    inline |= items.iter().any(|item| matches!(item, Held::Table(_)))
                }
                Held::Scalar(_) => {}
            }
        }
        match (section, inline, dotted) {
            (false, true, _) => New::Line,
            (false, false, true) => New::Dotted,
            _ => New::Section,
        }
    }
}

/// How something new is written.
enum New {
    /// `key = value`
    Line,
    /// `key.inner = value`
    Dotted,
    /// Under headers.
    Section,
}

/// The statements that say a new table in dotted keys.
fn dotted(key: &str, value: &Arc<Node>, style: Style<'_>) -> Vec<String> {
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
