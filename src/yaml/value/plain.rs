//! When a string may stand without quotes.

use super::{Value, resolve_plain, sexagesimal, timestamp};
use crate::yaml::character::is_printable;

/// Whether a plain scalar with this text is read back as the string `text`, in block context or (`flow`) in flow
/// context.
///
/// The rule is stricter than the grammar where readers differ: dates, base 60, line breaks, tabs and unprintable
/// characters are never plain.
pub fn is_plain_string(text: &str, flow: bool) -> bool {
    text != "<<"
        && reads_as_string(text)
        && is_plain_syntax(text, flow)
        && text.chars().all(is_printable)
}

/// Whether a plain scalar with this text is a string to us and to strict readers of YAML 1.1.
pub(in crate::yaml) fn reads_as_string(text: &str) -> bool {
    matches!(resolve_plain(text), Value::String(_))
        && !timestamp::is_timestamp(text)
        && !sexagesimal::is_sexagesimal(text)
}

/// Whether a text has no blanks or indicators where they would end or change a plain scalar. It says nothing of
/// unprintable characters and line breaks.
pub(in crate::yaml) fn is_plain_syntax(text: &str, flow: bool) -> bool {
    !text.starts_with(' ')
        && !text.ends_with(' ')
        && !text.starts_with("---")
        && !text.starts_with("...")
        && begins_plain(text.as_bytes(), flow)
        && !has_inner_indicator(text.as_bytes(), flow)
}

/// Whether a plain scalar may begin so. YAML 1.2.2, rule 123, but `?` and `:` never begin one in flow context.
fn begins_plain(text: &[u8], flow: bool) -> bool {
    match text {
        [] => false,
        [
            b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
            | b'"' | b'%' | b'@' | b'`',
            ..,
        ] => false,
        [b'?' | b':', ..] if flow => false,
        [b'?' | b':' | b'-'] | [b'?' | b':' | b'-', b' ' | b'\t', ..] => false,
        _ => true,
    }
}

/// Whether a `: ` or ` #` stands in the text, or `:` at its end, or an indicator of flow collections in flow context.
fn has_inner_indicator(text: &[u8], flow: bool) -> bool {
    text.iter().enumerate().any(|(at, byte)| match byte {
        b':' => matches!(text.get(at + 1), None | Some(b' ' | b'\t')),
        b'#' => at > 0 && matches!(text[at - 1], b' ' | b'\t'),
        b',' | b'?' | b'[' | b']' | b'{' | b'}' => flow,
        _ => false,
    })
}
