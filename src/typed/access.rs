//! The values inside a collection, one after the other.

use std::slice;

use serde::de::value::StrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::deserializer::NodeDeserializer;
use super::error::Error;
use super::key::{check_keys, key_text};
use super::path::Segment;
use crate::yaml::{Entry, Item};

/// The items of a sequence.
pub(super) struct Items<'a> {
    sequence: NodeDeserializer<'a>,
    items: std::iter::Enumerate<slice::Iter<'a, Item>>,
}

impl<'a> Items<'a> {
    /// Starts at the first item; fails if the node is not a sequence.
    pub(super) fn new(sequence: NodeDeserializer<'a>) -> Result<Items<'a>, Error> {
        Ok(Items {
            sequence,
            items: sequence.sequence()?.items.iter().enumerate(),
        })
    }

    /// Checks that every item was wanted.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        match self.items.next() {
            None => Ok(()),
            Some((index, item)) => {
                let message = format!("expected a list of {index}, found more items");
                Err(Error::new(message).at(self.sequence.child(&item.value).node()))
            }
        }
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some((index, item)) = self.items.next() else {
            return Ok(None);
        };
        let value = seed.deserialize(self.sequence.child(&item.value));
        value
            .map(Some)
            .map_err(|error| error.within(Segment::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The entries of a mapping.
pub(super) struct Entries<'a> {
    mapping: NodeDeserializer<'a>,
    entries: slice::Iter<'a, Entry>,
    current: Option<&'a Entry>,
}

impl<'a> Entries<'a> {
    /// Starts at the first entry; fails if the node is not a mapping, or a key is not a scalar or stands twice.
    pub(super) fn new(mapping: NodeDeserializer<'a>) -> Result<Entries<'a>, Error> {
        let content = mapping.mapping()?;
        check_keys(content)?;
        Ok(Entries {
            mapping,
            entries: content.entries.iter(),
            current: None,
        })
    }
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.current = self.entries.next();
        let Some(entry) = self.current else {
            return Ok(None);
        };
        let key = self.mapping.child(&entry.key);
        seed.deserialize(key)
            .map(Some)
            .map_err(|error| error.at(key.node()))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let entry = self
            .current
            .take()
            .ok_or_else(|| Error::new("expected a key before its value"))?;
        let value = self.mapping.child(&entry.value);
        let result = seed
            .deserialize(value)
            .map_err(|error| error.at(value.node()));
        result.map_err(
            |error| match key_text(self.mapping.child(&entry.key).node()) {
                Ok(key) => error.within(Segment::Key(key.to_string())),
                Err(_) => error,
            },
        )
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// A variant of an enumeration: a word, or a mapping whose only key is the word and whose value belongs to it.
pub(super) struct Variant<'a> {
    name: NodeDeserializer<'a>,
    value: Option<NodeDeserializer<'a>>,
}

impl<'a> Variant<'a> {
    /// A word alone.
    pub(super) fn unit(name: NodeDeserializer<'a>) -> Variant<'a> {
        Variant { name, value: None }
    }

    /// The only entry of `mapping`.
    pub(super) fn tagged(mapping: NodeDeserializer<'a>, entry: &'a Entry) -> Variant<'a> {
        Variant {
            name: mapping.child(&entry.key),
            value: Some(mapping.child(&entry.value)),
        }
    }

    /// The value, for a variant that needs one.
    fn value(&self) -> Result<NodeDeserializer<'a>, Error> {
        let name = key_text(self.name.node())?;
        self.value.ok_or_else(|| {
            Error::new(format!(
                "expected a value for `{name}`, found the word alone"
            ))
        })
    }

    /// Puts the name of the variant in front of the path of an error in its value.
    fn outside(&self, error: Error) -> Error {
        match key_text(self.name.node()) {
            Ok(name) => error.within(Segment::Key(name.to_string())),
            Err(_) => error,
        }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = key_text(self.name.node())?.into_deserializer();
        match seed.deserialize(name) {
            Ok(variant) => Ok((variant, self)),
            Err(error) => Err(error.at(self.name.node())),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.value {
            None => Ok(()),
            Some(value) => <()>::deserialize(value).map_err(|error| self.outside(error)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.value()?)
            .map_err(|error| self.outside(error))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.value()?
            .deserialize_seq(visitor)
            .map_err(|error| self.outside(error))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.value()?
            .deserialize_map(visitor)
            .map_err(|error| self.outside(error))
    }
}
