//! The `serde` deserializer of one node.

use std::cell::RefCell;
use std::fmt::Display;
use std::sync::Arc;

use serde::de::{Deserializer, Visitor};

use super::access::{EnumVariant, MappingEntries, SequenceItems, key_text};
use super::capture;
use super::error::ConfigError;
use crate::source::suggest::list;
use crate::source::{Code, Diagnostic};
use crate::yaml::{Mapping, NESTING_LIMIT, Node, Sequence, Value, resolve};

/// Deserializes one node.
///
/// Invariant: `node` is not an alias.
#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'a> {
    node: &'a Arc<Node>,
    depth: usize,
    reading: FieldReading<'a>,
}

/// The rules for reading the names of struct fields. Keys of maps are always read as they are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FieldReading<'a> {
    /// Whether `nameprefix` and `NamePrefix` are read as the field `namePrefix`, as in Go's JSON
    /// reader.
    pub(super) ignores_case: bool,
    /// Collects the keys that are not fields, which would otherwise be errors.
    pub(super) skipped: Option<&'a SkippedKeys>,
    /// Whether numbers, booleans and null are texts where texts are expected, as in a YAML file
    /// that Go reads into its own type.
    pub(super) converts_to_text: bool,
}

/// Keys of a configuration that are not fields.
pub(super) type SkippedKeys = RefCell<Vec<Arc<Node>>>;

impl<'a> NodeDeserializer<'a> {
    /// Creates the deserializer of a root, following an alias.
    pub(super) fn new(node: &'a Arc<Node>, reading: FieldReading<'a>) -> NodeDeserializer<'a> {
        NodeDeserializer {
            node: node.resolved(),
            depth: 0,
            reading,
        }
    }

    /// Creates the deserializer of a value directly inside this one, following an alias.
    pub(super) fn child(self, node: &'a Arc<Node>) -> NodeDeserializer<'a> {
        NodeDeserializer {
            node: node.resolved(),
            depth: self.depth + 1,
            ..self
        }
    }

    /// Returns the node, which is not an alias.
    pub(super) fn node(self) -> &'a Arc<Node> {
        self.node
    }

    /// Returns the node as a mapping.
    ///
    /// # Errors
    /// A node that is not a mapping, or is nested too deep.
    pub(super) fn mapping(self) -> Result<&'a Mapping, ConfigError> {
        self.check_depth()?;
        match self.node.as_mapping() {
            Some(mapping) => Ok(mapping),
            None => Err(self.mismatch("a mapping")),
        }
    }

    /// Returns the node as a sequence.
    ///
    /// # Errors
    /// A node that is not a sequence, or is nested too deep.
    pub(super) fn sequence(self) -> Result<&'a Sequence, ConfigError> {
        self.check_depth()?;
        match self.node.as_sequence() {
            Some(sequence) => Ok(sequence),
            None => Err(self.mismatch("a list")),
        }
    }

    /// Checks the depth again. The parser limits it in the text, but an alias can put a deep value
    /// inside another one.
    fn check_depth(self) -> Result<(), ConfigError> {
        if self.depth < NESTING_LIMIT {
            return Ok(());
        }
        let message =
            format!("expected at most {NESTING_LIMIT} levels, found more through aliases");
        Err(ConfigError::from(Diagnostic::error(Code::Limit, message)).at(self.node))
    }

    fn string(self) -> Result<&'a str, ConfigError> {
        match (self.node.as_str(), self.node.text()) {
            (Some(text), _) => Ok(text),
            (None, Some(_)) if self.reading.converts_to_text && self.is_null() => Ok(""),
            (None, Some(text)) if self.reading.converts_to_text => Ok(text),
            _ => Err(self.mismatch("a string")),
        }
    }

    fn is_null(self) -> bool {
        matches!(self.node.value(), Some(Value::Null))
    }

    /// Sets the place of an error to this node, unless a value inside it has set a more precise
    /// place.
    fn place<T>(self, result: Result<T, ConfigError>) -> Result<T, ConfigError> {
        result.map_err(|error| error.at(self.node))
    }

    /// Returns the error for a node that is not `expected`, with a help line if only quotes are
    /// missing or superfluous.
    fn mismatch(self, expected: &str) -> ConfigError {
        let found = self.node.described();
        let message = format!("expected {expected}, found {found}");
        let diagnostic = Diagnostic::error(Code::Config, message);
        ConfigError::from(diagnostic.help_if(self.quotes_help(expected))).at(self.node)
    }

    /// Returns the help for a text that would be correct with quotes, or without them.
    fn quotes_help(self, expected: &str) -> Option<String> {
        let (text, value) = (self.node.text()?, self.node.value()?);
        if let Value::String(_) = value {
            let fits_unquoted = match resolve(text, true, None) {
                Value::Bool(_) => expected == "a boolean",
                Value::Int(_) | Value::UInt(_) => expected.ends_with("number"),
                Value::Float(_) => expected == "a number",
                Value::Null | Value::String(_) => false,
            };
            return fits_unquoted.then(|| format!("write it without quotes: {text}"));
        }
        let fits_quoted = expected == "a string" && !text.is_empty();
        fits_quoted.then(|| format!("write it in quotes: \"{text}\""))
    }

    /// Returns the integer of the node, if it is in the range of `T`.
    fn integer<T>(self, min: T, max: T) -> Result<T, ConfigError>
    where
        T: TryFrom<i64> + TryFrom<u64> + Display,
    {
        let number = match self.node.value() {
            Some(Value::Int(found)) => T::try_from(found).ok(),
            Some(Value::UInt(found)) => T::try_from(found).ok(),
            // Go reads `3.0` through JSON, where it is `3`.
            Some(Value::Float(found)) if self.reading.ignores_case && found.fract() == 0.0 => {
                let digits = format!("{found:.0}").parse::<i64>();
                digits.ok().and_then(|found| T::try_from(found).ok())
            }
            _ => return Err(self.mismatch("a whole number")),
        };
        number.ok_or_else(|| {
            // As the user wrote it: the value of a large number is rounded.
            let found = self.node.text().unwrap_or_default();
            let message = format!("expected a whole number from {min} to {max}, found {found}");
            ConfigError::new(message).at(self.node)
        })
    }
}

/// Defines the methods for integers, which differ only in their type.
macro_rules! integers {
    ($($method:ident $type:ident $visit:ident,)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
            let number = self.integer($type::MIN, $type::MAX)?;
            self.place(visitor.$visit(number))
        })*
    };
}

impl<'de> Deserializer<'de> for NodeDeserializer<'_> {
    type Error = ConfigError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        if self.node.as_mapping().is_some() {
            return self.deserialize_map(visitor);
        }
        if self.node.as_sequence().is_some() {
            return self.deserialize_seq(visitor);
        }
        self.place(match self.node.value() {
            None | Some(Value::Null) => visitor.visit_unit(),
            Some(Value::Bool(value)) => visitor.visit_bool(value),
            Some(Value::Int(value)) => visitor.visit_i64(value),
            Some(Value::UInt(value)) => visitor.visit_u64(value),
            Some(Value::Float(value)) => visitor.visit_f64(value),
            Some(Value::String(value)) => visitor.visit_str(value),
        })
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        match self.node.value() {
            Some(Value::Bool(value)) => self.place(visitor.visit_bool(value)),
            _ => Err(self.mismatch("a boolean")),
        }
    }

    integers! {
        deserialize_i8 i8 visit_i8,
        deserialize_i16 i16 visit_i16,
        deserialize_i32 i32 visit_i32,
        deserialize_i64 i64 visit_i64,
        deserialize_u8 u8 visit_u8,
        deserialize_u16 u16 visit_u16,
        deserialize_u32 u32 visit_u32,
        deserialize_u64 u64 visit_u64,
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        let value = match self.node.value() {
            Some(Value::Int(value)) => value as f64,
            Some(Value::UInt(value)) => value as f64,
            Some(Value::Float(value)) => value,
            _ => return Err(self.mismatch("a number")),
        };
        self.place(visitor.visit_f64(value))
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        self.place(visitor.visit_str(self.string()?))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        self.place(visitor.visit_bytes(self.string()?.as_bytes()))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        if self.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        if self.is_null() {
            visitor.visit_unit()
        } else {
            Err(self.mismatch("null"))
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        capture::offer(name, self.node);
        self.place(visitor.visit_newtype_struct(self))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        let mut items = SequenceItems::new(self)?;
        let value = self.place(visitor.visit_seq(&mut items))?;
        items.finish()?;
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        let entries = MappingEntries::new(self)?;
        self.place(visitor.visit_map(entries))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        let mut entries = MappingEntries::new(self)?;
        if self.reading.ignores_case {
            entries.accept_any_case(fields, self.reading.skipped);
        }
        self.place(visitor.visit_map(entries))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        let variant = if self.node.as_str().is_some() {
            EnumVariant::unit(self)
        } else if let Some(mapping) = self.node.as_mapping() {
            match &mapping.entries[..] {
                [entry] => EnumVariant::tagged(self, entry),
                _ => {
                    let names = list(variants.iter().copied());
                    return Err(self.mismatch(&format!("a mapping with one key, {names}")));
                }
            }
        } else {
            return Err(self.mismatch(&list(variants.iter().copied())));
        };
        self.place(visitor.visit_enum(variant))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        self.place(visitor.visit_str(key_text(self.node)?))
    }

    /// Ignores the value without reading it, at any depth.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        visitor.visit_unit()
    }
}
