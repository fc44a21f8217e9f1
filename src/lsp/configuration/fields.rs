//! The fields that a configuration can have, from its JSON Schema.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::cursor::TreeStep;
use super::patches::items_of;
use super::uses::documents;
use crate::krm::configuration_schema;
use crate::kubernetes::KUSTOMIZATION_FILES;
use crate::kustomization;
use crate::lsp::view::View;
use crate::source::world::cleaned;
use crate::yaml::Node;

/// A field, and what is known about it.
pub(super) struct Field<'s> {
    pub(super) name: &'s str,
    schema: &'s Value,
}

/// The schemas that were needed so far, which are the same in every file.
static KUSTOMIZATION: OnceLock<Value> = OnceLock::new();

/// Returns the schema of a file: of a kustomization by its name, of replacements by the
/// kustomization that names them, of others by their kind.
pub(super) fn schema_of(view: &View<'_>, root: &Node) -> Option<Arc<Value>> {
    let name = view.path.file_name().and_then(|name| name.to_str());
    if name.is_some_and(|name| KUSTOMIZATION_FILES.contains(&name)) {
        let schema = KUSTOMIZATION.get_or_init(kustomization::file_schema);
        return Some(Arc::new(schema.clone()));
    }
    if is_file_of_replacements(view) {
        let schema = KUSTOMIZATION.get_or_init(kustomization::file_schema);
        let list = schema.pointer("/properties/replacements")?;
        // The file contains one of them, or a list.
        let own = match root.as_sequence() {
            Some(_) => list,
            None => list.get("items")?,
        };
        return Some(Arc::new(own.clone()));
    }
    let kind = root.get("kind").and_then(|kind| kind.as_str())?;
    // A ConfigMap is nearly always an object and not the configuration of a function.
    let schema = configuration_schema(kind).filter(|_| kind != "ConfigMap")?;
    let version = schema.pointer("/properties/apiVersion/const")?;
    let own = root.get("apiVersion").and_then(|version| version.as_str());
    (version.as_str() == own).then(|| Arc::new(schema))
}

/// Returns whether the kustomization of the view's target names the file in `replacements`.
fn is_file_of_replacements(view: &View<'_>) -> bool {
    let analysis = view.analysis;
    let Some(file) = analysis.and_then(|analysis| analysis.edits_file.as_deref()) else {
        return false;
    };
    let documents = documents(view.read, file);
    let (Some(document), Some(folder)) = (documents.first(), file.parent()) else {
        return false;
    };
    items_of(document.root.get("replacements")).any(|entry| {
        let path = entry.get("path").and_then(|path| path.as_str());
        path.is_some_and(|path| cleaned(&folder.join(path)) == view.path)
    })
}

/// Returns the part of a schema that is for the value at the end of `steps`.
pub(super) fn schema_at<'s>(schema: &'s Value, steps: &[TreeStep]) -> Option<&'s Value> {
    let mut schema = schema;
    for step in steps {
        schema = match step {
            TreeStep::Item(_) => schema.get("items")?,
            TreeStep::Key(key) => {
                let property = schema.get("properties").and_then(|own| own.get(&**key));
                property.or_else(|| schema.get("additionalProperties"))?
            }
        };
    }
    Some(schema)
}

/// Returns the fields of an object.
pub(super) fn fields_of(schema: &Value) -> Vec<Field<'_>> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let fields = properties.into_iter().flatten();
    fields
        .map(|(name, schema)| Field { name, schema })
        .collect()
}

/// Returns the values that a field can have, if they are few.
pub(super) fn choices_of(schema: &Value) -> Vec<&str> {
    if let Some(only) = schema.get("const").and_then(Value::as_str) {
        return vec![only];
    }
    if schema.get("type").and_then(Value::as_str) == Some("boolean") {
        return vec!["true", "false"];
    }
    let choices = schema.get("enum").and_then(Value::as_array);
    choices
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Returns the description of a field.
pub(super) fn description_of(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str)
}

impl Field<'_> {
    pub(super) fn description(&self) -> &str {
        description_of(self.schema).unwrap_or_default()
    }

    /// Returns what its value is: `a list`, `true or false`.
    pub(super) fn type_name(&self) -> &'static str {
        match self.schema.get("type").and_then(Value::as_str) {
            Some("array") => "a list",
            Some("object") => "a mapping",
            Some("boolean") => "true or false",
            Some("integer") => "an integer",
            Some("number") => "a number",
            Some("string") => "a string",
            _ if self.schema.get("enum").is_some() => "one of a list",
            _ => "a value",
        }
    }
}
