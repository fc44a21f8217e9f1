//! The objects that generators create, as kustomize prints them: the keys of every mapping are
//! sorted.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::model::{GeneratedPair, GeneratedValue, Generator, GeneratorKind};
use crate::yaml::{Entry, Node};

/// The `type` of a Secret that does not give one.
pub(super) const DEFAULT_SECRET_TYPE: &str = "Opaque";

/// Base64 of this length or more is broken into lines of it.
const LINE_LENGTH: usize = 70;

/// Creates an object, with `extra_annotations` in addition to the annotations of the entry.
pub(super) fn create_object(
    generator: &Generator,
    pairs: &[GeneratedPair],
    extra_annotations: &[(&str, &str)],
) -> Arc<Node> {
    let mut data = BTreeMap::new();
    let mut binary_data = BTreeMap::new();
    for pair in pairs {
        let (field, text) = field_of(generator.kind, &pair.value);
        let section = match field {
            "binaryData" => &mut binary_data,
            _ => &mut data,
        };
        section.insert(pair.key.clone(), Node::string(text));
    }
    let is_secret = generator.kind == GeneratorKind::Secret;

    // Invariant: the keys are added in their sorted order.
    let mut entries = vec![Entry::new("apiVersion", Node::string("v1"))];
    if !binary_data.is_empty() {
        entries.push(Entry::new("binaryData", mapping(binary_data)));
    }
    if !data.is_empty() || is_secret {
        entries.push(Entry::new("data", mapping(data)));
    }
    if generator.options.is_immutable {
        entries.push(Entry::new("immutable", Node::plain("true")));
    }
    entries.push(Entry::new("kind", Node::string(generator.kind.name())));
    entries.push(Entry::new(
        "metadata",
        metadata(generator, extra_annotations),
    ));
    if is_secret {
        let secret_type = generator.secret_type.as_deref();
        let secret_type = secret_type.unwrap_or(DEFAULT_SECRET_TYPE);
        entries.push(Entry::new("type", Node::string(secret_type)));
    }
    Node::mapping(entries)
}

/// Returns the field that a value belongs to in a new object, and the text that is written there.
pub(super) fn field_of(kind: GeneratorKind, value: &GeneratedValue) -> (&'static str, String) {
    match (kind, value) {
        (GeneratorKind::ConfigMap, GeneratedValue::Text(text)) => ("data", text.text().to_owned()),
        (GeneratorKind::ConfigMap, GeneratedValue::Binary(bytes)) => ("binaryData", base64(bytes)),
        (GeneratorKind::Secret, GeneratedValue::Text(text)) => {
            ("data", base64(text.text().as_bytes()))
        }
        (GeneratorKind::Secret, GeneratedValue::Binary(bytes)) => ("data", base64(bytes)),
    }
}

fn metadata(generator: &Generator, extra_annotations: &[(&str, &str)]) -> Arc<Node> {
    let mut annotations = string_nodes(&generator.options.annotations);
    for (key, text) in extra_annotations {
        annotations.insert((*key).to_owned(), Node::string(*text));
    }
    let labels = string_nodes(&generator.options.labels);
    let mut entries = Vec::new();
    if !annotations.is_empty() {
        entries.push(Entry::new("annotations", mapping(annotations)));
    }
    if !labels.is_empty() {
        entries.push(Entry::new("labels", mapping(labels)));
    }
    entries.push(Entry::new("name", Node::string(&*generator.name.value)));
    if !generator.namespace.is_empty() {
        entries.push(Entry::new("namespace", Node::string(&*generator.namespace)));
    }
    Node::mapping(entries)
}

/// Returns a string for each text.
pub(super) fn string_nodes(texts: &BTreeMap<String, String>) -> BTreeMap<String, Arc<Node>> {
    let mut nodes = BTreeMap::new();
    for (key, text) in texts {
        nodes.insert(key.clone(), Node::string(&**text));
    }
    nodes
}

/// Returns a mapping with the entries in the order of their keys.
pub(super) fn mapping(values: BTreeMap<String, Arc<Node>>) -> Arc<Node> {
    let mut entries = Vec::with_capacity(values.len());
    for (key, value) in values {
        entries.push(Entry::new(&key, value));
    }
    Node::mapping(entries)
}

/// Sorts the keys of every mapping of a generated object again, after an edit.
pub(super) fn with_sorted_keys(node: &Arc<Node>) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Arc::clone(node);
    };
    let mut entries = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        entries.push(Entry {
            key: Arc::clone(&entry.key),
            value: with_sorted_keys(&entry.value),
        });
    }
    entries.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
    node.with_entries(entries)
}

/// Encodes bytes as kustomize does: long base64 is broken into lines, and the last line also ends
/// with a line break.
pub(super) fn base64(bytes: &[u8]) -> String {
    let encoded = STANDARD.encode(bytes);
    if encoded.len() < LINE_LENGTH {
        return encoded;
    }
    let mut lines = String::with_capacity(encoded.len() + encoded.len() / LINE_LENGTH + 1);
    let mut rest = encoded.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(LINE_LENGTH));
        lines.push_str(line);
        lines.push('\n');
        rest = after;
    }
    lines
}
