//! Creates the JSON Schema of a configuration type from the type itself.
//!
//! The schema is derived from the code that reads a configuration, so it allows what Inlay accepts.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::documentation::FieldComments;
use super::shape::{ShapeStep, TypeShape, shape_at};

/// Returns the JSON Schema of the configurations that can be read into `T`. `documented` contains
/// the descriptions of fields.
pub fn json_schema<T: DeserializeOwned>(documented: &[&[FieldComments]]) -> Value {
    below::<T>(&mut Vec::new(), documented)
}

/// Returns the schema of the shape of `T` at the end of a path. The depth is that of the types.
fn below<T: DeserializeOwned>(path: &mut Vec<ShapeStep>, documented: &[&[FieldComments]]) -> Value {
    let shape = shape_at::<T>(path);
    let mut step = |step: ShapeStep| {
        path.push(step);
        let schema = below::<T>(path, documented);
        path.pop();
        schema
    };
    match shape {
        TypeShape::Any => json!({}),
        TypeShape::Boolean => json!({"type": "boolean"}),
        TypeShape::Integer { is_unsigned: false } => json!({"type": "integer"}),
        TypeShape::Integer { is_unsigned: true } => json!({"type": "integer", "minimum": 0}),
        TypeShape::Number => json!({"type": "number"}),
        TypeShape::Text => json!({"type": "string"}),
        TypeShape::Choice(names) => json!({"enum": names}),
        TypeShape::List => json!({"type": "array", "items": step(ShapeStep::Item)}),
        TypeShape::Map => {
            json!({"type": "object", "additionalProperties": step(ShapeStep::Value)})
        }
        TypeShape::Struct { name, fields } => {
            let mut types = documented.iter().copied().flatten();
            let documentation = types.find(|known| known.name == name);
            let mut properties = Map::new();
            for (index, field) in fields.iter().enumerate() {
                let mut value = step(ShapeStep::Field(field));
                let text = documentation.and_then(|texts| texts.fields.get(index));
                if let (Some(text), Some(value)) = (text, value.as_object_mut()) {
                    value.insert("description".to_owned(), json!(text.trim()));
                }
                properties.insert((*field).to_owned(), value);
            }
            json!({"type": "object", "additionalProperties": false, "properties": properties})
        }
    }
}
