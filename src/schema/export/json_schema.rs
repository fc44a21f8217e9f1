//! Prints the schema as JSON Schema 2020-12, with the rules that it can express.
//!
//! The document describes the values that may be *given*: keys with defaults may be left out, and a
//! key is required if its default alone breaks a rule. Rules that are functions or conditional
//! (`when=`) are left out.

use std::sync::Arc;

use super::object::{
    ObjectBuilder, allowed_values, boolean, is_null, properties, single, type_name,
};
use crate::schema::constraints::OneNotNull;
use crate::schema::types::{MapFields, TypeKind, ValueType};
use crate::yaml::{Entry, Node};

/// Returns the JSON Schema of a schema.
pub(in crate::schema) fn json_schema(schema: &ValueType) -> Arc<Node> {
    let mut object = ObjectBuilder::default();
    object.push_text("$schema", "https://json-schema.org/draft/2020-12/schema");
    describe(schema, &mut object);
    object.finish()
}

fn described(schema: &ValueType) -> Arc<Node> {
    let mut object = ObjectBuilder::default();
    describe(schema, &mut object);
    object.finish()
}

fn describe(schema: &ValueType, object: &mut ObjectBuilder) {
    let documentation = &schema.documentation;
    object.push_text_if("title", documentation.title.as_deref());
    object.push_text_if("description", documentation.description.as_deref());
    let takes_null = schema.nullable && !schema.constraints.not_null;
    match type_name(&schema.kind) {
        // Unlike OpenAPI 3.0, JSON Schema has no `nullable`: null is a separate type.
        Some(name) if takes_null => {
            let names = [Node::string(name), Node::string("null")];
            object.push("type", Node::sequence(names));
        }
        Some(name) => object.push_text("type", name),
        None if schema.constraints.not_null => {
            object.push("not", single("type", Node::string("null")));
        }
        None => {}
    }
    if documentation.deprecated.is_some() {
        object.push("deprecated", boolean(true));
    }
    match &schema.kind {
        TypeKind::Map(fields) => {
            object.push("properties", properties(fields, described));
            let required = required_keys(fields);
            if !required.is_empty() {
                object.push("required", Node::sequence(required));
            }
            // ytt refuses undeclared keys, so editors should underline them.
            object.push("additionalProperties", boolean(false));
        }
        TypeKind::OpenMap(inner) => object.push("additionalProperties", described(inner)),
        TypeKind::Array(inner) => object.push("items", described(inner)),
        _ => {}
    }
    constrain(schema, takes_null, object);
    // Nobody may rely on a default that breaks a rule. The key is required instead.
    if !has_default_of_properties(schema) && !schema.constraints.are_broken_by(&schema.default) {
        object.push("default", Arc::clone(&schema.default));
    }
    if !documentation.examples.is_empty() {
        let examples = documentation.examples.iter();
        let values = examples.map(|example| Arc::clone(&example.value));
        object.push("examples", Node::sequence(values));
    }
}

/// Adds the rules to the schema of a type.
fn constrain(schema: &ValueType, takes_null: bool, object: &mut ObjectBuilder) {
    let constraints = &schema.constraints;
    object.push_bounds(schema);
    // Keys that are left out have their defaults, so fewer may be given than a rule requires.
    if !matches!(schema.kind, TypeKind::Map(_)) {
        object.push_lengths(schema);
    }
    object.push_text_if("pattern", constraints.pattern.as_deref());
    object.push_text_if("format", constraints.format.map(|format| format.name()));
    if let Some(values) = &constraints.one_of {
        object.push("enum", allowed_values(values, takes_null));
    }
    // The alternatives name keys, which only a map with declared keys has.
    if let (Some(keys), TypeKind::Map(fields)) = (&constraints.one_not_null, &schema.kind) {
        object.push("oneOf", one_not_null(fields, keys));
    }
}

/// Returns one alternative for each key: its value is not null. `oneOf` requires that exactly one
/// of them applies.
fn one_not_null(fields: &MapFields, keys: &OneNotNull<Arc<Node>>) -> Arc<Node> {
    let keys: Vec<&Arc<Node>> = match keys {
        OneNotNull::All => fields.list.iter().map(|field| &field.key).collect(),
        OneNotNull::Keys(keys) => keys.iter().collect(),
    };
    let mut alternatives = Vec::with_capacity(keys.len());
    for key in keys {
        let not_null = single("not", single("type", Node::string("null")));
        let property = Entry {
            key: Arc::clone(key),
            value: not_null,
        };
        let mut alternative = ObjectBuilder::default();
        alternative.push("properties", Node::mapping(vec![property]));
        // A key that is left out has its default. If the default is null, the key has to be given.
        let default_is_null = fields.of(key).is_none_or(|field| is_null(&field.default));
        if default_is_null {
            alternative.push("required", Node::sequence([Arc::clone(key)]));
        }
        alternatives.push(alternative.finish());
    }
    Node::sequence(alternatives)
}

/// Returns the keys whose defaults break a rule, so that validation fails without a value for them.
fn required_keys(fields: &MapFields) -> Vec<Arc<Node>> {
    let mut keys = Vec::new();
    for field in &fields.list {
        if !has_valid_default(&field.expected) {
            keys.push(Arc::clone(&field.key));
        }
    }
    keys
}

/// Returns whether the default of a type satisfies all rules. The default of a map consists of the
/// defaults of its keys:
///
/// ```text
/// a:                                   `b` is required in `a`, and so `a` is required:
///   #@schema/validation min_len=1      without it, its default `{b: ""}` would break the rule
///   b: ""
/// ```
fn has_valid_default(expected: &ValueType) -> bool {
    if expected.constraints.are_broken_by(&expected.default) {
        return false;
    }
    match &expected.kind {
        TypeKind::Map(fields) if !is_null(&expected.default) => {
            let mut fields = fields.list.iter();
            fields.all(|field| has_valid_default(&field.expected))
        }
        _ => true,
    }
}

/// Returns whether the default of a type follows from its properties, so that it can be left out.
fn has_default_of_properties(schema: &ValueType) -> bool {
    matches!(schema.kind, TypeKind::Map(_)) && !schema.nullable
}
