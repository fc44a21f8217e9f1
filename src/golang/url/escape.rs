//! Percent escapes. The part of the URL decides which bytes need one.

use crate::golang::GoError;
use crate::golang::quote::quote;

/// A part of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlPart {
    Path,
    PathSegment,
    Host,
    /// The zone of an IPv6 address, after `%25`.
    Zone,
    User,
    Query,
    Fragment,
}

/// Returns the text with escapes for the bytes that are not allowed in `part`.
pub(super) fn escape(text: &[u8], part: UrlPart) -> String {
    let mut escaped = String::with_capacity(text.len());
    for &byte in text {
        match byte {
            b' ' if part == UrlPart::Query => escaped.push('+'),
            _ if needs_escape(byte, part) => {
                escaped.push('%');
                escaped.push(hex_digit(byte >> 4));
                escaped.push(hex_digit(byte & 15));
            }
            _ => escaped.push(char::from(byte)),
        }
    }
    escaped
}

/// Decodes an escaped text.
///
/// # Errors
/// A `%` that is not followed by two hexadecimal digits. In a host, also a byte or an escape that
/// is not allowed there.
pub(super) fn unescape(text: &str, part: UrlPart) -> Result<Vec<u8>, GoError> {
    let bytes = text.as_bytes();
    let mut unescaped = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'%' => {
                unescaped.push(escaped_byte(bytes.get(at..).unwrap_or_default(), part)?);
                at += 2;
            }
            b'+' if part == UrlPart::Query => unescaped.push(b' '),
            _ if is_foreign_to_host(byte, part) => {
                return Err(GoError::new(format!(
                    "invalid character {} in host name",
                    quote(&[byte])
                )));
            }
            _ => unescaped.push(byte),
        }
        at += 1;
    }
    Ok(unescaped)
}

/// Returns whether a text is escaped correctly for `part`, so that it can be kept as it is written.
pub(super) fn is_escaped(text: &str, part: UrlPart) -> bool {
    text.bytes().all(|byte| {
        matches!(
            byte,
            b'[' | b']'
                | b'%'
                | b'!'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'$'
                | b'&'
                | b'+'
                | b','
                | b';'
                | b'='
                | b':'
                | b'@'
        ) || !needs_escape(byte, part)
    })
}

/// Returns the byte of the escape at the start of `bytes`.
fn escaped_byte(bytes: &[u8], part: UrlPart) -> Result<u8, GoError> {
    let escape = bytes.get(..3).unwrap_or(bytes);
    let invalid = || GoError::new(format!("invalid URL escape {}", quote(escape)));
    let &[_, high, low] = escape else {
        return Err(invalid());
    };
    let (Some(high), Some(low)) = (hex_value(high), hex_value(low)) else {
        return Err(invalid());
    };
    let byte = high << 4 | low;
    // Go allows only non-ASCII bytes to be escaped in a host (RFC 6874 adds `%25` for the zone).
    let allowed = match part {
        UrlPart::Host => escape == b"%25" || !byte.is_ascii(),
        UrlPart::Zone => escape == b"%25" || byte == b' ' || !needs_escape(byte, UrlPart::Host),
        _ => true,
    };
    if allowed { Ok(byte) } else { Err(invalid()) }
}

/// Returns whether a byte is not allowed in a host, not even escaped.
fn is_foreign_to_host(byte: u8, part: UrlPart) -> bool {
    matches!(part, UrlPart::Host | UrlPart::Zone) && byte.is_ascii() && needs_escape(byte, part)
}

/// Returns whether a byte must be escaped in `part`. This is Go's `shouldEscape`, case by case.
fn needs_escape(byte: u8, part: UrlPart) -> bool {
    let in_host = matches!(part, UrlPart::Host | UrlPart::Zone);
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => false,
        b'$' | b'&' | b'+' | b'=' | b':' if in_host => false,
        b'!' | b'\'' | b'(' | b')' | b'*' => !in_host && part != UrlPart::Fragment,
        b',' | b';' if in_host => false,
        b'[' | b']' | b'<' | b'>' | b'"' => !in_host,
        b'$' | b'&' | b'+' | b'=' => part == UrlPart::Query,
        b':' => matches!(part, UrlPart::Query | UrlPart::User),
        b',' | b';' => matches!(part, UrlPart::Query | UrlPart::PathSegment),
        b'/' => !matches!(part, UrlPart::Path | UrlPart::Fragment),
        b'@' => !matches!(
            part,
            UrlPart::Path | UrlPart::PathSegment | UrlPart::Fragment
        ),
        b'?' => part != UrlPart::Fragment,
        _ => true,
    }
}

fn hex_digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16)
        .unwrap_or('0')
        .to_ascii_uppercase()
}

fn hex_value(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}
