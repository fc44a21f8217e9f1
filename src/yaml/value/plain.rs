//! Decides whether a string can be written without quotes, so that every relevant reader reads it
//! back as the same string.

use super::{Value, float, resolve_plain, timestamp, without_underscores};
use crate::yaml::character::is_printable;

/// The place of a plain scalar. In flow collections, more characters end it.
///
/// ```text
/// - a, b      block: the string `a, b`
/// [a, b]      flow: the strings `a` and `b`
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainContext {
    /// In the lines of a block collection, or at the root.
    Block,
    /// Between the brackets of a flow collection.
    Flow,
}

impl PlainContext {
    /// Returns the context of a scalar by whether it is in a flow collection.
    pub(in crate::yaml) fn of(is_in_flow: bool) -> PlainContext {
        match is_in_flow {
            true => PlainContext::Flow,
            false => PlainContext::Block,
        }
    }
}

/// Returns whether a plain scalar with this text is read back as the string `text`.
///
/// Every function that writes a string calls this before it omits the quotes. The rule is stricter
/// than the grammar where readers differ: dates, numbers in base 60, numbers that are too large for
/// ytt, `<<`, `=`, and texts with line breaks, tabs or unprintable characters are never plain.
pub fn is_plain_string(text: &str, context: PlainContext) -> bool {
    is_plain_string_of_go(text, context) && !is_large_number(text)
}

/// Returns whether a plain scalar with this text is read back as the string `text` by ytt and
/// kustomize, which are written in Go. Other readers may take it for a large number.
pub fn is_plain_string_of_go(text: &str, context: PlainContext) -> bool {
    !matches!(text, "<<" | "=")
        && reads_as_string(text)
        && is_plain_syntax(text, context)
        && text.chars().all(is_printable)
}

/// Returns whether a plain scalar with this text can follow a custom tag. Such a tag makes every
/// text a string.
pub(in crate::yaml) fn is_plain_when_tagged(text: &str, context: PlainContext) -> bool {
    is_plain_syntax(text, context) && text.chars().all(is_printable)
}

/// Returns whether a plain scalar with this text is a string, both for ytt and for strict readers
/// of YAML 1.1.
pub(in crate::yaml) fn reads_as_string(text: &str) -> bool {
    let is_number_like = text.starts_with(|c: char| matches!(c, '+' | '-' | '.' | '0'..='9'));
    if !is_number_like {
        return matches!(resolve_plain(text), Value::String(_));
    }
    matches!(resolve_plain(text), Value::String(_))
        && !timestamp::is_timestamp(text)
        && !is_sexagesimal(text)
}

/// Returns whether a plain scalar with this text is a string for other readers as well: those that
/// have larger numbers.
pub(in crate::yaml) fn reads_as_string_everywhere(text: &str) -> bool {
    reads_as_string(text) && !is_large_number(text)
}

/// Returns whether YAML 1.1 and YAML 1.2 (and with it JSON) read a plain scalar with this text as
/// different values:
///
/// | text | YAML 1.1 | YAML 1.2 |
/// | --- | --- | --- |
/// | `yes`, `off`, `n` | boolean | string |
/// | `012` | 10 | 12 |
/// | `1_000`, `0b1`, `-0x1F`, `1:30` | number | string |
/// | `0o17` | string | 15 |
///
/// A number of JSON never differs. YAML 1.1 reads `1e3` as a string, but nobody intends that.
pub fn differs_by_version(text: &str) -> bool {
    match resolve_plain(text) {
        Value::Null => false,
        Value::Bool(_) => !matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE"),
        Value::Int(_) | Value::UInt(_) | Value::Float(_) => is_number_of_one_version(text),
        Value::String(_) => is_sexagesimal(text),
    }
}

/// Returns whether YAML 1.1 reads a text as a number, and YAML 1.2 as a string or as another
/// number.
fn is_number_of_one_version(number: &str) -> bool {
    let unsigned = number.strip_prefix(['+', '-']).unwrap_or(number);
    match unsigned.as_bytes() {
        _ if number.contains('_') => true,
        // Only YAML 1.1 has hexadecimal numbers with a sign, and neither has `0X1F`.
        [b'0', b'x', ..] => unsigned.len() < number.len(),
        // Octal by YAML 1.1, decimal by YAML 1.2. `012.5` is decimal in both.
        [b'0', b'0'..=b'9', ..] => !number.contains('.'),
        [b'0', letter, ..] => matches!(letter, b'b' | b'B' | b'o' | b'O' | b'X'),
        _ => false,
    }
}

/// Returns whether a text has no spaces or indicators that would end or change a plain scalar.
/// Unprintable characters and line breaks are not checked.
pub(in crate::yaml) fn is_plain_syntax(text: &str, context: PlainContext) -> bool {
    !text.starts_with(' ')
        && !text.ends_with(' ')
        && !text.starts_with("---")
        && !text.starts_with("...")
        && begins_plain(text.as_bytes(), context)
        && !has_inner_indicator(text.as_bytes(), context)
}

/// Returns whether a plain scalar can begin like this. YAML 1.2.2, rule 123, but in flow context
/// `?` and `:` never begin one, because old parsers disagree about them.
fn begins_plain(text: &[u8], context: PlainContext) -> bool {
    match text {
        [] => false,
        [
            b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
            | b'"' | b'%' | b'@' | b'`',
            ..,
        ] => false,
        [b'?' | b':', ..] if context == PlainContext::Flow => false,
        [b'?' | b':' | b'-'] | [b'?' | b':' | b'-', b' ' | b'\t', ..] => false,
        _ => true,
    }
}

/// Returns whether the text contains `: ` or ` #`, ends with `:`, or contains an indicator of flow
/// collections in flow context.
fn has_inner_indicator(text: &[u8], context: PlainContext) -> bool {
    text.iter().enumerate().any(|(at, byte)| match byte {
        b':' => matches!(text.get(at + 1), None | Some(b' ' | b'\t')),
        b'#' => at > 0 && matches!(text[at - 1], b' ' | b'\t'),
        b',' | b'?' | b'[' | b']' | b'{' | b'}' => context == PlainContext::Flow,
        _ => false,
    })
}

/// Returns whether a text is a number in base 60 (`12:30:45`):
/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`.
///
/// ytt and kustomize read it as text, but strict readers of YAML 1.1 read a number.
pub(super) fn is_sexagesimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let Some((first, rest)) = whole.split_once(':') else {
        return false;
    };
    first.starts_with(|c: char| c.is_ascii_digit())
        && are_digits_or_underscores(first)
        && are_digits_or_underscores(fraction)
        && rest.split(':').all(is_sixtieth)
}

/// Returns whether a text is a number of YAML 1.1 or YAML 1.2, however large it is: `1e400`, or
/// `0xffffffffffffffffff`.
///
/// ytt and kustomize read a number as text if it does not fit a float, or if it is not decimal and
/// does not fit 64 bits. Other readers have integers of any length, or read infinity. So the edited
/// text has quotes, although the canonical output has none, as that of ytt.
fn is_large_number(text: &str) -> bool {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let unsigned = without_underscores(unsigned);
    let has_digits = |prefix: [&str; 2], base: u32| {
        let digits = unsigned
            .strip_prefix(prefix[0])
            .or_else(|| unsigned.strip_prefix(prefix[1]));
        digits.is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_digit(base)))
    };
    has_digits(["0x", "0X"], 16)
        || has_digits(["0o", "0O"], 8)
        || has_digits(["0b", "0B"], 2)
        || float::is_decimal(&unsigned)
}

/// Returns whether a text is a digit of a number in base 60: 0 to 59.
fn is_sixtieth(text: &str) -> bool {
    matches!(text.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
}

fn are_digits_or_underscores(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'_')
}
