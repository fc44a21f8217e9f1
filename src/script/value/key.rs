//! Keys of mappings, as templates compare them: the number 1, the number 1.0 and the text "1" are
//! three different keys.

use std::collections::HashMap;
use std::sync::Arc;

use starlark::values::ValueLike;
use starlark::values::float::StarlarkFloat;
use starlark::values::{UnpackValue, Value as StarlarkValue};

use crate::yaml::{Mapping, Node, Value};

/// A key that is a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::script) enum ScalarKey {
    Null,
    Bool(bool),
    Int(i128),
    /// A float, stored as its bits so that keys can be hashed.
    Float(u64),
    String(Arc<str>),
}

impl ScalarKey {
    /// Returns the key of a node; `None` for a collection.
    pub(in crate::script) fn of(node: &Node) -> Option<ScalarKey> {
        Some(match node.value()? {
            Value::Null => ScalarKey::Null,
            Value::Bool(value) => ScalarKey::Bool(value),
            Value::Int(value) => ScalarKey::Int(value.into()),
            // Both kinds of integer become one, so that 1 equals 1 no matter how it was parsed.
            Value::UInt(value) => ScalarKey::Int(value.into()),
            Value::Float(value) => ScalarKey::Float(value.to_bits()),
            Value::String(value) => ScalarKey::String(value.into()),
        })
    }

    /// Returns the key of a Starlark value; `None` for collections and other values that are not
    /// scalars.
    pub(in crate::script) fn of_value(value: StarlarkValue<'_>) -> Option<ScalarKey> {
        if let Some(text) = value.unpack_str() {
            return Some(ScalarKey::String(text.into()));
        }
        if value.is_none() {
            return Some(ScalarKey::Null);
        }
        if let Some(bool) = value.unpack_bool() {
            return Some(ScalarKey::Bool(bool));
        }
        if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
            return Some(ScalarKey::Float(float.0.to_bits()));
        }
        if let Ok(Some(int)) = i64::unpack_value(value) {
            return Some(ScalarKey::Int(int.into()));
        }
        // Integers beyond 64 bits are not keys, because YAML does not have them.
        u64::unpack_value(value)
            .ok()
            .flatten()
            .map(|int| ScalarKey::Int(int.into()))
    }
}

/// The position of each key of a mapping. Of equal keys, the last one is used.
#[derive(Debug)]
pub(in crate::script) struct KeyIndex(HashMap<ScalarKey, usize>);

impl KeyIndex {
    /// Creates the index of the keys that are scalars. Only those can be looked up.
    pub(in crate::script) fn of(mapping: &Mapping) -> KeyIndex {
        let keys = mapping.entries.iter().enumerate();
        KeyIndex(
            keys.filter_map(|(place, entry)| Some((ScalarKey::of(&entry.key)?, place)))
                .collect(),
        )
    }

    /// Returns the position of `key` among the entries.
    pub(in crate::script) fn place(&self, key: &ScalarKey) -> Option<usize> {
        self.0.get(key).copied()
    }
}
