//! Builds the objects of OpenAPI and JSON Schema. Both exports use it.

use std::sync::Arc;

use crate::schema::types::{MapFields, TypeKind, ValueType};
use crate::yaml::{Entry, Node};

/// Builds an object entry by entry.
#[derive(Default)]
pub(super) struct ObjectBuilder(Vec<Entry>);

impl ObjectBuilder {
    /// Adds an entry.
    pub(super) fn push(&mut self, key: &str, value: Arc<Node>) {
        self.0.push(Entry::new(key, value));
    }

    /// Adds an entry with a string.
    pub(super) fn push_text(&mut self, key: &str, value: &str) {
        self.push(key, Node::string(value));
    }

    /// Adds an entry if `value` is given.
    pub(super) fn push_if(&mut self, key: &str, value: Option<Arc<Node>>) {
        if let Some(value) = value {
            self.push(key, value);
        }
    }

    /// Adds an entry with a string if `value` is given.
    pub(super) fn push_text_if(&mut self, key: &str, value: Option<&str>) {
        self.push_if(key, value.map(Node::string));
    }

    /// Returns the object.
    pub(super) fn finish(self) -> Arc<Node> {
        Node::mapping(self.0)
    }
}

/// Returns an object with one entry.
pub(super) fn single(key: &str, value: Arc<Node>) -> Arc<Node> {
    Node::mapping(vec![Entry::new(key, value)])
}

/// Returns `true` or `false` as a node.
pub(super) fn boolean(value: bool) -> Arc<Node> {
    Node::plain(if value { "true" } else { "false" })
}

/// Returns an object with a description of each field of a map, created by `describe`.
pub(super) fn properties(
    fields: &MapFields,
    describe: impl Fn(&ValueType) -> Arc<Node>,
) -> Arc<Node> {
    let mut entries = Vec::with_capacity(fields.list.len());
    for field in &fields.list {
        entries.push(Entry {
            key: Arc::clone(&field.key),
            value: describe(&field.expected),
        });
    }
    Node::mapping(entries)
}

/// Returns the name of a kind in OpenAPI and JSON Schema. `None` for the kind that accepts any
/// value.
pub(super) fn type_name(kind: &TypeKind) -> Option<&'static str> {
    match kind {
        TypeKind::Any => None,
        TypeKind::Map(_) | TypeKind::OpenMap(_) => Some("object"),
        TypeKind::Array(_) => Some("array"),
        TypeKind::String => Some("string"),
        TypeKind::Integer => Some("integer"),
        TypeKind::Float => Some("number"),
        TypeKind::Boolean => Some("boolean"),
    }
}
