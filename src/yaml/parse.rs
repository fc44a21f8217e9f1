//! Parses any YAML text.
//!
//! Plain block YAML, which is nearly everything, is read by [`reader`]. It hands over
//! every text that it does not handle to the parser crate, whose events become a tree in
//! [`tree_builder`](super::tree_builder). That crate refuses some texts that libyaml accepts: they
//! are repaired and read again, one mistake at a time.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::events::{Comments, Events, SyntaxError, SyntaxErrorKind};
use super::limits::too_deep;
use super::node::Stream;
use super::parse_cache::kept_or;
use super::reader::{self, Unhandled};
use super::repair::{REPAIR_LIMIT, Repairs, is_alias_with_colon};
use super::tree_builder::{ParseFailure, TreeBuilder};
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};

/// Parses a YAML text and lists its comments.
///
/// # Errors
/// One diagnostic with the place: a syntax error, a nesting deeper than [`NESTING_LIMIT`], aliases
/// that expand to more than [`Limit::Nodes`], or an anchor that contains itself.
///
/// [`NESTING_LIMIT`]: super::NESTING_LIMIT
/// [`Limit::Nodes`]: crate::source::Limit::Nodes
pub fn parse(source: &Arc<Source>) -> Result<Stream> {
    read(source, Comments::Listed)
}

/// Parses a YAML text without listing its comments, for texts whose comments have no meaning. They
/// are still in the text, and faithful printing keeps them. This is a quarter faster than
/// [`parse`].
///
/// # Errors
/// As [`parse`].
pub fn parse_data(source: &Arc<Source>) -> Result<Stream> {
    read(source, Comments::Skipped)
}

/// The number of documents that this process has parsed.
static DOCUMENTS: AtomicU64 = AtomicU64::new(0);

/// Returns how many documents were parsed so far, for progress displays.
pub fn documents_parsed() -> u64 {
    DOCUMENTS.load(Ordering::Relaxed)
}

/// Parses a text, with the fast reader if it can.
fn read(source: &Arc<Source>, comments: Comments) -> Result<Stream> {
    let stream = kept_or(source, comments, || match reader::read(source, comments) {
        Ok(stream) => Ok(stream),
        Err(Unhandled) => read_completely(source, comments),
    })?;
    count_documents(stream.documents.len());
    Ok(stream)
}

/// Counts documents that were parsed.
pub(super) fn count_documents(count: usize) {
    DOCUMENTS.fetch_add(count as u64, Ordering::Relaxed);
}

/// Reads any YAML text with the parser crate.
///
/// # Errors
/// As [`parse`].
pub(super) fn read_completely(source: &Arc<Source>, comments: Comments) -> Result<Stream> {
    // Everything that edits a tree then knows one kind of line break, with or without a carriage
    // return before it.
    let source = &source.with_line_feeds();
    let mut repairs = Repairs::default();
    let mut text = Cow::Borrowed(source.text());
    let mut rounds = 0;
    loop {
        let mut builder = TreeBuilder::new(source);
        let mut names = HashSet::new();
        match builder.read(Events::new(&text, &repairs, comments, &mut names)) {
            Ok(()) => {
                if !repairs.undo_wrong_guesses(&names, usize::MAX) {
                    return finish(builder, repairs);
                }
            }
            Err(ParseFailure::Refused(diagnostic)) => return Err(diagnostic),
            Err(ParseFailure::Syntax(error)) => {
                let is_repaired = rounds < REPAIR_LIMIT
                    && (repair(&mut repairs, &error, &builder, source.text())
                        || repairs.undo_wrong_guesses(&names, error.offset));
                if !is_repaired {
                    return Err(diagnose(source, &error));
                }
            }
        }
        text = Cow::Owned(repairs.repaired(source.text()));
        rounds += 1;
    }
}

fn finish(builder: TreeBuilder<'_>, repairs: Repairs) -> Result<Stream> {
    let stream = builder.finish();
    match stray_byte_order_mark(&stream) {
        Some(offset) => Err(stray_mark(&stream.source, offset)),
        None => Ok(Stream {
            lenient: repairs.into_lenient(),
            ..stream
        }),
    }
}

/// Repairs a mistake that the parser crate refuses and libyaml accepts. Returns `false` if it is
/// another kind of mistake.
fn repair(
    repairs: &mut Repairs,
    error: &SyntaxError,
    builder: &TreeBuilder<'_>,
    text: &str,
) -> bool {
    match error.kind {
        SyntaxErrorKind::ContinuationIndent => {
            repairs.indent_scalar(text, builder.cursor(), error.offset)
        }
        SyntaxErrorKind::CommentWithoutBlank => repairs.separate_comment(text, error.offset),
        SyntaxErrorKind::UnknownEscape => repairs.spell_escapes(text, error.offset),
        SyntaxErrorKind::TabBeforeLine if builder.continues(text, error.offset) => {
            repairs.expand_tabs(text, error.offset)
        }
        SyntaxErrorKind::DashInBrackets => repairs.quote_dash(text, error.offset),
        SyntaxErrorKind::ByteOrderMark => repairs.skip_byte_order_mark(text, error.offset),
        // Between brackets, libyaml reads a value where the crate would read a text.
        SyntaxErrorKind::AnchorWithoutBlank if !builder.is_in_brackets() => {
            repairs.end_anchor(text, error.offset)
        }
        // A line that should be a key may begin with an anchor too: `&x: 1` has an empty key.
        SyntaxErrorKind::Alias => {
            repairs.end_alias(text, error.offset)
                || !builder.is_in_brackets() && repairs.end_anchor(text, error.offset)
        }
        SyntaxErrorKind::AnchorWithoutBlank
        | SyntaxErrorKind::TabBeforeLine
        | SyntaxErrorKind::TooDeep
        | SyntaxErrorKind::Other => false,
    }
}

/// Returns the offset of a byte order mark above the content or the `---` of a document, unless it
/// is at the start of the text. YAML 1.2 and the parser crate skip such a mark. For libyaml, it is a
/// part of the first key, or the content of a document of its own.
fn stray_byte_order_mark(stream: &Stream) -> Option<usize> {
    const MARK: &str = "\u{feff}";
    let text = stream.source.text();
    if memchr::memmem::rfind(text.as_bytes(), MARK.as_bytes()).is_none_or(|last| last == 0) {
        return None;
    }
    for document in &stream.documents {
        let end = match document.marker {
            Some(marker) => marker.start(),
            None => document.root.content_start(),
        };
        let above = text.get(document.span.start()..end).unwrap_or("");
        let mut start = document.span.start();
        for line in above.split_inclusive('\n') {
            // The mark at the start of the text belongs to the text.
            let own = if start == 0 && line.starts_with(MARK) {
                MARK.len()
            } else {
                0
            };
            if line.get(own..).is_some_and(|line| line.starts_with(MARK)) {
                return Some(start + own);
            }
            start += line.len();
        }
    }
    None
}

fn diagnose(source: &Arc<Source>, error: &SyntaxError) -> Box<Diagnostic> {
    if error.kind == SyntaxErrorKind::TooDeep {
        return too_deep(source, error.offset);
    }
    if error.kind == SyntaxErrorKind::ByteOrderMark {
        return stray_mark(source, error.offset);
    }
    let diagnostic = Diagnostic::error(
        Code::YamlSyntax,
        format!("not valid YAML: {}", error.message),
    )
    .at(Location::new(source, Span::at(error.offset)), "");
    match error.kind {
        SyntaxErrorKind::AnchorWithoutBlank => {
            diagnostic.help("put a blank after the name, or quotes around the text")
        }
        SyntaxErrorKind::Alias if is_alias_with_colon(source.text(), error.offset) => {
            diagnostic.help("put a blank before the `:`")
        }
        _ => diagnostic,
    }
}

/// Returns the error about a byte order mark that other readers take for text.
fn stray_mark(source: &Arc<Source>, offset: usize) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::YamlSyntax,
        "not valid YAML: a byte order mark outside of quotes",
    )
    .at(Location::new(source, Span::at(offset)), "")
    .help("remove it, or use double quotes, with `\\uFEFF` for the mark")
}
