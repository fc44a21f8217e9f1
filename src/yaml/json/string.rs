//! Reads strings from quote to quote and resolves escapes (RFC 8259, section 7).

use super::fault;
use super::lexer::JsonLexer;
use crate::source::{Code, Diagnostic, Location, Result, Span};
use crate::yaml::Text;

impl JsonLexer<'_> {
    /// Reads the string whose opening quote is at `start`. Returns its content, and the offset
    /// after its closing quote. A string without escapes needs no memory.
    pub(super) fn string(&self, start: usize) -> Result<(Text, usize)> {
        let mut decoded: Option<String> = None;
        let mut run = start + 1;
        loop {
            let stop = self.run_end(run);
            match self.text.as_bytes().get(stop) {
                Some(b'"') => {
                    let text = decoded.map(|content| content + self.slice(run, stop));
                    return Ok((
                        text.map_or(Text::Verbatim, |content| Text::Owned(content.into())),
                        stop + 1,
                    ));
                }
                Some(b'\\') => {
                    let (character, end) = self.escape(stop)?;
                    let content = decoded.get_or_insert_default();
                    content.push_str(self.slice(run, stop));
                    content.push(character);
                    run = end;
                }
                Some(b'\n' | b'\r') | None => return Err(self.unterminated_string(start, stop)),
                Some(&control) => return Err(self.control_character(stop, control)),
            }
        }
    }

    /// Returns the offset of the first byte from `offset` on that ends a run of ordinary
    /// characters. A raw tab is ordinary: RFC 8259 forbids it, but files contain it and its meaning
    /// is clear.
    fn run_end(&self, offset: usize) -> usize {
        let rest = self.text.as_bytes().get(offset..).unwrap_or(&[]);
        let ends = |byte: &u8| matches!(byte, b'"' | b'\\') || (*byte < b' ' && *byte != b'\t');
        offset + rest.iter().position(ends).unwrap_or(rest.len())
    }

    /// Returns the character of the escape at `offset`, and the offset after it.
    fn escape(&self, offset: usize) -> Result<(char, usize)> {
        let character = match self.text.as_bytes().get(offset + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(offset),
            _ => return Err(self.unknown_escape(offset)),
        };
        Ok((character, offset + 2))
    }

    /// Returns the character of `\uXXXX`, or of two such escapes that form a surrogate pair.
    fn unicode_escape(&self, offset: usize) -> Result<(char, usize)> {
        let first = self.code_unit(offset)?;
        if let Some(character) = char::from_u32(first.into()) {
            return Ok((character, offset + 6));
        }
        if self.slice(offset + 6, offset + 8) == "\\u" {
            let second = self.code_unit(offset + 6)?;
            if let Some(Ok(character)) = char::decode_utf16([first, second]).next() {
                return Ok((character, offset + 12));
            }
        }
        Err(self.lone_surrogate(offset, first))
    }

    /// Returns the UTF-16 code unit of `\uXXXX` at `offset`.
    fn code_unit(&self, offset: usize) -> Result<u16> {
        let digits = self.slice(offset + 2, offset + 6);
        let all_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let unit = u16::from_str_radix(digits, 16)
            .ok()
            .filter(|_| all_digits && digits.len() == 4);
        unit.ok_or_else(|| self.wrong_code_unit(offset))
    }

    fn unterminated_string(&self, start: usize, end: usize) -> Box<Diagnostic> {
        let found = if end == self.text.len() {
            "the end of the text"
        } else {
            "the end of the line"
        };
        self.error(format!(
            "expected `\"` at the end of the string, found {found}"
        ))
        .at(self.place(start, end), "the string starts here")
        .help("close the string with `\"`; write a line break inside it as `\\n`")
    }

    fn control_character(&self, offset: usize, control: u8) -> Box<Diagnostic> {
        self.error(format!(
            "expected an escape for a control character, found U+{control:04X} itself"
        ))
        .at(self.place(offset, offset + 1), "")
        .help(format!("write it as `\\u{control:04x}`"))
    }

    fn unknown_escape(&self, offset: usize) -> Box<Diagnostic> {
        let found = self.character_at(offset + 1);
        let help = match found {
            Some('\'') => "write `'` without a `\\`",
            Some('\n' | '\r') => "write a line break as `\\n`; a JSON string is on one line",
            Some('x') => "write a character by its code as `\\u00XX`",
            _ => "write a backslash itself as `\\\\`",
        };
        let end = offset + 1 + found.map_or(0, char::len_utf8);
        self.error(format!(
            "expected one of `\"\\/bfnrtu` after `\\`, found {}",
            fault::describe(found)
        ))
        .at(self.place(offset, end), "")
        .help(help)
    }

    fn wrong_code_unit(&self, offset: usize) -> Box<Diagnostic> {
        let rest = self.text.as_bytes().get(offset + 2..).unwrap_or(&[]);
        let digits = rest
            .iter()
            .take(4)
            .take_while(|digit| digit.is_ascii_hexdigit())
            .count();
        let end = offset + 2 + digits;
        let found = fault::describe(self.character_at(end));
        self.error(format!(
            "expected four hexadecimal digits after `\\u`, found {found} after {digits}"
        ))
        .at(self.place(offset, end), "")
        .help("write a character by its code as `\\u00e9`, or a backslash itself as `\\\\`")
    }

    fn lone_surrogate(&self, offset: usize, unit: u16) -> Box<Diagnostic> {
        let (expected, place) = if unit < 0xdc00 {
            ("second", "after")
        } else {
            ("first", "before")
        };
        let spelling = self.slice(offset, offset + 6);
        self.error(format!(
            "expected the {expected} half of a surrogate pair {place} `{spelling}`, found none"
        ))
        .at(self.place(offset, offset + 6), "")
        .help("write the character itself, or both halves, such as `\\ud83d\\ude00`")
    }

    fn error(&self, message: String) -> Box<Diagnostic> {
        Diagnostic::error(Code::JsonSyntax, message)
    }

    fn place(&self, start: usize, end: usize) -> Location {
        Location::new(self.source, Span::new(start, end))
    }

    fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or("")
    }

    fn character_at(&self, offset: usize) -> Option<char> {
        self.text.get(offset..)?.chars().next()
    }
}
