//! The events of a YAML text: the one file that knows the parser crate.
//!
//! `granit-parser` yields events with byte spans; this module turns them into [`Event`]s that carry what the tree needs
//! (tag and anchor with their node, line-break repairs undone) and nothing of the crate, so another parser could take
//! its place here.

use std::borrow::Cow;

use granit_parser::{ErrorKind, Event as Raw, Parser, ScanError, StrInput, StructureStyle};

use super::limits::NESTING_LIMIT;
use super::node::{CollectionStyle, Properties, ScalarStyle};
use super::repair::Repairs;
use crate::source::Span;

/// What happens next in a YAML text. Spans are offsets into the original text.
#[derive(Debug)]
pub(super) enum Event<'a> {
    /// A document begins; the span of its `---` if it has one.
    DocumentStart { marker: Option<Span> },
    /// A document ends, at its `...` or where the next thing begins.
    DocumentEnd { span: Span },
    /// A scalar. The span of a block scalar begins after its header and is only roughly right at its end.
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
    /// The innermost collection ends; empty for a block collection.
    CollectionEnd { span: Span },
    /// An alias of the anchor with this number.
    Alias { anchor: usize, span: Span },
    /// A comment, from `#` to the end of its text.
    Comment { span: Span },
}

/// What all events that begin a node carry.
#[derive(Debug)]
pub(super) struct NodeEvent {
    /// The bytes of the node; of a collection only its start.
    pub(super) span: Span,
    /// Tag and anchor.
    pub(super) properties: Option<Box<Properties>>,
    /// The number by which aliases refer to this node; 0 for none.
    pub(super) anchor: usize,
}

/// Why a text is not YAML.
pub(super) struct SyntaxError {
    /// Where.
    pub(super) offset: usize,
    /// What is wrong, in the words of the parser.
    pub(super) message: String,
    /// Whether it is the nesting that is too deep, not the text that is wrong.
    pub(super) too_deep: bool,
    /// Whether a continuation line of a quoted scalar is indented less than YAML 1.2 wants.
    pub(super) continuation: bool,
}

/// The events of one text.
pub(super) struct Events<'a> {
    parser: Parser<'a, StrInput<'a>>,
    repairs: &'a Repairs,
}

impl<'a> Events<'a> {
    /// The events of `text`, which is the original text with `repairs` made, with or without its comments.
    pub(super) fn new(text: &'a str, repairs: &'a Repairs, comments: bool) -> Events<'a> {
        let options = granit_parser::options! {
            emit_anchor_events: true,
            emit_comments: comments,
            max_buffered_comment_events: usize::MAX,
            simple_key_max_lookahead: 1 << 20,
            flow_nesting_limit: NESTING_LIMIT,
            block_nesting_limit: NESTING_LIMIT,
        };
        Events {
            parser: Parser::new_from_str_with_options(text, options),
            repairs,
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
        tag: Option<String>,
    ) -> NodeEvent {
        let mut properties: Option<Box<Properties>> = None;
        if let Some(tag) = tag {
            let span = span
                .tag_span()
                .map_or_else(|| self.span(span), |tag| self.span(&tag));
            properties = Some(Box::new(Properties {
                tag: Some(tag.into()),
                anchor: None,
                span,
            }));
        }
        if anchor != 0
            && let Some(Ok((Raw::Anchor(_, name), at))) = self.parser.peek()
        {
            let (name, at) = (Box::<str>::from(&**name), *at);
            let at = self.span(&at);
            let all = properties.get_or_insert_with(|| {
                Box::new(Properties {
                    span: at,
                    ..Properties::default()
                })
            });
            all.span = all.span.to(at);
            all.anchor = Some(name);
        }
        NodeEvent {
            span: self.span(span),
            properties,
            anchor,
        }
    }
}

/// The full form of a tag: `tag:yaml.org,2002:str`, `!local`.
fn full_tag(tag: &granit_parser::Tag) -> String {
    format!("{}{}", tag.handle(), tag.suffix())
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

fn syntax_error(error: &ScanError, repairs: &Repairs) -> SyntaxError {
    SyntaxError {
        offset: repairs.original(error.marker().byte_offset().unwrap_or(0)),
        message: error.info(),
        too_deep: matches!(error.kind(), ErrorKind::RecursionLimitExceeded),
        continuation: matches!(error.kind(), ErrorKind::InvalidQuotedScalarIndent),
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Event<'a>, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (event, span) = match self.parser.next_event()? {
                Ok(next) => next,
                Err(error) => return Some(Err(syntax_error(&error, self.repairs))),
            };
            return Some(Ok(match event {
                Raw::DocumentStart(explicit, _) => Event::DocumentStart {
                    marker: explicit.then(|| self.span(&span)),
                },
                Raw::DocumentEnd => Event::DocumentEnd {
                    span: self.span(&span),
                },
                Raw::Scalar(text, style, anchor, tag) => {
                    let tag = tag.as_deref().map(full_tag);
                    let node = self.node(&span, anchor, tag);
                    // An empty node arrives as `~` without a byte of its own.
                    let empty = node.span.is_empty() && style == granit_parser::ScalarStyle::Plain;
                    let text = if empty { Cow::Borrowed("") } else { text };
                    Event::Scalar {
                        text,
                        style: scalar_style(style),
                        node,
                    }
                }
                Raw::SequenceStart(style, anchor, tag) => {
                    let tag = tag.as_deref().map(full_tag);
                    Event::SequenceStart {
                        style: collection_style(style),
                        node: self.node(&span, anchor, tag),
                    }
                }
                Raw::MappingStart(style, anchor, tag) => {
                    let tag = tag.as_deref().map(full_tag);
                    Event::MappingStart {
                        style: collection_style(style),
                        node: self.node(&span, anchor, tag),
                    }
                }
                Raw::SequenceEnd | Raw::MappingEnd => Event::CollectionEnd {
                    span: self.span(&span),
                },
                Raw::Alias(anchor) => Event::Alias {
                    anchor,
                    span: self.span(&span),
                },
                Raw::Comment(..) => Event::Comment {
                    span: self.span(&span),
                },
                _ => continue,
            }));
        }
    }
}
