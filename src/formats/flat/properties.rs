//! Java's properties, as `java.util.Properties.load` reads them.
//!
//! A key ends at the first `=`, `:` or blank that has no backslash before it. A line that ends with
//! an odd number of backslashes continues on the next one, without the blanks at the start of that
//! line. `\t`, `\n`, `\r`, `\f` and `\uXXXX` are escapes. A backslash before any other character is
//! dropped.

use super::text::{FlatDialect, check, read, separator, write};
use crate::formats::key_values::{self, KeyValueLine, KeyValueSyntax, SpelledText};
use crate::formats::language::{Language, ScalarSyntax};
use crate::source::{OffsetMap, Span};
use crate::yaml::faithful;

pub(in crate::formats) static LANGUAGE: Language = Language {
    name: "properties",
    title: "a properties file",
    summary: "Java's properties",
    extensions: &["properties"],
    syntax: None,
    scalars: ScalarSyntax::TEXT,
    read: |source| Ok(Box::new(read(source, &DIALECT)?)),
    read_blank: |source| Ok(Box::new(read(source, &DIALECT)?)),
    read_leniently: |_, _| None,
    text_keys: true,
    check: |before, after| check(before, after, &DIALECT),
    write: |root| Ok(write(root, &DIALECT)),
    canonical: |root| Ok(write(root, &DIALECT)),
    separator: "",
    offsets: |node| key_values::offsets(node, &DIALECT.syntax),
    excerpt: faithful::excerpt,
};

pub(super) static DIALECT: FlatDialect = FlatDialect {
    language: &LANGUAGE,
    syntax: KeyValueSyntax {
        is_comment: |line| line.starts_with(['#', '!']),
        decode,
        spell_key: |key, style| spell_key(key, style.is_unicode),
        spell_value: |value, style| spell_value(value, style.is_unicode),
        spell_part: |part, style| spell_part(part, style.is_unicode),
        separator,
        is_open,
        continues_by_indentation: false,
    },
    lines,
    // Escapes can spell every key and every value.
    fits: |_, _| true,
};

const BLANKS: [char; 3] = [' ', '\t', '\u{c}'];

/// Finds the lines of a text.
fn lines(text: &str) -> Vec<KeyValueLine> {
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

/// Returns the line whose key begins at `start`.
fn line(text: &str, start: usize) -> KeyValueLine {
    let key = until(text, start, |c| {
        matches!(c, '=' | ':') || BLANKS.contains(&c)
    });
    let mut value = skip(text, key);
    if text[value..].starts_with(['=', ':']) {
        value = skip(text, value + 1);
    }
    let end = until(text, value, |_| false);
    KeyValueLine {
        start,
        key: Span::new(start, key),
        value: Span::new(value, end),
    }
}

/// Returns the first offset from `at` on whose character matches `ends` and has no backslash before
/// it, or the end of the line.
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

/// Returns the first offset from `at` on that is not blank. A backslash at the end of a line counts
/// as a blank.
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

/// Returns the length of the line break that a text begins with.
fn line_break(text: &str) -> usize {
    ["\r\n", "\n", "\r"]
        .iter()
        .find(|newline| text.starts_with(**newline))
        .map_or(0, |newline| newline.len())
}

/// Returns the text that `raw` spells; `None` if a `\u` is not followed by four digits.
///
/// ```text
/// raw          text
/// a\tb \       a⇥b c     `\t` spells a tab;
///     c                  a backslash, the line break after it and the blanks that follow spell nothing
/// ```
fn decode(raw: &str, base: usize) -> Option<SpelledText> {
    let mut spelled = SpelledText {
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
            // A backslash at the end of a line spells nothing, and neither do the blanks at the
            // start of the next line. At the end of the text there is no next line.
            at += 1 + newline;
            if newline > 0 {
                at += blanks(&escape[newline..]);
            }
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

/// Adds the character of `uXXXX`, or of two such escapes that form a surrogate pair. Returns the
/// number of bytes that were read.
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
fn spell_value(text: &str, is_unicode: bool) -> String {
    let spelled = spell_part(text, is_unicode);
    // At the start, these characters would be read as part of the separator.
    if spelled.starts_with([' ', '=', ':']) {
        format!("\\{spelled}")
    } else {
        spelled
    }
}

/// Spells a key.
fn spell_key(text: &str, is_unicode: bool) -> String {
    let mut spelled = String::with_capacity(text.len());
    for (index, character) in spell_part(text, is_unicode).char_indices() {
        if matches!(character, ' ' | '=' | ':') || index == 0 && matches!(character, '#' | '!') {
            spelled.push('\\');
        }
        spelled.push(character);
    }
    spelled
}

/// Spells a part of a value. Characters beyond ASCII are escaped unless the text already contains
/// such characters (`is_unicode`). Before Java 9, properties were read as Latin-1, so escapes are
/// safe for every reader.
fn spell_part(text: &str, is_unicode: bool) -> String {
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

/// Returns whether the last line of the text ends with a backslash, so that it continues on a line
/// that does not exist, or that has only blanks.
fn is_open(text: &str) -> bool {
    let above = text.trim_end_matches(BLANKS);
    let above = match (line_without_break(above), above.len() == text.len()) {
        (Some(line), _) => line,
        (None, true) => text,
        // Blanks after a backslash in the same line are escaped.
        (None, false) => return false,
    };
    let backslashes = above.len() - above.trim_end_matches('\\').len();
    backslashes % 2 == 1
}

/// Removes the line break at the end of a text. `None` if it has none.
fn line_without_break(text: &str) -> Option<&str> {
    ["\r\n", "\n", "\r"]
        .iter()
        .find_map(|newline| text.strip_suffix(newline))
}
