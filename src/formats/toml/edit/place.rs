//! Chooses the place and the style of new lines: they have the spacing, the quotes and the
//! indentation of their neighbours.

use super::{ROOT, TableForm, TableId, TomlStyle, TomlWriter};
use crate::formats::toml::document::{TomlTable, TomlValue};
use crate::formats::toml::string::TomlQuote;
use crate::source::steps;

impl<'a> TomlWriter<'a> {
    /// Returns the place of a new line of a table. `after` is the end of the line before it, if
    /// there is one.
    pub(super) fn place_of_line(&self, id: TableId, after: Option<usize>) -> usize {
        let lines = self.edits.lines;
        if let Some(after) = after {
            return lines.next(after);
        }
        match (&self.toml.tables[id].kind, self.toml.lines_in(id)) {
            (TableForm::Header(header), _) => lines.next(header.end()),
            (_, Some(first)) => lines.own_comments(first.start()),
            (_, None) => self.first_section(ROOT),
        }
    }

    /// Returns the start of the first header below a table and its comments, or the end of the text
    /// if there is no header.
    pub(super) fn first_section(&self, id: TableId) -> usize {
        let lines = self.edits.lines;
        let first = match id {
            ROOT => self.toml.headers.first().copied(),
            _ => self.toml.section_in(id),
        };
        first.map_or(lines.text.len(), |header| {
            lines.own_comments(header.start())
        })
    }

    /// Returns the place of a new header in a table. `after` is the end of the tables before it, if
    /// there are any.
    pub(super) fn place_of_section(&self, id: TableId, after: Option<usize>) -> usize {
        if let Some(after) = after {
            return self.end_of_section(after);
        }
        let first = self.toml.first_section_below(id);
        match (&self.toml.tables[id].kind, first) {
            (_, Some(first)) => self.edits.lines.own_comments(first.start()),
            (TableForm::Header(header), None) => self.end_of_section(
                self.toml
                    .lines_in(id)
                    .map_or(header.end(), |lines| lines.end()),
            ),
            (_, None) => self.edits.lines.text.len(),
        }
    }

    /// Returns the end of the section whose last line with a value or header ends at `last`.
    pub(super) fn end_of_section(&self, last: usize) -> usize {
        self.edits.lines.end_of_section(&self.toml.headers, last)
    }

    /// Returns the blanks before the last header of the text.
    pub(super) fn header_indent(&self) -> &'a str {
        self.toml
            .headers
            .last()
            .map_or("", |header| self.edits.lines.indent(header.start()))
    }

    /// Returns the style of a new line in a table. `after` is the start of the statement before it,
    /// if there is one: its value may end on a line with other blanks.
    pub(super) fn style(&mut self, after: Option<usize>, id: TableId) -> TomlStyle<'a> {
        let toml = self.toml;
        let neighbour = after.or_else(|| toml.lines_in(id).map(|lines| lines.start()));
        let indent = match (neighbour, &toml.tables[id].kind) {
            (Some(neighbour), _) => self.line_indent(neighbour),
            (None, TableForm::Header(header)) => self.edits.lines.indent(header.start()),
            _ => "",
        };
        TomlStyle {
            indent,
            ..self.value_style(id)
        }
    }

    /// Returns the style of a new value in a table, which needs no indentation. That of a table in
    /// braces is not searched for, because thousands of them can be on one line.
    pub(super) fn value_style(&mut self, id: TableId) -> TomlStyle<'a> {
        let document = match self.document {
            Some(style) => style,
            None => *self.document.insert(self.document_style()),
        };
        let own = self.table_style(id);
        TomlStyle {
            equals: own.equals.unwrap_or(document.equals),
            quote: own.quote.unwrap_or(document.quote),
            ..document
        }
    }

    /// Returns the style that the lines of a table show. It is computed once for each table, because
    /// each new value asks for it.
    fn table_style(&mut self, id: TableId) -> TableStyle<'a> {
        let toml = self.toml;
        let text = self.edits.lines.text;
        let table = &toml.tables[id];
        *self.tables.entry(id).or_insert_with(|| TableStyle {
            equals: equals(table, text),
            quote: quote(table),
        })
    }

    /// Returns the style of the document. Each part is that of the first table that shows it.
    fn document_style(&self) -> TomlStyle<'a> {
        let lines = self.edits.lines;
        let tables = &self.toml.tables;
        let mut style = TomlStyle {
            newline: lines.newline,
            source: Some(&self.toml.source),
            removed: self.removed,
            ..TomlStyle::default()
        };
        if let Some(equals) = tables.iter().find_map(|table| equals(table, lines.text)) {
            style.equals = equals;
        }
        if let Some(quote) = tables.iter().find_map(quote) {
            style.quote = quote;
        }
        if let Some(brace) = tables
            .iter()
            .find_map(|table| brace_style(table, lines.text))
        {
            style.brace_gap = brace.gap;
            style.brace_equals = brace.equals;
        }
        style
    }

    /// Returns the blanks before the statement that begins at `offset`.
    fn line_indent(&self, offset: usize) -> &'a str {
        let lines = self.edits.lines;
        let line = lines.slice(lines.start(offset), lines.text.len());
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}

/// The style that the lines of a table show.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableStyle<'a> {
    /// The separator of key and value.
    equals: Option<&'a str>,
    /// The quotes of strings.
    quote: Option<TomlQuote>,
}

/// Returns the separator of key and value in the last line of a table. Several blanks are read as
/// one.
fn equals<'a>(table: &TomlTable, text: &'a str) -> Option<&'a str> {
    table.entries.iter().rev().find_map(|entry| {
        steps::count(1);
        let (statement, key) = (entry.statement?, entry.key.origin.as_ref()?);
        let between = text.get(key.span.end()..statement.value.start())?;
        let (before, after) = between.split_once('=')?;
        Some(match (before.is_empty(), after.is_empty()) {
            (false, false) => " = ",
            (false, true) => " =",
            (true, false) => "= ",
            (true, true) => "=",
        })
    })
}

/// The spacing of an inline table: `{a = 1}` or `{ a=1 }`.
struct BraceStyle<'a> {
    /// The text after the opening brace.
    gap: &'a str,
    /// The text between a key and its value.
    equals: &'a str,
}

/// Returns the spacing of an inline table; `None` for other tables, and for a table without keys.
fn brace_style<'a>(table: &TomlTable, text: &'a str) -> Option<BraceStyle<'a>> {
    let TableForm::Inline(bracket) = &table.kind else {
        return None;
    };
    let equals = equals(table, text)?;
    let inside = text.get(bracket.span.start() + 1..)?;
    let gap = if inside.starts_with([' ', '\t']) {
        " "
    } else {
        ""
    };
    Some(BraceStyle { gap, equals })
}

/// Returns the quotes of the last string of a table, or of a list in it.
fn quote(table: &TomlTable) -> Option<TomlQuote> {
    table
        .entries
        .iter()
        .rev()
        .find_map(|entry| match &entry.value {
            TomlValue::List(_, items) => items.iter().rev().find_map(own_quote),
            value => own_quote(value),
        })
}

/// Returns the short form of the quotes of a string: `"` for `"""`.
pub(super) fn own_quote(value: &TomlValue) -> Option<TomlQuote> {
    steps::count(1);
    let TomlValue::Scalar(node) = value else {
        return None;
    };
    let origin = node.origin.as_ref()?;
    TomlQuote::of(origin.source.slice(origin.span)).map(TomlQuote::short)
}
