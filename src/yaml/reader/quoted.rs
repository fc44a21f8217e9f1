//! Scalars in quotes.

use super::plain::push_breaks;
use super::{Handled, LineScalar, Reader, Unhandled};
use crate::yaml::node::ScalarStyle;

impl Reader<'_> {
    /// Reads a quoted scalar from its opening to its closing quote.
    pub(super) fn quoted(&mut self, quote: u8) -> Handled<LineScalar> {
        let start = self.at;
        let line_start = self.line_start;
        let style = match quote {
            b'"' => ScalarStyle::DoubleQuoted,
            _ => ScalarStyle::SingleQuoted,
        };
        self.at += 1;
        // The text up to the offset `copied`, or `None` while it equals the bytes after the quote.
        // Each escape or line break copies the bytes before it and adds its own meaning:
        //
        //     "a b\tc"     text "a b", then "\t"; `copied` is then at `c`
        let mut text: Option<String> = None;
        let mut copied = self.at;
        loop {
            let byte = *self.bytes.get(self.at).ok_or(Unhandled)?;
            match byte {
                b'\'' if quote == b'\'' && self.bytes.get(self.at + 1) == Some(&b'\'') => {
                    // `''` is one quote.
                    self.copy(&mut text, copied, self.at + 1);
                    self.at += 2;
                    copied = self.at;
                }
                _ if byte == quote => break,
                b'\\' if quote == b'"' => {
                    self.copy(&mut text, copied, self.at);
                    self.escape(text.get_or_insert_default())?;
                    copied = self.at;
                }
                b'\n' => {
                    self.copy(&mut text, copied, self.without_blanks(copied, self.at)?);
                    let breaks = self.skip_breaks()?;
                    push_breaks(text.get_or_insert_default(), breaks);
                    copied = self.at;
                }
                _ => self.at += 1,
            }
        }
        if text.is_some() {
            self.copy(&mut text, copied, self.at);
        }
        self.at += 1;
        Ok(LineScalar {
            start,
            end: self.at,
            line_start,
            style,
            text,
        })
    }

    fn copy(&self, text: &mut Option<String>, start: usize, end: usize) {
        text.get_or_insert_default()
            .push_str(self.slice(start, end));
    }

    /// Returns the end of the line without the blanks before its line break, which are not part of
    /// the value.
    fn without_blanks(&self, start: usize, end: usize) -> Handled<usize> {
        let line = self.bytes.get(start..end).unwrap_or_default();
        let blanks = line
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        Ok(end - blanks)
    }

    /// Skips line breaks and the blanks around them, and returns the number of line breaks.
    fn skip_breaks(&mut self) -> Handled<usize> {
        let mut breaks = 0;
        loop {
            match self.bytes.get(self.at) {
                Some(b'\n') => {
                    breaks += 1;
                    self.at += 1;
                    self.line_start = self.at;
                }
                Some(b' ') => self.at += 1,
                Some(b'\t') | None => return Err(Unhandled),
                Some(_) => return Ok(breaks),
            }
        }
    }

    /// Gives up if a line of a quoted scalar is not indented deeper than `parent`. Readers differ
    /// about such lines.
    pub(super) fn check_continuation(&self, scalar: &LineScalar, parent: isize) -> Handled<()> {
        if scalar.line_start == self.line_start {
            return Ok(());
        }
        let lines = self.slice(scalar.start, scalar.end).split('\n').skip(1);
        for line in lines {
            let spaces = line.len() - line.trim_start_matches(' ').len();
            if spaces < line.len() && spaces as isize <= parent {
                return Err(Unhandled);
            }
        }
        Ok(())
    }

    /// Reads an escape sequence of a double-quoted scalar. YAML 1.2.2, section 5.7.
    fn escape(&mut self, text: &mut String) -> Handled<()> {
        let code = *self.bytes.get(self.at + 1).ok_or(Unhandled)?;
        self.at += 2;
        let character = match code {
            b'0' => '\0',
            b'a' => '\u{7}',
            b'b' => '\u{8}',
            b't' => '\t',
            b'n' => '\n',
            b'v' => '\u{b}',
            b'f' => '\u{c}',
            b'r' => '\r',
            b'e' => '\u{1b}',
            b' ' => ' ',
            b'"' => '"',
            b'/' => '/',
            b'\\' => '\\',
            b'_' => '\u{a0}',
            b'x' => self.code_point(2)?,
            b'u' => self.code_point(4)?,
            b'U' => self.code_point(8)?,
            b'\n' => {
                // An escaped line break is not part of the value, and neither are the blanks after
                // it.
                self.line_start = self.at;
                while self.bytes.get(self.at) == Some(&b' ') {
                    self.at += 1;
                }
                return match self.bytes.get(self.at) {
                    None | Some(b'\n' | b'\t') => Err(Unhandled),
                    Some(_) => Ok(()),
                };
            }
            _ => return Err(Unhandled),
        };
        text.push(character);
        Ok(())
    }

    /// Reads a code point of `digits` hexadecimal digits. Halves of surrogate pairs are left to the
    /// parser crate.
    fn code_point(&mut self, digits: usize) -> Handled<char> {
        let hexadecimal = self.slice(self.at, self.at + digits);
        if hexadecimal.len() != digits || !hexadecimal.bytes().all(|byte| byte.is_ascii_hexdigit())
        {
            return Err(Unhandled);
        }
        let code = u32::from_str_radix(hexadecimal, 16).map_err(|_| Unhandled)?;
        self.at += digits;
        char::from_u32(code).ok_or(Unhandled)
    }
}
