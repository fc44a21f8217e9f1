//! Values of JSON patches as kustomize reads them: it converts a patch from YAML 1.1 to JSON, while
//! it reads objects nearly by YAML 1.2.
//!
//! ```text
//! value: {on: y, n: 2020-01-01}    ->    value: {"true": true, "false": "2020-01-01"}
//! ```

use std::sync::Arc;

use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, CoreValue, Entry, Node, Value, core_value};

/// Returns a value without aliases as JSON. What both versions of YAML read in the same way keeps
/// its spelling.
///
/// # Errors
/// A key is null or a collection.
pub(in super::super) fn as_json(node: &Arc<Node>) -> Result<Arc<Node>> {
    match &node.content {
        Content::Mapping(mapping) => {
            let mut entries = Vec::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                entries.push(Entry {
                    key: key(&entry.key)?,
                    value: as_json(&entry.value)?,
                });
            }
            Ok(node.with_entries(entries))
        }
        Content::Sequence(sequence) => {
            let mut items = sequence.items.to_vec();
            for item in &mut items {
                item.value = as_json(&item.value)?;
            }
            Ok(node.with_items(items))
        }
        Content::Scalar(_) | Content::Alias(_) => Ok(scalar(node)),
    }
}

fn scalar(node: &Arc<Node>) -> Arc<Node> {
    let core = core_value(node).ok();
    match (node.value(), core) {
        (Some(Value::Bool(value)), core) if core != Some(CoreValue::Bool(value)) => {
            Node::plain(value.to_string())
        }
        (Some(Value::String(text)), core) if !matches!(core, Some(CoreValue::String(_))) => {
            Node::string(text)
        }
        _ => Arc::clone(node),
    }
}

fn key(node: &Arc<Node>) -> Result<Arc<Node>> {
    match (node.value(), node.text()) {
        (Some(Value::String(_)), Some(text)) if core_value(node).is_ok_and(is_text) => {
            Ok(match text {
                "<<" => Node::string(text),
                _ => Arc::clone(node),
            })
        }
        (Some(Value::Bool(value)), _) => Ok(Node::string(value.to_string())),
        (Some(Value::Int(value)), _) => Ok(Node::string(value.to_string())),
        (Some(Value::Null) | None, _) | (_, None) => {
            let message = format!(
                "expected a key that is a string, found {}",
                node.described()
            );
            Err(Diagnostic::error(Code::Patch, message).at(node.location(), ""))
        }
        (_, Some(text)) => Ok(Node::string(text)),
    }
}

fn is_text(value: CoreValue<'_>) -> bool {
    matches!(value, CoreValue::String(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::{parse_data, push_sorted};

    #[test]
    fn reads_words_and_dates_as_kustomize_does() {
        for (text, json) in [
            ("{on: y, \"n\": n}", "\"n\": false\n\"true\": true\n"),
            ("{a: 2020-01-01}", "a: \"2020-01-01\"\n"),
            ("{1: 1, 0x10: 1.50}", "\"1\": 1\n\"16\": 1.5\n"),
            (
                "[yes, \"yes\", true, ~]",
                "- true\n- \"yes\"\n- true\n- null\n",
            ),
        ] {
            let stream = parse_data(&Source::new("patch.yaml", text).unwrap()).unwrap();
            let mut printed = String::new();
            push_sorted(&as_json(&stream.documents[0].root).unwrap(), &mut printed).unwrap();
            assert_eq!(printed, json, "{text}");
        }
    }

    #[test]
    fn refuses_a_key_that_is_null() {
        let stream = parse_data(&Source::new("patch.yaml", "{~: 1}").unwrap()).unwrap();
        let error = as_json(&stream.documents[0].root).unwrap_err();
        assert_eq!(error.message, "expected a key that is a string, found null");
    }
}
