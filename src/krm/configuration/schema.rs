//! The JSON Schema of configurations, for editors and for checks in pull requests.
//!
//! It is made from the types that read a configuration, so it allows what Inlay reads. JSON Schema
//! draft 7 is what editors know best.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{ConfigurationKind, KINDS};
use crate::typed::{ShapeStep, TypeShape, shape_at};

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// Returns the names of all kinds of configuration.
pub fn configuration_kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|known| known.kind)
}

/// Returns the schema of one kind; `None` if there is none of this name.
pub fn configuration_schema(kind: &str) -> Option<Value> {
    let known = KINDS.iter().find(|known| known.kind == kind)?;
    let mut schema = (known.schema)(known);
    if let Value::Object(fields) = &mut schema {
        fields.insert("$schema".to_owned(), json!(DRAFT));
        fields.insert("title".to_owned(), json!(known.kind));
    }
    Some(schema)
}

/// Returns the schema of all kinds: `apiVersion` and `kind` decide which of them counts.
pub fn any_configuration_schema() -> Value {
    let mut definitions = Map::new();
    let mut choices = Vec::new();
    for known in &KINDS {
        definitions.insert(known.kind.to_owned(), (known.schema)(known));
        choices.push(json!({
            "if": {"properties": {"kind": {"const": known.kind}}, "required": ["kind"]},
            "then": {"$ref": format!("#/definitions/{}", known.kind)},
        }));
    }
    let kinds: Vec<&str> = configuration_kinds().collect();
    json!({
        "$schema": DRAFT,
        "title": "Configuration of Inlay",
        "type": "object",
        "required": ["apiVersion", "kind"],
        "properties": {"kind": {"enum": kinds}},
        // Not `oneOf`: an editor then shows the mistakes of the kind that is meant.
        "allOf": choices,
        "definitions": definitions,
    })
}

/// Returns the schema of a kind whose fields are read into `T`, with those of every object.
pub(super) fn of_kind<T: DeserializeOwned>(kind: &ConfigurationKind) -> Value {
    with_head(schema_at::<T>(&mut Vec::new()), kind)
}

/// Adds what every object has.
fn with_head(mut schema: Value, kind: &ConfigurationKind) -> Value {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("apiVersion".to_owned(), json!({"const": kind.api_version}));
        properties.insert("kind".to_owned(), json!({"const": kind.kind}));
        properties.insert("metadata".to_owned(), json!({"type": "object"}));
    }
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("required".to_owned(), json!(["apiVersion", "kind"]));
    }
    schema
}

/// Returns the schema of what `T` asks for at the end of a path. The depth is that of the types.
fn schema_at<T: DeserializeOwned>(path: &mut Vec<ShapeStep>) -> Value {
    match shape_at::<T>(path) {
        TypeShape::Any => json!({}),
        TypeShape::Boolean => json!({"type": "boolean"}),
        TypeShape::Integer { is_unsigned: false } => json!({"type": "integer"}),
        TypeShape::Integer { is_unsigned: true } => json!({"type": "integer", "minimum": 0}),
        TypeShape::Number => json!({"type": "number"}),
        TypeShape::Text => json!({"type": "string"}),
        TypeShape::Choice(names) => json!({"enum": names}),
        TypeShape::List => {
            let items = below::<T>(path, ShapeStep::Item);
            json!({"type": "array", "items": items})
        }
        TypeShape::Map => {
            let values = below::<T>(path, ShapeStep::Value);
            json!({"type": "object", "additionalProperties": values})
        }
        TypeShape::Struct(names) => {
            let mut properties = Map::new();
            for name in names {
                let value = below::<T>(path, ShapeStep::Field(name));
                properties.insert((*name).to_owned(), value);
            }
            json!({"type": "object", "additionalProperties": false, "properties": properties})
        }
    }
}

fn below<T: DeserializeOwned>(path: &mut Vec<ShapeStep>, step: ShapeStep) -> Value {
    path.push(step);
    let schema = schema_at::<T>(path);
    path.pop();
    schema
}
