//! The deserializer of one node.

use std::sync::Arc;

use serde::de::{Deserializer, Visitor};

use super::access::{Entries, Items, Variant};
use super::capture;
use super::error::Error;
use super::key::key_text;
use crate::source::suggest::list;
use crate::source::{Code, Diagnostic};
use crate::yaml::{Mapping, NESTING_LIMIT, Node, Sequence, Value, resolve};

/// Reads one node, with aliases followed.
#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'a> {
    node: &'a Arc<Node>,
    depth: usize,
}

impl<'a> NodeDeserializer<'a> {
    /// The deserializer of a root.
    pub(super) fn new(node: &'a Arc<Node>) -> NodeDeserializer<'a> {
        NodeDeserializer {
            node: node.resolved(),
            depth: 0,
        }
    }

    /// The deserializer of a value directly in this one.
    pub(super) fn child(self, node: &'a Arc<Node>) -> NodeDeserializer<'a> {
        NodeDeserializer {
            node: node.resolved(),
            depth: self.depth + 1,
        }
    }

    /// The node, which is not an alias.
    pub(super) fn node(self) -> &'a Arc<Node> {
        self.node
    }

    /// The node as a mapping.
    pub(super) fn mapping(self) -> Result<&'a Mapping, Error> {
        self.check_depth()?;
        self.node
            .as_mapping()
            .ok_or_else(|| self.mismatch("a mapping"))
    }

    /// The node as a sequence.
    pub(super) fn sequence(self) -> Result<&'a Sequence, Error> {
        self.check_depth()?;
        self.node
            .as_sequence()
            .ok_or_else(|| self.mismatch("a list"))
    }

    /// Parsing keeps to the same limit, but aliases can put one deep value into another.
    fn check_depth(self) -> Result<(), Error> {
        if self.depth < NESTING_LIMIT {
            return Ok(());
        }
        let message =
            format!("expected at most {NESTING_LIMIT} levels, found more through aliases");
        Err(Error::from(Diagnostic::error(Code::Limit, message)).at(self.node))
    }

    fn string(self) -> Result<&'a str, Error> {
        self.node.as_str().ok_or_else(|| self.mismatch("a string"))
    }

    fn is_null(self) -> bool {
        matches!(self.node.value(), Some(Value::Null))
    }

    /// The error that the node is not `expected`, with a remedy where only quotes are at fault.
    fn mismatch(self, expected: &str) -> Error {
        let found = self.node.described();
        let diagnostic =
            Diagnostic::error(Code::Config, format!("expected {expected}, found {found}"));
        Error::from(diagnostic.help_if(self.quotes_help(expected))).at(self.node)
    }

    /// What to do if the text would be right with quotes, or without.
    fn quotes_help(self, expected: &str) -> Option<String> {
        let (text, value) = (self.node.text()?, self.node.value()?);
        match value {
            Value::String(_) => {
                let unquoted = match resolve(text, true, None) {
                    Value::Bool(_) => expected == "a boolean",
                    Value::Int(_) | Value::UInt(_) => expected.ends_with("number"),
                    Value::Float(_) => expected == "a number",
                    Value::Null | Value::String(_) => false,
                };
                unquoted.then(|| format!("write it without quotes: {text}"))
            }
            _ if expected == "a string" && !text.is_empty() => {
                Some(format!("write it in quotes: \"{text}\""))
            }
            _ => None,
        }
    }

    /// The error of a whole number that the wanted type cannot hold.
    fn out_of_range(self, found: impl std::fmt::Display, range: String) -> Error {
        Error::new(format!(
            "expected a whole number from {range}, found {found}"
        ))
        .at(self.node)
    }
}

/// Reads whole numbers of one type each, and says the type's range when one does not fit.
macro_rules! integers {
    ($($method:ident $type:ident $visit:ident,)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let range = || format!("{} to {}", $type::MIN, $type::MAX);
            let number = match self.node.value() {
                Some(Value::Int(found)) => $type::try_from(found).map_err(|_| self.out_of_range(found, range())),
                Some(Value::UInt(found)) => $type::try_from(found).map_err(|_| self.out_of_range(found, range())),
                _ => Err(self.mismatch("a whole number")),
            };
            visitor.$visit(number?).map_err(|error: Error| error.at(self.node))
        })*
    };
}

impl<'de> Deserializer<'de> for NodeDeserializer<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.node.as_mapping().is_some() {
            return self.deserialize_map(visitor);
        }
        if self.node.as_sequence().is_some() {
            return self.deserialize_seq(visitor);
        }
        let result = match self.node.value() {
            None | Some(Value::Null) => visitor.visit_unit(),
            Some(Value::Bool(value)) => visitor.visit_bool(value),
            Some(Value::Int(value)) => visitor.visit_i64(value),
            Some(Value::UInt(value)) => visitor.visit_u64(value),
            Some(Value::Float(value)) => visitor.visit_f64(value),
            Some(Value::String(value)) => visitor.visit_str(value),
        };
        result.map_err(|error: Error| error.at(self.node))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(Value::Bool(value)) = self.node.value() else {
            return Err(self.mismatch("a boolean"));
        };
        visitor
            .visit_bool(value)
            .map_err(|error: Error| error.at(self.node))
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

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = match self.node.value() {
            Some(Value::Int(value)) => value as f64,
            Some(Value::UInt(value)) => value as f64,
            Some(Value::Float(value)) => value,
            _ => return Err(self.mismatch("a number")),
        };
        visitor
            .visit_f64(value)
            .map_err(|error: Error| error.at(self.node))
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor
            .visit_str(self.string()?)
            .map_err(|error: Error| error.at(self.node))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor
            .visit_bytes(self.string()?.as_bytes())
            .map_err(|error: Error| error.at(self.node))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_null() {
            visitor.visit_unit()
        } else {
            Err(self.mismatch("null"))
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        capture::offer(name, self.node);
        visitor
            .visit_newtype_struct(self)
            .map_err(|error| error.at(self.node))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut items = Items::new(self)?;
        let value = visitor
            .visit_seq(&mut items)
            .map_err(|error: Error| error.at(self.node))?;
        items.finish()?;
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor
            .visit_map(Entries::new(self)?)
            .map_err(|error: Error| error.at(self.node))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let words = || list(variants.iter().copied());
        let variant = match (self.node.as_str(), self.node.as_mapping()) {
            (Some(_), _) => Variant::unit(self),
            (_, Some(mapping)) => match &mapping.entries[..] {
                [entry] => Variant::tagged(self, entry),
                _ => return Err(self.mismatch(&format!("a mapping with one key, {}", words()))),
            },
            _ => return Err(self.mismatch(&words())),
        };
        visitor
            .visit_enum(variant)
            .map_err(|error: Error| error.at(self.node))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor
            .visit_str(key_text(self.node)?)
            .map_err(|error: Error| error.at(self.node))
    }

    /// Does not look at the value at all, however deep it is.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}
