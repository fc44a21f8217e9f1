//! From a TOML text to its tables and its tree.

use std::sync::Arc;

use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};

use super::bracket::{Bracket, BracketMember};
use super::document::{
    ROOT, TableForm, TableId, TomlEntry, TomlStatement, TomlTable, TomlText, TomlValue,
};
use super::{NESTING_LIMIT, scalar, string};
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{self, CollectionStyle, Content, Item, Mapping, Node, Origin, Sequence};

/// Reads a TOML text.
///
/// # Errors
/// A text that is not TOML, and one that nests deeper than 80 levels.
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
    // Errors are ignored here: the crate `toml` reports them, with better messages.
    parse_document(&tokens, &mut bounded, &mut ());
    events
}

fn not_toml(source: &Arc<Source>, error: &toml::de::Error) -> Box<Diagnostic> {
    let place = error
        .span()
        .map(|span| Location::new(source, span_of(span.start, span.end)));
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    Diagnostic::error(Code::TomlSyntax, format!("not valid TOML: {message}")).at(place, "")
}

fn span_of(start: usize, end: usize) -> Span {
    Span::new(start, end.max(start))
}

/// A part of the text in which each key of a statement is a level: the document, or the inside of a
/// bracket.
struct NestingFrame {
    is_list: bool,
    levels: usize,
}

/// Refuses a text that is nested too deeply, before the crate `toml` parses it with a recursion of
/// its own: each part of a key is a level, and each list.
fn measure(source: &Arc<Source>, events: &[Event]) -> Result<()> {
    let (mut header, mut depth, mut in_header) = (0, 0_usize, false);
    let mut frames = vec![NestingFrame {
        is_list: false,
        levels: 0,
    }];
    for event in events {
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => (in_header, header) = (true, 0),
            EventKind::StdTableClose | EventKind::ArrayTableClose => in_header = false,
            EventKind::SimpleKey if in_header => header += 1,
            EventKind::SimpleKey => {
                depth += 1;
                frames
                    .last_mut()
                    .into_iter()
                    .for_each(|frame| frame.levels += 1);
            }
            EventKind::ArrayOpen => {
                depth += 1;
                frames.push(NestingFrame {
                    is_list: true,
                    levels: 1,
                });
            }
            EventKind::InlineTableOpen => frames.push(NestingFrame {
                is_list: false,
                levels: 0,
            }),
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                depth -= frames.pop().map_or(0, |frame| frame.levels).min(depth);
            }
            EventKind::ValueSep | EventKind::Newline => {
                if let Some(frame) = frames.last_mut().filter(|frame| !frame.is_list) {
                    depth -= std::mem::take(&mut frame.levels).min(depth);
                }
            }
            _ => {}
        }
        if header + depth > NESTING_LIMIT {
            let message = format!("TOML nested deeper than {NESTING_LIMIT} levels");
            let place = Location::new(source, span(event));
            return Err(Diagnostic::error(Code::Limit, message).at(place, "here"));
        }
    }
    Ok(())
}

fn span(event: &Event) -> Span {
    span_of(event.span().start(), event.span().end())
}

/// Builds the tables. The text is known to be TOML.
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
                EventKind::StdTableOpen => owner = self.header(&event, false),
                EventKind::ArrayTableOpen => owner = self.header(&event, true),
                EventKind::SimpleKey => {
                    self.statement(owner, &event);
                }
                _ => {}
            }
        }
    }

    /// Reads `[a.b]` or `[[a.b]]` and returns its table.
    fn header(&mut self, open: &Event, is_element: bool) -> TableId {
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
        let owner = keys.into_iter().fold(ROOT, |table, key| {
            self.inner(table, key, || TableForm::Implicit)
        });
        let new = self.tables.len();
        let name = last.text().unwrap_or("");
        let place = self.tables[owner].index.get(name).copied();
        let known = place.and_then(|place| self.tables[owner].entries.get_mut(place));
        match known.map(|entry| &mut entry.held) {
            Some(TomlValue::Elements(ids)) => ids.push(new),
            Some(TomlValue::Table(id)) => {
                let id = *id;
                self.tables[id].kind = TableForm::Header(header);
                return id;
            }
            _ => {
                let held = if is_element {
                    TomlValue::Elements(vec![new])
                } else {
                    TomlValue::Table(new)
                };
                self.tables[owner].push(TomlEntry {
                    key: last,
                    statement: None,
                    held,
                });
            }
        }
        self.tables.push(TomlTable::new(TableForm::Header(header)));
        new
    }

    /// Returns the table under `key`, or creates one of the kind given. In a list of tables it is
    /// the last.
    fn inner(&mut self, table: TableId, key: Arc<Node>, kind: fn() -> TableForm) -> TableId {
        match self.tables[table]
            .get(key.text().unwrap_or(""))
            .map(|entry| &entry.held)
        {
            Some(TomlValue::Table(id)) => *id,
            Some(TomlValue::Elements(ids)) => ids.last().copied().unwrap_or(ROOT),
            _ => {
                let new = self.tables.len();
                self.tables.push(TomlTable::new(kind()));
                self.tables[table].push(TomlEntry {
                    key,
                    statement: None,
                    held: TomlValue::Table(new),
                });
                new
            }
        }
    }

    /// Reads `a.b = value` from its first key on, and returns its span.
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
        let (held, value) = self.value(&event)?;
        self.ends.push(value.end());
        self.tables[table].push(TomlEntry {
            key: last,
            statement: Some(TomlStatement { start, value }),
            held,
        });
        Some(Span::new(start, value.end()))
    }

    fn value(&mut self, event: &Event) -> Option<(TomlValue, Span)> {
        match event.kind() {
            EventKind::ArrayOpen => {
                let (mut items, mut members) = (Vec::new(), Vec::<BracketMember>::new());
                let close = loop {
                    let event = self.next()?;
                    match event.kind() {
                        EventKind::ArrayClose => break span(&event),
                        EventKind::ValueSep => comma(&mut members, &event),
                        _ => {
                            let (held, span) = self.value(&event)?;
                            items.push(held);
                            members.push(BracketMember { span, comma: None });
                        }
                    }
                };
                let span = span(event).to(close);
                Some((TomlValue::List(Bracket { span, members }, items), span))
            }
            EventKind::InlineTableOpen => {
                let id = self.tables.len();
                let mut members = Vec::<BracketMember>::new();
                self.tables.push(TomlTable::new(TableForm::Implicit));
                let close = loop {
                    let event = self.next()?;
                    match event.kind() {
                        EventKind::InlineTableClose => break span(&event),
                        EventKind::ValueSep => comma(&mut members, &event),
                        EventKind::SimpleKey => {
                            let span = self.statement(id, &event)?;
                            members.push(BracketMember { span, comma: None });
                        }
                        _ => return None,
                    }
                };
                let span = span(event).to(close);
                self.tables[id].kind = TableForm::Inline(Bracket { span, members });
                Some((TomlValue::Table(id), span))
            }
            EventKind::Scalar => {
                let span = span(event);
                Some((TomlValue::Scalar(scalar::node(self.source, span)), span))
            }
            _ => None,
        }
    }

    fn key(&self, event: &Event) -> Arc<Node> {
        string::key(self.source, span(event))
    }
}

fn comma(members: &mut [BracketMember], event: &Event) {
    members
        .last_mut()
        .into_iter()
        .for_each(|member| member.comma = Some(span(event).start()));
}

/// Returns the tree of a table. `place` is its span, if it has none of its own.
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
            value: node(source, tables, &entry.held, place),
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
            style,
            entries: entries.collect(),
        }),
    )
}

fn node(source: &Arc<Source>, tables: &[TomlTable], held: &TomlValue, place: Span) -> Arc<Node> {
    let item = |value: Arc<Node>| Item {
        start: value.origin.as_ref().map(|origin| origin.span.start),
        value,
    };
    let (style, items, span) = match held {
        TomlValue::Scalar(node) => return Arc::clone(node),
        TomlValue::Table(id) => return table_node(source, tables, *id, place),
        TomlValue::List(bracket, items) => {
            let items = items
                .iter()
                .map(|held| item(node(source, tables, held, bracket.span)));
            (CollectionStyle::Flow, items.collect(), bracket.span)
        }
        TomlValue::Elements(ids) => {
            let items = ids
                .iter()
                .map(|&id| item(table_node(source, tables, id, place)));
            (CollectionStyle::Block, items.collect(), place)
        }
    };
    placed(source, span, Content::Sequence(Sequence { style, items }))
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
