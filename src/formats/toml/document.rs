//! The places of a TOML text: the form of each table, and the statement of each key.

use std::collections::HashMap;
use std::sync::Arc;

use super::bracket::Bracket;
use crate::source::{Source, Span, steps};
use crate::yaml::Node;

/// The index of a table in [`TomlText::tables`].
pub(super) type TableId = usize;

/// The table of the document.
pub(super) const ROOT: TableId = 0;

/// A parsed TOML text.
#[derive(Debug)]
pub(super) struct TomlText {
    pub(super) source: Arc<Source>,
    /// A mapping whose entries are those of the table [`ROOT`], in the same order. This applies to
    /// nested tables too.
    pub(super) root: Arc<Node>,
    pub(super) tables: Vec<TomlTable>,
    /// The places of each of `tables`.
    pub(super) spans: Vec<TableSpans>,
    /// Every header, in order.
    pub(super) headers: Vec<Span>,
    /// The end of each header and each value, in order.
    pub(super) ends: Vec<usize>,
}

/// A table in any of its forms.
#[derive(Debug)]
pub(super) struct TomlTable {
    pub(super) kind: TableForm,
    pub(super) entries: Vec<TomlEntry>,
    /// The position of each key in `entries`.
    pub(super) index: HashMap<Box<str>, usize>,
}

/// The form of a table.
#[derive(Debug)]
pub(super) enum TableForm {
    /// The document.
    Root,
    /// Below a header `[a]` or `[[a]]` at this span.
    Header(Span),
    /// Without a header: `a`, if there is only `[a.b]`.
    Implicit,
    /// From dotted keys: `a`, if there is `a.b = 1`.
    Dotted,
    /// `{ … }`
    Inline(Bracket),
}

/// A key of a table and its value.
#[derive(Debug)]
pub(super) struct TomlEntry {
    /// The key at its first occurrence.
    pub(super) key: Arc<Node>,
    /// The place of `key = value`; `None` for a table or a list of tables that is not written as
    /// one value.
    pub(super) statement: Option<TomlStatement>,
    pub(super) value: TomlValue,
}

/// A statement `a.b = value`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TomlStatement {
    /// The start of its first key.
    pub(super) start: usize,
    /// The value.
    pub(super) value: Span,
}

/// The value of a key.
#[derive(Debug)]
pub(super) enum TomlValue {
    /// A string, a number, a boolean, a date or time.
    Scalar(Arc<Node>),
    /// `[ … ]`, with its items.
    List(Bracket, Vec<TomlValue>),
    /// A table in any of its forms.
    Table(TableId),
    /// The tables under headers `[[a]]`.
    Elements(Vec<TableId>),
}

impl TomlTable {
    pub(super) fn new(kind: TableForm) -> TomlTable {
        TomlTable {
            kind,
            entries: Vec::new(),
            index: HashMap::new(),
        }
    }

    /// Returns the entry with a key.
    pub(super) fn get(&self, key: &str) -> Option<&TomlEntry> {
        self.index.get(key).and_then(|&at| self.entries.get(at))
    }

    /// Returns the entry with a key, for changing it.
    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut TomlEntry> {
        let at = *self.index.get(key)?;
        self.entries.get_mut(at)
    }

    /// Adds an entry at the end.
    pub(super) fn push(&mut self, entry: TomlEntry) {
        self.index
            .insert(entry.key.text().unwrap_or("").into(), self.entries.len());
        self.entries.push(entry);
    }
}

impl TomlText {
    /// Returns the bytes of `value`, if it is written in a single place.
    pub(super) fn value_span(&self, value: &TomlValue) -> Option<Span> {
        match value {
            TomlValue::Scalar(node) => node.origin.as_ref().map(|origin| origin.span),
            TomlValue::List(bracket, _) => Some(bracket.span),
            TomlValue::Table(id) => match &self.tables[*id].kind {
                TableForm::Inline(bracket) => Some(bracket.span),
                _ => None,
            },
            TomlValue::Elements(_) => None,
        }
    }

    /// Returns the bytes from the first to the last line with a key of `entry` in the surrounding
    /// table, without the lines below headers of `entry`.
    pub(super) fn lines_of(&self, entry: &TomlEntry) -> Option<Span> {
        lines_of(&self.tables, &self.spans, entry)
    }

    /// Returns the union of [`lines_of`](Self::lines_of) for all entries of a table.
    pub(super) fn lines_in(&self, id: TableId) -> Option<Span> {
        self.spans[id].lines
    }

    /// Returns the bytes from the first to the last header of `entry` and of the tables below it.
    pub(super) fn section_of(&self, entry: &TomlEntry) -> Option<Span> {
        section_of(&self.spans, entry)
    }

    /// Returns the bytes from the first to the last header of a table and of the tables below it,
    /// including the lines below its own header.
    pub(super) fn section_in(&self, id: TableId) -> Option<Span> {
        self.spans[id].section
    }

    /// Returns the first of [`section_of`](Self::section_of) for all entries of a table.
    pub(super) fn first_section_below(&self, id: TableId) -> Option<Span> {
        self.spans[id].first_section
    }
}

/// The places of the lines and headers of a table. They are computed once for all tables, because
/// an edit of each of `n` tables would otherwise look at `n` entries.
#[derive(Clone, Debug, Default)]
pub(super) struct TableSpans {
    lines: Option<Span>,
    section: Option<Span>,
    first_section: Option<Span>,
}

impl TableSpans {
    /// Computes the places of all tables.
    pub(super) fn of(tables: &[TomlTable]) -> Vec<TableSpans> {
        let mut spans = vec![TableSpans::default(); tables.len()];
        // A table comes after the table that contains it, so the inner ones are computed first.
        for (id, table) in tables.iter().enumerate().rev() {
            steps::count(table.entries.len());
            let mut own = TableSpans::default();
            for entry in &table.entries {
                own.lines = union(own.lines, lines_of(tables, &spans, entry));
                let section = section_of(&spans, entry);
                own.section = union(own.section, section);
                own.first_section = own.first_section.into_iter().chain(section).min();
            }
            if let TableForm::Header(header) = table.kind {
                own.section = union(own.section, union(Some(header), own.lines));
            }
            spans[id] = own;
        }
        spans
    }
}

/// Returns [`TomlText::lines_of`].
fn lines_of(tables: &[TomlTable], spans: &[TableSpans], entry: &TomlEntry) -> Option<Span> {
    match (&entry.statement, &entry.value) {
        (Some(statement), _) => Some(Span::new(statement.start, statement.value.end())),
        (None, TomlValue::Table(id)) if matches!(tables[*id].kind, TableForm::Dotted) => {
            spans[*id].lines
        }
        _ => None,
    }
}

/// Returns [`TomlText::section_of`].
fn section_of(spans: &[TableSpans], entry: &TomlEntry) -> Option<Span> {
    match &entry.value {
        TomlValue::Table(id) => spans[*id].section,
        TomlValue::Elements(ids) => {
            steps::count(ids.len());
            ids.iter()
                .filter_map(|&id| spans[id].section)
                .reduce(Span::to)
        }
        _ => None,
    }
}

/// Returns the span that contains both.
fn union(first: Option<Span>, second: Option<Span>) -> Option<Span> {
    first.into_iter().chain(second).reduce(Span::to)
}
