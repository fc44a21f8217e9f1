//! The text of one file, of standard input, or of a string inside another source.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{OffsetMap, Span};

/// A named text, shared by every node and diagnostic that points into it.
///
/// A source may stand *inside* another one: the text of a block scalar that holds JSON is a source of its own, whose
/// [`Outer`] says where each of its bytes stands in the file on disk. However deep documents nest, a position can thus
/// be printed as a line of the file that the user has open.
pub struct Source {
    name: Box<str>,
    text: Box<str>,
    outer: Option<Outer>,
    line_starts: OnceLock<Vec<u32>>,
}

/// Where an inner source stands in the source around it.
#[derive(Debug)]
pub struct Outer {
    /// The source that holds the string.
    pub source: Arc<Source>,
    /// The place of the whole string in the outer source, used for parts that `map` does not cover.
    pub span: Span,
    /// Where each inner offset stands in the outer source.
    pub map: OffsetMap,
}

/// A line and a column, both counted from 1; the column counts characters.
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
    /// A source that stands alone: a file or standard input.
    ///
    /// `name` is what diagnostics print, as the user wrote the path.
    ///
    /// # Errors
    /// Returns the length in bytes when the text has 4 GiB or more.
    pub fn new(name: impl Into<Box<str>>, text: impl Into<Box<str>>) -> Result<Arc<Source>, usize> {
        let text = text.into();
        if text.len() > MAX_LENGTH {
            return Err(text.len());
        }
        Ok(Arc::new(Source {
            name: name.into(),
            text,
            outer: None,
            line_starts: OnceLock::new(),
        }))
    }

    /// A text of nothing, for what was made and stands nowhere.
    pub fn empty() -> Arc<Source> {
        Arc::new(Source {
            name: "".into(),
            text: "".into(),
            outer: None,
            line_starts: OnceLock::new(),
        })
    }

    /// The text of a string that stands in `outer.source`. It cannot be longer than its outer source allows, but for
    /// base64 and escapes it never is longer at all.
    pub fn embedded(text: impl Into<Box<str>>, outer: Outer) -> Arc<Source> {
        let name = outer.source.name.clone();
        Arc::new(Source {
            name,
            text: text.into(),
            outer: Some(outer),
            line_starts: OnceLock::new(),
        })
    }

    /// The name that diagnostics print.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where this source stands in another one, if it is the text of a string there.
    pub fn outer(&self) -> Option<&Outer> {
        self.outer.as_ref()
    }

    /// The bytes that `span` covers; empty where the span does not fit this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// The line, from 1, on which `offset` stands in this source.
    pub fn line(&self, offset: usize) -> usize {
        let starts = self.line_starts();
        starts
            .partition_point(|&start| start as usize <= offset)
            .max(1)
    }

    /// The line and column of `offset` in this source.
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

    /// The bytes of a line, counted from 1, without its line break; empty at the end of the text where there is no such
    /// line.
    pub fn line_span(&self, line: usize) -> Span {
        let starts = self.line_starts();
        let start_of = |line: usize| starts.get(line).map(|&start| start as usize);
        let start = start_of(line.saturating_sub(1)).unwrap_or(self.text.len());
        let Some(next) = start_of(line.saturating_sub(1) + 1) else {
            return Span::new(start, self.text.len());
        };
        let text = self.text.get(start..next).unwrap_or("");
        let text = text.strip_suffix('\n').unwrap_or(text);
        Span::new(start, start + text.strip_suffix('\r').unwrap_or(text).len())
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let breaks = self
                .text
                .bytes()
                .enumerate()
                .filter(|&(_, byte)| byte == b'\n');
            std::iter::once(0)
                .chain(breaks.map(|(offset, _)| offset as u32 + 1))
                .collect()
        })
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({}, {} bytes)", self.name, self.text.len())
    }
}

/// A span in a source: everything needed to print a position.
#[derive(Clone, Debug)]
pub struct Location {
    /// The source.
    pub source: Arc<Source>,
    /// The bytes meant.
    pub span: Span,
}

impl Location {
    /// The bytes `span` of `source`.
    pub fn new(source: &Arc<Source>, span: Span) -> Location {
        Location {
            source: Arc::clone(source),
            span,
        }
    }

    /// The same place in the outermost source: a place inside an embedded document becomes a place in the file.
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

    /// The line and column of the first byte in this location's own source.
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
    fn a_line_ends_before_its_line_break() {
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
            "lines 4 and 5 are the empty rest and a line that is not there"
        );
    }
}
