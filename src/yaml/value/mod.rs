//! Resolves scalars to values: YAML 1.1 as ytt and kustomize apply it.
//!
//! Both use the same Go library, which follows neither YAML 1.1 nor YAML 1.2 exactly:
//!
//! | text | YAML 1.1 | here | YAML 1.2 |
//! | --- | --- | --- | --- |
//! | `yes`, `on` | boolean | boolean | string |
//! | `017` | 15 | 15 | 17 |
//! | `0o17` | string | 15 | 15 |
//! | `12:30:45` | 45045 | string | string |
//! | `2001-01-01` | timestamp | string | string |
//!
//! A plain scalar is looked up in a table of words first. If it begins like a number, it is tried
//! as a timestamp (which is a string), as an integer and as a float. Everything else is a string.

mod binary;
mod core_schema;
mod float;
mod integer;
mod plain;
mod shortest;
mod tag;
#[cfg(test)]
mod tests;
mod timestamp;

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

pub(super) use binary::{decode_binary, encode_binary};
pub use core_schema::{CoreValue, core_value};
pub(in crate::yaml) use plain::is_plain_when_tagged;
pub use plain::{PlainContext, differs_by_version, is_plain_string, is_plain_string_of_go};
pub(super) use plain::{is_plain_syntax, reads_as_string, reads_as_string_everywhere};
pub use shortest::ShortestFloat;
pub(super) use tag::{Tag, is_merge_key};
pub use tag::{TagMismatch, tag_mismatch};
pub(super) use timestamp::is_timestamp;

/// The value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`, `~`, or an empty scalar.
    Null,
    /// `true`, `yes`, `on`, `y` and their opposites.
    Bool(bool),
    /// An integer that fits an `i64`.
    Int(i64),
    /// An integer above [`i64::MAX`].
    UInt(u64),
    /// Any other number.
    Float(f64),
    /// Everything else.
    String(&'a str),
}

impl Value<'_> {
    /// Returns a hash that is the same for equal values. All fractions share one hash: `0.0` equals
    /// `-0.0` although their bits differ.
    pub(super) fn identity(self) -> u64 {
        let mut hasher = DefaultHasher::new();
        mem::discriminant(&self).hash(&mut hasher);
        match self {
            Value::Null | Value::Float(_) => {}
            Value::Bool(value) => value.hash(&mut hasher),
            Value::Int(number) => number.hash(&mut hasher),
            Value::UInt(number) => number.hash(&mut hasher),
            Value::String(text) => text.hash(&mut hasher),
        }
        hasher.finish()
    }
}

/// Returns the value of a scalar with the text `text`.
///
/// A scalar that is not plain is a string, unless it has a tag. If the tag does not fit the text,
/// the value is a string, and [`tag_mismatch`] returns the reason. A tag that YAML does not define
/// makes every scalar a string, as in ytt. The text of a `!!binary` scalar is not decoded here;
/// [`decode_binary`] does that.
pub fn resolve<'a>(text: &'a str, plain: bool, tag: Option<&str>) -> Value<'a> {
    match tag {
        None if plain => resolve_plain(text),
        None => Value::String(text),
        Some(tag) => Tag::of(tag).apply(text).unwrap_or(Value::String(text)),
    }
}

/// Returns the value of a plain scalar without a tag.
///
/// The first byte decides which types are tried, so most strings are recognized at once.
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

/// Returns whether a text that begins like a word is not one of the words for null and the
/// booleans.
pub(super) fn is_plain_word(text: &str) -> bool {
    // The longest of these words is `false`.
    text.len() > 5 || word(text).is_none()
}

/// Resolves the words for null and the booleans. Case matters: `nULL` is a string.
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

/// Parses a number with a leading digit or sign. Underscores are allowed anywhere after the first
/// character.
fn number(text: &str) -> Option<Value<'_>> {
    if !may_be_number(text) || timestamp::is_timestamp(text) {
        return None;
    }
    let digits = without_underscores(text);
    integer::parse(&digits).or_else(|| float::parse(&digits).map(Value::Float))
}

/// Returns whether all bytes of a text can occur in numbers, dates or times. Texts such as `500m`
/// and `10Gi` need no further check.
fn may_be_number(text: &str) -> bool {
    text.bytes().all(|byte| {
        matches!(byte,
            b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' | b'o' | b'O' | b'x' | b'X' | b't' | b'T' | b'z' | b'Z'
            | b'+' | b'-' | b'.' | b'_' | b':' | b' ')
    })
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') {
        Cow::Owned(text.replace('_', ""))
    } else {
        Cow::Borrowed(text)
    }
}
