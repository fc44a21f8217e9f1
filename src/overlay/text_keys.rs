//! The keys of an overlay on a document whose format has only text keys.
//!
//! YAML 1.1 reads some words and numbers as other values. In JSON, TOML and the other formats they
//! are ordinary keys, so in an overlay on such a document each key means its spelling:
//!
//! ```text
//! overlay      as YAML       as JSON
//!
//! y: 8         true: 8       "y": 8
//! 1.50: a      1.5: a        "1.50": "a"
//! ```

use std::sync::Arc;

use super::added::{with_entries, with_items};
use super::instruction::STRUCTURED;
use crate::script::Caller;
use crate::script::fragments::Annotation;
use crate::source::Result;
use crate::yaml::{Alias, Content, Entry, Node};

/// Returns the value with each key replaced by its spelling as text, or the same node if all keys
/// are text. The annotations stay on their entries and items.
///
/// The value for a document in a string (`@overlay/structured`) is kept, because its keys follow
/// the format of that document.
///
/// # Errors
/// Fails if there is no session, which would be a bug in Inlay.
pub(super) fn with_text_keys(node: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
    match &node.content {
        Content::Mapping(mapping) => {
            let mut entries = Vec::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                entries.push(text_entry(entry, caller)?);
            }
            Ok(with_entries(node, entries))
        }
        Content::Sequence(sequence) => {
            let mut values = Vec::with_capacity(sequence.items.len());
            for item in &sequence.items {
                values.push(text_item(&item.value, caller)?);
            }
            Ok(with_items(node, values))
        }
        Content::Scalar(_) | Content::Alias(_) => Ok(Arc::clone(node)),
    }
}

/// Returns a key as the text of its spelling. A collection has no text and is returned unchanged.
pub(super) fn text_key(key: &Arc<Node>) -> Arc<Node> {
    let resolved = key.resolved();
    match resolved.text() {
        Some(text) if resolved.as_str().is_none() => string_at(resolved, text),
        _ => Arc::clone(key),
    }
}

fn text_entry(entry: &Entry, caller: &Caller<'_, '_>) -> Result<Entry> {
    let annotations = caller.with_annotations(|all| all.of(&entry.key))?;
    let value = if is_structured(annotations.as_deref()) {
        Arc::clone(&entry.value)
    } else {
        with_text_keys(&entry.value, caller)?
    };
    let key = text_key(&entry.key);
    let key = match annotations {
        // The annotations of an entry are attached to its key.
        Some(annotations) if !Arc::ptr_eq(&key, &entry.key) => {
            caller.annotated_key(&key, annotations.to_vec())?
        }
        _ => key,
    };
    Ok(Entry { key, value })
}

fn text_item(item: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
    let annotations = caller.with_annotations(|all| all.of(item))?;
    if is_structured(annotations.as_deref()) {
        return Ok(Arc::clone(item));
    }
    // The annotations of an item are attached to an alias without a name around its value.
    let inner = match &item.content {
        Content::Alias(Alias { name, target }) if name.is_empty() => target,
        _ => item,
    };
    let value = with_text_keys(inner, caller)?;
    if Arc::ptr_eq(&value, inner) {
        return Ok(Arc::clone(item));
    }
    caller.carry_annotations(item, &value)
}

fn is_structured(annotations: Option<&[Annotation]>) -> bool {
    annotations.is_some_and(|all| all.iter().any(|own| &*own.name == STRUCTURED))
}

/// Returns a string at the place of the key, so that messages show it.
fn string_at(key: &Node, text: &str) -> Arc<Node> {
    Arc::new(Node {
        origin: key.origin.clone(),
        // A tag would turn the text back into a number.
        properties: None,
        content: Node::string(text).content.clone(),
    })
}
