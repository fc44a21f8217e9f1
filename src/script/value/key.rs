//! Keys of mappings, as templates compare them: the number 1, the number 1.0 and the text "1" are three keys.

use std::collections::HashMap;
use std::sync::Arc;

use starlark::values::ValueLike;
use starlark::values::float::StarlarkFloat;
use starlark::values::{UnpackValue, Value as StarlarkValue};

use crate::yaml::{Mapping, Node, Value};

/// A key that is a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::script) enum Key {
    Null,
    Bool(bool),
    Int(i128),
    /// A float by its bits, so that keys can be hashed.
    Float(u64),
    String(Arc<str>),
}

impl Key {
    /// Returns the key that a node is; `None` for a collection.
    pub(in crate::script) fn of(node: &Node) -> Option<Key> {
        Some(match node.value()? {
            Value::Null => Key::Null,
            Value::Bool(value) => Key::Bool(value),
            Value::Int(value) => Key::Int(value.into()),
            Value::UInt(value) => Key::Int(value.into()),
            Value::Float(value) => Key::Float(value.to_bits()),
            Value::String(value) => Key::String(value.into()),
        })
    }

    /// Returns the key that a Starlark value is; `None` for a collection and other values.
    pub(in crate::script) fn of_value(value: StarlarkValue<'_>) -> Option<Key> {
        if let Some(text) = value.unpack_str() {
            return Some(Key::String(text.into()));
        }
        if value.is_none() {
            return Some(Key::Null);
        }
        if let Some(bool) = value.unpack_bool() {
            return Some(Key::Bool(bool));
        }
        if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
            return Some(Key::Float(float.0.to_bits()));
        }
        if let Ok(Some(int)) = i64::unpack_value(value) {
            return Some(Key::Int(int.into()));
        }
        u64::unpack_value(value)
            .ok()
            .flatten()
            .map(|int| Key::Int(int.into()))
    }
}

/// The position of each key of a mapping. Of equal keys, the last one counts.
#[derive(Debug)]
pub(in crate::script) struct KeyIndex(HashMap<Key, usize>);

impl KeyIndex {
    pub(in crate::script) fn of(mapping: &Mapping) -> KeyIndex {
        let keys = mapping.entries.iter().enumerate();
        KeyIndex(
            keys.filter_map(|(place, entry)| Some((Key::of(&entry.key)?, place)))
                .collect(),
        )
    }

    /// Returns the position of `key` among the entries.
    pub(in crate::script) fn place(&self, key: &Key) -> Option<usize> {
        self.0.get(key).copied()
    }
}
