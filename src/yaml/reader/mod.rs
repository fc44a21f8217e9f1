//! A fast reader for the YAML that manifests consist of.
//!
//! Nearly every file in a build is block YAML of the plainest kind: mappings and sequences by
//! indentation, scalars in their five styles, comments, short flow collections. This module reads
//! that kind in one pass over the bytes and builds the tree directly, without tokens and events,
//! several times faster than a complete parser.
//!
//! It is not a complete parser, and never reports that a text is wrong. If it finds anything else
//! (anchors, tags, directives, tabs between tokens, explicit keys, an error), it gives up with
//! [`Unhandled`], and the parser crate reads the text from its start. So there are two invariants:
//!
//! - Invariant: every text that this reader accepts, the parser crate accepts too, with the same
//!   tree, including all spans. Property tests and the whole corpus compare the two.
//! - Invariant: the parser crate alone decides whether a text is YAML, and which message is
//!   reported if it is not.
//!
//! If in doubt, the reader gives up. That costs at most the time that was spent until then.
//!
//! ```text
//! spec:                 mapping at column 0
//!   ports:              mapping at column 2
//!   - name: http        sequence at column 2, mapping at column 4
//!     port: 80
//! ```
//!
//! A block collection is identified by its column alone: it continues as long as the next token is
//! at that column, and ends at a token further left. [`Reader::next_token`] computes that column
//! after each line.

mod block;
mod block_text;
mod characters;
mod compare;
mod flow;
mod plain;
mod quoted;

use std::ops::Range;
use std::sync::Arc;

use super::events::Comments;
use super::node::{
    Content, Document, Entry, Item, Node, Origin, Scalar, ScalarStyle, Stream, Syntax, Text,
};
use crate::source::{Source, Span, parallel};
use characters::check_characters;

/// The maximum nesting depth. Deeper collections are left to the parser crate, which has the limit
/// and the message.
const DEPTH: usize = 100;

/// The maximum length of a key. Longer keys are left to the parser crate: a key has to end on its
/// line, and the search for its end must be bounded.
const KEY_LENGTH: usize = 1_000;

/// The minimum number of bytes of a part of a text that is read in a separate thread.
const PART_LENGTH: usize = 256 * 1024;

/// The column at the end of the text, and at a marker that starts the next document. Every
/// collection ends there, because it is left of all columns.
const END: isize = -1;

/// Describes differences between the trees of this reader and of the parser crate: see [`compare`].
pub use compare::disagreement;

/// The text contains something that this reader leaves to the parser crate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unhandled;

type Handled<T> = Result<T, Unhandled>;

/// Reads a text.
///
/// Documents are independent: `---` at column 0 cannot be inside a node. So the parts of a long
/// text are read in parallel. Each part starts at a marker and keeps the offsets of the whole text.
///
/// # Errors
/// [`Unhandled`] if the text contains anything beyond plain block YAML.
pub(super) fn read(source: &Arc<Source>, comments: Comments) -> Handled<Stream> {
    let bytes = source.text().as_bytes();
    // For a short text, even asking the system for the number of threads costs too much.
    let count = match bytes.len() / PART_LENGTH {
        0 | 1 => 1,
        most => parallel::threads().min(most),
    };
    let parts = parts(bytes, count);
    let parts = parallel::map(&parts, |part| Reader::new(source, part, comments).read());
    let mut stream = Stream {
        source: Arc::clone(source),
        syntax: Syntax::Yaml,
        documents: Vec::new(),
        comments: Vec::new(),
        has_aliases: false,
        lenient: Vec::new(),
    };
    for part in parts {
        let part = part?;
        stream.documents.extend(part.documents);
        stream.comments.extend(part.comments);
    }
    // Comments before the first marker belong to the first document, even if they fill a whole
    // part.
    if let Some(first) = stream.documents.first_mut() {
        first.span = Span::new(0, first.span.end());
    }
    Ok(stream)
}

/// Reads the documents of one of the [`parts`] of a text, without its comments.
///
/// # Errors
/// As [`read`].
pub(super) fn read_part(source: &Arc<Source>, part: &Range<usize>) -> Handled<Vec<Document>> {
    let part = Reader::new(source, part, Comments::Skipped).read()?;
    Ok(part.documents)
}

/// Divides a text into at most `count` parts of about equal length. Each but the first starts
/// with a marker.
pub(super) fn parts(bytes: &[u8], count: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::with_capacity(count);
    let mut start = 0;
    for number in 1..count {
        let near = start.max(bytes.len() / count * number);
        let Some(marker) = memchr::memmem::find(&bytes[near..], b"\n---\n") else {
            break;
        };
        let end = near + marker + 1;
        parts.push(start..end);
        start = end;
    }
    parts.push(start..bytes.len());
    parts
}

/// The reader's state between two tokens.
struct Reader<'a> {
    source: &'a Arc<Source>,
    /// The text up to the end of the part. It starts with the whole text, so that offsets are those
    /// of the whole text.
    bytes: &'a [u8],
    /// The offset of the next byte to read.
    at: usize,
    /// The offset of the first byte of the line that contains `at`.
    line_start: usize,
    /// The column of the token at `at`, counted in bytes from 0, or [`END`].
    column: isize,
    /// The number of collections that are open.
    depth: usize,
    /// The comments so far; `None` if they are skipped.
    comments: Option<Vec<Span>>,
    /// The entries of all open mappings. Each mapping takes its own off the end when it closes, so
    /// it is allocated once, with its final size.
    entries: Vec<Entry>,
    /// The items of all open sequences.
    items: Vec<Item>,
}

/// The content of one of the [`parts`] of a text.
struct ReadPart {
    documents: Vec<Document>,
    /// Empty if comments are skipped.
    comments: Vec<Span>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Arc<Source>, part: &Range<usize>, comments: Comments) -> Reader<'a> {
        Reader {
            source,
            bytes: &source.text().as_bytes()[..part.end],
            at: part.start,
            line_start: part.start,
            column: 0,
            depth: 0,
            comments: (comments == Comments::Listed).then(Vec::new),
            entries: Vec::new(),
            items: Vec::new(),
        }
    }

    /// Reads all documents of the part, and its comments.
    fn read(mut self) -> Handled<ReadPart> {
        let start = self.at;
        check_characters(&self.bytes[start..])?;
        let documents = self.documents(start)?;
        Ok(ReadPart {
            documents,
            comments: self.comments.unwrap_or_default(),
        })
    }

    fn documents(&mut self, first_start: usize) -> Handled<Vec<Document>> {
        let mut documents: Vec<Document> = Vec::new();
        self.next_token()?;
        while self.at < self.bytes.len() {
            let marker = self.marker()?;
            // The first document starts with its part, the others at their markers.
            let start = match (documents.last_mut(), marker) {
                (None, _) => first_start,
                (Some(previous), Some(marker)) => {
                    previous.span = Span::new(previous.span.start(), marker.start());
                    marker.start()
                }
                (Some(_), None) => return Err(Unhandled),
            };
            let root = match marker {
                // Nothing comes between this marker and the next one, or the end.
                Some(marker) if self.column == END => self.empty(marker.end()),
                _ => self.document_root()?,
            };
            documents.push(Document {
                marker,
                span: Span::at(start),
                root,
            });
        }
        if let Some(last) = documents.last_mut() {
            last.span = Span::new(last.span.start(), self.bytes.len());
        }
        Ok(documents)
    }

    /// Reads the node of a document.
    fn document_root(&mut self) -> Handled<Arc<Node>> {
        let root = self.block_node(END)?;
        // A document that is a scalar is rare.
        if matches!(root.content, Content::Scalar(_)) || self.column != END {
            return Err(Unhandled);
        }
        Ok(root)
    }

    /// Reads the marker `---`, if it is the next token, and moves to the first token of its
    /// document.
    fn marker(&mut self) -> Handled<Option<Span>> {
        if self.column != END {
            return Ok(None);
        }
        let marker = Span::new(self.at, self.at + 3);
        self.at = marker.end();
        let line_start = self.line_start;
        self.next_token()?;
        // A node on the line of its marker is rare: `--- text`.
        if self.column != END && self.line_start == line_start {
            return Err(Unhandled);
        }
        Ok(Some(marker))
    }

    /// Skips blanks, line breaks and comments, moves to the next token, and sets `column`.
    fn next_token(&mut self) -> Handled<()> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ') => self.at += 1,
                Some(b'\n') => {
                    self.at += 1;
                    self.line_start = self.at;
                }
                Some(b'#') => self.comment()?,
                Some(b'\t') => return Err(Unhandled),
                Some(_) => break,
                None => {
                    self.column = END;
                    return Ok(());
                }
            }
        }
        // A dash, a key or a value in the middle of a line gets its own column too: the mapping in
        // `- a: 1` is at column 2.
        self.column = (self.at - self.line_start) as isize;
        if self.column == 0 {
            match self.bytes.get(self.at..self.at + 3) {
                Some(b"---") if self.is_blank(self.at + 3) => self.column = END,
                Some(b"...") => return Err(Unhandled),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the comment at `at`, which starts a line or follows a space.
    fn comment(&mut self) -> Handled<()> {
        let start = self.at;
        if start > self.line_start && self.bytes[start - 1] != b' ' {
            return Err(Unhandled);
        }
        self.at = self.line_end(start);
        if let Some(comments) = &mut self.comments {
            comments.push(Span::new(start, self.at));
        }
        Ok(())
    }

    /// Reads the rest of a line after a value, which may only contain a comment, and moves to the
    /// next token.
    fn end_line(&mut self) -> Handled<()> {
        let line_start = self.line_start;
        self.next_token()?;
        if self.line_start == line_start && self.at < self.bytes.len() {
            return Err(Unhandled);
        }
        Ok(())
    }

    /// Reads the part of a scalar on this line: a quoted one to its closing quote, a plain one to
    /// the end of the line, to a comment, or to a colon that ends a key.
    fn scalar_on_line(&mut self) -> Handled<LineScalar> {
        let line_start = self.line_start;
        match self.bytes[self.at] {
            quote @ (b'"' | b'\'') => self.quoted(quote),
            _ => self.plain_on_line().map(|(start, end)| LineScalar {
                start,
                end,
                line_start,
                style: ScalarStyle::Plain,
                text: None,
            }),
        }
    }

    /// Returns the offset of the colon after a scalar, if the scalar is a key. Spaces may come
    /// before the colon.
    fn colon(&self) -> Option<usize> {
        let mut at = self.at;
        while self.bytes.get(at) == Some(&b' ') {
            at += 1;
        }
        let is_colon = self.bytes.get(at) == Some(&b':') && self.is_blank(at + 1);
        is_colon.then_some(at)
    }

    /// Completes a scalar that is not a key, and moves to the token after it.
    fn rest_of_scalar(&mut self, scalar: LineScalar, parent: isize) -> Handled<Arc<Node>> {
        match scalar.style {
            ScalarStyle::Plain => self.rest_of_plain(scalar, parent),
            _ => {
                self.check_continuation(&scalar, parent)?;
                self.end_line()?;
                Ok(self.node_of(&scalar))
            }
        }
    }

    /// Creates the node of a complete scalar.
    fn node_of(&self, scalar: &LineScalar) -> Arc<Node> {
        let text = match &scalar.text {
            None => Text::Verbatim,
            Some(text) => Text::Owned(text.as_str().into()),
        };
        self.scalar(scalar.start, scalar.end, scalar.style, text)
    }

    fn scalar(&self, start: usize, end: usize, style: ScalarStyle, text: Text) -> Arc<Node> {
        self.node(start, end, Content::Scalar(Scalar { style, text }))
    }

    /// Creates the node of a value that is left out: null.
    fn empty(&self, at: usize) -> Arc<Node> {
        self.scalar(at, at, ScalarStyle::Plain, Text::Verbatim)
    }

    fn node(&self, start: usize, end: usize, content: Content) -> Arc<Node> {
        Arc::new(Node {
            origin: Some(Origin {
                source: Arc::clone(self.source),
                span: Span::new(start, end),
            }),
            properties: None,
            content,
        })
    }

    fn enter(&mut self) -> Handled<()> {
        self.depth += 1;
        if self.depth > DEPTH {
            Err(Unhandled)
        } else {
            Ok(())
        }
    }

    /// Returns whether a token ends before `at`: at a space, a line break, or the end of the text.
    fn is_blank(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), None | Some(b' ' | b'\n'))
    }

    /// Returns the offset of the line break that ends the line of `at`, or the end of the text.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |length| at + length)
    }
}

/// A scalar that may be incomplete.
struct LineScalar {
    start: usize,
    /// The offset after its last byte, including the closing quote.
    end: usize,
    /// The start of the line that it begins on.
    line_start: usize,
    style: ScalarStyle,
    /// Its text, if it differs from the bytes between its quotes.
    text: Option<String>,
}
