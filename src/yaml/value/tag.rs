//! Applies a tag to a scalar: `!!str 1` is a string, and `!!int x` is a mistake.

use super::{Value, decode_binary, resolve_plain, timestamp};

/// The tags that decide the value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::yaml) enum Tag {
    Null,
    Bool,
    Int,
    Float,
    String,
    Timestamp,
    Binary,
    /// Any other tag. Its scalars are strings.
    Other,
}

/// The mismatch between a tag and the text of its scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagMismatch {
    /// The description of the type that the tag requires: `an integer`.
    pub expected: &'static str,
    /// The description of the type of the text: `a string`.
    pub found: &'static str,
}

/// Returns the mismatch if the tag `tag` cannot be on a scalar with the text `text`. ytt refuses
/// such a document.
pub fn tag_mismatch(text: &str, tag: &str) -> Option<TagMismatch> {
    let tag = Tag::of(tag);
    match tag.apply(text) {
        Some(_) => None,
        None => Some(TagMismatch {
            expected: tag.expected(),
            found: tag.found(text),
        }),
    }
}

/// Returns whether a scalar key merges the entries of its value: plain `<<` without a tag, or
/// with the tag `!!merge`.
pub(in crate::yaml) fn is_merge_key(text: &str, plain: bool, tag: Option<&str>) -> bool {
    text == "<<" && tag.map_or(plain, |tag| tag == "tag:yaml.org,2002:merge")
}

impl Tag {
    /// Returns the tag with the full name `name`.
    pub(in crate::yaml) fn of(name: &str) -> Tag {
        match name.strip_prefix("tag:yaml.org,2002:") {
            Some("null") => Tag::Null,
            Some("bool") => Tag::Bool,
            Some("int") => Tag::Int,
            Some("float") => Tag::Float,
            Some("str") => Tag::String,
            Some("timestamp") => Tag::Timestamp,
            Some("binary") => Tag::Binary,
            _ => Tag::Other,
        }
    }

    /// Returns the value of a scalar with this tag, quoted or not; `None` if the text does not fit.
    pub(super) fn apply(self, text: &str) -> Option<Value<'_>> {
        let value = match self {
            Tag::Null | Tag::Bool | Tag::Int | Tag::Float => resolve_plain(text),
            Tag::String | Tag::Timestamp | Tag::Binary | Tag::Other => Value::String(text),
        };
        match (self, value) {
            (Tag::Null, Value::Null)
            | (Tag::Bool, Value::Bool(_))
            | (Tag::Int, Value::Int(_) | Value::UInt(_))
            | (Tag::Float, Value::Float(_))
            | (Tag::String | Tag::Other, _) => Some(value),
            // Not for an unsigned integer, which ytt refuses.
            (Tag::Float, Value::Int(number)) => Some(Value::Float(number as f64)),
            (Tag::Timestamp, _) => timestamp::is_timestamp(text).then_some(value),
            (Tag::Binary, _) => decode_binary(text).map(|_| value),
            _ => None,
        }
    }

    /// Returns the description of the text that this tag requires, for messages.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Tag::Null => "null",
            Tag::Bool => "a boolean",
            Tag::Int => "an integer",
            Tag::Float => "a float",
            Tag::String | Tag::Other => "a string",
            Tag::Timestamp => "a timestamp",
            Tag::Binary => "base64",
        }
    }

    fn found(self, text: &str) -> &'static str {
        if self == Tag::Binary {
            return "text that is not base64";
        }
        match resolve_plain(text) {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Int(_) => "an integer",
            Value::UInt(_) => "an integer above 9223372036854775807",
            Value::Float(_) => "a float",
            Value::String(_) => "a string",
        }
    }
}
