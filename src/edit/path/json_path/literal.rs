//! Parses the literals of a JSONPath: names, numbers and quoted texts.

use super::JsonPathParser;
use crate::source::Result;

/// The maximum absolute value of an index. Programs that count in floats would get larger ones
/// wrong (RFC 9535, 2.1).
const INDEX_LIMIT: u64 = (1 << 53) - 1;

impl JsonPathParser<'_> {
    /// Parses a name without quotes.
    pub(super) fn shorthand(&mut self) -> Result<String> {
        let starts = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
        let rest = self.rest();
        if !rest.starts_with(starts) {
            return Err(self.expected("a name, `*` or `[`"));
        }
        let end = rest
            .find(|c: char| !starts(c) && !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        if rest[end..].starts_with(['-', '/', '\\']) {
            let whole = rest.find(['.', '[', ' ']).unwrap_or(rest.len());
            self.at += end;
            let quoted = format!(
                "write a name with other characters as `['{}']`",
                &rest[..whole]
            );
            return Err(self.expected("`.` or `[`").help(quoted));
        }
        self.at += end;
        Ok(name)
    }

    /// Parses an integer, as in an index or a slice; `None` if there is none.
    pub(super) fn integer(&mut self) -> Result<Option<i64>> {
        let rest = self.rest();
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 {
            return if digits.len() == rest.len() {
                Ok(None)
            } else {
                Err(self.expected("a whole number"))
            };
        }
        let text = &rest[..rest.len() - digits.len() + count];
        let is_plain = text == "0" || !text.trim_start_matches('-').starts_with('0');
        let number = text
            .parse::<i64>()
            .ok()
            .filter(|number| is_plain && number.unsigned_abs() <= INDEX_LIMIT);
        let number = number
            .ok_or_else(|| self.expected("a whole number without zeros in front, up to 2^53-1"))?;
        self.at += text.len();
        Ok(Some(number))
    }

    /// Parses a JSON number and returns it as it is written.
    pub(super) fn number(&mut self) -> Option<&str> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '-' | '+' | '.' | 'e' | 'E'));
        let text = &rest[..end.unwrap_or(rest.len())];
        if !crate::yaml::is_json_number(text) {
            return None;
        }
        self.at += text.len();
        Some(text)
    }

    /// Parses a text in single or double quotes.
    pub(super) fn quoted(&mut self) -> Result<String> {
        let rest = self.rest();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let Some(quote) = quote else {
            return Err(self.expected("a text in quotes"));
        };
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.rest().chars().next().filter(|c| *c >= ' ') else {
                return Err(self.expected(&format!("`{quote}` at the end of a text")));
            };
            if c == quote {
                self.at += 1;
                return Ok(text);
            }
            if c == '\\' {
                text.push(self.escape(quote)?);
            } else {
                self.at += c.len_utf8();
                text.push(c);
            }
        }
    }

    fn escape(&mut self, quote: char) -> Result<char> {
        let escaped = self.rest().chars().nth(1);
        let plain = match escaped {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(c @ ('/' | '\\')) => c,
            Some(c) if c == quote => c,
            Some('u') => return self.unicode(),
            _ => return Err(self.expected("an escape of JSON")),
        };
        self.at += 2;
        Ok(plain)
    }

    /// Parses `\uXXXX`, or two of them for a character beyond the first plane.
    fn unicode(&mut self) -> Result<char> {
        let unit = |rest: &str| {
            let digits = rest.strip_prefix("\\u")?.get(..4)?;
            let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_hexadecimal
                .then(|| u32::from_str_radix(digits, 16).ok())
                .flatten()
        };
        let rest = self.rest();
        let (code, length) = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) => {
                (Some(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 12)
            }
            (code, _) => (code, 6),
        };
        let character = code
            .and_then(char::from_u32)
            .ok_or_else(|| self.expected("a character as `\\uXXXX`"))?;
        self.at += length;
        Ok(character)
    }
}
