//! Environment files: `KEY=value`, as kustomize reads them.
//!
//! A value is all that stands after the first `=`, quotes and blanks too. A line without `=` is a key with an empty value.
//! Lines that begin with `#` are comments. A key may have `export` before it, which is no part of it here.

use super::Line;
use crate::source::Span;

const EXPORT: &str = "export";

pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let mark = if begin == 0 && line.starts_with('\u{feff}') {
            '\u{feff}'.len_utf8()
        } else {
            0
        };
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line
            .strip_suffix('\r')
            .unwrap_or(line)
            .get(mark..)
            .unwrap_or("");
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let start = begin + mark + line.len() - content.len();
        let key = start + exported(content);
        let end = start + content.len();
        let (key_end, value) = match content.find('=') {
            Some(equals) => (start + equals, start + equals + 1),
            None => (end, end),
        };
        lines.push(Line {
            start,
            key: Span::new(key.min(key_end), key_end),
            value: Span::new(value, end),
        });
    }
    lines
}

/// The length of `export` and the blanks after it.
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

/// Whether a line reads back as one with this key.
pub(super) fn can_hold_key(key: &str) -> bool {
    // On a line that is not the first, where a byte order mark is a character like any other.
    match lines(&format!("\n{key}="))[..] {
        [
            Line {
                start: 1,
                key: found,
                ..
            },
        ] => found == Span::new(1, 1 + key.len()),
        _ => false,
    }
}

/// Whether a line can hold this value.
pub(super) fn can_hold(value: &str) -> bool {
    !value.contains(['\n', '\r'])
}
