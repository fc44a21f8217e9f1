//! The events of a YAML text: the one file that knows the parser crate.
//!
//! `granit-parser` yields events with byte spans. This module converts them into [`Event`]s that
//! carry what the tree needs and nothing of the crate, so that another parser could take its place
//! here:
//!
//! - tag and anchor come with their node, although the crate reports an anchor in an event of its
//!   own;
//! - offsets are those of the original text, although the crate may have read a repaired one (see
//!   [`repair`](super::repair)).

use std::borrow::Cow;
use std::collections::HashSet;

use granit_parser::{ErrorKind, Event as Raw, Parser, ScanError, StrInput, StructureStyle};

use super::limits::NESTING_LIMIT;
use super::node::{CollectionStyle, Properties, ScalarStyle, ScalarTyping};
use super::repair::Repairs;
use crate::source::Span;

/// The next part of a YAML text. Spans are offsets into the original text.
#[derive(Debug)]
pub(super) enum Event<'a> {
    /// A document begins. The span is that of its `---`, if it has one.
    DocumentStart { marker: Option<Span> },
    /// A document ends, at its `...` or where the next thing begins.
    DocumentEnd { span: Span },
    /// A scalar. The span of a block scalar begins after its header and is only approximate at its
    /// end.
    Scalar {
        text: Cow<'a, str>,
        style: ScalarStyle,
        node: NodeEvent,
    },
    /// A sequence begins.
    SequenceStart {
        style: CollectionStyle,
        node: NodeEvent,
    },
    /// A mapping begins.
    MappingStart {
        style: CollectionStyle,
        node: NodeEvent,
    },
    /// The innermost collection ends. The span is that of its bracket; empty for a block
    /// collection.
    CollectionEnd { span: Span },
    /// An alias of the anchor with this number.
    Alias { anchor: usize, span: Span },
    /// A comment, from `#` to the end of its text.
    Comment { span: Span },
}

/// The common part of the events that start a node.
#[derive(Debug)]
pub(super) struct NodeEvent {
    /// The bytes of the node. For a collection, only its start.
    pub(super) span: Span,
    /// Tag and anchor.
    pub(super) properties: Option<Box<Properties>>,
    /// The number by which aliases refer to this node; 0 for none.
    pub(super) anchor: usize,
}

impl NodeEvent {
    /// Returns the offset of the first byte of the node, its tag and anchor included.
    pub(super) fn full_start(&self) -> usize {
        let start = self.span.start();
        match &self.properties {
            Some(properties) => properties.span.start().min(start),
            None => start,
        }
    }
}

/// The reason why a text is not YAML.
pub(super) struct SyntaxError {
    pub(super) kind: SyntaxErrorKind,
    /// The offset of the mistake in the original text.
    pub(super) offset: usize,
    /// The message of the parser.
    pub(super) message: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SyntaxErrorKind {
    /// Collections nest deeper than [`NESTING_LIMIT`].
    TooDeep,
    /// A continuation line of a quoted scalar is indented less than YAML 1.2 requires, which can be
    /// repaired.
    ContinuationIndent,
    /// There is no blank before a comment.
    CommentWithoutBlank,
    /// A quoted scalar contains an unknown escape.
    UnknownEscape,
    /// A tab before a line. This is an error unless the line continues a value in quotes or
    /// brackets.
    TabBeforeLine,
    /// A byte order mark that is not at the start of the text.
    ByteOrderMark,
    /// A dash alone between brackets.
    DashInBrackets,
    /// The name of an anchor contains `:` or `?`, at which libyaml ends it. The crate accepts such a
    /// name.
    AnchorWithoutBlank,
    /// An alias that the crate does not know, or a line without a key. The crate includes the `:` of a
    /// key in the name of an alias or an anchor: `*a: 1`, `&a: 1`.
    Alias,
    /// Anything else.
    Other,
}

/// Whether the comments of a text are listed in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Comments {
    /// For texts whose comments can be code.
    Listed,
    /// For data. This makes parsing a quarter faster.
    Skipped,
}

/// The events of one text.
pub(super) struct Events<'a> {
    parser: Parser<'a, StrInput<'a>>,
    repairs: &'a Repairs,
    /// The ends of the names of anchors outside of brackets and of aliases. They are collected only
    /// if the repairs are partly guesses.
    names: &'a mut HashSet<usize>,
    /// The number of open collections, from the outermost one in brackets on.
    depth_in_brackets: usize,
}

impl<'a> Events<'a> {
    /// Reads `text`, which is the original text with `repairs` applied. The ends of names that may
    /// be among the guesses of the repairs are added to `names`.
    pub(super) fn new(
        text: &'a str,
        repairs: &'a Repairs,
        comments: Comments,
        names: &'a mut HashSet<usize>,
    ) -> Events<'a> {
        let options = granit_parser::options! {
            // The crate reports the place of an anchor only by a separate event.
            emit_anchor_events: true,
            emit_comments: comments == Comments::Listed,
            // The defaults of these two are limits on what a file may contain: 96 comments in a
            // row, and 1,024 characters in a key. Long headers are common, and memory is bounded by
            // the text itself.
            max_buffered_comment_events: usize::MAX,
            simple_key_max_lookahead: 1 << 20,
            flow_nesting_limit: NESTING_LIMIT,
            block_nesting_limit: NESTING_LIMIT,
        };
        Events {
            parser: Parser::new_from_str_with_options(text, options),
            repairs,
            names,
            depth_in_brackets: 0,
        }
    }

    fn span(&self, span: &granit_parser::Span) -> Span {
        let range = span.byte_range().unwrap_or(0..0);
        Span::new(
            self.repairs.original(range.start),
            self.repairs.original(range.end),
        )
    }

    fn node(
        &mut self,
        span: &granit_parser::Span,
        anchor: usize,
        tag: Option<&granit_parser::Tag>,
    ) -> Result<NodeEvent, SyntaxError> {
        let mut properties: Option<Box<Properties>> = None;
        if let Some(tag) = tag {
            let tag_span = span.tag_span();
            properties = Some(Box::new(Properties {
                tag: Some(format!("{}{}", tag.handle(), tag.suffix()).into()),
                anchor: None,
                span: self.span(tag_span.as_ref().unwrap_or(span)),
                typing: ScalarTyping::Shown,
            }));
        }
        // The event of an anchor comes after that of its node.
        if anchor != 0
            && let Some(Ok((Raw::Anchor(_, name), at))) = self.parser.peek()
        {
            let (name, at) = (Box::<str>::from(&**name), *at);
            let at = self.span(&at);
            if let Some(end) = anchor_end(&name) {
                return Err(SyntaxError {
                    kind: SyntaxErrorKind::AnchorWithoutBlank,
                    offset: at.start(),
                    message: format!("expected a blank after the anchor `{}`", &name[..end]),
                });
            }
            if self.depth_in_brackets == 0 {
                self.read_name(at);
            }
            let all = properties.get_or_insert_with(|| {
                Box::new(Properties {
                    span: at,
                    ..Properties::default()
                })
            });
            // Tag and anchor come in any order: `&a !t x` and `!t &a x`.
            all.span = all.span.to(at);
            all.anchor = Some(name);
        }
        Ok(NodeEvent {
            span: self.span(span),
            properties,
            anchor,
        })
    }

    fn read_name(&mut self, name: Span) {
        if self.repairs.has_guesses() {
            self.names.insert(name.end());
        }
    }

    /// Counts a collection that begins.
    fn open(&mut self, style: StructureStyle) -> CollectionStyle {
        let style = collection_style(style);
        if style == CollectionStyle::Flow || self.depth_in_brackets > 0 {
            self.depth_in_brackets += 1;
        }
        style
    }

    fn scalar(
        &mut self,
        text: Cow<'a, str>,
        style: granit_parser::ScalarStyle,
        node: NodeEvent,
    ) -> Event<'a> {
        let style = match scalar_style(style) {
            ScalarStyle::DoubleQuoted if self.repairs.is_quoted_dash(node.span.start()) => {
                ScalarStyle::Plain
            }
            style => style,
        };
        // The crate reports an empty node as `~`, although no byte of the text spells it.
        let is_empty = node.span.is_empty() && style == ScalarStyle::Plain;
        Event::Scalar {
            text: if is_empty { Cow::Borrowed("") } else { text },
            style,
            node,
        }
    }

    fn syntax_error(&self, error: &ScanError) -> SyntaxError {
        SyntaxError {
            kind: match error.kind() {
                ErrorKind::RecursionLimitExceeded => SyntaxErrorKind::TooDeep,
                ErrorKind::InvalidQuotedScalarIndent => SyntaxErrorKind::ContinuationIndent,
                ErrorKind::CommentNotSeparated => SyntaxErrorKind::CommentWithoutBlank,
                ErrorKind::UnknownQuotedScalarEscape => SyntaxErrorKind::UnknownEscape,
                ErrorKind::TabInIndentation | ErrorKind::TabInBlockIndentation => {
                    SyntaxErrorKind::TabBeforeLine
                }
                ErrorKind::PlainScalarStartsWithDashFlowIndicator => {
                    SyntaxErrorKind::DashInBrackets
                }
                ErrorKind::BomInsideDocument => SyntaxErrorKind::ByteOrderMark,
                ErrorKind::UnknownAnchor | ErrorKind::SimpleKeyExpected => SyntaxErrorKind::Alias,
                _ => SyntaxErrorKind::Other,
            },
            offset: self
                .repairs
                .original(error.marker().byte_offset().unwrap_or(0)),
            message: error.info(),
        }
    }
}

fn collection_style(style: StructureStyle) -> CollectionStyle {
    match style {
        StructureStyle::Flow => CollectionStyle::Flow,
        StructureStyle::Block => CollectionStyle::Block,
    }
}

fn scalar_style(style: granit_parser::ScalarStyle) -> ScalarStyle {
    match style {
        granit_parser::ScalarStyle::Plain => ScalarStyle::Plain,
        granit_parser::ScalarStyle::SingleQuoted => ScalarStyle::SingleQuoted,
        granit_parser::ScalarStyle::DoubleQuoted => ScalarStyle::DoubleQuoted,
        granit_parser::ScalarStyle::Literal => ScalarStyle::Literal,
        granit_parser::ScalarStyle::Folded => ScalarStyle::Folded,
    }
}

/// Returns the length of the part of an anchor's name at which libyaml ends the name, because a `:`
/// or `?` follows. `None` for other names.
fn anchor_end(name: &str) -> Option<usize> {
    let end = name.find(|c: char| !is_in_name(c))?;
    (end > 0 && name[end..].starts_with([':', '?'])).then_some(end)
}

/// Returns whether libyaml allows a character in the name of an anchor.
pub(super) fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Event<'a>, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.parser.next_event()? {
                Ok((event, span)) => match self.event(event, &span) {
                    Ok(Some(event)) => return Some(Ok(event)),
                    Ok(None) => continue,
                    Err(error) => return Some(Err(error)),
                },
                Err(error) => return Some(Err(self.syntax_error(&error))),
            }
        }
    }
}

impl<'a> Events<'a> {
    /// Converts an event of the crate. Returns `None` for the start and the end of the stream, and
    /// for anchors, which came with their node.
    fn event(
        &mut self,
        event: Raw<'a>,
        span: &granit_parser::Span,
    ) -> Result<Option<Event<'a>>, SyntaxError> {
        Ok(Some(match event {
            Raw::DocumentStart(is_explicit, _) => Event::DocumentStart {
                marker: is_explicit.then(|| self.span(span)),
            },
            Raw::DocumentEnd => Event::DocumentEnd {
                span: self.span(span),
            },
            Raw::Scalar(text, style, anchor, tag) => {
                let node = self.node(span, anchor, tag.as_deref())?;
                self.scalar(text, style, node)
            }
            // The anchor of a collection is before its bracket.
            Raw::SequenceStart(style, anchor, tag) => Event::SequenceStart {
                node: self.node(span, anchor, tag.as_deref())?,
                style: self.open(style),
            },
            Raw::MappingStart(style, anchor, tag) => Event::MappingStart {
                node: self.node(span, anchor, tag.as_deref())?,
                style: self.open(style),
            },
            Raw::SequenceEnd | Raw::MappingEnd => {
                self.depth_in_brackets = self.depth_in_brackets.saturating_sub(1);
                Event::CollectionEnd {
                    span: self.span(span),
                }
            }
            Raw::Alias(anchor) => {
                let span = self.span(span);
                self.read_name(span);
                Event::Alias { anchor, span }
            }
            Raw::Comment(..) => Event::Comment {
                span: self.span(span),
            },
            _ => return Ok(None),
        }))
    }
}
