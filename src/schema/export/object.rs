//! Builds the objects of OpenAPI and JSON Schema. Both exports use it.

use std::sync::Arc;

use crate::schema::types::{MapFields, TypeKind, ValueType};
use crate::yaml::{Entry, Node, Value};

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

    /// Adds the smallest and the largest number that a type accepts.
    pub(super) fn push_bounds(&mut self, schema: &ValueType) {
        let constraints = &schema.constraints;
        let minimum = numeric_bound(schema, constraints.minimum.as_ref());
        self.push_if("minimum", minimum);
        let maximum = numeric_bound(schema, constraints.maximum.as_ref());
        self.push_if("maximum", maximum);
    }

    /// Adds the smallest and the largest length that a type accepts. ytt's `min_len` and `max_len`
    /// have another name here for each type.
    pub(super) fn push_lengths(&mut self, schema: &ValueType) {
        let (least, most) = match &schema.kind {
            TypeKind::String => ("minLength", "maxLength"),
            TypeKind::Array(_) => ("minItems", "maxItems"),
            TypeKind::Map(_) | TypeKind::OpenMap(_) => ("minProperties", "maxProperties"),
            _ => return,
        };
        let length = |length: i64| Node::plain(length.max(0).to_string());
        self.push_if(least, schema.constraints.minimum_length.map(length));
        self.push_if(most, schema.constraints.maximum_length.map(length));
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

/// Returns the values of `one_of`, with null if the type allows it, because null satisfies every
/// rule.
pub(super) fn allowed_values(values: &[Arc<Node>], takes_null: bool) -> Arc<Node> {
    let mut allowed = values.to_vec();
    if takes_null && !allowed.iter().any(is_null) {
        allowed.push(Node::plain("null"));
    }
    Node::sequence(allowed)
}

/// Returns whether a value is null.
pub(super) fn is_null(value: &Arc<Node>) -> bool {
    matches!(value.value(), Some(Value::Null))
}

/// Returns a bound if it is a number and the type has numbers. The schemas of other tools have no
/// bounds for other types.
fn numeric_bound(schema: &ValueType, bound: Option<&Arc<Node>>) -> Option<Arc<Node>> {
    let has_numbers = matches!(
        schema.kind,
        TypeKind::Integer | TypeKind::Float | TypeKind::Any
    );
    match bound?.value()? {
        Value::Int(_) | Value::UInt(_) | Value::Float(_) if has_numbers => bound.cloned(),
        _ => None,
    }
}
