//! Keys of a mapping, as templates compare them: the number 1, the number 1.0 and the text "1" are three keys.

use std::collections::HashMap;
use std::sync::Arc;

use starlark::values::ValueLike;
use starlark::values::float::StarlarkFloat;
use starlark::values::{UnpackValue, Value as StarlarkValue};

use crate::yaml::{Mapping, Node, Value};

/// What a key is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Null,
    Bool(bool),
    Int(i128),
    /// The bits of a float.
    Float(u64),
    String(Arc<str>),
}

impl Key {
    /// The key that a node is; `None` for a collection.
    pub(crate) fn of(node: &Node) -> Option<Key> {
        Some(match node.value()? {
            Value::Null => Key::Null,
            Value::Bool(value) => Key::Bool(value),
            Value::Int(value) => Key::Int(value.into()),
            Value::UInt(value) => Key::Int(value.into()),
            Value::Float(value) => Key::Float(value.to_bits()),
            Value::String(value) => Key::String(value.into()),
        })
    }

    /// The key that a Starlark value is.
    pub(crate) fn of_value(value: StarlarkValue<'_>) -> Option<Key> {
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

/// Where each key of a mapping stands. Of equal keys the last one counts.
#[derive(Debug)]
pub(crate) struct KeyIndex(HashMap<Key, usize>);

impl KeyIndex {
    pub(crate) fn of(mapping: &Mapping) -> KeyIndex {
        let keys = mapping.entries.iter().enumerate();
        KeyIndex(
            keys.filter_map(|(place, entry)| Some((Key::of(&entry.key)?, place)))
                .collect(),
        )
    }

    /// The place of `key` among the entries.
    pub(crate) fn place(&self, key: &Key) -> Option<usize> {
        self.0.get(key).copied()
    }
}
