//! The escapes of double-quoted scalars and of JSON strings.

use crate::yaml::character::is_printable;

/// Reads the escape at the start of `text`. Returns its character and its length in bytes, or
/// `None` if there is no valid escape.
///
/// Accepts every escape of YAML 1.2 and of JSON, including two `\u` escapes that form a surrogate
/// pair.
pub(super) fn unescape(text: &str) -> Option<(char, usize)> {
    let letter = text[1..].chars().next()?;
    let simple = match letter {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        // An escape of libyaml; see `repair`.
        '\'' => letter,
        ' ' | '"' | '/' | '\\' => letter,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => return Some((char::from_u32(hex(text, 2, 2)?)?, 4)),
        'U' => return Some((char::from_u32(hex(text, 2, 8)?)?, 10)),
        'u' => return unicode(text),
        _ => return None,
    };
    Some((simple, 2))
}

fn unicode(text: &str) -> Option<(char, usize)> {
    let high = hex(text, 2, 4)?;
    if let Some(c) = char::from_u32(high) {
        return Some((c, 6));
    }
    let low = text
        .get(6..8)
        .filter(|escape| *escape == "\\u")
        .and_then(|_| hex(text, 8, 4))?;
    let pair = char::decode_utf16([u16::try_from(high).ok()?, u16::try_from(low).ok()?])
        .next()?
        .ok()?;
    Some((pair, 12))
}

fn hex(text: &str, from: usize, digits: usize) -> Option<u32> {
    let digits = text.get(from..from + digits)?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit())
        .then(|| u32::from_str_radix(digits, 16).ok())?
}

/// Adds `text` to `result`, and escapes the characters that double quotes cannot contain. The escapes
/// are those that YAML and JSON share.
pub(super) fn escape(text: &str, result: &mut String) {
    for c in text.chars() {
        match c {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            '\t' => result.push_str("\\t"),
            '\u{8}' => result.push_str("\\b"),
            '\u{c}' => result.push_str("\\f"),
            // JSON allows most of these, but it may be in a block scalar, which cannot contain them.
            c if !is_printable(c) => result.push_str(&format!("\\u{:04x}", c as u32)),
            c => result.push(c),
        }
    }
}
