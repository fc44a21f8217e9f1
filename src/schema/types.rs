//! The tree of types that a schema is.

use std::collections::HashMap;
use std::sync::Arc;

use crate::script::fragments::{Annotation, PartKey};
use crate::source::Location;
use crate::yaml::{Content, Node, Value};

use super::rules::Constraints;

/// What a schema says of one value.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) kind: Kind,
    /// Whether null is a value too.
    pub(super) nullable: bool,
    /// The value where none is given.
    pub(super) default: Arc<Node>,
    /// Where the schema says so: the key, the dash or the marker of the document.
    pub(super) place: Option<Location>,
    pub(super) documentation: Documentation,
    /// The annotation whose rules the value is held to.
    pub(super) rules: Option<Annotation>,
    /// What these rules ask for, as far as others than Starlark can tell.
    pub(super) constraints: Constraints,
}

/// What kind of value it is.
#[derive(Debug)]
pub(super) enum Kind {
    Any,
    /// A map with known keys.
    Map(Fields),
    /// A map with any keys, whose values have one type.
    OpenMap(Box<Type>),
    /// An array, whose items have one type.
    Array(Box<Type>),
    String,
    Integer,
    Float,
    Boolean,
}

/// The keys of a map in their order, each with the type of its value.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) list: Vec<(Arc<Node>, Type)>,
    places: HashMap<PartKey, usize>,
}

/// What is said for people.
#[derive(Debug, Default)]
pub(super) struct Documentation {
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) deprecated: Option<String>,
    /// Each with its description.
    pub(super) examples: Vec<(String, Arc<Node>)>,
}

impl Type {
    pub(super) fn any(default: Arc<Node>, place: Option<Location>) -> Type {
        Type {
            kind: Kind::Any,
            nullable: true,
            default,
            place,
            documentation: Documentation::default(),
            rules: None,
            constraints: Constraints::default(),
        }
    }

    /// Whether any map in it takes keys that it does not name.
    pub(super) fn has_open_maps(&self) -> bool {
        match &self.kind {
            Kind::OpenMap(_) => true,
            Kind::Map(fields) => fields.list.iter().any(|(_, value)| value.has_open_maps()),
            Kind::Array(inner) => inner.has_open_maps(),
            _ => false,
        }
    }

    /// What is expected, for a message: `a string or null`.
    pub(super) fn expected(&self) -> String {
        let kind = self.kind.name();
        if self.nullable {
            format!("{kind} or null")
        } else {
            kind.to_owned()
        }
    }
}

impl Kind {
    /// With its article.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Kind::Any => "any value",
            Kind::Map(_) | Kind::OpenMap(_) => "a map",
            Kind::Array(_) => "an array",
            Kind::String => "a string",
            Kind::Integer => "an integer",
            Kind::Float => "a float",
            Kind::Boolean => "a boolean",
        }
    }

    /// Whether a scalar is of this kind. A whole number is a float, too.
    pub(super) fn takes(&self, scalar: &Value<'_>) -> bool {
        matches!(
            (self, scalar),
            (Kind::Any, _)
                | (Kind::String, Value::String(_))
                | (Kind::Boolean, Value::Bool(_))
                | (Kind::Integer | Kind::Float, Value::Int(_) | Value::UInt(_))
                | (Kind::Float, Value::Float(_))
        )
    }
}

impl Fields {
    pub(super) fn push(&mut self, key: Arc<Node>, value: Type) {
        if let Some(says) = PartKey::of(&key) {
            self.places.insert(says, self.list.len());
        }
        self.list.push((key, value));
    }

    /// The number of the field with this key.
    pub(super) fn position(&self, key: &Arc<Node>) -> Option<usize> {
        self.places.get(&PartKey::of(key.resolved())?).copied()
    }

    /// The type of the value of this key.
    pub(super) fn of(&self, key: &Arc<Node>) -> Option<&Type> {
        self.list.get(self.position(key)?).map(|(_, value)| value)
    }
}

/// What a value is, with its article.
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
