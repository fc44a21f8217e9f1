//! The type that a written value gets.

use std::sync::Arc;

use serde::Deserialize;

use crate::yaml::{Node, Syntax, Value, is_json_number, resolve};

/// How the type of a written scalar is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TypePolicy {
    /// The type of the value that stands there, where the new text can have it; else the new value's own.
    #[default]
    Keep,
    /// Always a string.
    String,
    /// What the text looks like: `3` is a number, `true` a boolean.
    Infer,
}

/// The value to write where `current` stands now (or nothing yet), in a text of the grammar `syntax`.
///
/// A mapping or list is written as it is. Of a scalar the text counts; its type follows the policy. Text that the type
/// wanted cannot hold becomes a string: nothing is ever written that reads back as something else.
pub fn fit(value: &Arc<Node>, current: Option<&Arc<Node>>, policy: TypePolicy, syntax: Syntax) -> Arc<Node> {
    let value = value.resolved();
    let Some(text) = value.text() else { return Arc::clone(value) };
    let fits = match policy {
        TypePolicy::String => false,
        TypePolicy::Infer => resolves_to(text, syntax, |_| true),
        TypePolicy::Keep => match current.and_then(|current| current.value()) {
            Some(Value::String(_)) => false,
            Some(Value::Bool(_)) => {
                resolves_to(text, syntax, |value| matches!(value, Value::Bool(_))) || own_type(value)
            }
            Some(Value::Int(_) | Value::UInt(_) | Value::Float(_)) => {
                resolves_to(text, syntax, is_number) || own_type(value)
            }
            Some(Value::Null) | None => own_type(value),
        },
    };
    if fits { Node::plain(text) } else { Node::string(text) }
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
