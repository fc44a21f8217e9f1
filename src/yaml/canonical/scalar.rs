//! The canonical form of scalars: one spelling for each value.

use std::borrow::Cow;

use super::string::{STEP, is_ordinary, literal, string};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::node::{Node, ScalarStyle};
use crate::yaml::value::{
    ShortestFloat, Tag, TagMismatch, Value, decode_binary, encode_binary, resolve, tag_mismatch,
};

/// The maximum length of a key, in bytes, that is written on one line with its value.
pub(super) const MAX_SIMPLE_KEY: usize = 128;

/// The line breaks of YAML 1.1. A key that contains one is not written on one line with its value,
/// even if it is escaped.
const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// The canonical form of a scalar.
pub(in crate::yaml) struct Spelling<'a> {
    /// The text to print. It has line breaks if it is a literal scalar, whose final one may be
    /// missing.
    pub(in crate::yaml) text: Cow<'a, str>,
    /// Whether it is a float. A float may be spelled like an integer but is a different key.
    pub(in crate::yaml) is_float: bool,
    /// Whether it may be a key on one line with its value.
    pub(in crate::yaml) is_simple_key: bool,
}

/// Returns the canonical form of a scalar in a collection at `indent`.
///
/// # Errors
/// The tag does not fit the text.
pub(in crate::yaml) fn scalar(node: &Node, indent: usize) -> Result<Spelling<'_>> {
    let text = node.text().unwrap_or_default();
    if node.properties.is_none() && is_ordinary(text) {
        return Ok(Spelling {
            text: Cow::Borrowed(text),
            is_float: false,
            is_simple_key: text.len() <= MAX_SIMPLE_KEY,
        });
    }
    check_tag(node)?;
    if node.tag().is_some_and(|tag| Tag::of(tag) == Tag::Binary) {
        return Ok(binary(text, indent));
    }
    let plain = node
        .as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Plain);
    Ok(match resolve(text, plain, node.tag()) {
        Value::Null => short_word("null"),
        Value::Bool(true) => short_word("true"),
        Value::Bool(false) => short_word("false"),
        Value::Int(_) if is_decimal(text) => short_word(text),
        Value::Int(number) => short_word(number.to_string()),
        Value::UInt(number) => short_word(number.to_string()),
        Value::Float(number) => Spelling {
            is_float: true,
            ..short_word(float(number))
        },
        Value::String(text) => spelled_string(text, string(text, indent)),
    })
}

/// Returns whether the text of an integer is its shortest spelling.
fn is_decimal(text: &str) -> bool {
    match text.as_bytes() {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Checks that the tag of a scalar fits its text.
///
/// # Errors
/// It does not fit.
pub(in crate::yaml) fn check_tag(node: &Node) -> Result<()> {
    let Some(tag) = node.tag() else { return Ok(()) };
    match tag_mismatch(node.text().unwrap_or_default(), tag) {
        Some(reason) => Err(tag_error(node, reason)),
        None => Ok(()),
    }
}

/// Returns the error for a scalar whose tag does not fit its text.
pub(in crate::yaml) fn tag_error(node: &Node, reason: TagMismatch) -> Box<Diagnostic> {
    let message = format!("expected {}, found {}", reason.expected, reason.found);
    let tag = short(node.tag().unwrap_or_default());
    Diagnostic::error(Code::Tag, message)
        .at(node.location(), format!("the tag is `{tag}`"))
        .help("remove the tag, or write a value that fits it")
}

fn short_word<'a>(text: impl Into<Cow<'a, str>>) -> Spelling<'a> {
    Spelling {
        text: text.into(),
        is_float: false,
        is_simple_key: true,
    }
}

fn spelled_string<'a>(text: &str, spelled: Cow<'a, str>) -> Spelling<'a> {
    Spelling {
        text: spelled,
        is_float: false,
        is_simple_key: is_simple_key(text),
    }
}

/// Returns whether a string may be a key on the line of its value.
pub(in crate::yaml) fn is_simple_key(text: &str) -> bool {
    text.len() <= MAX_SIMPLE_KEY && !text.contains(BREAKS)
}

/// Returns the form of a `!!binary` scalar. Bytes that are UTF-8 become an ordinary string, other
/// bytes stay base64. ytt does the same.
fn binary(text: &str, indent: usize) -> Spelling<'static> {
    match String::from_utf8(decode_binary(text).unwrap_or_default()) {
        Ok(text) => {
            let spelled = Cow::Owned(string(&text, indent).into_owned());
            spelled_string(&text, spelled)
        }
        Err(error) => {
            let encoded = encode_binary(error.as_bytes());
            let is_simple_key = !encoded.contains('\n');
            let spelled = if is_simple_key {
                encoded
            } else {
                literal(&encoded, indent + STEP)
            };
            Spelling {
                text: Cow::Owned(format!("!!binary {spelled}")),
                is_float: false,
                is_simple_key,
            }
        }
    }
}

/// Returns a tag as it is written in a text.
fn short(tag: &str) -> Cow<'_, str> {
    match tag.strip_prefix("tag:yaml.org,2002:") {
        Some(name) => Cow::Owned(format!("!!{name}")),
        None => Cow::Borrowed(tag),
    }
}

/// Returns a float as Go prints it (`strconv.FormatFloat` with format `g`): the shortest digits
/// that are read back as the same number, with an exponent from 1e+06 on and below 0.0001.
pub(crate) fn float(number: f64) -> String {
    match ShortestFloat::of(number) {
        Some(float) if !(-4..MIN_EXPONENT).contains(&float.exponent) => {
            let sign = if float.exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", float.mantissa(), float.exponent.abs())
        }
        Some(float) => float.positional(),
        None if number.is_nan() => ".nan".to_owned(),
        None if number > 0.0 => ".inf".to_owned(),
        None => "-.inf".to_owned(),
    }
}

/// The smallest decimal exponent that is printed with `e`, however few digits the number has.
const MIN_EXPONENT: i32 = 6;
