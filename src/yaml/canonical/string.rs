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

/// Spells a string in a collection at `indent`. Only a literal scalar has line breaks, and its own
/// final one may lack.
pub(in crate::yaml) fn string(text: &str, indent: usize) -> Cow<'_, str> {
    if !text.chars().all(|c| c == '\n' || is_verbatim(c)) {
        return Cow::Owned(double_quoted(text));
    }
    if text.contains('\n') {
        let fits = !text.ends_with(' ') && !text.contains(" \n");
        return Cow::Owned(if fits {
            literal(text, indent + STEP)
        } else {
            double_quoted(text)
        });
    }
    if !reads_as_string(text) {
        return Cow::Owned(double_quoted(text));
    }
    if is_plain_syntax(text, false) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(single_quoted(text))
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

/// Escapes what is not printed as it is; ytt escapes every character of a text that begins with a
/// byte order mark.
fn double_quoted(text: &str) -> String {
    let escapes_all = text.starts_with('\u{feff}');
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    for c in text.chars() {
        if escapes_all || !is_verbatim(c) || matches!(c, '"' | '\\') {
            escape(c, &mut result);
        } else {
            result.push(c);
        }
    }
    result.push('"');
    result
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

/// Spells a literal scalar with its lines at `indent`: the header says how deep where the first
/// line does not show it, and what becomes of the line breaks at the end unless there is exactly
/// one after a text.
pub(in crate::yaml) fn literal(text: &str, indent: usize) -> String {
    let mut result = String::with_capacity(text.len() + 16);
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
    result
}
