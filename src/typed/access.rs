//! Gives serde access to the values inside a collection, one by one.
//!
//! Each accessor adds its own step (a key or an index) to the path of an error that comes from
//! inside.

use std::collections::HashMap;
use std::iter::Enumerate;
use std::slice;
use std::sync::Arc;

use serde::de::value::StrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::deserializer::{NodeDeserializer, SkippedKeys};
use super::error::ConfigError;
use super::path::ConfigStep;
use crate::yaml::{Entry, Item, Mapping, Node};

/// Reads the items of a sequence.
pub(super) struct SequenceItems<'a> {
    sequence: NodeDeserializer<'a>,
    items: Enumerate<slice::Iter<'a, Item>>,
}

impl<'a> SequenceItems<'a> {
    /// Creates an accessor that starts at the first item.
    ///
    /// # Errors
    /// A node that is not a sequence.
    pub(super) fn new(sequence: NodeDeserializer<'a>) -> Result<SequenceItems<'a>, ConfigError> {
        Ok(SequenceItems {
            sequence,
            items: sequence.sequence()?.items.iter().enumerate(),
        })
    }

    /// Checks that every item was read. A type such as a pair stops reading after the items that it
    /// needs.
    pub(super) fn finish(mut self) -> Result<(), ConfigError> {
        match self.items.next() {
            None => Ok(()),
            Some((index, item)) => {
                let message = format!("expected a list of {index}, found more items");
                Err(ConfigError::new(message).at(self.sequence.child(&item.value).node()))
            }
        }
    }
}

impl<'de> SeqAccess<'de> for &mut SequenceItems<'_> {
    type Error = ConfigError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ConfigError> {
        let Some((index, item)) = self.items.next() else {
            return Ok(None);
        };
        match seed.deserialize(self.sequence.child(&item.value)) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.within(ConfigStep::Index(index))),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// Reads the entries of a mapping.
pub(super) struct MappingEntries<'a> {
    mapping: NodeDeserializer<'a>,
    entries: slice::Iter<'a, Entry>,
    /// The entry whose key was read but whose value was not.
    current: Option<&'a Entry>,
    /// The fields whose names may be written in any case; empty if none may.
    fields: &'static [&'static str],
    /// Collects keys that are not fields instead of reading them.
    skipped: Option<&'a SkippedKeys>,
}

impl<'a> MappingEntries<'a> {
    /// Creates an accessor that starts at the first entry.
    ///
    /// # Errors
    /// A node that is not a mapping, or has a key that is not a scalar or is repeated.
    pub(super) fn new(mapping: NodeDeserializer<'a>) -> Result<MappingEntries<'a>, ConfigError> {
        let content = mapping.mapping()?;
        check_keys(content)?;
        Ok(MappingEntries {
            mapping,
            entries: content.entries.iter(),
            current: None,
            fields: &[],
            skipped: None,
        })
    }

    /// Reads `nameprefix` and `NamePrefix` as the field `namePrefix`. If `skipped` is given, keys
    /// that are not fields are collected there instead of being read.
    pub(super) fn accept_any_case(
        &mut self,
        fields: &'static [&'static str],
        skipped: Option<&'a SkippedKeys>,
    ) {
        self.fields = fields;
        self.skipped = skipped;
    }

    /// Returns the next entry to read.
    fn next_entry(&mut self) -> Option<&'a Entry> {
        loop {
            let entry = self.entries.next()?;
            let Some(skipped) = self.skipped else {
                return Some(entry);
            };
            let key = entry.key.resolved();
            let text = key.text().unwrap_or_default();
            if self.fields.contains(&text) || self.field_in_other_letters(text).is_some() {
                return Some(entry);
            }
            skipped.borrow_mut().push(Arc::clone(key));
        }
    }

    /// Returns the field whose name differs from `key` only in case.
    fn field_in_other_letters(&self, key: &str) -> Option<&'static str> {
        if self.fields.contains(&key) {
            return None;
        }
        let mut fields = self.fields.iter().copied();
        fields.find(|field| field.eq_ignore_ascii_case(key))
    }
}

impl<'de> MapAccess<'de> for MappingEntries<'_> {
    type Error = ConfigError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ConfigError> {
        self.current = self.next_entry();
        let Some(entry) = self.current else {
            return Ok(None);
        };
        let key = self.mapping.child(&entry.key);
        let text = key.node().text().unwrap_or_default();
        let result = match self.field_in_other_letters(text) {
            Some(field) => {
                let name: StrDeserializer<'_, ConfigError> = field.into_deserializer();
                seed.deserialize(name)
            }
            None => seed.deserialize(key),
        };
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.at(key.node())),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, ConfigError> {
        let Some(entry) = self.current.take() else {
            return Err(ConfigError::new("expected a key before its value"));
        };
        let value = self.mapping.child(&entry.value);
        seed.deserialize(value)
            .map_err(|error| within_key(error.at(value.node()), entry.key.resolved()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// A variant of an enumeration: its name alone (`json`), or a mapping with its name as the only key
/// (`lines: 3`).
pub(super) struct EnumVariant<'a> {
    name: NodeDeserializer<'a>,
    value: Option<NodeDeserializer<'a>>,
}

impl<'a> EnumVariant<'a> {
    /// Creates a variant without a value.
    pub(super) fn unit(name: NodeDeserializer<'a>) -> EnumVariant<'a> {
        EnumVariant { name, value: None }
    }

    /// Creates a variant from the only `entry` of `mapping`.
    pub(super) fn tagged(mapping: NodeDeserializer<'a>, entry: &'a Entry) -> EnumVariant<'a> {
        EnumVariant {
            name: mapping.child(&entry.key),
            value: Some(mapping.child(&entry.value)),
        }
    }

    /// Returns the value of a variant that needs one.
    fn value(&self) -> Result<NodeDeserializer<'a>, ConfigError> {
        let name = key_text(self.name.node())?;
        self.value.ok_or_else(|| {
            ConfigError::new(format!(
                "expected a value for `{name}`, found only the name"
            ))
        })
    }
}

impl<'de> EnumAccess<'de> for EnumVariant<'_> {
    type Error = ConfigError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), ConfigError> {
        let name: StrDeserializer<'_, ConfigError> =
            key_text(self.name.node())?.into_deserializer();
        match seed.deserialize(name) {
            Ok(variant) => Ok((variant, self)),
            Err(error) => Err(error.at(self.name.node())),
        }
    }
}

impl<'de> VariantAccess<'de> for EnumVariant<'_> {
    type Error = ConfigError;

    fn unit_variant(self) -> Result<(), ConfigError> {
        match self.value {
            None => Ok(()),
            Some(value) => {
                <()>::deserialize(value).map_err(|error| within_key(error, self.name.node()))
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, ConfigError> {
        seed.deserialize(self.value()?)
            .map_err(|error| within_key(error, self.name.node()))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        self.value()?
            .deserialize_seq(visitor)
            .map_err(|error| within_key(error, self.name.node()))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        self.value()?
            .deserialize_map(visitor)
            .map_err(|error| within_key(error, self.name.node()))
    }
}

/// Checks that every key is a scalar and is not repeated.
fn check_keys(mapping: &Mapping) -> Result<(), ConfigError> {
    let mut first_places = HashMap::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        let key = entry.key.resolved();
        let text = key_text(key)?;
        if let Some(first) = first_places.insert(text, key) {
            let error = ConfigError::new(format!("field `{text}` is given twice"));
            return Err(error
                .labelled(key, "given again here")
                .labelled_also(first, "given first here"));
        }
    }
    Ok(())
}

/// Returns the text of a key.
///
/// A key is text even if it would be a boolean as a value: a field may be called `on` or `y`.
pub(super) fn key_text(key: &Arc<Node>) -> Result<&str, ConfigError> {
    key.text().ok_or_else(|| {
        let found = key.described();
        ConfigError::new(format!("expected a scalar as key, found {found}")).at(key)
    })
}

/// Adds `key` to the path of an error that comes from its value.
fn within_key(error: ConfigError, key: &Arc<Node>) -> ConfigError {
    match key.text() {
        Some(key) => error.within(ConfigStep::Key(key.to_owned())),
        // Unreachable: `check_keys` and `variant_seed` refuse such a key before its value is read.
        None => error,
    }
}
