//! Builds the tree from the events of the parser crate.
//!
//! The collections that are not complete yet are on a stack. Each complete node goes into the
//! innermost of them:
//!
//! ```text
//! a:              MappingStart  Scalar a      [mapping, key a]
//!   - b           SequenceStart Scalar b      [mapping, key a] [sequence: b]
//!                 CollectionEnd               [mapping: a → sequence]
//! ```
//!
//! Events do not report everything that byte-exact edits need: the places of dashes and colons, and
//! the ends of block scalars and block collections. The builder finds these places in the text.
//! `cursor` is the end of the last token, so only white space, comments and the indicator in
//! question are between the cursor and the next node.

use std::collections::HashMap;
use std::sync::Arc;

use super::block_scalar;
use super::character;
use super::events::{Event, Events, NodeEvent, SyntaxError};
use super::limits::{NESTING_LIMIT, too_deep, too_many_aliased};
use super::node::{
    Alias, CollectionStyle, Content, Document, Entry, Item, Mapping, Node, Origin, Scalar,
    ScalarStyle, Sequence, Stream, Syntax, Text,
};
use crate::source::{Code, Diagnostic, Limit, Location, Result, Source, Span};

/// The reason why the builder stopped.
pub(super) enum ParseFailure {
    /// The text is not YAML; perhaps it can be repaired.
    Syntax(SyntaxError),
    /// The text is YAML but has no tree within the limits.
    Refused(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for ParseFailure {
    fn from(diagnostic: Box<Diagnostic>) -> ParseFailure {
        ParseFailure::Refused(diagnostic)
    }
}

/// Adds nodes to the collections that they belong to.
pub(super) struct TreeBuilder<'a> {
    source: &'a Arc<Source>,
    /// The incomplete collections, the innermost last.
    open: Vec<OpenCollection>,
    documents: Vec<Document>,
    comments: Vec<Span>,
    anchors: HashMap<usize, AnchoredNode>,
    /// The start of the document that is being read.
    document_start: usize,
    /// The `---` of this document.
    marker: Option<Span>,
    /// The root of this document, once it is complete.
    root: Option<Arc<Node>>,
    /// The end of the last token.
    ///
    /// Invariant: between here and the next node are only white space, comments and indicators
    /// (`-`, `:`, `?`, `,`).
    cursor: usize,
    /// The number of nodes that the aliases of this document expand to.
    aliased: u64,
    has_aliases: bool,
}

/// A complete node that aliases can refer to.
struct AnchoredNode {
    node: Arc<Node>,
    /// The number of its nodes with its own aliases written out.
    weight: u64,
}

/// An incomplete collection.
struct OpenCollection {
    style: CollectionStyle,
    event: NodeEvent,
    children: OpenChildren,
    /// The start of the item that this collection is, if its parent is a sequence.
    item_start: usize,
    /// The number of nodes so far, with aliases written out.
    weight: u64,
}

enum OpenChildren {
    Sequence(Vec<Item>),
    Mapping {
        entries: Vec<Entry>,
        /// A key without a value yet.
        key: Option<Arc<Node>>,
    },
}

impl OpenChildren {
    fn mapping() -> OpenChildren {
        OpenChildren::Mapping {
            entries: Vec::new(),
            key: None,
        }
    }

    /// Returns the start of the first item. The entries of a mapping need no such place: the
    /// mapping starts with its first key.
    fn first_item(&self) -> Option<usize> {
        match self {
            OpenChildren::Sequence(items) => Some(items.first()?.start? as usize),
            OpenChildren::Mapping { .. } => None,
        }
    }

    /// Returns the end of the last child.
    fn end(&self) -> Option<usize> {
        match self {
            OpenChildren::Sequence(items) => {
                let last = items.last()?;
                // An empty item ends after its dash.
                let after_dash = last.start.unwrap_or(0) as usize + 1;
                Some(last.value.full_end().max(after_dash))
            }
            OpenChildren::Mapping { entries, .. } => {
                let last = entries.last()?;
                Some(last.value.full_end().max(last.key.full_end()))
            }
        }
    }

    fn into_content(self, style: CollectionStyle) -> Content {
        match self {
            OpenChildren::Sequence(items) => Content::Sequence(Sequence {
                is_computed: false,
                style,
                items: items.into(),
            }),
            OpenChildren::Mapping { entries, .. } => Content::Mapping(Mapping {
                is_computed: false,
                style,
                entries: entries.into(),
            }),
        }
    }
}

impl<'a> TreeBuilder<'a> {
    /// Creates the builder of a text without nodes.
    pub(super) fn new(source: &'a Arc<Source>) -> TreeBuilder<'a> {
        TreeBuilder {
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

    /// Adds the nodes of all events.
    ///
    /// # Errors
    /// A syntax error, or a text whose tree would exceed a limit. The builder then says where it
    /// stopped.
    pub(super) fn read(&mut self, events: Events<'_>) -> std::result::Result<(), ParseFailure> {
        for event in events {
            match event.map_err(ParseFailure::Syntax)? {
                Event::DocumentStart { marker } => self.start_document(marker),
                Event::DocumentEnd { span } => self.end_document(span),
                Event::Scalar { text, style, node } => self.scalar(&text, style, node),
                Event::SequenceStart { style, node } => {
                    self.open(style, node, OpenChildren::Sequence(Vec::new()))?;
                }
                Event::MappingStart { style, node } => {
                    self.open(style, node, OpenChildren::mapping())?;
                }
                Event::CollectionEnd { span } => self.close(span),
                Event::Alias { anchor, span } => self.alias(anchor, span)?,
                Event::Comment { span } => self.comments.push(span),
            }
        }
        Ok(())
    }

    /// Returns the end of the last token before the place where the builder stopped.
    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Returns whether the line of `offset` continues a collection in brackets or a quoted scalar.
    pub(super) fn continues(&self, text: &str, offset: usize) -> bool {
        let line = text.get(..offset).and_then(|before| before.rfind('\n'));
        let before = text.get(self.cursor..line.unwrap_or(0)).unwrap_or("");
        self.is_in_brackets() || leaves_quote_open(before)
    }

    /// Returns whether the next node is between brackets.
    pub(super) fn is_in_brackets(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.style == CollectionStyle::Flow)
    }

    /// Returns the documents and their comments.
    pub(super) fn finish(mut self) -> Stream {
        // The parser reports a comment after a header or a key after the node that follows.
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
            lenient: Vec::new(),
        }
    }

    /// Begins a document, at its `---` if there is one.
    fn start_document(&mut self, marker: Option<Span>) {
        if let (Some(previous), Some(marker)) = (self.documents.last_mut(), marker)
            && previous.span.is_empty()
        {
            // The previous document ended without `...`, so its end was not known yet: it is this
            // marker.
            previous.span = Span::new(previous.span.start(), marker.start());
            self.document_start = marker.start();
        }
        self.marker = marker;
        self.cursor = marker.map_or(self.cursor, Span::end);
        // Anchors belong to one document.
        self.anchors.clear();
        self.aliased = 0;
    }

    /// Adds the document that was read. `end` is the place of its `...`, or empty.
    fn end_document(&mut self, end: Span) {
        let mut span = Span::at(self.document_start);
        let root = self.root.take().unwrap_or_else(|| self.empty_root());
        if !end.is_empty() {
            // `...` ends the document, and the rest of its line belongs to it.
            let text = self.source.text();
            let rest = text.get(end.end()..).unwrap_or("");
            let line_end = rest.find('\n').map_or(text.len(), |at| end.end() + at + 1);
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

    /// Returns the root of a document without nodes: null.
    fn empty_root(&self) -> Arc<Node> {
        Arc::new(Node {
            origin: Some(Origin {
                source: Arc::clone(self.source),
                span: Span::at(self.after_byte_order_mark(self.cursor)),
            }),
            properties: None,
            content: Content::Scalar(Scalar {
                style: ScalarStyle::Plain,
                text: Text::Verbatim,
            }),
        })
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, mut event: NodeEvent) {
        let item_start = self.item_start(&event);
        if style.is_block() {
            let after_properties = event.properties.as_ref().map_or(0, |all| all.span.end());
            let from = self.cursor.max(after_properties);
            // A scalar of blank lines has no first content line whose place could be reported.
            let is_blank = text.trim_matches('\n').is_empty();
            let content = (!is_blank).then(|| event.span.start());
            event.span = block_scalar::span(self.source.text(), from, content);
        } else if event.span.is_empty() && event.properties.is_none() {
            event.span = Span::at(self.empty_place(event.span.start()));
        }
        let text = self.stored_text(text, style, event.span);
        self.cursor = self.cursor.max(event.span.end());
        let content = Content::Scalar(Scalar { style, text });
        self.add(item_start, event, content, 1);
    }

    /// Returns the form in which the text of a scalar is stored: a copy only if the source does not
    /// contain it as it is.
    fn stored_text(&self, text: &str, style: ScalarStyle, span: Span) -> Text {
        let raw = self.source.slice(span);
        // A scalar without escapes and folding is spelled by its own bytes. Comparing is cheaper
        // than an allocation, and most scalars are of this kind.
        let bare = match style {
            ScalarStyle::Plain => raw,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                raw.get(1..raw.len().saturating_sub(1)).unwrap_or("")
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let is_last = span.end() == self.source.text().len();
                let text = block_scalar::without_added_break(text, raw, is_last);
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
        let item_start = self.item_start(&event);
        self.cursor = self.cursor.max(span.end());
        let place = Location::new(self.source, span);
        // The parser has checked that the anchor is defined, so an anchor that is missing here
        // belongs to a node that is not complete yet.
        let Some(anchored) = self.anchors.get(&anchor) else {
            return Err(Diagnostic::error(
                Code::YamlSyntax,
                format!("anchor `{name}` contains itself"),
            )
            .at(place, "this alias is inside the node of its own anchor"));
        };
        self.aliased = self.aliased.saturating_add(anchored.weight);
        if self.aliased > Limit::Nodes.value() {
            return Err(too_many_aliased(Some(place)));
        }
        let (target, weight) = (Arc::clone(&anchored.node), anchored.weight);
        self.has_aliases = true;
        let content = Content::Alias(Alias { name, target });
        self.add(item_start, event, content, weight);
        Ok(())
    }

    fn open(
        &mut self,
        style: CollectionStyle,
        event: NodeEvent,
        children: OpenChildren,
    ) -> Result<()> {
        // The parser has the same limit, but counts flow and block collections separately.
        if self.open.len() >= NESTING_LIMIT {
            return Err(too_deep(self.source, event.span.start()));
        }
        let item_start = self.item_start(&event);
        if let Some(properties) = &event.properties {
            // Tags and anchors may contain dashes and colons: `!a-b`.
            self.cursor = self.cursor.max(properties.span.end());
        }
        if style == CollectionStyle::Flow {
            // The cursor moves to after the opening bracket. A block collection has no token.
            self.cursor = self.cursor.max(event.span.end());
        }
        self.open.push(OpenCollection {
            style,
            event,
            children,
            item_start,
            weight: 1,
        });
        Ok(())
    }

    /// Completes the innermost collection. `end` is the span of its closing bracket.
    fn close(&mut self, end: Span) {
        let Some(OpenCollection {
            style,
            mut event,
            children,
            item_start,
            weight,
        }) = self.open.pop()
        else {
            return;
        };
        // A collection without brackets ends with its last child. That is a block collection, or a
        // pair in a flow sequence: `[a: b]`.
        let end = if style == CollectionStyle::Flow && !end.is_empty() {
            end.end()
        } else {
            children.end().unwrap_or(event.span.start())
        };
        let mut start = event.span.start();
        if style == CollectionStyle::Block {
            // The event of a sequence that is not indented under its key points after the first
            // dash.
            start = children.first_item().unwrap_or(start);
        }
        event.span = Span::new(start.min(end), end);
        if style == CollectionStyle::Flow {
            self.cursor = self.cursor.max(end);
        }
        self.add(item_start, event, children.into_content(style), weight);
    }

    /// Returns the place of an empty scalar, which the parser reports where the next token starts:
    ///
    /// ```text
    /// a: # comment     `a` is empty, after its colon
    /// ? b              `b` is empty, after the key, because it has no colon
    /// c:
    ///   -              an empty item, after its dash
    ///   - d            and not here
    /// ? # comment      the key is empty, after its question mark
    /// ```
    fn empty_place(&self, reported: usize) -> usize {
        let Some(parent) = self.open.last() else {
            return self.after_byte_order_mark(reported);
        };
        match &parent.children {
            OpenChildren::Mapping { key: Some(key), .. } => {
                let key_end = key.full_end();
                character::colon(self.source.text(), key_end).map_or(key_end, |colon| colon + 1)
            }
            // `item_start` has put the cursor after the dash.
            OpenChildren::Sequence(_) if parent.style == CollectionStyle::Block => self.cursor,
            OpenChildren::Mapping { key: None, entries } => {
                // A pair without braces begins with its mark, which the cursor is already after.
                let from = match entries.is_empty() {
                    true => self.cursor.min(parent.event.span.start()),
                    false => self.cursor,
                };
                // `? ?` are the marks of two keys, and the inner one is empty.
                let before = Span::new(from.min(reported), reported);
                let mark = character::last_question_mark(self.source.slice(before));
                mark.map_or(reported, |mark| before.start() + mark + 1)
            }
            _ => reported,
        }
    }

    /// Returns the place of an empty document: `reported`, or after the byte order mark on the line
    /// below its `---`. Content before the mark would be a document that the mark is inside of.
    fn after_byte_order_mark(&self, reported: usize) -> usize {
        let text = self.source.text();
        let Some(marker) = self.marker else {
            return reported;
        };
        let rest = text.get(marker.end()..).unwrap_or("");
        let below = rest.split_once('\n').map_or("", |(_, below)| below);
        match below.strip_prefix('\u{feff}') {
            Some(after) => reported.max(text.len() - after.len()),
            None => reported,
        }
    }

    /// Adds a complete node to the innermost collection, or makes it the root.
    fn add(&mut self, item_start: usize, event: NodeEvent, content: Content, weight: u64) {
        let node = Arc::new(Node {
            origin: Some(Origin {
                source: Arc::clone(self.source),
                span: event.span,
            }),
            properties: event.properties,
            content,
        });
        // Aliases can refer to the node only from now on. An alias inside the node finds no entry
        // and is an error, so a tree never contains itself.
        if event.anchor != 0 {
            let anchored = AnchoredNode {
                node: Arc::clone(&node),
                weight,
            };
            self.anchors.insert(event.anchor, anchored);
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        parent.weight = parent.weight.saturating_add(weight);
        match &mut parent.children {
            OpenChildren::Sequence(items) => items.push(Item {
                start: u32::try_from(item_start).ok(),
                value: node,
            }),
            OpenChildren::Mapping { entries, key } => match key.take() {
                None => *key = Some(node),
                Some(key) => entries.push(Entry { key, value: node }),
            },
        }
    }

    /// Returns where the item of the next node starts, and moves the cursor after its dash:
    /// at the dash in a block sequence, else at the node.
    ///
    /// There is no event for a dash. It is the first one after the cursor that is not in a
    /// comment.
    fn item_start(&mut self, event: &NodeEvent) -> usize {
        let in_block_sequence = self.open.last().is_some_and(|open| {
            open.style == CollectionStyle::Block
                && matches!(open.children, OpenChildren::Sequence(_))
        });
        if !in_block_sequence {
            return event.full_start();
        }
        let Some(dash) = character::dash(self.source.text(), self.cursor) else {
            return event.full_start();
        };
        self.cursor = dash + 1;
        dash
    }
}

/// Returns whether a text that follows a token contains the start of a quoted scalar but not its
/// end.
fn leaves_quote_open(text: &str) -> bool {
    let mut quote = None;
    let (mut is_escaped, mut is_comment) = (false, false);
    for byte in text.bytes() {
        match (quote, byte) {
            // Quotes in a comment do not count.
            _ if is_comment => is_comment = byte != b'\n',
            _ if is_escaped => is_escaped = false,
            (Some(b'"'), b'\\') => is_escaped = true,
            (Some(open), byte) if open == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'#') => is_comment = true,
            _ => {}
        }
    }
    quote.is_some()
}
