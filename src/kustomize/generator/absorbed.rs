//! Reduces an existing object to the part that kustomize keeps when a generator merges values into
//! it.
//!
//! kustomize creates the object of the generator and copies the names, labels, annotations and
//! values of the existing object into it. Everything else is lost:
//!
//! ```text
//! apiVersion: v1                               apiVersion: v1
//! kind: Secret                                 kind: Secret
//! metadata: {name: a, labels: {n: 1}}    ->    metadata: {name: a, labels: {n: "1"}}
//! stringData: {k: v}                           data: {k: dg==}
//! immutable: true
//! ```
//!
//! Here the existing object is reduced to that part, so that the rest keeps its text.

use std::sync::Arc;

use super::model::{Generator, GeneratorKind};
use super::object::{DEFAULT_SECRET_TYPE, base64};
use crate::kubernetes::Resource;
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::{CoreValue, Entry, Mapping, Node, Value, core_value};

/// The fields of an object whose values are copied.
const COPIED: [&str; 5] = ["apiVersion", "kind", "metadata", "data", "binaryData"];

/// The fields of `metadata` that are copied.
const COPIED_METADATA: [&str; 4] = ["name", "namespace", "labels", "annotations"];

/// Returns the part of an object into which a generator merges values. Warns about each lost field,
/// unless the generator sets it.
pub(super) fn absorbed(
    generator: &Generator,
    resource: &Resource,
    diagnostics: &mut Diagnostics,
) -> Arc<Node> {
    let Some(mapping) = resource.node.as_mapping() else {
        return Arc::clone(&resource.node);
    };
    let is_secret = generator.kind == GeneratorKind::Secret;
    let mut entries = Vec::with_capacity(mapping.entries.len());
    let mut emptied = Vec::new();
    for entry in &mapping.entries {
        let value = entry.value.resolved();
        let value = match entry.key.text() {
            Some("metadata") => metadata(value, &mut emptied),
            Some("data" | "binaryData") => Some(strings(value, Some(""), &mut emptied)),
            Some("stringData") if is_secret => continue,
            Some("immutable") if generator.options.is_immutable => continue,
            Some("type") if is_secret => {
                let is_kept = value.text() == Some(DEFAULT_SECRET_TYPE);
                if !is_kept && generator.secret_type.is_none() {
                    diagnostics.push(lost_field("type", &entry.key, resource));
                }
                continue;
            }
            Some(key) if COPIED.contains(&key) => Some(Arc::clone(&entry.value)),
            key => {
                let key = key.unwrap_or_default();
                diagnostics.push(lost_field(key, &entry.key, resource));
                continue;
            }
        };
        if let Some(value) = value {
            entries.push(Entry {
                key: Arc::clone(&entry.key),
                value,
            });
        }
    }
    for key in emptied {
        diagnostics.push(emptied_value(key, resource));
    }
    let reduced = resource.node.with_entries(entries);
    match resource.node.get("stringData") {
        Some(texts) if is_secret => with_encoded(&reduced, texts.resolved()),
        _ => reduced,
    }
}

fn lost_field(key: &str, place: &Node, resource: &Resource) -> Box<Diagnostic> {
    let message = format!("`{key}` is lost when a generator changes the object");
    Diagnostic::warning(Code::Resource, message)
        .at(place.location(), "")
        .about(resource.object_reference())
        .note(
            "kustomize creates the object again, and copies names, labels, annotations and values",
        )
        .help("set it in the last generator, or in a patch")
}

/// Returns the warning for a mapping or list where a text is expected.
fn emptied_value(key: &Node, resource: &Resource) -> Box<Diagnostic> {
    let key_text = key.text().unwrap_or_default();
    let message = format!("`{key_text}` becomes empty when a generator changes the object");
    Diagnostic::warning(Code::Resource, message)
        .at(key.location(), "")
        .about(resource.object_reference())
        .note("kustomize copies the text of a value, and a mapping or list has none")
        .help("write a text, or remove the entry")
}

/// Returns the part of `metadata` that is copied. `emptied` gets the keys as in [`strings`].
fn metadata<'n>(node: &'n Arc<Node>, emptied: &mut Vec<&'n Node>) -> Option<Arc<Node>> {
    let mapping = node.as_mapping()?;
    let mut entries = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        let Some(key) = entry.key.text().filter(|key| COPIED_METADATA.contains(key)) else {
            continue;
        };
        let mut copied = entry.clone();
        if matches!(key, "labels" | "annotations") {
            let is_empty = |mapping: &Mapping| mapping.entries.is_empty();
            if entry.value.resolved().as_mapping().is_none_or(is_empty) {
                continue;
            }
            copied.value = strings(entry.value.resolved(), None, emptied);
        }
        entries.push(copied);
    }
    Some(node.with_entries(entries))
}

/// Returns a mapping whose values are all strings. A null becomes `null_text`, or else the text by
/// which it is written. A mapping or list becomes empty, and its key is added to `emptied`.
fn strings<'n>(
    node: &'n Arc<Node>,
    null_text: Option<&str>,
    emptied: &mut Vec<&'n Node>,
) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Arc::clone(node);
    };
    let mut entries = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        let mut copied = entry.clone();
        let value = entry.value.resolved();
        let is_null = matches!(value.value(), Some(Value::Null));
        if value.as_scalar().is_none() {
            emptied.push(&entry.key);
        }
        // The text of a date is copied too, and not the time that it is.
        let is_string = matches!(core_value(value), Ok(CoreValue::String(_)));
        if !is_string || value.as_scalar().is_none() {
            let text = null_text.filter(|_| is_null).or(value.text());
            copied.value = Node::string(text.unwrap_or_default());
        }
        entries.push(copied);
    }
    node.with_entries(entries)
}

/// Adds the texts of `stringData` to `data`. They override existing values, as in the API server.
fn with_encoded(node: &Arc<Node>, texts: &Arc<Node>) -> Arc<Node> {
    let Some(texts) = texts.as_mapping() else {
        return Arc::clone(node);
    };
    let data = node.get("data").map(|data| Arc::clone(data.resolved()));
    let data = data.unwrap_or_else(|| Node::mapping(Vec::new()));
    let mut entries = match data.as_mapping() {
        Some(mapping) => mapping.entries.to_vec(),
        None => Vec::new(),
    };
    for text in &texts.entries {
        let (Some(key), Some(value)) = (text.key.text(), text.value.text()) else {
            continue;
        };
        let is_null = matches!(text.value.value(), Some(Value::Null));
        let value = if is_null { "" } else { value };
        let value = Node::string(base64(value.as_bytes()));
        entries.retain(|entry| entry.key.text() != Some(key));
        entries.push(Entry::new(key, value));
    }
    let data = data.with_entries(entries);
    let Some(mapping) = node.as_mapping() else {
        return Arc::clone(node);
    };
    let mut fields = mapping.entries.to_vec();
    fields.retain(|entry| entry.key.text() != Some("data"));
    fields.push(Entry::new("data", data));
    node.with_entries(fields)
}
