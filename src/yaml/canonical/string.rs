//! Chooses and prints the style of a string.
//!
//! The preferred style is literal for a string with a line break, double-quoted for a string that
//! would be read as another type without quotes, and plain for any other. If the text cannot have
//! the preferred style, single quotes replace plain, and double quotes replace the others.

use std::borrow::Cow;

use crate::yaml::character;
use crate::yaml::value::{PlainContext, is_plain_syntax, is_plain_word, reads_as_string};

/// The indentation of the lines of a literal scalar, relative to the collection around it.
pub(in crate::yaml) const STEP: usize = 2;

/// The styles in which a string is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::yaml) enum StringStyle {
    /// Without quotes.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|` and lines.
    Literal,
}

impl StringStyle {
    /// Returns the style of a string.
    pub(in crate::yaml) fn of(text: &str) -> StringStyle {
        match is_ordinary(text) {
            true => StringStyle::Plain,
            false => StringStyle::by_rules(text),
        }
    }

    fn by_rules(text: &str) -> StringStyle {
        if !is_verbatim_text(text) {
            return StringStyle::DoubleQuoted;
        }
        if memchr::memchr(b'\n', text.as_bytes()).is_some() {
            return if ends_lines_without_spaces(text) {
                StringStyle::Literal
            } else {
                StringStyle::DoubleQuoted
            };
        }
        if !reads_as_string(text) {
            return StringStyle::DoubleQuoted;
        }
        if is_plain_syntax(text, PlainContext::Block) {
            StringStyle::Plain
        } else {
            StringStyle::SingleQuoted
        }
    }
}

/// Returns whether a text is certain to be a string that is printed plain, however it was written:
/// it begins with a letter, a slash or an underscore, is not a word for a boolean or null, and
/// contains nothing that ends a plain scalar.
///
/// This is the quick check for names, paths and sentences, which nearly all strings are.
pub(super) fn is_ordinary(text: &str) -> bool {
    match text.as_bytes() {
        [] | [.., b' '] => false,
        [b'A'..=b'Z' | b'a'..=b'z' | b'/' | b'_', ..] => {
            has_only_text(text.as_bytes()) && is_plain_word(text)
        }
        _ => false,
    }
}

/// Returns whether a text has only printable ASCII characters, and no colon or `#` that could be
/// more than a character.
fn has_only_text(text: &[u8]) -> bool {
    // One look at a table for each byte, without a branch. Few texts have a colon or a `#`.
    let found = text
        .iter()
        .fold(0, |found, &byte| found | BYTE_CLASSES[usize::from(byte)]);
    match found {
        0 => true,
        POSSIBLE_INDICATOR => has_no_indicator(text),
        _ => false,
    }
}

/// The class of a colon and a `#`.
const POSSIBLE_INDICATOR: u8 = 1;

/// The class of bytes that are not printable ASCII characters.
const NOT_TEXT: u8 = 2;

/// The class of each byte; 0 for bytes that are text wherever they are.
const BYTE_CLASSES: [u8; 256] = {
    let mut classes = [NOT_TEXT; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        classes[byte as usize] = match byte {
            b':' | b'#' => POSSIBLE_INDICATOR,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Returns whether no colon is at the end or before a space, and no `#` is at the start or after a
/// space.
fn has_no_indicator(text: &[u8]) -> bool {
    memchr::memchr2_iter(b':', b'#', text).all(|at| match text[at] {
        b':' => !matches!(text.get(at + 1), None | Some(b' ')),
        _ => at > 0 && text[at - 1] != b' ',
    })
}

/// Spells a string in a collection at `indent`. Only a literal scalar has line breaks; its final
/// one may be missing.
pub(in crate::yaml) fn string(text: &str, indent: usize) -> Cow<'_, str> {
    match StringStyle::of(text) {
        StringStyle::Plain => Cow::Borrowed(text),
        StringStyle::SingleQuoted => Cow::Owned(single_quoted(text)),
        StringStyle::DoubleQuoted => Cow::Owned(double_quoted(text)),
        StringStyle::Literal => Cow::Owned(literal(text, indent + STEP)),
    }
}

/// Returns whether no line of a text ends with a space.
fn ends_lines_without_spaces(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut breaks = memchr::memchr_iter(b'\n', bytes);
    !text.ends_with(' ') && !breaks.any(|at| at > 0 && bytes[at - 1] == b' ')
}

/// Returns whether a text consists of line breaks and of characters that are printed as they are.
fn is_verbatim_text(text: &str) -> bool {
    // Check all bytes of a block together, which compiles to one instruction for sixteen of them.
    let is_ascii = |block: &[u8]| {
        block.iter().fold(true, |all, &byte| {
            all & ((b' '..=b'~').contains(&byte) || byte == b'\n')
        })
    };
    text.as_bytes().chunks(64).all(is_ascii) || text.chars().all(|c| c == '\n' || is_verbatim(c))
}

/// Returns whether a character is printed as it is. Like ytt, this escapes tabs and characters
/// above U+FFFF in every style.
fn is_verbatim(c: char) -> bool {
    character::is_printable(c) && c <= '\u{ffff}'
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn double_quoted(text: &str) -> String {
    let escapes = Escapes::of(text);
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    for c in text.chars() {
        escapes.push(c, &mut result);
    }
    result.push('"');
    result
}

/// Decides which characters of a double-quoted string are escaped: those that are not printed as
/// they are or, if the text begins with a byte order mark, all of them, as in ytt and kustomize.
#[derive(Clone, Copy)]
pub(in crate::yaml) struct Escapes {
    escapes_all: bool,
}

impl Escapes {
    /// Returns the rule for a text.
    pub(in crate::yaml) fn of(text: &str) -> Escapes {
        Escapes {
            escapes_all: text.starts_with('\u{feff}'),
        }
    }

    /// Adds a character, escaped if necessary.
    pub(in crate::yaml) fn push(self, c: char, result: &mut String) {
        if self.escapes_all || !is_verbatim(c) || matches!(c, '"' | '\\') {
            escape(c, result);
        } else {
            result.push(c);
        }
    }
}

fn escape(c: char, result: &mut String) {
    match (escape_letter(c), c as u32) {
        (Some(letter), _) => result.extend(['\\', letter]),
        (None, code @ ..=0xff) => result.push_str(&format!("\\x{code:02X}")),
        (None, code @ ..=0xffff) => result.push_str(&format!("\\u{code:04X}")),
        (None, code) => result.push_str(&format!("\\U{code:08X}")),
    }
}

/// Returns the letter of the short escape of a character.
fn escape_letter(c: char) -> Option<char> {
    Some(match c {
        '"' | '\\' => c,
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '\u{85}' => 'N',
        '\u{a0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => return None,
    })
}

/// Spells a literal scalar with its lines at `indent`.
pub(in crate::yaml) fn literal(text: &str, indent: usize) -> String {
    let mut result = String::with_capacity(text.len() + 16);
    push_literal(text, indent, &mut result);
    result
}

/// Adds a literal scalar with its lines at `indent`. The header contains the indentation if the
/// first line does not show it. It contains a chomping indicator unless the text ends with exactly
/// one line break.
pub(in crate::yaml) fn push_literal(text: &str, indent: usize, result: &mut String) {
    result.push('|');
    if text.starts_with([' ', '\n']) {
        result.push_str(&STEP.to_string());
    }
    match text.strip_suffix('\n') {
        None => result.push('-'),
        Some(rest) if rest.is_empty() || rest.ends_with('\n') => result.push('+'),
        Some(_) => {}
    }
    result.push('\n');
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let line_break = memchr::memchr(b'\n', rest.as_bytes());
        let line = &rest[..line_break.map_or(rest.len(), |at| at + 1)];
        if line != "\n" {
            push_spaces(indent, result);
        }
        result.push_str(line);
        start += line.len();
    }
}

/// Adds spaces.
pub(super) fn push_spaces(mut count: usize, result: &mut String) {
    const SPACES: &str = "                                                                ";
    while count > SPACES.len() {
        result.push_str(SPACES);
        count -= SPACES.len();
    }
    result.push_str(&SPACES[..count]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_check_agrees_with_the_rules() {
        // Every text of up to three of these pieces, which begin, end or quote a scalar somewhere.
        let pieces = [
            "",
            "a",
            "n",
            "null",
            "Yes",
            "ON",
            "/",
            "_",
            "-",
            "---",
            "7",
            ":",
            "#",
            " ",
            "\n",
            "\t",
            "~",
            "'",
            "\"",
            "\u{7f}",
            "é",
            "\u{2028}",
            "\u{1f600}",
            "<<",
            "=",
            "2001-01-01",
            "1:30",
            "0x1F",
        ];
        let mut ordinary = 0;
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let text = [first, second, third].concat();
                    ordinary += usize::from(is_ordinary(&text));
                    assert_eq!(
                        StringStyle::of(&text),
                        StringStyle::by_rules(&text),
                        "{text:?}"
                    );
                }
            }
        }
        assert!(ordinary > 1000, "{ordinary}");
        for ordinary in [
            "registry.io/app:1.2",
            "a#b",
            "yes it is",
            "/etc",
            "_x",
            "note",
        ] {
            assert!(is_ordinary(ordinary), "{ordinary}");
        }
    }
}
