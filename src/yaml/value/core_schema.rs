//! Resolves the scalars of resources as kustomize does: nearly the core schema of YAML 1.2.
//!
//! kustomize reads resources with another version of its YAML library than ytt does, and another
//! version than it uses for `kustomization.yaml`. The two versions agree on numbers and differ in
//! words:
//!
//! | text | [`resolve`](super::resolve) | here |
//! | --- | --- | --- |
//! | `yes`, `on`, `n` | boolean | string |
//! | `0o-7` | string | -7 |
//! | `2001-1-1` | string as written | string `2001-01-01T00:00:00Z` |
//!
//! A timestamp becomes a string because kustomize passes objects through JSON, which has no type
//! for it.

use std::borrow::Cow;

use super::tag::TagMismatch;
use super::{Tag, Value, decode_binary, float, integer, special_float, timestamp};
use crate::yaml::node::{Node, ScalarStyle};

/// The value of a scalar of a resource.
#[derive(Clone, Debug, PartialEq)]
pub enum CoreValue<'a> {
    /// `null`, `~`, or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer that fits an `i64`.
    Int(i64),
    /// An integer above [`i64::MAX`].
    UInt(u64),
    /// Any other number.
    Float(f64),
    /// A date or a time, in the form of RFC 3339.
    Timestamp(String),
    /// Bytes, of a scalar with the tag `!!binary`.
    Binary(Vec<u8>),
    /// Everything else.
    String(Cow<'a, str>),
}

impl CoreValue<'_> {
    /// Returns a description of the value for messages.
    fn described(&self) -> &'static str {
        match self {
            CoreValue::Null => "null",
            CoreValue::Bool(_) => "a boolean",
            CoreValue::Int(_) => "an integer",
            CoreValue::UInt(_) => "an integer above 9223372036854775807",
            CoreValue::Float(_) => "a float",
            CoreValue::Timestamp(_) => "a timestamp",
            CoreValue::Binary(_) => "bytes",
            CoreValue::String(_) => "a string",
        }
    }
}

/// Returns the value of a scalar as kustomize reads it in a resource. `node` must not be an alias.
/// A collection is treated as an empty string.
///
/// # Errors
/// The tag does not fit the text.
pub fn core_value(node: &Node) -> Result<CoreValue<'_>, TagMismatch> {
    let text = node.text().unwrap_or_default();
    let is_plain = node
        .as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Plain);
    match node.tag() {
        // The tag of `! 1` means that there is no tag.
        None | Some("!") if is_plain => Ok(plain(text)),
        None | Some("!") => Ok(CoreValue::String(text.into())),
        Some(tag) => tagged(text, Tag::of(tag)),
    }
}

/// Returns the value of a plain scalar without a tag. As in [`resolve`](super::resolve), the first
/// byte decides which types are tried.
fn plain(text: &str) -> CoreValue<'_> {
    match text.as_bytes().first() {
        None | Some(b'~' | b'n' | b'N' | b't' | b'T' | b'f' | b'F') => word(text),
        Some(b'.') => {
            let number = special_float(text);
            let number = number.or_else(|| float::parse_fraction(text).map(Value::Float));
            number.map(CoreValue::from)
        }
        Some(b'+' | b'-' | b'0'..=b'9') => number(text, true),
        Some(_) => None,
    }
    .unwrap_or(CoreValue::String(Cow::Borrowed(text)))
}

fn word(text: &str) -> Option<CoreValue<'_>> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some(CoreValue::Null),
        "true" | "True" | "TRUE" => Some(CoreValue::Bool(true)),
        "false" | "False" | "FALSE" => Some(CoreValue::Bool(false)),
        _ => None,
    }
}

fn number(text: &str, may_be_timestamp: bool) -> Option<CoreValue<'_>> {
    if let Some(number) = special_float(text) {
        return Some(number.into());
    }
    if may_be_timestamp && let Some(timestamp) = timestamp::parse(text) {
        return Some(CoreValue::Timestamp(timestamp.to_string()));
    }
    let digits = super::without_underscores(text);
    let number = integer::parse(&digits)
        .or_else(|| integer::parse_signed_octal(&digits))
        .or_else(|| float::parse(&digits).map(Value::Float));
    number.map(CoreValue::from)
}

/// Returns the value of a scalar with a tag, quoted or not.
fn tagged(text: &str, tag: Tag) -> Result<CoreValue<'_>, TagMismatch> {
    let found = match tag {
        Tag::String | Tag::Other => return Ok(CoreValue::String(text.into())),
        Tag::Binary => match decode_binary(text) {
            Some(bytes) => return Ok(CoreValue::Binary(bytes)),
            None => CoreValue::String(text.into()),
        },
        Tag::Timestamp => plain(text),
        Tag::Null | Tag::Bool | Tag::Int | Tag::Float => match plain(text) {
            // Only a scalar without a tag, or with the tag of timestamps, can be a timestamp.
            CoreValue::Timestamp(_) => {
                number(text, false).unwrap_or(CoreValue::String(text.into()))
            }
            value => value,
        },
    };
    match (tag, found) {
        (Tag::Float, CoreValue::Int(number)) => Ok(CoreValue::Float(number as f64)),
        (Tag::Null, value @ CoreValue::Null)
        | (Tag::Bool, value @ CoreValue::Bool(_))
        | (Tag::Int, value @ (CoreValue::Int(_) | CoreValue::UInt(_)))
        | (Tag::Float, value @ CoreValue::Float(_))
        | (Tag::Timestamp, value @ CoreValue::Timestamp(_)) => Ok(value),
        (Tag::Binary, _) => Err(TagMismatch {
            expected: tag.expected(),
            found: "text that is not base64",
        }),
        (_, value) => Err(TagMismatch {
            expected: tag.expected(),
            found: value.described(),
        }),
    }
}

impl<'a> From<Value<'a>> for CoreValue<'a> {
    fn from(value: Value<'a>) -> CoreValue<'a> {
        match value {
            Value::Null => CoreValue::Null,
            Value::Bool(value) => CoreValue::Bool(value),
            Value::Int(number) => CoreValue::Int(number),
            Value::UInt(number) => CoreValue::UInt(number),
            Value::Float(number) => CoreValue::Float(number),
            Value::String(text) => CoreValue::String(text.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn value(text: &str) -> String {
        let source = Source::new("test.yaml", format!("- {text}\n")).unwrap();
        let stream = parse(&source).unwrap();
        let node = &stream.documents[0].root.as_sequence().unwrap().items[0].value;
        match core_value(node) {
            Ok(CoreValue::String(text)) => format!("string {text}"),
            Ok(CoreValue::Timestamp(text)) => text,
            Ok(other) => format!("{other:?}"),
            Err(mismatch) => format!("expected {}, found {}", mismatch.expected, mismatch.found),
        }
    }

    /// The values that kustomize v5.8.2 prints for these texts.
    #[test]
    fn reads_scalars_as_kustomize_does() {
        let table = [
            ("", "Null"),
            ("~", "Null"),
            ("yes", "string yes"),
            ("y", "string y"),
            ("True", "Bool(true)"),
            ("0o-7", "Int(-7)"),
            ("-0o7", "Int(-7)"),
            ("-0o+7", "string -0o+7"),
            ("0b-11", "Int(-3)"),
            ("-0b+1", "string -0b+1"),
            ("017", "Int(15)"),
            ("08", "Float(8.0)"),
            ("+0x1F", "Int(31)"),
            ("1__0", "Int(10)"),
            ("0x", "string 0x"),
            (".5_5", "Float(0.55)"),
            (".5__5", "string .5__5"),
            ("1_000.5", "Float(1000.5)"),
            ("18446744073709551615", "UInt(18446744073709551615)"),
            ("12:30", "string 12:30"),
            ("<<", "string <<"),
            ("! 1", "Int(1)"),
            ("! \"1\"", "string 1"),
            ("!foo 1", "string 1"),
            ("!!str", "string "),
            ("!!int \"3\"", "Int(3)"),
            ("!!bool \"true\"", "Bool(true)"),
            ("!!null ''", "Null"),
            ("!!float 1", "Float(1.0)"),
            ("!!timestamp \"2001-12-14\"", "2001-12-14T00:00:00Z"),
            ("!!binary aGk=", "Binary([104, 105])"),
            ("!!bool yes", "expected a boolean, found a string"),
            ("!!int 1.0", "expected an integer, found a float"),
            ("!!int 2020-01-01", "expected an integer, found a string"),
            (
                "!!binary '?'",
                "expected base64, found text that is not base64",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn prints_timestamps_as_json_has_them() {
        let table = [
            ("2020-1-2", "2020-01-02T00:00:00Z"),
            ("0000-01-01", "0000-01-01T00:00:00Z"),
            (
                "2001-12-14t21:59:43.1234567899-05:00",
                "2001-12-14T21:59:43.123456789-05:00",
            ),
            ("2001-12-14   1:2:3.500", "2001-12-14T01:02:03.5Z"),
            ("2001-12-14T21:59:43.000Z", "2001-12-14T21:59:43Z"),
            ("2001-1-1t1:1:1,5Z", "2001-01-01T01:01:01.5Z"),
            ("2001-12-14T21:59:43+00:00", "2001-12-14T21:59:43Z"),
            ("2001-12-14T21:59:43+05:60", "2001-12-14T21:59:43+06:00"),
            ("2001-12-14T21:59:43-00:30", "2001-12-14T21:59:43-00:30"),
            (
                "2001-12-14 21:59:43.10 -5",
                "string 2001-12-14 21:59:43.10 -5",
            ),
            ("2001-12-14T24:00:00Z", "string 2001-12-14T24:00:00Z"),
        ];
        for (text, expected) in table {
            assert_eq!(value(text), expected, "{text}");
        }
    }
}
