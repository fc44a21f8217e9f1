//! Java's properties, as `java.util.Properties.load` reads them.
//!
//! A key ends at the first `=`, `:` or blank that has no backslash before it. A line goes on on the next one after an odd
//! number of backslashes, without the blanks there. `\t`, `\n`, `\r`, `\f` and `\uXXXX` are escapes; any other character
//! after a backslash stands for itself.

use super::{Line, Spelled};
use crate::source::{OffsetMap, Span};

const BLANKS: [char; 3] = [' ', '\t', '\u{c}'];

pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    while at < text.len() {
        let start = at + blanks(&text[at..]);
        let rest = &text[start..];
        if rest.starts_with(['\n', '\r']) || rest.is_empty() {
            at = start + line_break(rest).max(1);
        } else if rest.starts_with(['#', '!']) {
            at = start + rest.find(['\n', '\r']).unwrap_or(rest.len());
        } else {
            let line = line(text, start);
            at = line.value.end();
            lines.push(line);
        }
    }
    lines
}

/// The line whose key begins at `start`.
fn line(text: &str, start: usize) -> Line {
    let key = until(text, start, |c| {
        matches!(c, '=' | ':') || BLANKS.contains(&c)
    });
    let mut value = skip(text, key);
    if text[value..].starts_with(['=', ':']) {
        value = skip(text, value + 1);
    }
    let end = until(text, value, |_| false);
    Line {
        start,
        key: Span::new(start, key),
        value: Span::new(value, end),
    }
}

/// The first place from `at` on where `ends` holds of a character without a backslash, or where the line ends.
fn until(text: &str, at: usize, ends: impl Fn(char) -> bool) -> usize {
    let mut escaped = false;
    let mut rest = text[at..].char_indices().peekable();
    while let Some((offset, character)) = rest.next() {
        match character {
            '\n' | '\r' if !escaped => return at + offset,
            '\r' if rest.peek().is_some_and(|(_, next)| *next == '\n') => continue,
            _ if !escaped && ends(character) => return at + offset,
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    text.len()
}

/// The first place from `at` on that is no blank; a backslash at the end of a line counts as one.
fn skip(text: &str, at: usize) -> usize {
    let mut at = at;
    loop {
        at += blanks(&text[at..]);
        match text[at..].strip_prefix('\\').map(line_break) {
            Some(length) if length > 0 => at += 1 + length,
            _ => return at,
        }
    }
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(BLANKS).len()
}

/// The length of the line break that a text begins with.
fn line_break(text: &str) -> usize {
    ["\r\n", "\n", "\r"]
        .iter()
        .find(|newline| text.starts_with(**newline))
        .map_or(0, |newline| newline.len())
}

/// The text that `raw` spells; `None` for `\u` without four digits.
pub(super) fn decode(raw: &str, base: usize) -> Option<Spelled> {
    let mut spelled = Spelled {
        text: String::with_capacity(raw.len()),
        map: OffsetMap::default(),
    };
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        let verbatim = rest.find('\\').unwrap_or(rest.len());
        spelled
            .map
            .push_verbatim(spelled.text.len(), base + at, verbatim);
        spelled.text.push_str(&rest[..verbatim]);
        at += verbatim;
        let Some(escape) = rest[verbatim..].strip_prefix('\\') else {
            continue;
        };
        let newline = line_break(escape);
        let Some(first) = escape.chars().next().filter(|_| newline == 0) else {
            // A backslash at the end of a line, or of the text, is gone with the blanks after it.
            at += 1
                + newline
                + if newline > 0 {
                    blanks(&escape[newline..])
                } else {
                    0
                };
            continue;
        };
        let inner = spelled.text.len();
        let length = match first {
            'u' => unicode(escape, &mut spelled.text)?,
            _ => {
                spelled.text.push(match first {
                    't' => '\t',
                    'n' => '\n',
                    'r' => '\r',
                    'f' => '\u{c}',
                    other => other,
                });
                first.len_utf8()
            }
        };
        let outer = Span::new(base + at, base + at + 1 + length);
        spelled
            .map
            .push_spelled(Span::new(inner, spelled.text.len()), outer);
        at += 1 + length;
    }
    spelled.map.shrink();
    Some(spelled)
}

/// Adds the character of `uXXXX`, or of the two that spell one beyond 16 bits, and returns how many bytes it took.
fn unicode(escape: &str, text: &mut String) -> Option<usize> {
    let unit = |at: usize| u16::from_str_radix(escape.get(at..at + 4)?, 16).ok();
    let first = unit(1)?;
    if let Some(character) = char::from_u32(first.into()) {
        text.push(character);
        return Some(5);
    }
    let second = escape
        .get(5..7)
        .filter(|next| *next == "\\u")
        .and_then(|_| unit(7))?;
    let character = char::decode_utf16([first, second]).next()?.ok()?;
    text.push(character);
    Some(11)
}

/// Spells a value.
pub(super) fn spell_value(text: &str, is_unicode: bool) -> String {
    let spelled = spell_part(text, is_unicode);
    // At the start it would count to what stands between key and value.
    if spelled.starts_with([' ', '=', ':']) {
        format!("\\{spelled}")
    } else {
        spelled
    }
}

/// Spells a key.
pub(super) fn spell_key(text: &str, is_unicode: bool) -> String {
    let mut spelled = String::with_capacity(text.len());
    for (index, character) in spell_part(text, is_unicode).char_indices() {
        if matches!(character, ' ' | '=' | ':') || index == 0 && matches!(character, '#' | '!') {
            spelled.push('\\');
        }
        spelled.push(character);
    }
    spelled
}

/// Spells a part of a value. Characters beyond ASCII are escaped, which readers of every age understand, unless
/// `is_unicode` says that the text has some that are not.
pub(super) fn spell_part(text: &str, is_unicode: bool) -> String {
    let mut spelled = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => spelled.push_str("\\\\"),
            '\n' => spelled.push_str("\\n"),
            '\r' => spelled.push_str("\\r"),
            '\t' => spelled.push_str("\\t"),
            '\u{c}' => spelled.push_str("\\f"),
            c if c >= ' ' && (c.is_ascii() || is_unicode) => spelled.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    spelled.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    spelled
}
