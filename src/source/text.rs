//! Source texts: a file, standard input, or a string inside another source.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::hidden::HiddenParts;
use super::{OffsetMap, Span};

/// A named text, shared by every node and diagnostic that points into it.
///
/// A source may be *inside* another one: JSON in a block scalar is a separate source, and its
/// [`Outer`] maps each of its bytes to the file. So a position can be printed as a line of the file
/// that the user has open, at any nesting depth of documents.
pub struct Source {
    name: Box<str>,
    shown_name: Box<str>,
    /// Shared by the twins of the source.
    text: Arc<Box<str>>,
    /// The source as it was written, if `text` has other line breaks.
    written: Option<Arc<Source>>,
    outer: Option<Arc<Outer>>,
    /// The offsets at which lines start. They are computed when the first position is printed, so a
    /// run without diagnostics never counts lines.
    line_starts: OnceLock<Vec<u32>>,
    /// The parts that must not be shown.
    hidden: Mutex<HiddenParts>,
}

/// The place of an inner source in the source around it.
#[derive(Debug)]
pub struct Outer {
    /// The source that contains the string.
    pub source: Arc<Source>,
    /// The place of the whole string in the outer source, used for parts that `map` does not cover
    /// (such as base64).
    pub span: Span,
    /// Maps inner offsets to the outer source.
    pub map: OffsetMap,
}

/// A line and a column, both counted from 1. The column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: usize,
    /// The character within the line, from 1.
    pub column: usize,
}

/// The largest text, in bytes, that a [`Span`] can address.
const MAX_LENGTH: usize = u32::MAX as usize - 1;

impl Source {
    /// Creates the source of a file or of standard input.
    ///
    /// `name` is printed in diagnostics: the path as the user wrote it.
    ///
    /// # Errors
    /// Returns the length in bytes if the text has 4 GiB or more.
    pub fn new(name: impl Into<Box<str>>, text: impl Into<Box<str>>) -> Result<Arc<Source>, usize> {
        let name = name.into();
        Source::shown_as(name.clone(), name, text)
    }

    /// Creates the source of a file whose name in a build differs from the name that the user
    /// knows.
    ///
    /// ```text
    /// inlay -f ../config/        name        sub/app.yml              used by the build (`-o pos`)
    ///                            shown name  ../config/sub/app.yml    in diagnostics
    /// ```
    ///
    /// # Errors
    /// Returns the length in bytes if the text has 4 GiB or more.
    pub fn shown_as(
        name: impl Into<Box<str>>,
        shown_name: impl Into<Box<str>>,
        text: impl Into<Box<str>>,
    ) -> Result<Arc<Source>, usize> {
        let text = text.into();
        if text.len() > MAX_LENGTH {
            return Err(text.len());
        }
        Ok(Arc::new(Source {
            name: name.into(),
            shown_name: shown_name.into(),
            text: Arc::new(text),
            written: None,
            outer: None,
            line_starts: OnceLock::new(),
            hidden: Mutex::default(),
        }))
    }

    /// Creates an empty source, for values that were not parsed.
    pub fn empty() -> Arc<Source> {
        Arc::new(Source {
            name: "".into(),
            shown_name: "".into(),
            text: Arc::default(),
            written: None,
            outer: None,
            line_starts: OnceLock::new(),
            hidden: Mutex::default(),
        })
    }

    /// Creates the source of a string inside `outer.source`.
    ///
    /// The length needs no check, because a decoded string is never longer than its spelling.
    pub fn embedded(text: impl Into<Box<str>>, outer: Outer) -> Arc<Source> {
        Arc::new(Source {
            name: outer.source.name.clone(),
            shown_name: outer.source.shown_name.clone(),
            text: Arc::new(text.into()),
            written: None,
            outer: Some(Arc::new(outer)),
            line_starts: OnceLock::new(),
            hidden: Mutex::default(),
        })
    }

    /// Returns a source with the same text for nodes of one thread.
    ///
    /// Each node counts as a user of its source. If two threads create nodes of one source, each of
    /// them waits for the other's counting, which takes a third of the time of a large build. What
    /// is hidden in one twin is not hidden in the other, so the nodes must not reach diagnostics.
    pub fn twin(&self) -> Arc<Source> {
        Arc::new(Source {
            name: self.name.clone(),
            shown_name: self.shown_name.clone(),
            text: Arc::clone(&self.text),
            written: self.written.clone(),
            outer: self.outer.clone(),
            line_starts: OnceLock::new(),
            hidden: Mutex::default(),
        })
    }

    /// Returns the text after a byte order mark, and the offset at which it starts.
    ///
    /// A mark at the start says that a file is UTF-8. It is not a part of the program or the text.
    pub fn after_byte_order_mark(&self) -> (usize, &str) {
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(&self.text);
        (self.text.len() - text.len(), text)
    }

    /// Returns this source with line feeds for the carriage returns that end lines alone, which old
    /// programs wrote and YAML reads as line breaks (YAML 1.2.2, section 5.4). Nearly every text has
    /// none, and is returned itself.
    ///
    /// ```text
    /// a: 1\rb: 2\r\n    becomes    a: 1\nb: 2\r\n
    /// ```
    ///
    /// No offset changes, so an edit of the new text is one of [`written_text`](Self::written_text).
    pub fn with_line_feeds(self: &Arc<Source>) -> Arc<Source> {
        let Cow::Owned(text) = without_lone_returns(&self.text) else {
            return Arc::clone(self);
        };
        Arc::new(Source {
            name: self.name.clone(),
            shown_name: self.shown_name.clone(),
            text: Arc::new(text.into()),
            written: Some(Arc::clone(self)),
            outer: self.outer.clone(),
            line_starts: OnceLock::new(),
            hidden: Mutex::default(),
        })
    }

    /// Returns the name of the text in a build.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name that diagnostics print.
    pub fn shown_name(&self) -> &str {
        &self.shown_name
    }

    /// Returns the whole text, as it is parsed. What is written to a file, or compared with one, is
    /// [`written_text`](Self::written_text).
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the text contains another one. It compares many bytes at once, which
    /// `str::contains` does not.
    pub fn contains(&self, part: &str) -> bool {
        memchr::memmem::find(self.text.as_bytes(), part.as_bytes()).is_some()
    }

    /// Returns the whole text with its own line breaks. It differs from [`text`](Self::text) only in
    /// a source that [`with_line_feeds`](Self::with_line_feeds) made, and is as long.
    pub fn written_text(&self) -> &str {
        self.written
            .as_ref()
            .map_or(&self.text, |written| &written.text)
    }

    /// Returns whether carriage returns without line feeds end all lines of the written text.
    pub fn has_only_returns(&self) -> bool {
        let written = self.written.as_ref();
        written.is_some_and(|written| !written.text.contains('\n'))
    }

    /// Returns the place of this source in another one, if it is a string there.
    pub fn outer(&self) -> Option<&Outer> {
        self.outer.as_deref()
    }

    /// Marks a part that must not be shown.
    pub fn hide(&self, span: Span) {
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        hidden.add(span);
    }

    /// Returns the parts that must not be shown, sorted.
    pub fn hidden(&self) -> Vec<Span> {
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        hidden.sorted().to_vec()
    }

    /// Returns the hidden parts that are at least partly in a span, in order.
    pub(super) fn hidden_in(&self, span: Span) -> Vec<Span> {
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        let sorted = hidden.sorted();
        let first = sorted.partition_point(|part| part.end() <= span.start());
        let end = sorted.partition_point(|part| part.start() < span.end());
        sorted.get(first..end).unwrap_or_default().to_vec()
    }

    /// Returns the text of `span`, or an empty text if the span is not inside this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Returns the number of the line that contains `offset`, from 1.
    pub fn line(&self, offset: usize) -> usize {
        let starts = self.line_starts();
        starts
            .partition_point(|&start| start as usize <= offset)
            .max(1)
    }

    /// Returns the line and column of `offset` in this source.
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let line = self.line(offset);
        let start = self
            .line_starts()
            .get(line - 1)
            .map_or(0, |&start| start as usize);
        let before = self.text.get(start..offset).unwrap_or("");
        LineColumn {
            line,
            column: before.chars().count() + 1,
        }
    }

    /// Returns the span of a line, counted from 1, without its line break. If there is no such
    /// line, returns an empty span at the end of the text.
    pub fn line_span(&self, line: usize) -> Span {
        let starts = self.line_starts();
        let index = line.saturating_sub(1);
        let text_end = self.text.len();
        let start = starts.get(index).map_or(text_end, |&start| start as usize);
        let next = starts
            .get(index + 1)
            .map_or(text_end, |&next| next as usize);
        let text = self.text.get(start..next).unwrap_or("");
        let end = match text.strip_suffix('\n') {
            Some(line) => start + line.strip_suffix('\r').unwrap_or(line).len(),
            None => next,
        };
        Span::new(start, end)
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let mut starts = vec![0];
            for (offset, byte) in self.text.bytes().enumerate() {
                if byte == b'\n' {
                    starts.push(offset as u32 + 1);
                }
            }
            starts
        })
    }
}

/// Returns a text with a line feed for each carriage return that has none after it.
fn without_lone_returns(text: &str) -> Cow<'_, str> {
    let mut result = String::new();
    let mut done = 0;
    for (offset, _) in text.match_indices('\r') {
        if text.as_bytes().get(offset + 1) != Some(&b'\n') {
            result.push_str(&text[done..offset]);
            result.push('\n');
            done = offset + 1;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    result.push_str(&text[done..]);
    Cow::Owned(result)
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({}, {} bytes)", self.name, self.text.len())
    }
}

/// A span in a source, which is everything that is needed to print a position.
#[derive(Clone, Debug)]
pub struct Location {
    /// The source.
    pub source: Arc<Source>,
    /// The bytes.
    pub span: Span,
}

impl Location {
    /// Creates the location of the bytes `span` of `source`.
    pub fn new(source: &Arc<Source>, span: Span) -> Location {
        Location {
            source: Arc::clone(source),
            span,
        }
    }

    /// Returns the same place in the outermost source: a place inside an embedded document becomes
    /// a place in the file.
    pub fn in_file(&self) -> Location {
        let mut source = &self.source;
        let mut span = self.span;
        while let Some(outer) = source.outer() {
            span = outer.map.outer_span(span).unwrap_or(outer.span);
            source = &outer.source;
        }
        Location {
            source: Arc::clone(source),
            span,
        }
    }

    /// Returns the line and column of the first byte in this location's own source.
    pub fn line_column(&self) -> LineColumn {
        self.source.line_column(self.span.start())
    }
}

impl PartialEq for Location {
    fn eq(&self, other: &Location) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.span == other.span
    }
}

impl Eq for Location {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_feeds_replace_lone_carriage_returns() {
        let written = "a\r\rb\r\nc\r";
        let source = Source::new("file", written).unwrap();
        let read = source.with_line_feeds();
        assert_eq!(read.text(), "a\n\nb\r\nc\n");
        assert_eq!(read.written_text(), written);
        assert!(Arc::ptr_eq(&read.with_line_feeds(), &read), "a second time");
        let other = Source::new("file", "a\r\nb\n").unwrap();
        assert!(Arc::ptr_eq(&other.with_line_feeds(), &other));
    }

    #[test]
    fn ends_a_line_before_its_line_break() {
        let source = Source::new("file", "one\r\n\ntwo\rthree\n").unwrap();
        let lines = (1..=5).map(|line| source.line_span(line));
        assert_eq!(
            lines.collect::<Vec<_>>(),
            [
                Span::new(0, 3),
                Span::at(5),
                Span::new(6, 15),
                Span::at(16),
                Span::at(16)
            ],
            "lines 4 and 5 are the empty rest and a line that does not exist"
        );
    }
}
