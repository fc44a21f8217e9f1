//! The style of a string.
//!
//! With a line break it wants to be literal; if a plain scalar would be read as something else,
//! double-quoted; otherwise plain. Where the text cannot have the style wanted, plain gives way to
//! single quotes, and everything to double ones.

use std::borrow::Cow;

use crate::yaml::character;
use crate::yaml::value::{is_plain_syntax, reads_as_string};

/// How much deeper the lines of a literal scalar stand than the collection around it.
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
        if is_ordinary(text.as_bytes()) {
            return StringStyle::Plain;
        }
        if !text.chars().all(|c| c == '\n' || is_verbatim(c)) {
            return StringStyle::DoubleQuoted;
        }
        if text.contains('\n') {
            let fits = !text.ends_with(' ') && !text.contains(" \n");
            return if fits {
                StringStyle::Literal
            } else {
                StringStyle::DoubleQuoted
            };
        }
        if !reads_as_string(text) {
            return StringStyle::DoubleQuoted;
        }
        if is_plain_syntax(text, false) {
            StringStyle::Plain
        } else {
            StringStyle::SingleQuoted
        }
    }
}

/// Whether a text is certain to be plain: it begins with a letter that begins no word for a boolean
/// or null, and contains nothing but letters, digits, and marks without a meaning in YAML.
///
/// This is the quick check for names, paths and sentences, which nearly all strings are.
fn is_ordinary(text: &[u8]) -> bool {
    let [first, .., last] = text else {
        return false;
    };
    first.is_ascii_alphabetic()
        && !b"nNyYtTfFoO".contains(first)
        && *last != b' '
        && text.iter().all(|byte| match byte {
            b':' | b'#' => false,
            byte => (b' '..=b'~').contains(byte),
        })
}

/// Spells a string in a collection at `indent`. Only a literal scalar has line breaks, and its own
/// final one may lack.
pub(in crate::yaml) fn string(text: &str, indent: usize) -> Cow<'_, str> {
    match StringStyle::of(text) {
        StringStyle::Plain => Cow::Borrowed(text),
        StringStyle::SingleQuoted => Cow::Owned(single_quoted(text)),
        StringStyle::DoubleQuoted => Cow::Owned(double_quoted(text)),
        StringStyle::Literal => Cow::Owned(literal(text, indent + STEP)),
    }
}

/// Whether a character is printed as it is. In no style does ytt print a tab or a character above
/// U+FFFF so.
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

/// Which characters of a double-quoted string are escaped: those that are not printed as they are;
/// if the text begins with a byte order mark, all of them, as in ytt and kustomize.
#[derive(Clone, Copy)]
pub(in crate::yaml) struct Escapes {
    escapes_all: bool,
}

impl Escapes {
    /// Returns the escapes of a text.
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

/// The letter of the characters that have an escape of their own.
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

/// Adds a literal scalar with its lines at `indent`: the header says how deep where the first line
/// does not show it, and what becomes of the line breaks at the end unless there is exactly one
/// after a text.
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
    for line in text.split_inclusive('\n') {
        if line != "\n" {
            result.extend(std::iter::repeat_n(' ', indent));
        }
        result.push_str(line);
    }
}
