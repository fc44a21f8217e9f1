//! The grammar of JSON: values, and documents one after another.

use std::mem;
use std::sync::Arc;

use super::blank::first_line_end;
use super::fault::{self, Expected};
use super::lexer::{JsonLexer, JsonTokenKind, Token};
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{
    CollectionStyle, Content, Document, Entry, Item, Mapping, Node, Origin, Scalar, ScalarStyle,
    Sequence, Stream, Syntax, Text,
};

/// The maximum nesting depth of objects and arrays.
const MAX_DEPTH: usize = 255;

/// Parses a JSON text.
///
/// Each value at the top level is a document. The spans of the documents cover the whole text: the
/// text before a value belongs to its document, and so does the rest of its last line:
///
/// ```text
/// // about a          document 1
/// {"a": 1} // also
/// {"b": 2}            document 2
/// ```
///
/// Keys that occur twice in an object are kept.
///
/// # Errors
/// [`Code::JsonSyntax`] where the text is not JSON, [`Code::Limit`] where objects and arrays nest
/// deeper than 255 levels.
pub fn parse_json(source: &Arc<Source>) -> Result<Stream> {
    let mut parser = JsonParser::new(source)?;
    let roots = parser.roots()?;
    Ok(Stream {
        source: Arc::clone(source),
        syntax: Syntax::Json,
        documents: documents(source.text(), roots),
        comments: parser.lexer.comments,
        has_aliases: false,
        lenient: Vec::new(),
    })
}

/// A value at the top level and its place.
struct RootValue {
    node: Arc<Node>,
    span: Span,
}

/// Divides the text among the values at the top level.
fn documents(text: &str, roots: Vec<RootValue>) -> Vec<Document> {
    let next_starts: Vec<usize> = roots.iter().skip(1).map(|root| root.span.start()).collect();
    let mut documents = Vec::with_capacity(roots.len());
    let mut start = 0;
    for (index, root) in roots.into_iter().enumerate() {
        let end = match next_starts.get(index) {
            None => text.len(),
            Some(&next) => first_line_end(text, root.span.end(), next).unwrap_or(next),
        };
        documents.push(Document {
            marker: None,
            span: Span::new(start, end),
            root: root.node,
        });
        start = end;
    }
    documents
}

/// Reads values, with one token of lookahead. It is recursive, and [`MAX_DEPTH`] bounds the depth.
struct JsonParser<'s> {
    lexer: JsonLexer<'s>,
    /// The next token.
    token: Token,
    /// The brackets and braces that are open.
    open: Vec<Span>,
}

impl<'s> JsonParser<'s> {
    fn new(source: &'s Arc<Source>) -> Result<JsonParser<'s>> {
        let mut lexer = JsonLexer::new(source);
        let token = lexer.next()?;
        Ok(JsonParser {
            lexer,
            token,
            open: Vec::new(),
        })
    }

    fn roots(&mut self) -> Result<Vec<RootValue>> {
        let mut roots = Vec::new();
        while !matches!(self.token.kind, JsonTokenKind::End) {
            let start = self.token.span;
            let node = self.value(Expected::ValueOrEnd)?;
            let span = node.origin.as_ref().map_or(start, |origin| origin.span);
            if self.token.span.start() == span.end()
                && !matches!(self.token.kind, JsonTokenKind::End)
            {
                return Err(self.fault(Expected::SpaceOrEnd));
            }
            roots.push(RootValue { node, span });
        }
        Ok(roots)
    }

    /// Reads a value. `expected` decides which tokens the message about another token lists.
    fn value(&mut self, expected: Expected) -> Result<Arc<Node>> {
        match self.token.kind {
            JsonTokenKind::OpenBrace => self.object(),
            JsonTokenKind::OpenBracket => self.array(),
            JsonTokenKind::String(_) | JsonTokenKind::Plain => self.scalar(),
            _ => Err(self.fault(expected)),
        }
    }

    fn object(&mut self) -> Result<Arc<Node>> {
        self.open()?;
        let mut entries = Vec::new();
        while !matches!(self.token.kind, JsonTokenKind::CloseBrace) {
            entries.push(self.entry()?);
            match self.token.kind {
                JsonTokenKind::Comma => drop(self.take()?),
                JsonTokenKind::CloseBrace => {}
                _ => return Err(self.fault(Expected::CommaOrBrace)),
            }
        }
        self.close(Content::Mapping(Mapping {
            is_computed: false,
            style: CollectionStyle::Flow,
            entries: entries.into(),
        }))
    }

    fn entry(&mut self) -> Result<Entry> {
        if !matches!(self.token.kind, JsonTokenKind::String(_)) {
            return Err(self.fault(Expected::KeyOrBrace));
        }
        let key = self.scalar()?;
        if !matches!(self.token.kind, JsonTokenKind::Colon) {
            return Err(self.fault(Expected::Colon));
        }
        self.take()?;
        Ok(Entry {
            key,
            value: self.value(Expected::Value)?,
        })
    }

    fn array(&mut self) -> Result<Arc<Node>> {
        self.open()?;
        let mut items = Vec::new();
        while !matches!(self.token.kind, JsonTokenKind::CloseBracket) {
            let start = Some(self.token.span.start);
            items.push(Item {
                start,
                value: self.value(Expected::ValueOrBracket)?,
            });
            match self.token.kind {
                JsonTokenKind::Comma => drop(self.take()?),
                JsonTokenKind::CloseBracket => {}
                _ => return Err(self.fault(Expected::CommaOrBracket)),
            }
        }
        self.close(Content::Sequence(Sequence {
            is_computed: false,
            style: CollectionStyle::Flow,
            items: items.into(),
        }))
    }

    fn scalar(&mut self) -> Result<Arc<Node>> {
        let token = self.take()?;
        let (style, text) = match token.kind {
            JsonTokenKind::String(text) => (ScalarStyle::DoubleQuoted, text),
            _ => (ScalarStyle::Plain, Text::Verbatim),
        };
        Ok(self.node(token.span, Content::Scalar(Scalar { style, text })))
    }

    /// Consumes an opening bracket or brace.
    fn open(&mut self) -> Result<()> {
        if self.open.len() == MAX_DEPTH {
            let message = format!("expected at most {MAX_DEPTH} levels of nesting, found more");
            return Err(Diagnostic::error(Code::Limit, message).at(self.place(self.token.span), ""));
        }
        self.open.push(self.token.span);
        self.take()?;
        Ok(())
    }

    /// Consumes a closing bracket or brace, and creates the node that it completes.
    fn close(&mut self, content: Content) -> Result<Arc<Node>> {
        let close = self.take()?.span;
        let open = self.open.pop().unwrap_or(close);
        Ok(self.node(open.to(close), content))
    }

    fn node(&self, span: Span, content: Content) -> Arc<Node> {
        let origin = Some(Origin {
            source: Arc::clone(self.lexer.source),
            span,
        });
        Arc::new(Node {
            origin,
            properties: None,
            content,
        })
    }

    /// Consumes the next token and returns it.
    fn take(&mut self) -> Result<Token> {
        let next = self.lexer.next()?;
        Ok(mem::replace(&mut self.token, next))
    }

    /// Returns the error for a next token that the grammar does not allow.
    fn fault(&self, expected: Expected) -> Box<Diagnostic> {
        let (token, text) = (&self.token, self.lexer.text);
        let open = self.open.last().copied();
        let found = fault::describe_token(token, text);
        let diagnostic = Diagnostic::error(
            Code::JsonSyntax,
            format!("expected {expected}, found {found}"),
        )
        .at(self.place(token.span), "")
        .help_if(fault::remedy(expected, token, text, open));
        let unclosed = matches!(
            token.kind,
            JsonTokenKind::End | JsonTokenKind::CloseBrace | JsonTokenKind::CloseBracket
        );
        diagnostic.at(
            open.filter(|_| unclosed).map(|open| self.place(open)),
            "opened here",
        )
    }

    fn place(&self, span: Span) -> Location {
        Location::new(self.lexer.source, span)
    }
}
