//! Reads plain scalars: they have no quotes, and end at the next token.

use std::sync::Arc;

use super::{Handled, LineScalar, Reader, Unhandled};
use crate::yaml::node::{Node, ScalarStyle, Text};

impl Reader<'_> {
    /// Reads a plain scalar to the end of the line, a comment, or a colon that ends a key. Returns
    /// its first offset and the one after its last byte, which is not a space.
    pub(super) fn plain_on_line(&mut self) -> Handled<(usize, usize)> {
        let start = self.at;
        match self.bytes[start] {
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
            | b'"' | b'%' | b'@' | b'`' => return Err(Unhandled),
            b'?' | b':' | b'-' if self.is_blank(start + 1) => return Err(Unhandled),
            _ => {}
        }
        let end = self.plain_end(start)?;
        self.at = end;
        Ok((start, end))
    }

    /// Returns the offset after the last byte of the plain text that is on the line of `start`.
    fn plain_end(&self, start: usize) -> Handled<usize> {
        let mut at = start;
        // The offset after the last byte that is not a space.
        let mut end = start;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\n' => break,
                b':' if self.is_blank(at + 1) => break,
                b'#' if end < at => break,
                b'\t' => return Err(Unhandled),
                b' ' => at += 1,
                _ => {
                    at += 1;
                    end = at;
                }
            }
        }
        Ok(end)
    }

    /// Completes a plain scalar, which may continue in lines that are indented deeper than
    /// `parent`:
    ///
    /// ```text
    /// description: Lines of a plain
    ///   scalar are joined
    ///
    ///   by spaces.               -> "Lines of a plain scalar are joined\nby spaces."
    /// ```
    pub(super) fn rest_of_plain(
        &mut self,
        scalar: LineScalar,
        parent: isize,
    ) -> Handled<Arc<Node>> {
        let LineScalar { start, mut end, .. } = scalar;
        let mut text: Option<String> = None;
        while let Some(breaks) = self.next_line(parent)? {
            let line_start = self.at;
            let line_end = self.plain_end(line_start)?;
            // A key is not expected here, and a colon may not start a line.
            if self.bytes.get(line_end..).is_some_and(starts_with_colon) {
                return Err(Unhandled);
            }
            let text = text.get_or_insert_with(|| self.slice(start, end).to_owned());
            push_breaks(text, breaks);
            text.push_str(self.slice(line_start, line_end));
            end = line_end;
            self.at = line_end;
        }
        self.end_line()?;
        let text = text.map_or(Text::Verbatim, |text| Text::Owned(text.into()));
        Ok(self.scalar(start, end, ScalarStyle::Plain, text))
    }

    /// Moves to the next line of a plain scalar and returns the number of line breaks before it.
    /// `None` if the scalar ends with this line.
    fn next_line(&mut self, parent: isize) -> Handled<Option<usize>> {
        let mut at = self.at;
        let mut line_start = self.line_start;
        let mut breaks = 0;
        loop {
            match self.bytes.get(at) {
                Some(b' ') => at += 1,
                Some(b'\n') => {
                    at += 1;
                    line_start = at;
                    breaks += 1;
                }
                Some(b'\t') => return Err(Unhandled),
                // A comment ends the scalar.
                None | Some(b'#') => return Ok(None),
                Some(_) if breaks == 0 => return Err(Unhandled),
                Some(_) => break,
            }
        }
        let column = (at - line_start) as isize;
        if column <= parent {
            return Ok(None);
        }
        self.at = at;
        self.line_start = line_start;
        Ok(Some(breaks))
    }

    /// Returns the text between two offsets.
    pub(super) fn slice(&self, start: usize, end: usize) -> &str {
        self.source.text().get(start..end).unwrap_or_default()
    }
}

/// Adds the text of line breaks inside a flow scalar: one becomes a space, and of several the first
/// is dropped.
pub(super) fn push_breaks(text: &mut String, breaks: usize) {
    if breaks == 1 {
        text.push(' ');
    }
    for _ in 1..breaks {
        text.push('\n');
    }
}

fn starts_with_colon(rest: &[u8]) -> bool {
    let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
    rest.get(blanks) == Some(&b':')
}
