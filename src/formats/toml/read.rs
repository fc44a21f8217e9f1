//! Reads a TOML text: builds its tables and its tree from the events of the parser.

use std::sync::Arc;

use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};

use super::bracket::{Bracket, BracketMember};
use super::document::{
    ROOT, TableForm, TableId, TableSpans, TomlEntry, TomlStatement, TomlTable, TomlText, TomlValue,
};
use super::{NESTING_LIMIT, scalar, string};
use crate::golang::toml::not_toml;
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{self, CollectionStyle, Content, Item, Mapping, Node, Origin, Sequence};

/// Reads a TOML text.
///
/// # Errors
/// A text that is not TOML, or that nests deeper than 80 levels.
pub(super) fn read(source: &Arc<Source>) -> Result<TomlText> {
    let events = events(source.text());
    measure(source, &events)?;
    source
        .text()
        .parse::<toml::Table>()
        .map_err(|error| not_toml(source, &error))?;
    let root = TomlTable::new(TableForm::Root);
    let mut reader = TomlReader {
        source,
        events: &events,
        at: 0,
        tables: vec![root],
        headers: Vec::new(),
        ends: Vec::new(),
    };
    reader.document();
    let TomlReader {
        tables,
        headers,
        ends,
        ..
    } = reader;
    let whole = Span::new(0, source.text().len());
    let root = table_node(source, &tables, ROOT, whole);
    Ok(TomlText {
        source: Arc::clone(source),
        root,
        spans: TableSpans::of(&tables),
        tables,
        headers,
        ends,
    })
}

fn events(text: &str) -> Vec<Event> {
    let source = toml_parser::Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events = Vec::with_capacity(tokens.len());
    let mut checked = ValidateWhitespace::new(&mut events, source);
    let mut bounded = RecursionGuard::new(&mut checked, NESTING_LIMIT as u32);
    // Ignore errors here, because the crate `toml` reports them with better messages.
    parse_document(&tokens, &mut bounded, &mut ());
    events
}

fn span_of(start: usize, end: usize) -> Span {
    Span::new(start, end.max(start))
}

/// Refuses a text that nests too deep, before the crate `toml` parses it recursively.
fn measure(source: &Arc<Source>, events: &[Event]) -> Result<()> {
    let mut nesting = Nesting::new();
    for event in events {
        nesting.follow(event.kind());
        if nesting.depth() > NESTING_LIMIT {
            let message = format!("TOML nested deeper than {NESTING_LIMIT} levels");
            let place = Location::new(source, span(event));
            return Err(Diagnostic::error(Code::Limit, message).at(place, "here"));
        }
    }
    Ok(())
}

/// The nesting depth of a text at one event. Each part of a key is a level, and so is each list:
///
/// ```text
/// [a.b]                  2 levels for all lines below
/// c.d = [{ e.f = 1 }]    2 + 2 (c.d) + 1 (list) + 2 (e.f)
/// ```
struct Nesting {
    /// The number of levels of the last header.
    header_levels: usize,
    in_header: bool,
    /// The open parts of the text, starting with the document.
    frames: Vec<NestingFrame>,
    /// The number of levels of all frames.
    frame_levels: usize,
}

/// The document, or the inside a bracket.
struct NestingFrame {
    is_list: bool,
    /// In a list, 1. Otherwise the number of levels of the key whose value is being read.
    levels: usize,
}

impl Nesting {
    fn new() -> Nesting {
        Nesting {
            header_levels: 0,
            in_header: false,
            frames: vec![NestingFrame {
                is_list: false,
                levels: 0,
            }],
            frame_levels: 0,
        }
    }

    fn depth(&self) -> usize {
        self.header_levels + self.frame_levels
    }

    fn follow(&mut self, event: EventKind) {
        match event {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.in_header = true;
                self.header_levels = 0;
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => self.in_header = false,
            EventKind::SimpleKey if self.in_header => self.header_levels += 1,
            EventKind::SimpleKey => {
                self.frame_levels += 1;
                if let Some(frame) = self.frames.last_mut() {
                    frame.levels += 1;
                }
            }
            EventKind::ArrayOpen => self.open(true),
            EventKind::InlineTableOpen => self.open(false),
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                let levels = self.frames.pop().map_or(0, |frame| frame.levels);
                self.leave(levels);
            }
            // This ends the statement and its key. In a list, a comma only ends an item.
            EventKind::ValueSep | EventKind::Newline => {
                if let Some(frame) = self.frames.last_mut()
                    && !frame.is_list
                {
                    let levels = std::mem::take(&mut frame.levels);
                    self.leave(levels);
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, is_list: bool) {
        let levels = usize::from(is_list);
        self.frame_levels += levels;
        self.frames.push(NestingFrame { is_list, levels });
    }

    /// Subtracts the levels of a part that ended. A text that is not TOML can close more parts than
    /// it opened.
    fn leave(&mut self, levels: usize) {
        self.frame_levels = self.frame_levels.saturating_sub(levels);
    }
}

fn span(event: &Event) -> Span {
    span_of(event.span().start(), event.span().end())
}

/// The kind of a header.
#[derive(Clone, Copy)]
enum HeaderKind {
    /// `[a]`
    Table,
    /// `[[a]]`
    Element,
}

/// A value and its bytes.
struct ReadValue {
    value: TomlValue,
    span: Span,
}

/// Builds the tables. The text must be valid TOML.
struct TomlReader<'a> {
    source: &'a Arc<Source>,
    events: &'a [Event],
    at: usize,
    tables: Vec<TomlTable>,
    headers: Vec<Span>,
    ends: Vec<usize>,
}

impl TomlReader<'_> {
    /// Returns the next event that is not white space.
    fn next(&mut self) -> Option<Event> {
        loop {
            let event = *self.events.get(self.at)?;
            self.at += 1;
            match event.kind() {
                EventKind::Whitespace | EventKind::Comment | EventKind::Newline => {}
                EventKind::KeySep | EventKind::Error => {}
                _ => return Some(event),
            }
        }
    }

    fn document(&mut self) {
        let mut owner = ROOT;
        while let Some(event) = self.next() {
            match event.kind() {
                EventKind::StdTableOpen => owner = self.header(&event, HeaderKind::Table),
                EventKind::ArrayTableOpen => owner = self.header(&event, HeaderKind::Element),
                EventKind::SimpleKey => {
                    self.statement(owner, &event);
                }
                _ => {}
            }
        }
    }

    /// Reads `[a.b]` or `[[a.b]]` and returns its table.
    fn header(&mut self, open: &Event, kind: HeaderKind) -> TableId {
        let (mut keys, mut header) = (Vec::new(), span(open));
        while let Some(event) = self.next() {
            header = header.to(span(&event));
            match event.kind() {
                EventKind::SimpleKey => keys.push(self.key(&event)),
                _ => break,
            }
        }
        self.headers.push(header);
        self.ends.push(header.end());
        let Some(last) = keys.pop() else { return ROOT };
        let mut owner = ROOT;
        for key in keys {
            owner = self.inner(owner, key, || TableForm::Implicit);
        }
        self.table_under_header(owner, last, header, kind)
    }

    /// Returns the table of the header at `header`, with the key `key` in `owner`.
    fn table_under_header(
        &mut self,
        owner: TableId,
        key: Arc<Node>,
        header: Span,
        kind: HeaderKind,
    ) -> TableId {
        let new = self.tables.len();
        let known = self.tables[owner].get_mut(key.text().unwrap_or(""));
        match known.map(|entry| &mut entry.value) {
            Some(TomlValue::Elements(ids)) => ids.push(new),
            // A previous header already implied the table: `[a.b]` comes before `[a]`.
            Some(TomlValue::Table(id)) => {
                let id = *id;
                self.tables[id].kind = TableForm::Header(header);
                return id;
            }
            _ => {
                let value = match kind {
                    HeaderKind::Table => TomlValue::Table(new),
                    HeaderKind::Element => TomlValue::Elements(vec![new]),
                };
                self.tables[owner].push(TomlEntry {
                    key,
                    statement: None,
                    value,
                });
            }
        }
        self.tables.push(TomlTable::new(TableForm::Header(header)));
        new
    }

    /// Returns the table under `key`, or creates one of the given form. In a list of tables,
    /// returns the last one.
    fn inner(&mut self, table: TableId, key: Arc<Node>, kind: fn() -> TableForm) -> TableId {
        let known = self.tables[table].get(key.text().unwrap_or(""));
        match known.map(|entry| &entry.value) {
            Some(TomlValue::Table(id)) => *id,
            Some(TomlValue::Elements(ids)) => ids.last().copied().unwrap_or(ROOT),
            _ => {
                let new = self.tables.len();
                self.tables.push(TomlTable::new(kind()));
                self.tables[table].push(TomlEntry {
                    key,
                    statement: None,
                    value: TomlValue::Table(new),
                });
                new
            }
        }
    }

    /// Reads `a.b = value`, starting with its first key, and returns its span.
    fn statement(&mut self, owner: TableId, first: &Event) -> Option<Span> {
        let start = span(first).start();
        let mut last = self.key(first);
        let mut table = owner;
        loop {
            let event = self.next()?;
            if event.kind() != EventKind::SimpleKey {
                break;
            }
            table = self.inner(table, last, || TableForm::Dotted);
            last = self.key(&event);
        }
        let event = self.next()?;
        let value = self.value(&event)?;
        let end = value.span.end();
        self.ends.push(end);
        self.tables[table].push(TomlEntry {
            key: last,
            statement: Some(TomlStatement {
                start,
                value: value.span,
            }),
            value: value.value,
        });
        Some(Span::new(start, end))
    }

    /// Reads the value that begins with `event`.
    fn value(&mut self, event: &Event) -> Option<ReadValue> {
        match event.kind() {
            EventKind::ArrayOpen => self.list(event),
            EventKind::InlineTableOpen => self.inline_table(event),
            EventKind::Scalar => {
                let span = span(event);
                let value = TomlValue::Scalar(scalar::node(self.source, span));
                Some(ReadValue { value, span })
            }
            _ => None,
        }
    }

    /// Reads a list, starting after its opening bracket.
    fn list(&mut self, open: &Event) -> Option<ReadValue> {
        let (mut items, mut members) = (Vec::new(), Vec::new());
        let close = loop {
            let event = self.next()?;
            match event.kind() {
                EventKind::ArrayClose => break span(&event),
                EventKind::ValueSep => add_comma(&mut members, &event),
                _ => {
                    let item = self.value(&event)?;
                    members.push(BracketMember {
                        span: item.span,
                        comma: None,
                    });
                    items.push(item.value);
                }
            }
        };
        let span = span(open).to(close);
        let value = TomlValue::List(Bracket { span, members }, items);
        Some(ReadValue { value, span })
    }

    /// Reads an inline table, starting after its opening brace.
    fn inline_table(&mut self, open: &Event) -> Option<ReadValue> {
        let id = self.tables.len();
        // The form is set once the closing brace was read.
        self.tables.push(TomlTable::new(TableForm::Implicit));
        let mut members = Vec::new();
        let close = loop {
            let event = self.next()?;
            match event.kind() {
                EventKind::InlineTableClose => break span(&event),
                EventKind::ValueSep => add_comma(&mut members, &event),
                EventKind::SimpleKey => {
                    let span = self.statement(id, &event)?;
                    members.push(BracketMember { span, comma: None });
                }
                _ => return None,
            }
        };
        let span = span(open).to(close);
        self.tables[id].kind = TableForm::Inline(Bracket { span, members });
        let value = TomlValue::Table(id);
        Some(ReadValue { value, span })
    }

    fn key(&self, event: &Event) -> Arc<Node> {
        string::key(self.source, span(event))
    }
}

/// Records a comma as the comma of the last member.
fn add_comma(members: &mut [BracketMember], comma: &Event) {
    if let Some(member) = members.last_mut() {
        member.comma = Some(span(comma).start());
    }
}

/// Returns the tree of a table. `place` is the span to use if the table is not written in one
/// place.
fn table_node(source: &Arc<Source>, tables: &[TomlTable], id: TableId, place: Span) -> Arc<Node> {
    let table = &tables[id];
    let entries = table.entries.iter().map(|entry| {
        let place = entry
            .key
            .origin
            .as_ref()
            .map_or(place, |origin| origin.span);
        yaml::Entry {
            key: Arc::clone(&entry.key),
            value: node(source, tables, &entry.value, place),
        }
    });
    let (style, span) = match &table.kind {
        TableForm::Inline(bracket) => (CollectionStyle::Flow, bracket.span),
        TableForm::Header(span) => (CollectionStyle::Block, *span),
        TableForm::Root | TableForm::Implicit | TableForm::Dotted => {
            (CollectionStyle::Block, place)
        }
    };
    placed(
        source,
        span,
        Content::Mapping(Mapping {
            is_computed: false,
            style,
            entries: entries.collect(),
        }),
    )
}

/// Returns the tree of a value. `place` is the span to use for tables that are not written in one
/// place.
fn node(source: &Arc<Source>, tables: &[TomlTable], value: &TomlValue, place: Span) -> Arc<Node> {
    let item = |value: Arc<Node>| Item {
        start: value.origin.as_ref().map(|origin| origin.span.start),
        value,
    };
    let (style, items, span) = match value {
        TomlValue::Scalar(node) => return Arc::clone(node),
        TomlValue::Table(id) => return table_node(source, tables, *id, place),
        TomlValue::List(bracket, items) => {
            let items = items
                .iter()
                .map(|value| item(node(source, tables, value, bracket.span)));
            (CollectionStyle::Flow, items.collect(), bracket.span)
        }
        TomlValue::Elements(ids) => {
            let items = ids
                .iter()
                .map(|&id| item(table_node(source, tables, id, place)));
            (CollectionStyle::Block, items.collect(), place)
        }
    };
    placed(
        source,
        span,
        Content::Sequence(Sequence {
            style,
            items,
            is_computed: false,
        }),
    )
}

fn placed(source: &Arc<Source>, span: Span, content: Content) -> Arc<Node> {
    let origin = Some(Origin {
        source: Arc::clone(source),
        span,
    });
    Arc::new(Node {
        origin,
        properties: None,
        content,
    })
}
