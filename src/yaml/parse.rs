//! From events to the tree.

use std::collections::HashMap;
use std::sync::Arc;

use super::block_scalar;
use super::character;
use super::events::{Event, Events, NodeEvent, SyntaxError};
use super::limits::{ALIAS_LIMIT, NESTING_LIMIT};
use super::node::{
    Alias, CollectionStyle, Content, Entry, Item, Mapping, Node, Origin, Scalar, ScalarStyle,
    Sequence, Text,
};
use super::node::{Document, Stream, Syntax};
use super::repair::{REPAIR_LIMIT, Repairs};
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};

/// Parses a YAML text and lists its comments.
///
/// # Errors
/// One diagnostic with the place: a syntax error, a nesting deeper than [`NESTING_LIMIT`], aliases that stand for more
/// than [`ALIAS_LIMIT`] nodes, or an anchor that contains itself.
pub fn parse(source: &Arc<Source>) -> Result<Stream> {
    read(source, true)
}

/// Parses a YAML text that is data: what its comments say is of no concern, so they are not listed. They still stand in
/// the text, and faithful printing keeps them. A quarter faster than [`parse`], with the same errors.
pub fn parse_data(source: &Arc<Source>) -> Result<Stream> {
    read(source, false)
}

fn read(source: &Arc<Source>, comments: bool) -> Result<Stream> {
    let mut repairs = Repairs::default();
    let mut text = String::new();
    for round in 0..=REPAIR_LIMIT {
        let read = if round == 0 { source.text() } else { &text };
        let mut builder = Builder::new(source);
        let error = match builder.read(Events::new(read, &repairs, comments)) {
            Ok(()) => return Ok(builder.finish()),
            Err(Failure::Diagnostic(diagnostic)) => return Err(diagnostic),
            Err(Failure::Syntax(error)) => error,
        };
        let token = builder.cursor;
        if !error.continuation
            || round == REPAIR_LIMIT
            || !repairs.mend(source.text(), token, error.offset)
        {
            return Err(diagnose(source, error));
        }
        text = repairs.repaired(source.text());
    }
    unreachable!("the last round returns")
}

fn diagnose(source: &Arc<Source>, error: SyntaxError) -> Box<Diagnostic> {
    let place = Location::new(source, Span::at(error.offset));
    if error.too_deep {
        return Diagnostic::error(
            Code::Limit,
            format!("collections nest deeper than {NESTING_LIMIT} levels"),
        )
        .at(place, "the limit is reached here")
        .help("split the document, or hold the inner part as text");
    }
    Diagnostic::error(
        Code::YamlSyntax,
        format!("not valid YAML: {}", error.message),
    )
    .at(place, "")
}

enum Failure {
    Syntax(SyntaxError),
    Diagnostic(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Failure {
        Failure::Diagnostic(diagnostic)
    }
}

/// Puts nodes where they belong.
struct Builder<'a> {
    source: &'a Arc<Source>,
    open: Vec<Open>,
    documents: Vec<Document>,
    comments: Vec<Span>,
    anchors: HashMap<usize, Anchored>,
    /// The document being read: its start, its marker, and its root once that is complete.
    document_start: usize,
    marker: Option<Span>,
    root: Option<Arc<Node>>,
    /// Where the last token ended: what comes next stands after it.
    cursor: usize,
    /// How many nodes the aliases of this document stand for.
    aliased: u64,
    has_aliases: bool,
}

/// A complete node that aliases can stand for, and how many nodes it is with its own aliases written out.
struct Anchored {
    node: Arc<Node>,
    weight: u64,
}

/// A collection that is not complete yet.
struct Open {
    style: CollectionStyle,
    event: NodeEvent,
    children: Children,
    /// The start of the item that is this collection, in the sequence around it.
    start: usize,
    weight: u64,
}

enum Children {
    Sequence(Vec<Item>),
    Mapping {
        entries: Vec<Entry>,
        key: Option<Arc<Node>>,
    },
}

impl<'a> Builder<'a> {
    fn new(source: &'a Arc<Source>) -> Builder<'a> {
        Builder {
            source,
            open: Vec::new(),
            documents: Vec::new(),
            comments: Vec::new(),
            anchors: HashMap::new(),
            document_start: 0,
            marker: None,
            root: None,
            cursor: 0,
            aliased: 0,
            has_aliases: false,
        }
    }

    fn read(&mut self, events: Events<'_>) -> std::result::Result<(), Failure> {
        for event in events {
            match event.map_err(Failure::Syntax)? {
                Event::DocumentStart { marker } => self.start_document(marker),
                Event::DocumentEnd { span } => self.end_document(span),
                Event::Scalar { text, style, node } => self.scalar(&text, style, node),
                Event::SequenceStart { style, node } => {
                    self.open(style, node, Children::Sequence(Vec::new()))?
                }
                Event::MappingStart { style, node } => {
                    self.open(
                        style,
                        node,
                        Children::Mapping {
                            entries: Vec::new(),
                            key: None,
                        },
                    )?;
                }
                Event::CollectionEnd { span } => self.close(span),
                Event::Alias { anchor, span } => self.alias(anchor, span)?,
                Event::Comment { span } => self.comments.push(span),
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Stream {
        // A comment after a header or a key is reported late.
        self.comments.sort_unstable();
        if let Some(last) = self.documents.last_mut() {
            last.span = Span::new(last.span.start(), self.source.text().len());
        }
        Stream {
            source: Arc::clone(self.source),
            syntax: Syntax::Yaml,
            documents: self.documents,
            comments: self.comments,
            has_aliases: self.has_aliases,
        }
    }

    fn start_document(&mut self, marker: Option<Span>) {
        if let (Some(previous), Some(marker)) = (self.documents.last_mut(), marker)
            && previous.span.end() == previous.span.start()
        {
            // The previous document ended without `...`: this marker divides the two.
            previous.span = Span::new(previous.span.start(), marker.start());
            self.document_start = marker.start();
        }
        self.marker = marker;
        self.cursor = marker.map_or(self.cursor, Span::end);
        self.anchors.clear();
        self.aliased = 0;
    }

    fn end_document(&mut self, end: Span) {
        let root = self.root.take().unwrap_or_else(|| {
            Arc::new(Node {
                origin: Some(Origin {
                    source: Arc::clone(self.source),
                    span: Span::at(self.cursor),
                }),
                properties: None,
                content: Content::Scalar(Scalar {
                    style: ScalarStyle::Plain,
                    text: Text::Verbatim,
                }),
            })
        });
        let mut span = Span::at(self.document_start);
        if !end.is_empty() {
            // `...` ends the document, and the rest of its line belongs to it.
            let rest = self.source.text().get(end.end()..).unwrap_or("");
            let line_end = rest
                .find('\n')
                .map_or(self.source.text().len(), |at| end.end() + at + 1);
            span = Span::new(self.document_start, line_end);
            self.document_start = line_end;
            self.cursor = line_end;
        }
        self.documents.push(Document {
            marker: self.marker.take(),
            span,
            root,
        });
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, mut event: NodeEvent) {
        let start = self.item_start(&event);
        if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            let from = event.properties.as_ref().map_or(self.cursor, |properties| {
                properties.span.end().max(self.cursor)
            });
            let content = (!text.trim_matches('\n').is_empty()).then(|| event.span.start());
            event.span = block_scalar::span(self.source.text(), from, content);
        } else if event.span.is_empty() && event.properties.is_none() {
            event.span = Span::at(self.empty_place(event.span.start()));
        }
        let text = self.text(text, style, event.span);
        self.cursor = self.cursor.max(event.span.end());
        self.place(start, event, Content::Scalar(Scalar { style, text }), 1);
    }

    /// Holds the text only where the source does not spell it as it is.
    fn text(&self, text: &str, style: ScalarStyle, span: Span) -> Text {
        let raw = self.source.slice(span);
        let bare = match style {
            ScalarStyle::Plain => raw,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                raw.get(1..raw.len().saturating_sub(1)).unwrap_or("")
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                // At the end of a text without a final newline, libyaml adds none to the scalar.
                let unended = span.end() == self.source.text().len() && !raw.ends_with('\n');
                let text = if unended {
                    text.strip_suffix('\n').unwrap_or(text)
                } else {
                    text
                };
                return Text::Owned(text.into());
            }
        };
        if bare == text {
            Text::Verbatim
        } else {
            Text::Owned(text.into())
        }
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<()> {
        let name: Box<str> = self.source.slice(span).trim_start_matches('*').into();
        let event = NodeEvent {
            span,
            properties: None,
            anchor: 0,
        };
        let start = self.item_start(&event);
        self.cursor = self.cursor.max(span.end());
        let place = Location::new(self.source, span);
        let Some(anchored) = self.anchors.get(&anchor) else {
            return Err(Diagnostic::error(
                Code::YamlSyntax,
                format!("anchor `{name}` contains itself"),
            )
            .at(place, "the alias stands inside its own anchor"));
        };
        self.aliased = self.aliased.saturating_add(anchored.weight);
        if self.aliased > ALIAS_LIMIT {
            return Err(Diagnostic::error(
                Code::Limit,
                format!("aliases stand for more than {ALIAS_LIMIT} nodes"),
            )
            .at(place, "the limit is reached here")
            .help("write the repeated part once, or split the document"));
        }
        let (target, weight) = (Arc::clone(&anchored.node), anchored.weight);
        self.has_aliases = true;
        self.place(start, event, Content::Alias(Alias { name, target }), weight);
        Ok(())
    }

    fn open(&mut self, style: CollectionStyle, event: NodeEvent, children: Children) -> Result<()> {
        if self.open.len() >= NESTING_LIMIT {
            let error = SyntaxError {
                offset: event.span.start(),
                message: String::new(),
                too_deep: true,
                continuation: false,
            };
            return Err(diagnose(self.source, error));
        }
        let start = self.item_start(&event);
        if style == CollectionStyle::Flow {
            self.cursor = self.cursor.max(event.span.end());
        }
        self.open.push(Open {
            style,
            event,
            children,
            start,
            weight: 1,
        });
        Ok(())
    }

    fn close(&mut self, end: Span) {
        let Some(Open {
            style,
            mut event,
            children,
            start,
            weight,
        }) = self.open.pop()
        else {
            return;
        };
        let last = match &children {
            Children::Sequence(items) => items.last().map(|item| {
                item.value
                    .full_end()
                    .max(item.start.unwrap_or(0) as usize + 1)
            }),
            Children::Mapping { entries, .. } => entries
                .last()
                .map(|entry| entry.value.full_end().max(entry.key.full_end())),
        };
        let end = match style {
            CollectionStyle::Flow if !end.is_empty() => end.end(),
            // A pair without braces in a list has no end of its own either.
            _ => last.unwrap_or(event.span.start()),
        };
        // The event of a sequence that is not indented points behind its first dash.
        let first = match &children {
            Children::Sequence(items) => items
                .first()
                .and_then(|item| item.start)
                .map(|start| start as usize),
            Children::Mapping { .. } => None,
        };
        let start_offset = first
            .filter(|_| style == CollectionStyle::Block)
            .unwrap_or(event.span.start());
        event.span = Span::new(start_offset.min(end), end);
        if style == CollectionStyle::Flow {
            self.cursor = self.cursor.max(end);
        }
        let content = match children {
            Children::Sequence(items) => Content::Sequence(Sequence {
                style,
                items: items.into(),
            }),
            Children::Mapping { entries, .. } => Content::Mapping(Mapping {
                style,
                entries: entries.into(),
            }),
        };
        self.place(start, event, content, weight);
    }

    /// Where an empty scalar stands: behind its dash or colon; behind its key, if that has no colon.
    fn empty_place(&self, reported: usize) -> usize {
        match self.open.last().map(|open| (open.style, &open.children)) {
            Some((_, Children::Mapping { key: Some(key), .. })) => {
                let end = key.full_end();
                character::colon(self.source.text(), end).map_or(end, |colon| colon + 1)
            }
            Some((CollectionStyle::Block, Children::Sequence(_))) => self.cursor,
            _ => reported,
        }
    }

    /// Completes a node and puts it into the collection that is open.
    fn place(&mut self, start: usize, event: NodeEvent, content: Content, weight: u64) {
        let origin = Some(Origin {
            source: Arc::clone(self.source),
            span: event.span,
        });
        let node = Arc::new(Node {
            origin,
            properties: event.properties,
            content,
        });
        if event.anchor != 0 {
            self.anchors.insert(
                event.anchor,
                Anchored {
                    node: Arc::clone(&node),
                    weight,
                },
            );
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        parent.weight = parent.weight.saturating_add(weight);
        match &mut parent.children {
            Children::Sequence(items) => items.push(Item {
                start: u32::try_from(start).ok(),
                value: node,
            }),
            Children::Mapping { entries, key } => match key.take() {
                None => *key = Some(node),
                Some(key) => entries.push(Entry { key, value: node }),
            },
        }
    }

    /// Where the item starts that the next node is: at its dash in a block sequence, else at the node.
    ///
    /// There is no event for a dash. It is the first one between the last token and the node; white space, comments and
    /// nothing else stand between.
    fn item_start(&mut self, event: &NodeEvent) -> usize {
        let node_start = event
            .properties
            .as_ref()
            .map_or(event.span.start(), |properties| {
                properties.span.start().min(event.span.start())
            });
        let in_block_sequence = self.open.last().is_some_and(|open| {
            open.style == CollectionStyle::Block && matches!(open.children, Children::Sequence(_))
        });
        if !in_block_sequence {
            return node_start;
        }
        let Some(dash) = character::dash(self.source.text(), self.cursor) else {
            return node_start;
        };
        self.cursor = dash + 1;
        dash
    }
}
