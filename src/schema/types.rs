//! The types of a schema as a tree. `read` creates it, and `check`, `rules` and `export` use it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::script::fragments::{Annotation, PartKey};
use crate::source::Location;
use crate::yaml::{Content, Node, Value};

use super::constraints::Constraints;

/// The type of one value, with its documentation and rules.
#[derive(Debug)]
pub(super) struct ValueType {
    pub(super) kind: TypeKind,
    /// Whether null is allowed too.
    pub(super) nullable: bool,
    /// The value that is used if none is given.
    pub(super) default: Arc<Node>,
    /// The place in the schema: the key, the dash or the marker of the document.
    pub(super) place: Option<Location>,
    pub(super) documentation: TypeDocumentation,
    /// The annotation with the rules for the value.
    pub(super) rules: Option<Annotation>,
    /// The requirements of these rules that can be evaluated without running a program.
    pub(super) constraints: Constraints,
}

/// The kinds of type.
#[derive(Debug)]
pub(super) enum TypeKind {
    Any,
    /// A map with known keys.
    Map(MapFields),
    /// A map with any keys, whose values all have one type.
    OpenMap(Box<ValueType>),
    /// An array, whose items all have one type.
    Array(Box<ValueType>),
    String,
    Integer,
    Float,
    Boolean,
}

/// The keys of a map in their order, each with the type of its value.
#[derive(Debug, Default)]
pub(super) struct MapFields {
    pub(super) list: Vec<MapField>,
    /// The index in `list` of each key.
    positions: HashMap<PartKey, usize>,
}

/// A key of a map and the type of its value.
#[derive(Debug)]
pub(super) struct MapField {
    pub(super) key: Arc<Node>,
    pub(super) expected: ValueType,
}

/// The descriptions for people.
#[derive(Debug, Default)]
pub(super) struct TypeDocumentation {
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) deprecated: Option<String>,
    pub(super) examples: Vec<Example>,
}

/// An example value.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) description: String,
    pub(super) value: Arc<Node>,
}

impl ValueType {
    /// Returns a type that accepts any value.
    pub(super) fn any(default: Arc<Node>, place: Option<Location>) -> ValueType {
        ValueType {
            kind: TypeKind::Any,
            nullable: true,
            default,
            place,
            documentation: TypeDocumentation::default(),
            rules: None,
            constraints: Constraints::default(),
        }
    }

    /// Returns whether any map in the type accepts keys that it does not name.
    pub(super) fn has_open_maps(&self) -> bool {
        match &self.kind {
            TypeKind::OpenMap(_) => true,
            TypeKind::Map(fields) => fields
                .list
                .iter()
                .any(|field| field.expected.has_open_maps()),
            TypeKind::Array(inner) => inner.has_open_maps(),
            _ => false,
        }
    }

    /// Returns a description of the expected type for a message: `a string or null`.
    pub(super) fn expected(&self) -> String {
        let kind = self.kind.name();
        if self.nullable {
            format!("{kind} or null")
        } else {
            kind.to_owned()
        }
    }
}

impl TypeKind {
    /// Returns the name with its article.
    pub(super) fn name(&self) -> &'static str {
        match self {
            TypeKind::Any => "any value",
            TypeKind::Map(_) | TypeKind::OpenMap(_) => "a map",
            TypeKind::Array(_) => "an array",
            TypeKind::String => "a string",
            TypeKind::Integer => "an integer",
            TypeKind::Float => "a float",
            TypeKind::Boolean => "a boolean",
        }
    }

    /// Returns whether a scalar is of this kind. An integer is also a float.
    pub(super) fn takes(&self, scalar: &Value<'_>) -> bool {
        matches!(
            (self, scalar),
            (TypeKind::Any, _)
                | (TypeKind::String, Value::String(_))
                | (TypeKind::Boolean, Value::Bool(_))
                | (
                    TypeKind::Integer | TypeKind::Float,
                    Value::Int(_) | Value::UInt(_)
                )
                | (TypeKind::Float, Value::Float(_))
        )
    }
}

impl MapFields {
    /// Adds a field at the end.
    pub(super) fn push(&mut self, key: Arc<Node>, expected: ValueType) {
        if let Some(hashed) = PartKey::of(&key) {
            // If a schema repeats a key, the last one is used.
            self.positions.insert(hashed, self.list.len());
        }
        self.list.push(MapField { key, expected });
    }

    /// Returns the index of the field with a key.
    pub(super) fn position(&self, key: &Arc<Node>) -> Option<usize> {
        self.positions.get(&PartKey::of(key.resolved())?).copied()
    }

    /// Returns the type of the value of a key.
    pub(super) fn of(&self, key: &Arc<Node>) -> Option<&ValueType> {
        Some(&self.list[self.position(key)?].expected)
    }
}

/// Returns the kind of a value with its article.
pub(super) fn kind_of(node: &Arc<Node>) -> &'static str {
    let node = node.resolved();
    match (&node.content, node.value()) {
        (Content::Mapping(_), _) => "a map",
        (Content::Sequence(_), _) => "an array",
        (_, Some(Value::String(_))) => "a string",
        (_, Some(Value::Int(_) | Value::UInt(_))) => "an integer",
        (_, Some(Value::Float(_))) => "a float",
        (_, Some(Value::Bool(_))) => "a boolean",
        (_, Some(Value::Null) | None) => "null",
    }
}
