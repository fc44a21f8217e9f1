//! The type that a written value gets.

use std::sync::Arc;

use serde::Deserialize;

use super::base64_text;
use super::format::Format;
use super::text_fields::Encoding;
use super::update::Target;
use crate::source::Result;
use crate::yaml::{Node, Syntax, Value, canonical_json, faithful, is_json_number, resolve, with_text_keys};

/// How the type of a written scalar is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TypePolicy {
    /// The type of the value that stands there, where the new text can have it; else the new value's own, and in a text
    /// field a string.
    #[default]
    Keep,
    /// Always a string.
    String,
    /// What the text looks like: `3` is a number, `true` a boolean.
    Infer,
}

/// The value to write at `target`.
///
/// Of a scalar the text counts; its type follows the policy. Text that the type wanted cannot hold becomes a string:
/// nothing is ever written that reads back as something else. A mapping or list is written as it is, in a text field as
/// a document of its own.
///
/// # Errors
/// A mapping or list that JSON cannot hold, where JSON is written.
pub fn fit(value: &Arc<Node>, target: &Target<'_>, policy: TypePolicy) -> Result<Arc<Node>> {
    let value = value.resolved();
    let Some(text) = value.text() else { return collection(value, target) };
    let fits = match policy {
        TypePolicy::String => false,
        TypePolicy::Infer => resolves_to(text, target.syntax, |_| true),
        TypePolicy::Keep => match target.current.and_then(|current| current.value()) {
            Some(Value::String(_)) => false,
            Some(Value::Bool(_)) => {
                resolves_to(text, target.syntax, |value| matches!(value, Value::Bool(_))) || own_type(value)
            }
            Some(Value::Int(_) | Value::UInt(_) | Value::Float(_)) => {
                resolves_to(text, target.syntax, is_number) || own_type(value)
            }
            // The API server takes a text field only as a string.
            Some(Value::Null) | None => target.text_field.is_none() && own_type(value),
        },
    };
    Ok(if fits { Node::plain(text) } else { Node::string(text) })
}

fn collection(value: &Arc<Node>, target: &Target<'_>) -> Result<Arc<Node>> {
    match (target.text_field, target.syntax) {
        (Some(encoding), _) => Ok(Node::string(document(value, target, encoding)?)),
        (None, Syntax::Json) => with_text_keys(value),
        (None, Syntax::Yaml) => Ok(Arc::clone(value)),
    }
}

/// A collection as the text of a document, in the format that the field had, or that its key suggests.
fn document(value: &Arc<Node>, target: &Target<'_>, encoding: Encoding) -> Result<String> {
    let held = target.current.and_then(|current| current.text()).unwrap_or("");
    let known = match encoding {
        Encoding::Plain => Some(held.to_owned()),
        Encoding::Base64 => base64_text::decode(held),
    };
    let known = known.as_deref().map(str::trim_start).filter(|text| !text.is_empty());
    let held_json = known.map(|text| text.starts_with(['{', '[']));
    let json = held_json.or_else(|| target.key.and_then(Format::of_key).map(|format| format == Format::Json));
    let text = if json.unwrap_or(false) {
        canonical_json(value)?
    } else {
        faithful::write(&value.in_block_style(), Syntax::Yaml)
    };
    Ok(match encoding {
        Encoding::Plain => text,
        Encoding::Base64 => base64_text::encode(&text, held),
    })
}

fn is_number(value: Value<'_>) -> bool {
    matches!(value, Value::Int(_) | Value::UInt(_) | Value::Float(_))
}

/// Whether the value is something other than a string by itself.
fn own_type(value: &Node) -> bool {
    value.as_str().is_none()
}

/// Whether `text`, written plain, is a value of the kind wanted and not a string.
fn resolves_to(text: &str, syntax: Syntax, wanted: impl Fn(Value<'_>) -> bool) -> bool {
    let value = resolve(text, true, None);
    let spelled = match syntax {
        Syntax::Yaml => !text.is_empty(),
        Syntax::Json => matches!(text, "true" | "false" | "null") || is_json_number(text),
    };
    spelled && !matches!(value, Value::String(_)) && wanted(value)
}
