//! What a scalar means: YAML 1.1 as ytt and kustomize read it.
//!
//! Both use the same resolver, which is neither the one of the YAML 1.1 specification (`y` is a boolean, but base 60 is
//! text) nor the one of YAML 1.2 (`017` is fifteen, `yes` is true). A plain scalar is looked up in a short table of
//! words; if it begins like a number it is tried as a timestamp (which stays text), as an integer and as a float; all
//! else is text.

mod binary;
mod float;
mod integer;
mod plain;
mod sexagesimal;
mod tag;
#[cfg(test)]
mod tests;
mod timestamp;

use std::borrow::Cow;

pub(super) use binary::{decode_binary, encode_binary};
pub use plain::is_plain_string;
pub(super) use plain::{is_plain_syntax, reads_as_string};
pub use tag::tag_misfit;
pub(super) use tag::{Tag, is_merge_key};
pub(super) use timestamp::is_timestamp;

/// The value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`, `~`, or nothing.
    Null,
    /// `true`, `yes`, `on`, `y` and their opposites.
    Bool(bool),
    /// A whole number that fits 64 bits with a sign.
    Int(i64),
    /// A whole number above [`i64::MAX`].
    UInt(u64),
    /// Any other number.
    Float(f64),
    /// Everything else.
    String(&'a str),
}

/// The value of a scalar with the text `text`.
///
/// A scalar that is not plain is a string, unless a tag says otherwise. A tag that does not fit the text leaves it a
/// string; [`tag_misfit`] tells so. A tag that YAML does not define makes every scalar a string, as in ytt. The text
/// of a `!!binary` scalar is left as it stands; [`decode_binary`] reads it.
pub fn resolve<'a>(text: &'a str, plain: bool, tag: Option<&str>) -> Value<'a> {
    match tag {
        None if plain => resolve_plain(text),
        None => Value::String(text),
        Some(tag) => Tag::of(tag).apply(text).unwrap_or(Value::String(text)),
    }
}

/// The value of a plain scalar without a tag.
fn resolve_plain(text: &str) -> Value<'_> {
    match text.as_bytes().first() {
        None | Some(b'~' | b'n' | b'N' | b'y' | b'Y' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => {
            word(text)
        }
        Some(b'.') => special_float(text).or_else(|| float::parse_fraction(text).map(Value::Float)),
        Some(b'+' | b'-' | b'0'..=b'9') => special_float(text).or_else(|| number(text)),
        Some(_) => None,
    }
    .unwrap_or(Value::String(text))
}

/// The words for null and the booleans. Letter case matters: `nULL` is text.
fn word(text: &str) -> Option<Value<'_>> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some(Value::Null),
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Some(Value::Bool(true))
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(Value::Bool(false))
        }
        _ => None,
    }
}

fn special_float(text: &str) -> Option<Value<'_>> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(Value::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(Value::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => Some(Value::Float(f64::NEG_INFINITY)),
        _ => None,
    }
}

/// The number that a text with a leading digit or sign spells. Underscores may stand anywhere after the first
/// character.
fn number(text: &str) -> Option<Value<'_>> {
    if timestamp::is_timestamp(text) {
        return None;
    }
    let digits = without_underscores(text);
    integer::parse(&digits).or_else(|| float::parse(&digits).map(Value::Float))
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') {
        Cow::Owned(text.replace('_', ""))
    } else {
        Cow::Borrowed(text)
    }
}
