//! Conversions and comparisons of values for native functions: what a [`Caller`] answers about a
//! value.

use std::sync::Arc;

use starlark::values::ValueLike;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;

use super::{Caller, Value};
use crate::script::function::NativeFunction;
use crate::script::limits::size;
use crate::script::limits::walk::{Steps, visit_all};
use crate::script::value::{
    Fragment, OrderOperator, is_ordered, to_node, to_sized_node, values_equal,
};
use crate::source::{Code, Diagnostic, Limit, Result};
use crate::yaml::Node;

impl<'v> Caller<'_, 'v> {
    /// Converts a value to a node. Fragments share theirs.
    ///
    /// # Errors
    /// A value that YAML has no form for.
    pub fn node(&self, value: Value<'v>) -> Result<Arc<Node>> {
        to_node(value.0, self.heap()).map_err(|error| self.diagnose(error))
    }

    /// Counts everything inside of a value that is copied next. A value that contains another one
    /// twice, many times over, becomes far larger than it is.
    ///
    /// # Errors
    /// The copy would have more than 1,000,000 values, or the evaluation has taken too long.
    pub fn count_copy(&self, value: Value<'v>) -> Result<()> {
        let mut steps = Steps::up_to(Limit::ListLength);
        visit_all(value.0, &mut steps).map_err(|failure| failure.0)?;
        let charged = self.evaluator.charge(steps.taken());
        charged.map_err(|error| self.diagnose(error))
    }

    /// Converts a value to a node that is written as one string.
    ///
    /// # Errors
    /// As [`node`](Self::node), and a value whose text is longer than a string may be.
    pub fn encodable_node(&self, value: Value<'v>) -> Result<Arc<Node>> {
        let sized = to_sized_node(value.0, self.heap()).map_err(|error| self.diagnose(error))?;
        size::check_string(sized.size).map_err(|failure| failure.0)?;
        let charged = self.evaluator.charge(sized.size / 8);
        charged.map_err(|error| self.diagnose(error))?;
        Ok(sized.node)
    }

    /// Returns the attribute `name` of a value, if it has one.
    ///
    /// # Errors
    /// The value cannot compute it.
    pub fn attribute(&self, value: Value<'v>, name: &str) -> Result<Option<Value<'v>>> {
        match value.0.get_attr(name, self.heap()) {
            Ok(found) => Ok(found.map(Value)),
            Err(error) => Err(self.diagnose(error)),
        }
    }

    /// Returns the values of a list, a tuple, or a fragment that is a sequence; `None` for anything
    /// else.
    ///
    /// # Errors
    /// The value cannot be iterated, which would be a fault of Inlay.
    pub fn sequence(&self, value: Value<'v>) -> Result<Option<Vec<Value<'v>>>> {
        let is_sequence = match value.0.downcast_ref::<Fragment>() {
            Some(fragment) => !fragment.is_mapping(),
            None => {
                ListRef::from_value(value.0).is_some() || TupleRef::from_value(value.0).is_some()
            }
        };
        if !is_sequence {
            return Ok(None);
        }
        self.iterate(value).map(Some)
    }

    /// Returns the keys of a dictionary, a struct, or a fragment that is a mapping; `None` for
    /// anything else.
    ///
    /// # Errors
    /// The value cannot be iterated, which would be a fault of Inlay.
    pub fn keys(&self, value: Value<'v>) -> Result<Option<Vec<Value<'v>>>> {
        let is_mapping = match value.0.downcast_ref::<Fragment>() {
            Some(fragment) => fragment.is_mapping(),
            None => {
                matches!(value.0.get_type(), "dict" | "struct")
            }
        };
        if !is_mapping {
            return Ok(None);
        }
        self.iterate(value).map(Some)
    }

    /// Returns `collection[key]`, if the collection has the key.
    ///
    /// # Errors
    /// A key that cannot be looked up, such as a list.
    pub fn item(&self, collection: Value<'v>, key: Value<'v>) -> Result<Option<Value<'v>>> {
        // Asked first, because `at` fails for a missing key, and its error could not be
        // distinguished from another one.
        let contains = collection.0.is_in(key.0);
        if !contains.map_err(|error| self.diagnose(error))? {
            return Ok(None);
        }
        match collection.0.at(key.0, self.heap()) {
            Ok(value) => Ok(Some(Value(value))),
            Err(error) => Err(self.diagnose(error)),
        }
    }

    /// Returns what `len(value)` returns: bytes of a string, items, entries or documents.
    ///
    /// # Errors
    /// The value has no length.
    pub fn length(&self, value: Value<'v>) -> Result<i64> {
        if let Some(text) = value.as_str() {
            return Ok(i64::try_from(text.len()).unwrap_or(i64::MAX));
        }
        // The crate has no words of its own for the reason: the value has no length.
        value.0.length().map(i64::from).map_err(|_| {
            let kind = value.type_name();
            Diagnostic::error(
                Code::Script,
                format!("len: value of type {kind} has no len"),
            )
        })
    }

    /// Compares two values as `==` does.
    ///
    /// # Errors
    /// Values that are too large to be compared.
    pub fn is_equal(&self, left: Value<'v>, right: Value<'v>) -> Result<bool> {
        let is_equal = values_equal(left.0, right.0, &mut Steps::default());
        is_equal.map_err(|error| self.diagnose(error))
    }

    /// Returns whether `left < right`.
    ///
    /// # Errors
    /// Values that have no order, or are too large to be compared.
    pub fn is_less(&self, left: Value<'v>, right: Value<'v>) -> Result<bool> {
        let operator = OrderOperator::Less;
        let is_less = is_ordered(operator, left.0, right.0, &mut Steps::default());
        is_less.map_err(|error| self.diagnose(error))
    }

    fn iterate(&self, value: Value<'v>) -> Result<Vec<Value<'v>>> {
        match value.0.iterate(self.heap()) {
            Ok(values) => Ok(values.map(Value).collect()),
            Err(error) => Err(self.diagnose(error)),
        }
    }
}

impl Value<'_> {
    /// Returns the full name of a function in Rust, if it is one: what [`Caller::function`] or a
    /// [`NativeModule`](crate::script::NativeModule) gave it.
    pub fn native_name(self) -> Option<&'static str> {
        let function = self.0.downcast_ref::<NativeFunction>()?;
        Some(function.name())
    }
}
