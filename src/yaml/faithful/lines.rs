//! Offsets and lines of a text.

/// A text, asked about the lines around an offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Lines<'a> {
        Lines { text }
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The text from `start` to `end`; empty where that is no range of it.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    /// Where the first line starts: after a byte order mark.
    pub(super) fn text_start(&self) -> usize {
        self.text.len() - self.text.trim_start_matches('\u{feff}').len()
    }

    /// The start of the line on which `offset` stands.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        self.slice(0, offset).rfind('\n').map_or(0, |at| at + 1)
    }

    /// The offset of the line break (of its `\r` if it has one) that ends the line of `offset`, or the end of the text.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or("");
        match rest.find('\n') {
            Some(at) if rest[..at].ends_with('\r') => offset + at - 1,
            Some(at) => offset + at,
            None => self.text.len(),
        }
    }

    /// The lines after the one of `offset`.
    pub(super) fn after_line(&self, offset: usize) -> &'a str {
        self.next_line(offset)
            .map_or("", |start| self.slice(start, self.len()))
    }

    /// The start of the line after the one of `offset`, or `None` where no line break follows.
    pub(super) fn next_line(&self, offset: usize) -> Option<usize> {
        self.text
            .get(offset..)?
            .find('\n')
            .map(|at| offset + at + 1)
    }

    /// How many characters stand before `offset` on its line.
    pub(super) fn column(&self, offset: usize) -> usize {
        self.slice(self.line_start(offset), offset)
            .trim_start_matches('\u{feff}')
            .chars()
            .count()
    }

    /// The white space at the start of the line of `offset`.
    pub(super) fn indentation(&self, offset: usize) -> &'a str {
        let start = self.line_start(offset);
        let line = self.slice(start, self.text.len());
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Whether two offsets stand on one line.
    pub(super) fn same_line(&self, first: usize, second: usize) -> bool {
        !self
            .slice(first.min(second), first.max(second))
            .contains('\n')
    }

    /// `end` without the line break that may stand right before it.
    pub(super) fn before_break(&self, end: usize) -> usize {
        let text = self.slice(0, end);
        let text = text
            .strip_suffix('\n')
            .map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
        text.len()
    }

    /// The length of the whole text.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}
