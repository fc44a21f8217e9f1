//! The schema as JSON Schema 2020-12, with the rules that it can say.
//!
//! It says what may be *given*: keys with defaults may be left out, and a key is required where its default alone
//! breaks a rule. Rules that are functions, or count only at times (`when=`), are not told.

use std::sync::Arc;

use super::openapi::type_name;
use super::{Entries, boolean};
use crate::schema::rules::OneNotNull;
use crate::schema::types::{Fields, Kind, Type};
use crate::yaml::{Entry, Node, Value};

/// The document.
pub(in crate::schema) fn json_schema(schema: &Type) -> Arc<Node> {
    let mut entries = Entries::default();
    entries.push_text("$schema", "https://json-schema.org/draft/2020-12/schema");
    describe(schema, &mut entries);
    entries.finish()
}

fn described(schema: &Type) -> Arc<Node> {
    let mut entries = Entries::default();
    describe(schema, &mut entries);
    entries.finish()
}

fn describe(schema: &Type, entries: &mut Entries) {
    let said = &schema.documentation;
    entries.push_if("title", said.title.as_deref().map(Node::string));
    entries.push_if("description", said.description.as_deref().map(Node::string));
    let takes_null = schema.nullable && !schema.constraints.not_null;
    match type_name(&schema.kind) {
        Some(name) if takes_null => entries.push(
            "type",
            Node::sequence([Node::string(name), Node::string("null")]),
        ),
        Some(name) => entries.push_text("type", name),
        None if schema.constraints.not_null => {
            entries.push(
                "not",
                Node::mapping(vec![Entry::new("type", Node::string("null"))]),
            );
        }
        None => {}
    }
    if said.deprecated.is_some() {
        entries.push("deprecated", boolean(true));
    }
    match &schema.kind {
        Kind::Map(fields) => {
            let properties = fields.list.iter();
            let properties = properties
                .map(|(key, value)| Entry {
                    key: Arc::clone(key),
                    value: described(value),
                })
                .collect();
            entries.push("properties", Node::mapping(properties));
            let required: Vec<Arc<Node>> = required(fields).map(Arc::clone).collect();
            entries.push_if(
                "required",
                (!required.is_empty()).then(|| Node::sequence(required)),
            );
            entries.push("additionalProperties", boolean(false));
        }
        Kind::OpenMap(inner) => entries.push("additionalProperties", described(inner)),
        Kind::Array(inner) => entries.push("items", described(inner)),
        _ => {}
    }
    constrain(schema, takes_null, entries);
    let is_told_by_its_properties = matches!(schema.kind, Kind::Map(_)) && !schema.nullable;
    if !is_told_by_its_properties && !schema.constraints.are_broken_by(&schema.default) {
        entries.push("default", Arc::clone(&schema.default));
    }
    let examples = said.examples.iter().map(|(_, example)| Arc::clone(example));
    entries.push_if(
        "examples",
        (!said.examples.is_empty()).then(|| Node::sequence(examples)),
    );
}

/// Adds the rules.
fn constrain(schema: &Type, takes_null: bool, entries: &mut Entries) {
    let constraints = &schema.constraints;
    // JSON Schema orders numbers alone.
    let is_number = |bound: &&Arc<Node>| {
        matches!(
            bound.value(),
            Some(Value::Int(_) | Value::UInt(_) | Value::Float(_))
        ) && matches!(schema.kind, Kind::Integer | Kind::Float | Kind::Any)
    };
    entries.push_if(
        "minimum",
        constraints.minimum.as_ref().filter(is_number).cloned(),
    );
    entries.push_if(
        "maximum",
        constraints.maximum.as_ref().filter(is_number).cloned(),
    );
    let lengths = match &schema.kind {
        Kind::String => Some(("minLength", "maxLength")),
        Kind::Array(_) => Some(("minItems", "maxItems")),
        Kind::OpenMap(_) => Some(("minProperties", "maxProperties")),
        _ => None,
    };
    if let Some((least, most)) = lengths {
        let length =
            |length: Option<i64>| length.map(|length| Node::plain(length.max(0).to_string()));
        entries.push_if(least, length(constraints.minimum_length));
        entries.push_if(most, length(constraints.maximum_length));
    }
    entries.push_if("pattern", constraints.pattern.as_deref().map(Node::string));
    entries.push_if(
        "format",
        constraints.format.map(|format| Node::string(format.name())),
    );
    if let Some(values) = &constraints.one_of {
        // Null keeps every rule, so it stays allowed.
        let has_null = values
            .iter()
            .any(|value| matches!(value.value(), Some(Value::Null)));
        let null = (takes_null && !has_null).then(|| Node::plain("null"));
        entries.push("enum", Node::sequence(values.iter().cloned().chain(null)));
    }
    if let (Some(keys), Kind::Map(fields)) = (&constraints.one_not_null, &schema.kind) {
        entries.push("oneOf", one_not_null(fields, keys));
    }
}

/// One alternative for each key: its value is not null. One alternative holds, the others do not.
fn one_not_null(fields: &Fields, keys: &OneNotNull) -> Arc<Node> {
    let all: Vec<&Arc<Node>> = match keys {
        OneNotNull::All => fields.list.iter().map(|(key, _)| key).collect(),
        OneNotNull::Keys(keys) => keys.iter().collect(),
    };
    let map = |key: &str, value| Node::mapping(vec![Entry::new(key, value)]);
    Node::sequence(all.into_iter().map(|key| {
        let not_null = map("not", map("type", Node::string("null")));
        let properties = Node::mapping(vec![Entry {
            key: Arc::clone(key),
            value: not_null,
        }]);
        let mut alternative = Entries::default();
        alternative.push("properties", properties);
        // A key that is left out has its default, which may be what is not null.
        let is_null = fields
            .of(key)
            .is_none_or(|value| matches!(value.default.value(), Some(Value::Null)));
        alternative.push_if(
            "required",
            is_null.then(|| Node::sequence([Arc::clone(key)])),
        );
        alternative.finish()
    }))
}

/// The keys whose defaults break a rule: whoever gives none gets an error.
fn required(fields: &Fields) -> impl Iterator<Item = &Arc<Node>> {
    fields
        .list
        .iter()
        .filter(|(_, value)| value.constraints.are_broken_by(&value.default))
        .map(|(key, _)| key)
}
