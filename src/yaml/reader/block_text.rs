//! Literal and folded scalars.

use std::sync::Arc;

use super::{Handled, Reader, Unhandled};
use crate::yaml::block_scalar::Chomping;
use crate::yaml::node::{Node, ScalarStyle, Text};

impl Reader<'_> {
    /// Reads a block scalar from its header, and moves to the token after it.
    ///
    /// ```text
    /// script: |-        <- header: style, and what happens to the line breaks at the end
    ///   set -e          <- the first line decides the indentation
    ///                   <- blank lines are part of the text
    ///     run
    /// next: 1           <- ends at the first line with less indentation
    /// ```
    pub(super) fn block_text(&mut self, parent: isize) -> Handled<Arc<Node>> {
        let start = self.at;
        let (style, chomping) = self.header()?;
        let first_line = self.line_start;
        let indent = self.indentation(first_line)?;
        if indent as isize <= parent {
            return Err(Unhandled);
        }
        let mut lines = TextLines {
            text: String::new(),
            is_folded: style == ScalarStyle::Folded,
            has_lines: false,
            blank_lines: 0,
            was_indented: false,
        };
        // `end` is the offset after the last line with text. Blank lines move it only if another
        // line with text follows, so that those at the end are not part of the span.
        let mut end = first_line;
        let mut at = first_line;
        while at < self.bytes.len() {
            let line_end = self.line_end(at);
            let line = &self.bytes[at..line_end];
            let spaces = line.iter().take_while(|byte| **byte == b' ').count();
            let next = (line_end + 1).min(self.bytes.len());
            if spaces == line.len() {
                // Spaces beyond the indentation are text, which is easily misread.
                if spaces > indent {
                    return Err(Unhandled);
                }
                lines.blank_lines += 1;
            } else if spaces < indent {
                if line[spaces] == b'\t' {
                    return Err(Unhandled);
                }
                break;
            } else {
                lines.push(self.slice(at + indent, line_end));
                end = next;
            }
            at = next;
        }
        self.at = end;
        self.line_start = end;
        self.next_token()?;
        // libyaml adds no line break to a text that has none at its end.
        let is_unended = end == self.bytes.len() && self.bytes[end - 1] != b'\n';
        let text = lines.finish(chomping, is_unended);
        Ok(self.scalar(start, end, style, Text::Owned(text.into())))
    }

    /// Reads the header and moves to the first line below it.
    fn header(&mut self) -> Handled<(ScalarStyle, Chomping)> {
        let style = match self.bytes[self.at] {
            b'|' => ScalarStyle::Literal,
            _ => ScalarStyle::Folded,
        };
        self.at += 1;
        let mut chomping = Chomping::Clip;
        match self.bytes.get(self.at) {
            Some(b'-') => {
                chomping = Chomping::Strip;
                self.at += 1;
            }
            // `|+` includes blank lines that look like separation, and an indentation indicator
            // counts from the parent. Both are rare.
            Some(b'+' | b'1'..=b'9') => return Err(Unhandled),
            _ => {}
        }
        while self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'#') {
            self.comment()?;
        }
        if self.bytes.get(self.at) != Some(&b'\n') {
            return Err(Unhandled);
        }
        self.at += 1;
        self.line_start = self.at;
        Ok((style, chomping))
    }

    /// Returns the indentation of the first line that is not blank.
    fn indentation(&self, first_line: usize) -> Handled<usize> {
        let mut at = first_line;
        let mut widest_blank = 0;
        while at < self.bytes.len() {
            let line_end = self.line_end(at);
            let line = &self.bytes[at..line_end];
            let spaces = line.iter().take_while(|byte| **byte == b' ').count();
            if spaces < line.len() {
                // Readers disagree about tabs, and about blank lines with more spaces than this.
                if line[spaces] == b'\t' || widest_blank > spaces {
                    return Err(Unhandled);
                }
                return Ok(spaces);
            }
            widest_blank = widest_blank.max(spaces);
            at = line_end + 1;
        }
        Err(Unhandled)
    }
}

/// Collects the lines of a block scalar into its text.
struct TextLines {
    text: String,
    is_folded: bool,
    has_lines: bool,
    /// The number of blank lines since the last line with text.
    blank_lines: usize,
    /// Whether the last line with text starts with a blank, so that its line breaks are not folded.
    was_indented: bool,
}

impl TextLines {
    /// Adds a line with text. YAML 1.2.2, section 8.1.3:
    ///
    /// ```text
    /// one        a single line break between two lines becomes a space;
    /// two
    ///            of several line breaks, the first is dropped;
    /// three
    ///   four     next to a line that is indented deeper, all of them are kept
    /// ```
    fn push(&mut self, line: &str) {
        let is_indented = line.starts_with([' ', '\t']);
        if self.has_lines {
            if self.is_folded && !self.was_indented && !is_indented {
                if self.blank_lines == 0 {
                    self.text.push(' ');
                }
            } else {
                self.text.push('\n');
            }
        }
        for _ in 0..self.blank_lines {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.blank_lines = 0;
        self.has_lines = true;
        self.was_indented = is_indented;
    }

    fn finish(mut self, chomping: Chomping, is_unended: bool) -> String {
        if chomping != Chomping::Strip && !is_unended {
            self.text.push('\n');
        }
        self.text
    }
}
