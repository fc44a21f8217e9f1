//! Edits texts that consist of lines, such as TOML: adds and removes lines, and replaces values in
//! them.

use std::collections::HashMap;

use crate::source::{Span, steps};
use crate::yaml::TextEdit;

/// The byte order mark, which may come before the first line and does not belong to it.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The number of bytes that count as one step in the search for the start of a line.
const BYTES_PER_STEP: usize = 16;

/// The rank of lines that begin with a section header. Lines without one are added before them.
const SECTION: u8 = 1;

/// A text with methods for its lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    pub(super) text: &'a str,
    /// The line break of the text: that of its first line.
    pub(super) newline: &'static str,
    /// Returns whether a line is a comment. The line is given without the blanks before it.
    is_comment: fn(&str) -> bool,
    /// The end of each statement, in order. A line inside a statement may look like a comment, such
    /// as `# x` in a string with several lines.
    ends: &'a [usize],
}

impl<'a> Lines<'a> {
    /// Returns the lines of a text. `ends` are the ends of its statements, in order.
    pub(super) fn new(text: &'a str, ends: &'a [usize], is_comment: fn(&str) -> bool) -> Lines<'a> {
        Lines {
            text,
            newline: newline(text),
            is_comment,
            ends,
        }
    }

    /// Returns the start of the text, which is after a byte order mark.
    pub(super) fn first(&self) -> usize {
        if self.text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            0
        }
    }

    /// Returns the text between two offsets.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    /// Returns the start of the line of `offset`.
    pub(super) fn start(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_break = before.rfind('\n');
        let searched = before.len() - line_break.unwrap_or(0);
        steps::count(searched / BYTES_PER_STEP);
        line_break.map_or(self.first(), |at| at + 1)
    }

    /// Returns the start of the next line after that of `offset`, or the end of the text.
    pub(super) fn next(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or("");
        rest.find('\n')
            .map_or(self.text.len(), |at| offset + at + 1)
    }

    /// Returns the blanks at the start of the line of `offset`.
    pub(super) fn indent(&self, offset: usize) -> &'a str {
        let line = self.slice(self.start(offset), offset);
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Returns the start of the comment lines directly above the line of `offset`, because they
    /// belong to it. Without any, returns the start of the line itself.
    pub(super) fn own_comments(&self, offset: usize) -> usize {
        let mut start = self.start(offset);
        let before = self
            .ends
            .partition_point(|&end| end <= start)
            .checked_sub(1);
        let limit = before
            .and_then(|at| self.ends.get(at))
            .map_or(0, |&end| self.next(end));
        while let Some(above) = self.above(start).filter(|&above| above >= limit) {
            if !(self.is_comment)(self.slice(above, start).trim_start()) {
                break;
            }
            start = above;
        }
        start
    }

    /// Returns the start of the blank lines above the line that starts at `start`.
    pub(super) fn before_blanks(&self, start: usize, limit: usize) -> usize {
        let mut start = start;
        while let Some(above) = self.above(start).filter(|&above| above >= limit) {
            if !self.slice(above, start).trim().is_empty() {
                break;
            }
            start = above;
        }
        start
    }

    /// Returns the end of the blank lines from the line at `start` on.
    pub(super) fn after_blanks(&self, start: usize) -> usize {
        let mut start = start;
        while start < self.text.len() && self.slice(start, self.next(start)).trim().is_empty() {
            start = self.next(start);
        }
        start
    }

    /// Returns the end of the section whose last line with a value or header ends at `last`. This
    /// is before the blank lines and the comments that belong to the next of `headers`.
    pub(super) fn end_of_section(&self, headers: &[Span], last: usize) -> usize {
        let next = headers.partition_point(|header| header.start() < last);
        let end = match headers.get(next) {
            Some(header) => self.own_comments(header.start()),
            None => self.text.len(),
        };
        let below = self.next(last);
        self.before_blanks(end, below).max(below)
    }

    /// Returns the start of the line above the one that starts at `start`.
    fn above(&self, start: usize) -> Option<usize> {
        (start > self.first()).then(|| self.start(start - 1))
    }

    /// Returns whether the line that starts at `start` is the first line, or comes after a blank
    /// one.
    pub(super) fn follows_blank(&self, start: usize) -> bool {
        self.above(start)
            .is_none_or(|above| self.slice(above, start).trim().is_empty())
    }
}

/// Changes to lines, collected in any order.
#[derive(Debug)]
pub(super) struct LineEdits<'a> {
    pub(super) lines: Lines<'a>,
    /// Replacements inside lines that stay.
    pub(super) replaced: Vec<TextEdit>,
    removed: Vec<Span>,
    added: Vec<Added>,
    /// Whether the last addition at a place ends with a blank line.
    ends_blank: HashMap<usize, bool>,
    /// Whether the sections of the text have blank lines between them, once a section was added.
    separates_sections: Option<bool>,
}

/// Lines that are added before the line that starts at `at`, without the last line break.
#[derive(Debug)]
struct Added {
    at: usize,
    /// The order of lines that are added at the same place. Lower ranks come first.
    rank: u8,
    text: String,
}

impl<'a> LineEdits<'a> {
    /// Creates an empty set of edits to a text.
    pub(super) fn new(lines: Lines<'a>) -> LineEdits<'a> {
        LineEdits {
            lines,
            replaced: Vec::new(),
            removed: Vec::new(),
            added: Vec::new(),
            ends_blank: HashMap::new(),
            separates_sections: None,
        }
    }

    /// Replaces `span` by other text.
    pub(super) fn replace(&mut self, span: Span, text: impl Into<String>) {
        self.replaced.push(TextEdit::replace(span, text));
    }

    /// Adds lines before the line that starts at `at`, or at the end of the text. They come after
    /// lines of a lower rank and after earlier additions at the same place.
    pub(super) fn add(&mut self, at: usize, rank: u8, text: String) {
        self.ends_blank
            .insert(at, text.is_empty() || text.ends_with('\n'));
        self.added.push(Added { at, rank, text });
    }

    /// Returns whether the next addition at `at` comes after a blank line, or at the start of the
    /// text.
    pub(super) fn follows_blank(&self, at: usize) -> bool {
        let nothing = || at == self.lines.first() || self.lines.follows_blank(at);
        self.ends_blank.get(&at).copied().unwrap_or_else(nothing)
    }

    /// Adds lines that begin with a section header before the line that starts at `at`, after
    /// additions there without a header. They get blank lines around them, unless the other headers
    /// of the text have none.
    pub(super) fn add_section(&mut self, headers: &[Span], at: usize, text: &str) {
        let lines = self.lines;
        let separates = match self.separates_sections {
            Some(separates) => separates,
            None => *self
                .separates_sections
                .insert(separates_sections(lines, headers)),
        };
        if !separates {
            self.add(at, SECTION, text.to_owned());
            return;
        }
        // The blank line above may have been added just before.
        let before = match self.follows_blank(at) {
            true => "",
            false => lines.newline,
        };
        let rest = lines.slice(at, lines.text.len());
        let after = match rest.is_empty() || rest.starts_with(['\n', '\r']) {
            true => "",
            false => lines.newline,
        };
        self.add(at, SECTION, format!("{before}{text}{after}"));
    }

    /// Removes the lines from that of `start` to that of `end`, with the comments directly above
    /// them. If there are blank lines on both sides, those below are removed too:
    ///
    /// ```text
    /// a = 1             a = 1
    ///
    /// # b        ->     c = 3
    /// b = 2
    ///
    /// c = 3
    /// ```
    pub(super) fn remove(&mut self, start: usize, end: usize) {
        let first = self.lines.own_comments(start);
        let mut after = self.lines.next(end);
        if self.lines.follows_blank(first) {
            after = self.lines.after_blanks(after);
        }
        self.removed.push(Span::new(first, after));
    }

    /// Removes lines like [`remove`](Self::remove), and in any case the blank lines after them,
    /// because these separate sections.
    pub(super) fn remove_section(&mut self, start: usize, end: usize) {
        let first = self.lines.own_comments(start);
        let after = self.lines.after_blanks(self.lines.next(end));
        self.removed.push(Span::new(first, after));
    }

    /// Returns whether lines are added.
    pub(super) fn adds(&self) -> bool {
        !self.added.is_empty()
    }

    /// Returns the removed lines so far, in order.
    pub(super) fn removed_spans(&self) -> Vec<Span> {
        let mut removed = self.removed.clone();
        removed.sort();
        removed
    }

    /// Returns the edits in order and without overlaps.
    ///
    /// An added line brings its line break. Only at the end of a text without a final line break,
    /// the break comes first (`¶` is the end of the text):
    ///
    /// ```text
    /// a = 1⏎¶     ->     a = 1⏎b = 2⏎¶
    /// a = 1¶      ->     a = 1⏎b = 2¶
    /// ```
    pub(super) fn finish(mut self) -> Vec<TextEdit> {
        let removed = self.joined_removals();
        let mut edits = std::mem::take(&mut self.replaced);
        let mut added = std::mem::take(&mut self.added);
        // A line that is added inside removed lines moves below them, so that no edits overlap.
        for added in &mut added {
            let next = removed.partition_point(|span| span.end() <= added.at);
            if let Some(span) = removed.get(next).filter(|span| span.start() < added.at) {
                added.at = span.end();
            }
        }
        added.sort_by_key(|added| (added.at, added.rank));
        let text = self.lines.text;
        // A section needs no blank line below it if everything that follows is removed.
        let end = match removed.last() {
            Some(last) if last.end() == text.len() => last.start(),
            _ => text.len(),
        };
        if let Some(last) = added.last_mut().filter(|added| added.at >= end) {
            let stripped = last.text.strip_suffix(self.lines.newline);
            last.text.truncate(stripped.unwrap_or(&last.text).len());
        }
        // Whether any text remains above an addition at its end. If not, a text that had no final
        // line break must not begin with one.
        let mut filled = removed
            .first()
            .is_none_or(|span| span.start() > self.lines.first() || span.end() < text.len());
        for Added {
            at, text: lines, ..
        } in added
        {
            let begins_line = at == self.lines.first()
                || text.get(..at).is_some_and(|before| before.ends_with('\n'));
            let newline = self.lines.newline;
            let last = at == text.len() && !begins_line;
            edits.push(TextEdit::insert(
                at,
                match (last, filled) {
                    (false, _) => format!("{lines}{newline}"),
                    (true, true) => format!("{newline}{lines}"),
                    (true, false) => lines,
                },
            ));
            filled = true;
        }
        edits.extend(removed.into_iter().map(|span| TextEdit::replace(span, "")));
        edits.sort_by_key(|edit| edit.span);
        edits
    }

    /// Returns the removed spans in order, with adjacent spans joined. At the end of the text, the
    /// blank lines above are removed too. If the text has no final line break, the new last line
    /// loses its line break as well:
    ///
    /// ```text
    /// a = 1⏎
    /// ⏎
    /// b = 2¶     ->     a = 1¶
    /// ```
    fn joined_removals(&mut self) -> Vec<Span> {
        self.removed.sort();
        let mut joined: Vec<Span> = Vec::with_capacity(self.removed.len());
        for span in std::mem::take(&mut self.removed) {
            match joined.last_mut() {
                Some(last) if last.end() >= span.start() => *last = last.to(span),
                _ => joined.push(span),
            }
        }
        let text = self.lines.text;
        // Only blank lines that remain after the previous span count.
        let limit = joined
            .len()
            .checked_sub(2)
            .and_then(|at| joined.get(at))
            .map_or(self.lines.first(), |span| span.end());
        if let Some(last) = joined
            .last_mut()
            .filter(|last| last.end() == text.len() && !last.is_empty())
        {
            let mut start = self.lines.before_blanks(last.start(), limit);
            if !text.ends_with('\n') && start > limit {
                start -= 1;
                if text[..start].ends_with('\r') && start > limit {
                    start -= 1;
                }
            }
            *last = Span::new(start, last.end());
        }
        joined
    }
}

/// Returns the line break of a text. If it has both kinds, new lines get the kind of its first line.
pub(super) fn newline(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Returns whether there is a blank line above each section of a text. The first header does not
/// count, because nothing may be above it.
fn separates_sections(lines: Lines<'_>, headers: &[Span]) -> bool {
    headers.iter().skip(1).all(|header| {
        steps::count(1);
        lines.follows_blank(lines.own_comments(header.start()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::apply;

    fn edits(text: &str) -> LineEdits<'_> {
        LineEdits::new(Lines::new(text, &[], |line| line.starts_with('#')))
    }

    #[test]
    fn removes_a_line_with_the_comments_directly_above() {
        let text = "# file\n\n# one\n# two\na\n# b\nb\n";
        let mut edits = edits(text);
        edits.remove(text.find("a\n").unwrap(), text.find("a\n").unwrap());
        assert_eq!(apply(text, &edits.finish()), "# file\n\n# b\nb\n");
    }

    #[test]
    fn removes_one_of_two_blank_lines_around_a_line() {
        let text = "a\n\nb\n\nc\n";
        let mut edits = edits(text);
        edits.remove(3, 4);
        assert_eq!(apply(text, &edits.finish()), "a\n\nc\n");
    }

    #[test]
    fn adds_no_final_line_break_to_a_text_without_one() {
        for (text, removed, expected) in [
            ("a\nb", None, "a\nb\nc"),
            ("a\nb", Some(2), "a\nc"),
            ("a", Some(0), "c"),
            ("", None, "c\n"),
            ("a\r\nb", Some(3), "a\r\nc"),
        ] {
            let mut edits = edits(text);
            if let Some(at) = removed {
                edits.remove(at, at);
            }
            edits.add(text.len(), 0, "c".to_owned());
            assert_eq!(apply(text, &edits.finish()), expected, "{text:?}");
        }
        let mut edits = edits("a\nb");
        edits.remove(2, 3);
        assert_eq!(apply("a\nb", &edits.finish()), "a");
    }

    #[test]
    fn adds_no_blank_line_below_the_last_section() {
        let text = "[a]\nx\n\n[b]\ny\n";
        let headers = [Span::new(0, 3), Span::new(7, 10)];
        let mut edits = edits(text);
        edits.remove_section(0, 5);
        edits.remove_section(7, 12);
        edits.add_section(&headers, 0, "[c]\nz");
        assert_eq!(apply(text, &edits.finish()), "[c]\nz\n");
    }

    #[test]
    fn orders_lines_at_one_place_by_rank() {
        let mut edits = edits("a\nb\n");
        edits.add(2, 1, "3".to_owned());
        edits.add(2, 0, "1".to_owned());
        edits.add(2, 0, "2".to_owned());
        assert_eq!(apply("a\nb\n", &edits.finish()), "a\n1\n2\n3\nb\n");
    }
}
