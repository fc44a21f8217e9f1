//! An outline of data values for editors: their names, types, defaults and descriptions, without
//! the schema that declares them.

use std::sync::Arc;

use super::types::{TypeKind, ValueType, kind_of};
use crate::source::Location;
use crate::yaml::{Content, Node};

/// A data value with its nested values.
#[derive(Clone, Debug)]
pub struct ValueOutline {
    /// The key; empty for the data values as a whole.
    pub key: String,
    /// A description of the expected type, such as `an integer or null`.
    pub expected: String,
    /// The value that is used if none is given.
    pub default: Arc<Node>,
    /// `@schema/title` and `@schema/desc`, as paragraphs.
    pub description: String,
    /// `@schema/deprecated`.
    pub deprecated: Option<String>,
    /// The place of the declaration.
    pub place: Option<Location>,
    /// The values of a map.
    pub children: Vec<ValueOutline>,
    /// What each item of an array is.
    pub item: Option<Box<ValueOutline>>,
}

impl ValueOutline {
    /// Returns the value at the end of `keys`, if it exists.
    pub fn find(&self, keys: &[&str]) -> Option<&ValueOutline> {
        let mut found = self;
        for key in keys {
            // If a schema repeats a key, the last one is used.
            found = found
                .children
                .iter()
                .rev()
                .find(|child| child.key == *key)?;
        }
        Some(found)
    }

    /// Returns the outline of values without a schema.
    pub fn of_values(values: &Arc<Node>) -> ValueOutline {
        of_node(String::new(), values, values.location())
    }

    /// Returns the outline of a type. It has no key, because no entry contains it.
    pub(super) fn of_type(value: &ValueType) -> ValueOutline {
        of_type(String::new(), value)
    }
}

// Both functions below are recursive. The parser bounds the nesting of values and schemas.

fn of_node(key: String, node: &Arc<Node>, place: Option<Location>) -> ValueOutline {
    let value = node.resolved();
    let mut children = Vec::new();
    let mut item = None;
    match &value.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                if let Some(key) = entry.key.text() {
                    children.push(of_node(key.to_owned(), &entry.value, entry.key.location()));
                }
            }
        }
        // Without a schema, the first item shows what the others are.
        Content::Sequence(sequence) => {
            let first = sequence.items.iter().next();
            item = first.map(|first| of_node(String::new(), &first.value, first.value.location()));
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
    ValueOutline {
        key,
        expected: kind_of(node).to_owned(),
        default: Arc::clone(node),
        description: String::new(),
        deprecated: None,
        place,
        children,
        item: item.map(Box::new),
    }
}

fn of_type(key: String, value: &ValueType) -> ValueOutline {
    let mut children = Vec::new();
    let mut item = None;
    match &value.kind {
        TypeKind::Map(fields) => {
            for field in &fields.list {
                if let Some(key) = field.key.text() {
                    children.push(of_type(key.to_owned(), &field.expected));
                }
            }
        }
        TypeKind::Array(items) => item = Some(of_type(String::new(), items)),
        _ => {}
    }
    let documentation = &value.documentation;
    let paragraphs = [&documentation.title, &documentation.description];
    let paragraphs: Vec<&str> = paragraphs
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    ValueOutline {
        key,
        expected: value.expected(),
        default: Arc::clone(&value.default),
        description: paragraphs.join("\n\n"),
        deprecated: documentation.deprecated.clone(),
        place: value.place.clone(),
        children,
        item: item.map(Box::new),
    }
}
