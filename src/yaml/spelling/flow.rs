//! Decodes plain and quoted scalars, which may have several lines. YAML 1.2.2, section 7.3.

use super::decode::DecodedText;
use super::double_quoted;
use crate::source::Span;
use crate::yaml::node::ScalarStyle;

/// Decodes a plain or quoted scalar. `raw` includes the quotes. Returns `None` if an escape or a
/// quote is wrong.
pub(super) fn decode(raw: &str, style: ScalarStyle, base: usize) -> Option<DecodedText> {
    let quote = match style {
        ScalarStyle::SingleQuoted => Some('\''),
        ScalarStyle::DoubleQuoted => Some('"'),
        _ => None,
    };
    let body = match quote {
        Some(quote) => raw.strip_prefix(quote)?.strip_suffix(quote)?,
        None => raw,
    };
    let offset = usize::from(quote.is_some());
    let mut reader = FlowReader {
        body,
        at: 0,
        base: base + offset,
        spelled: DecodedText::default(),
        solid: 0,
    };
    while let Some(next) = reader.next_char() {
        match next {
            '\n' | '\r' => reader.fold(),
            '\\' if style == ScalarStyle::DoubleQuoted => reader.escape()?,
            '\'' if style == ScalarStyle::SingleQuoted => reader.doubled_quote()?,
            '"' if style == ScalarStyle::DoubleQuoted => return None,
            _ => reader.verbatim(),
        }
    }
    Some(reader.spelled)
}

struct FlowReader<'a> {
    body: &'a str,
    at: usize,
    /// The offset in the source of the body's first byte.
    base: usize,
    spelled: DecodedText,
    /// The length of the text that folding must not trim. White space at the end of a line is
    /// dropped unless it is escaped.
    solid: usize,
}

impl FlowReader<'_> {
    fn next_char(&self) -> Option<char> {
        self.body[self.at..].chars().next()
    }

    /// Reads everything up to the next character that could be special.
    fn verbatim(&mut self) {
        let rest = &self.body[self.at..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = rest[first..]
            .find(['\n', '\r', '\\', '\'', '"'])
            .map_or(rest.len(), |at| at + first);
        let inner = self.spelled.text.len();
        self.spelled.text.push_str(&rest[..length]);
        self.spelled
            .map
            .push_verbatim(inner, self.base + self.at, length);
        self.at += length;
    }

    fn spell(&mut self, text: &str, length: usize) {
        let inner = self.spelled.text.len();
        self.spelled.text.push_str(text);
        let outer = Span::new(self.base + self.at, self.base + self.at + length);
        self.spelled
            .map
            .push_spelled(Span::new(inner, inner + text.len()), outer);
        self.at += length;
        self.solid = self.spelled.text.len();
    }

    fn doubled_quote(&mut self) -> Option<()> {
        self.body[self.at..]
            .starts_with("''")
            .then(|| self.spell("'", 2))
    }

    fn escape(&mut self) -> Option<()> {
        let rest = &self.body[self.at..];
        if let Some(after) = rest[1..]
            .strip_prefix("\r\n")
            .or_else(|| rest[1..].strip_prefix(['\n', '\r']))
        {
            // An escaped line break is dropped together with the white space at the start of the
            // next line. The empty run keeps the bytes in the map.
            let after = after.trim_start_matches([' ', '\t']);
            self.spell("", rest.len() - after.len());
            return Some(());
        }
        let (text, length) = double_quoted::unescape(rest)?;
        self.spell(text.encode_utf8(&mut [0; 4]), length);
        Some(())
    }

    /// Reads line breaks with the white space around them. One becomes a space, and of several the
    /// first is dropped.
    fn fold(&mut self) {
        let text = &self.spelled.text;
        let kept = text.trim_end_matches([' ', '\t']).len().max(self.solid);
        let trimmed = text.len() - kept;
        self.spelled.text.truncate(kept);
        self.spelled.map.truncate(kept);
        let start = self.at - trimmed;
        let mut breaks = 0;
        let rest = &self.body[self.at..];
        let mut at = 0;
        while let Some(next) = rest[at..].chars().next() {
            match next {
                '\r' if rest[at..].starts_with("\r\n") => at += 2,
                '\r' | '\n' => at += 1,
                ' ' | '\t' => {
                    at += 1;
                    continue;
                }
                _ => break,
            }
            breaks += 1;
        }
        let end = self.at + at;
        self.at = start;
        let folded = if breaks == 1 {
            " ".to_owned()
        } else {
            "\n".repeat(breaks - 1)
        };
        self.spell(&folded, end - start);
    }
}
