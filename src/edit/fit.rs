//! Chooses the type of a written value.
//!
//! An edit often has only a text: `inlay set` gets it from the command line, a replacement from
//! another field. The target decides the written value:
//!
//! ```text
//! text   target                         written
//! 80     port: 8080                     80         a number replaces a number
//! 80     env: [{name: A, value: x}]     "80"       the API server accepts only a string here
//! yes    enabled: "no"                  "yes"      the old value was a string
//! ```

use std::sync::Arc;

use serde::Deserialize;

use super::base64_text;
use super::field_place::typed;
use super::options::EditTarget;
use super::text_fields::Encoding;

use crate::formats::DocumentFormat;
use crate::source::Result;
use crate::yaml::{
    Content, Entry, Node, ScalarStyle, Value, expand_by_spelling, expand_to_text_keys, resolve,
};

/// The rule that decides the type of a written scalar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TypePolicy {
    /// The type of the old value, if the new text can have it. Without an old value, the new
    /// value's own type, except that a text field gets a string.
    #[default]
    Keep,
    /// Always a string.
    String,
    /// The type that the text looks like: `3` is a number, `true` is a boolean.
    Infer,
}

/// Returns the value to write at `target`.
///
/// Only the text of a scalar counts. Its type follows the policy. A text that cannot have the type
/// becomes a string, so that a value never reads back as another one. A mapping or a list is
/// written as it is, except for the fields in it whose type the object decides. In a text field it
/// is written as a document.
///
/// # Errors
/// A mapping or a list that the format of the target cannot represent.
pub fn fit(value: &Arc<Node>, target: &EditTarget<'_>, policy: TypePolicy) -> Result<Arc<Node>> {
    let value = value.resolved();
    let Some(text) = value.text() else {
        return collection(value, target);
    };
    if policy != TypePolicy::String
        && let Some(number) = integer(text, target)
    {
        return Ok(number);
    }
    let current = target.current.and_then(|current| current.value());
    if let (TypePolicy::Keep, Some(Value::Float(_))) = (policy, current)
        && let Some(text) = target.format.fraction(text)
    {
        return Ok(Node::plain(text));
    }
    let is_plain = match policy {
        TypePolicy::String => false,
        // Null is passed on so that the format can refuse it. As a string it would become the text
        // "null".
        _ if target.format.has_only_text() => is_null(value),
        TypePolicy::Infer => {
            // Infinity is passed on so that JSON can refuse it. As a string it would look like
            // infinity.
            let is_infinite =
                || matches!(value.value(), Some(Value::Float(number)) if !number.is_finite());
            resolves_to(text, target.format, |_| true)
                || target.format.is_time(text)
                || is_infinite()
        }
        TypePolicy::Keep => keeps_type(value, text, target),
    };
    Ok(if is_plain {
        Node::plain(text)
    } else {
        Node::string(text)
    })
}

/// Returns whether the text can be written without quotes and then has the type of the old value,
/// or its own type if there is none to keep. `text` is the text of `value`.
fn keeps_type(value: &Node, text: &str, target: &EditTarget<'_>) -> bool {
    let is_text_field = target.place.text_field().is_some();
    // The API server accepts only a string, even if the field has another value now.
    if is_text_field && !is_null(value) {
        return false;
    }
    let format = target.format;
    match target.current.and_then(|current| current.value()) {
        // The field keeps a string even if the new text looks like a number. Only TOML has dates
        // without quotes, which are strings here.
        Some(Value::String(_)) => {
            format.is_time(text) && target.current.is_some_and(|node| is_plain(node))
        }
        Some(Value::Bool(_)) => {
            resolves_to(text, format, |value| matches!(value, Value::Bool(_))) || own_type(value)
        }
        Some(Value::Int(_) | Value::UInt(_) | Value::Float(_)) => {
            resolves_to(text, format, is_number) || own_type(value)
        }
        Some(Value::Null) | None => {
            !is_text_field && (own_type(value) || is_plain(value) && format.is_time(text))
        }
    }
}

fn is_null(node: &Node) -> bool {
    matches!(node.value(), Some(Value::Null))
}

/// Returns the value to write at `target` with its own type, regardless of the old value, as JSON
/// patch defines its operations. In a text field it becomes a string.
///
/// # Errors
/// A mapping or a list that the format of the target cannot represent.
pub fn fit_own_type(value: &Arc<Node>, target: &EditTarget<'_>) -> Result<Arc<Node>> {
    let value = value.resolved();
    match (value.text(), target.place.text_field()) {
        (None, _) => collection(value, target),
        _ if target.place.keeps_scalars() => Ok(Arc::clone(value)),
        (Some(text), Some(_)) if !is_null(value) => Ok(Node::string(text)),
        (Some(text), _) => Ok(integer(text, target).unwrap_or_else(|| Arc::clone(value))),
    }
}

/// Returns the number to write to a field that requires an integer, if the text is one.
fn integer(text: &str, target: &EditTarget<'_>) -> Option<Arc<Node>> {
    if !target.place.is_integer() {
        return None;
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // `010` is octal in YAML, so only a text with the same meaning in every notation becomes a
    // number.
    if digits.starts_with('0') && digits != "0" {
        return None;
    }
    Some(Node::plain(text))
}

/// Returns the mapping or list to write at `target`, with the types that the object decides. In a
/// text field it is the text of a document.
fn collection(value: &Arc<Node>, target: &EditTarget<'_>) -> Result<Arc<Node>> {
    if let Some(encoding) = target.place.text_field() {
        return Ok(Node::string(document(value, target, encoding)?));
    }
    let value = typed(value, &target.place, &mut |value, place, key| {
        let field = EditTarget {
            current: None,
            format: target.format,
            wanted: key.and_then(DocumentFormat::of_key),
            place,
            has_text_keys: target.has_text_keys,
            key,
            trail: &[],
        };
        fit_own_type(value, &field)
    })?;
    if target.has_text_keys {
        return target.format.adopt(&expand_to_text_keys(&value)?);
    }
    target.format.adopt(&value)
}

/// Writes a collection as the text of a document. Its format is the requested one or, without it,
/// that of the old text or of the key's extension.
fn document(value: &Arc<Node>, target: &EditTarget<'_>, encoding: Encoding) -> Result<String> {
    let old = target.current.and_then(|current| current.text());
    let old = old.unwrap_or("");
    let format = target
        .wanted
        .or_else(|| format_of_text(old, encoding))
        .or_else(|| target.key.and_then(DocumentFormat::of_key));
    let text = format.unwrap_or(DocumentFormat::YAML).write(value)?;
    Ok(match encoding {
        Encoding::Plain => text,
        Encoding::Base64 => base64_text::encode(&text, old),
    })
}

/// Returns the format of the text of a field, judging by its first character. `None` for a blank
/// text and for invalid base64.
fn format_of_text(text: &str, encoding: Encoding) -> Option<DocumentFormat> {
    let decoded = match encoding {
        Encoding::Plain => text.to_owned(),
        Encoding::Base64 => base64_text::decode(text)?,
    };
    match decoded.trim_start().chars().next()? {
        '{' | '[' => Some(DocumentFormat::JSON),
        _ => Some(DocumentFormat::YAML),
    }
}

fn is_plain(node: &Node) -> bool {
    node.as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Plain)
}

fn is_number(value: Value<'_>) -> bool {
    matches!(value, Value::Int(_) | Value::UInt(_) | Value::Float(_))
}

/// Returns whether the value's own type is not a string.
fn own_type(value: &Node) -> bool {
    value.as_str().is_none()
}

/// Returns whether `text`, written plain, has a value that satisfies `wanted` and is not a string.
fn resolves_to(text: &str, format: DocumentFormat, wanted: impl Fn(Value<'_>) -> bool) -> bool {
    let value = resolve(text, true, None);
    format.is_typed(text) && !matches!(value, Value::String(_)) && wanted(value)
}

/// Copies a value so that it can be written at another place. The copy has no source position and
/// no anchors, and takes the style of its new surroundings. Aliases and merge keys are expanded; `y`
/// and `true` stay two keys.
///
/// # Errors
/// As [`expand_by_spelling`].
pub fn remake(node: &Arc<Node>) -> Result<Arc<Node>> {
    Ok(made(&expand_by_spelling(node)?, &|_| false))
}

/// Returns a copy of a value of the same document, to write at `target`, with its own type as
/// [`fit_own_type`] does. In TOML, dates stay dates.
///
/// # Errors
/// As [`remake`] and [`fit_own_type`].
pub(super) fn fit_copied(value: &Arc<Node>, target: &EditTarget<'_>) -> Result<Arc<Node>> {
    let is_bare = |node: &Node| {
        let is_time = |text| target.format.is_time(text);
        is_plain(node) && node.text().is_some_and(is_time)
    };
    fit_own_type(&made(&expand_by_spelling(value)?, &is_bare), target)
}

/// Copies an expanded tree. `is_bare` returns whether a string is written without quotes at its new
/// place.
fn made(node: &Arc<Node>, is_bare: &dyn Fn(&Node) -> bool) -> Arc<Node> {
    match &node.content {
        Content::Mapping(mapping) => {
            let mut entries = Vec::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                entries.push(Entry {
                    key: made(&entry.key, is_bare),
                    value: made(&entry.value, is_bare),
                });
            }
            Node::mapping(entries)
        }
        Content::Sequence(sequence) => {
            Node::sequence(sequence.items.iter().map(|item| made(&item.value, is_bare)))
        }
        // A tag decides how the text is read, and would be lost in a node without a source.
        _ if node.tag().is_some() => node.anchored(None),
        _ => match (node.as_str(), node.text()) {
            (Some(text), _) if !is_bare(node) => Node::string(text),
            (_, Some(text)) => Node::plain(text),
            (_, None) => node.anchored(None),
        },
    }
}
