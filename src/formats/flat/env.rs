//! Environment files: `KEY=value`, as kustomize reads them.
//!
//! A value is everything after the first `=`, including quotes and blanks. A line without `=` is a
//! key with an empty value. Lines that begin with `#` are comments. `export` before a key is not
//! part of the key.

use super::text::{FlatDialect, check, read, separator, write};
use crate::formats::key_values::{self, KeyValueLine, KeyValueSyntax, SpelledText};
use crate::formats::language::{Language, ScalarSyntax};
use crate::source::{OffsetMap, Span};
use crate::yaml::faithful;

pub(in crate::formats) static LANGUAGE: Language = Language {
    name: "env",
    title: "an environment file",
    summary: "Lines of `KEY=value`",
    extensions: &["env"],
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
        is_comment: |line| line.starts_with('#'),
        decode: |raw, base| {
            Some(SpelledText {
                text: raw.to_owned(),
                map: OffsetMap::identity(base, raw.len()),
            })
        },
        spell_key: |key, _| key.to_owned(),
        spell_value: |value, _| value.to_owned(),
        spell_part: |part, _| part.to_owned(),
        separator,
        is_open: |_| false,
        continues_by_indentation: false,
    },
    lines,
    fits: |new_key, value| !value.contains(['\n', '\r']) && new_key.is_none_or(can_represent_key),
};

const EXPORT: &str = "export";

/// Finds the lines of a text that have a key.
///
/// ```text
/// # a comment            no key
///   export PATH=/bin     `start` at `export`, the key `PATH`, the value `/bin`
/// DEBUG                  a key without a value: the value is empty, at the end of the line
/// ```
fn lines(text: &str) -> Vec<KeyValueLine> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        // A byte order mark is not a part of the first key.
        let marked = if begin == 0 {
            line.strip_prefix('\u{feff}')
        } else {
            None
        };
        let content = marked.unwrap_or(line).trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let start = begin + line.len() - content.len();
        let end = start + content.len();
        let key = start + exported(content);
        let (key_end, value) = match content.find('=') {
            Some(equals) => (start + equals, start + equals + 1),
            None => (end, end),
        };
        lines.push(KeyValueLine {
            start,
            key: Span::new(key.min(key_end), key_end),
            value: Span::new(value, end),
        });
    }
    lines
}

/// Returns the length of `export` and the blanks after it.
fn exported(content: &str) -> usize {
    let Some(rest) = content
        .strip_prefix(EXPORT)
        .filter(|rest| rest.starts_with(char::is_whitespace))
    else {
        return 0;
    };
    let key = rest.trim_start();
    if key.is_empty() || key.starts_with(['=', '#']) {
        0
    } else {
        content.len() - key.len()
    }
}

/// Returns whether a line with this key reads back with the same key.
fn can_represent_key(key: &str) -> bool {
    // Try it on the second line: at the start of the text a byte order mark would be skipped.
    match lines(&format!("\n{key}="))[..] {
        [
            KeyValueLine {
                start: 1,
                key: found,
                ..
            },
        ] => found == Span::new(1, 1 + key.len()),
        _ => false,
    }
}
