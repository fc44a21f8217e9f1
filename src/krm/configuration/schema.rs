//! The JSON Schema of configurations, for editors and for checks in pull requests.
//!
//! It uses draft 7, which has the best support in editors.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{ConfigurationKind, KINDS, config_map, inlay, patch, replacement};
use crate::kubernetes::TargetSelectorConfig;
use crate::kustomize;
use crate::typed::{FieldComments, json_schema};
use crate::workspace;

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The documentation of the types of all kinds.
const DOCUMENTED: [&[FieldComments]; 5] = [
    &[
        inlay::InlayConfig::DOCUMENTATION,
        inlay::InlaySpec::DOCUMENTATION,
        config_map::ConfigMapConfig::DOCUMENTATION,
        patch::PatchTransformer::DOCUMENTATION,
        patch::PatchJson6902Transformer::DOCUMENTATION,
        patch::PatchStrategicMergeTransformer::DOCUMENTATION,
        replacement::ReplacementTransformer::DOCUMENTATION,
        TargetSelectorConfig::DOCUMENTATION,
    ],
    kustomize::generator::DOCUMENTED,
    kustomize::patch::DOCUMENTED,
    kustomize::replacement::DOCUMENTED,
    workspace::MATRIX_DOCUMENTED,
];

/// Returns the names of all kinds of configuration.
pub fn configuration_kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|known| known.kind)
}

/// Returns the schema of one kind; `None` if the kind does not exist.
pub fn configuration_schema(kind: &str) -> Option<Value> {
    let known = KINDS.iter().find(|known| known.kind == kind)?;
    let mut schema = (known.schema)(known);
    if let Value::Object(fields) = &mut schema {
        fields.insert("$schema".to_owned(), json!(DRAFT));
        fields.insert("title".to_owned(), json!(known.kind));
    }
    Some(schema)
}

/// Returns the schema of all kinds, in which `apiVersion` and `kind` determine the kind.
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
        "properties": {"kind": {"enum": kinds, "description": "The kind of the object."}},
        // Do not use `oneOf`: with `allOf`, an editor shows the mistakes for the kind in the file.
        "allOf": choices,
        "definitions": definitions,
    })
}

/// Returns the schema of a kind whose fields are read into `T`, with the fields that all objects
/// have.
pub(super) fn of_kind<T: DeserializeOwned>(kind: &ConfigurationKind) -> Value {
    with_head(json_schema::<T>(&DOCUMENTED), kind)
}

/// Adds the fields that all objects have.
fn with_head(mut schema: Value, kind: &ConfigurationKind) -> Value {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        let head = [
            (
                "apiVersion",
                json!({"const": kind.api_version, "description": "The version of the kind."}),
            ),
            (
                "kind",
                json!({"const": kind.kind, "description": "The kind of the object."}),
            ),
            (
                "metadata",
                json!({"type": "object", "description": "The name, and annotations for callers."}),
            ),
        ];
        for (name, schema) in head {
            properties.insert(name.to_owned(), schema);
        }
    }
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("required".to_owned(), json!(["apiVersion", "kind"]));
    }
    schema
}
