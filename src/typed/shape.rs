//! Determines the shape of a configuration type by running its deserialization.
//!
//! A type that derives `Deserialize` requests values from its deserializer: a struct with these
//! fields, a list, a string. [`shape_at`] runs it with a deserializer that follows one path and
//! records the request at its end:
//!
//! ```text
//! shape_at::<Config>([])                      a struct with the fields `name`, `items`
//! shape_at::<Config>([Field("items")])        a list
//! shape_at::<Config>([Field("items"), Item])  a string
//! ```
//!
//! So nothing about a type is written down twice. A new field automatically appears in everything
//! that is derived from the shape, such as the JSON Schema of a configuration.

use std::cell::RefCell;
use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::capture;
use crate::yaml::Node;

/// The kind of value that a type requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeShape {
    /// Any value.
    Any,
    /// `true` or `false`.
    Boolean,
    /// An integer.
    Integer {
        /// Whether it must not be negative.
        is_unsigned: bool,
    },
    /// A number.
    Number,
    /// A string.
    Text,
    /// One of these strings.
    Choice(&'static [&'static str]),
    /// A list.
    List,
    /// A mapping with any keys.
    Map,
    /// A mapping with certain keys.
    Struct {
        /// The name of the type.
        name: &'static str,
        /// The keys.
        fields: &'static [&'static str],
    },
}

/// A step from a value to a value inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeStep {
    /// To the value of a field.
    Field(&'static str),
    /// To an item of a list.
    Item,
    /// To a value of a mapping with any keys.
    Value,
}

/// Returns the kind of value that the type `T` requests at the end of a path.
pub fn shape_at<T: DeserializeOwned>(path: &[ShapeStep]) -> TypeShape {
    let shape = RefCell::new(TypeShape::Any);
    // The deserializer stops with an error once it knows the shape.
    let _ = T::deserialize(ShapeDeserializer {
        path,
        shape: &shape,
    });
    shape.into_inner()
}

/// Follows a path, and records the request of the type at its end.
struct ShapeDeserializer<'p> {
    path: &'p [ShapeStep],
    shape: &'p RefCell<TypeShape>,
}

impl<'p> ShapeDeserializer<'p> {
    /// Returns the next step and the deserializer after it. At the end of the path, records the
    /// shape and stops.
    fn step(self, shape: TypeShape) -> Result<(ShapeStep, ShapeDeserializer<'p>), Stopped> {
        match self.path.split_first() {
            Some((first, rest)) => Ok((*first, ShapeDeserializer { path: rest, ..self })),
            None => {
                *self.shape.borrow_mut() = shape;
                Err(Stopped)
            }
        }
    }

    /// Records the shape of a value without parts.
    fn leaf<V>(self, shape: TypeShape) -> Result<V, Stopped> {
        self.step(shape)?;
        Err(Stopped)
    }
}

/// The error that ends the deserialization. Nothing is wrong, but there is no value.
#[derive(Debug)]
struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the shape is known")
    }
}

impl std::error::Error for Stopped {}

impl Error for Stopped {
    fn custom<T: fmt::Display>(_: T) -> Stopped {
        Stopped
    }
}

/// Methods for values without parts.
macro_rules! leaves {
    ($($method:ident => $shape:expr,)*) => {
        $(fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stopped> {
            self.leaf($shape)
        })*
    };
}

const SIGNED: TypeShape = TypeShape::Integer { is_unsigned: false };
const UNSIGNED: TypeShape = TypeShape::Integer { is_unsigned: true };

impl<'de> Deserializer<'de> for ShapeDeserializer<'_> {
    type Error = Stopped;

    leaves! {
        deserialize_any => TypeShape::Any,
        deserialize_bool => TypeShape::Boolean,
        deserialize_i8 => SIGNED,
        deserialize_i16 => SIGNED,
        deserialize_i32 => SIGNED,
        deserialize_i64 => SIGNED,
        deserialize_i128 => SIGNED,
        deserialize_u8 => UNSIGNED,
        deserialize_u16 => UNSIGNED,
        deserialize_u32 => UNSIGNED,
        deserialize_u64 => UNSIGNED,
        deserialize_u128 => UNSIGNED,
        deserialize_f32 => TypeShape::Number,
        deserialize_f64 => TypeShape::Number,
        deserialize_char => TypeShape::Text,
        deserialize_str => TypeShape::Text,
        deserialize_string => TypeShape::Text,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stopped> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stopped> {
        // `RawNode` accepts any node and requests nothing; `Spanned` requests its value.
        capture::offer(name, &Node::plain("null"));
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stopped> {
        let (_, inner) = self.step(TypeShape::List)?;
        visitor.visit_seq(OneItem(Some(inner)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stopped> {
        let (_, inner) = self.step(TypeShape::Map)?;
        visitor.visit_map(OneEntry("key", Some(inner)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stopped> {
        match self.step(TypeShape::Struct { name, fields })? {
            (ShapeStep::Field(name), inner) => visitor.visit_map(OneEntry(name, Some(inner))),
            _ => Err(Stopped),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Stopped> {
        self.leaf(TypeShape::Choice(variants))
    }

    forward_to_deserialize_any! {
        bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

/// A list with one item.
struct OneItem<'p>(Option<ShapeDeserializer<'p>>);

impl<'de> SeqAccess<'de> for OneItem<'_> {
    type Error = Stopped;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Stopped> {
        let item = self.0.take();
        item.map(|item| seed.deserialize(item)).transpose()
    }
}

/// A mapping with one entry.
struct OneEntry<'p>(&'static str, Option<ShapeDeserializer<'p>>);

impl<'de> MapAccess<'de> for OneEntry<'_> {
    type Error = Stopped;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Stopped> {
        if self.1.is_none() {
            return Ok(None);
        }
        seed.deserialize(StrDeserializer::new(self.0)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Stopped> {
        match self.1.take() {
            Some(value) => seed.deserialize(value),
            None => Err(Stopped),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;
    use crate::typed::{RawNode, Spanned};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    #[allow(dead_code, reason = "only its shape is asked for")]
    struct Outer {
        user_name: Spanned<String>,
        tree: Option<RawNode>,
        items: Option<Vec<Spanned<Inner>>>,
        map: BTreeMap<String, u8>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code, reason = "only its shape is asked for")]
    enum Inner {
        One,
        Two,
    }

    #[test]
    fn a_type_says_what_it_asks_for() {
        use ShapeStep::{Field, Item, Value};
        let shape = |path: &[ShapeStep]| shape_at::<Outer>(path);
        let fields: &[&str] = &["userName", "tree", "items", "map"];
        let name = "Outer";
        assert_eq!(shape(&[]), TypeShape::Struct { name, fields });
        assert_eq!(shape(&[Field("userName")]), TypeShape::Text);
        assert_eq!(shape(&[Field("tree")]), TypeShape::Any);
        assert_eq!(shape(&[Field("items")]), TypeShape::List);
        let choice: &[&str] = &["one", "two"];
        assert_eq!(shape(&[Field("items"), Item]), TypeShape::Choice(choice));
        assert_eq!(shape(&[Field("map")]), TypeShape::Map);
        assert_eq!(shape(&[Field("map"), Value]), UNSIGNED);
    }
}
