//! Conversions and comparisons of values for native functions: the methods of a [`Caller`] that
//! inspect a value.

use std::sync::Arc;

use starlark::values::ValueLike;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;

use super::{Caller, Value};
use crate::script::function::NativeFunction;
use crate::script::limits::size;
use crate::script::limits::walk::{Steps, visit_all};
use crate::script::value::{Fragment, OrderOperator, is_ordered, to_sized_node, values_equal};
use crate::source::{Code, Diagnostic, Limit, Result};
use crate::yaml::Node;

/// The bytes of nodes that are made in one step.
const BYTES_MADE_PER_STEP: usize = 8;

/// The steps for visiting the nodes of one byte of a fragment's text.
const VISIT_STEPS_PER_BYTE: usize = 2;

/// The steps for one byte of a text in a language that is parsed or written.
const CONVERSION_STEPS_PER_BYTE: usize = 4;

impl<'v> Caller<'_, 'v> {
    /// Converts a value to a node that is needed during a call. Fragments share their nodes.
    ///
    /// # Errors
    /// Fails for a value that YAML cannot represent.
    pub fn node(&self, value: Value<'v>) -> Result<Arc<Node>> {
        let sized = to_sized_node(value.0, self.heap()).map_err(|error| self.diagnose(error))?;
        // The nodes of fragments are shared, so only what was made counts.
        self.charge(sized.made / BYTES_MADE_PER_STEP)?;
        Ok(sized.node)
    }

    /// Converts a value to a node that stays in memory, as part of a fragment or of an object. As
    /// [`Caller::node`], but also counts the memory of what was made.
    ///
    /// # Errors
    /// Fails for a value that YAML cannot represent.
    pub fn kept_node(&self, value: Value<'v>) -> Result<Arc<Node>> {
        let sized = to_sized_node(value.0, self.heap()).map_err(|error| self.diagnose(error))?;
        self.charge(sized.made / BYTES_MADE_PER_STEP)?;
        self.note_state(sized.made);
        Ok(sized.node)
    }

    /// Charges for an operation that may visit everything inside a fragment. Other values are
    /// charged when they are converted to nodes.
    ///
    /// # Errors
    /// Fails if the evaluation has taken too long.
    pub fn charge_fragment(&self, value: Value<'v>) -> Result<()> {
        let Some(fragment) = value.0.downcast_ref::<Fragment>() else {
            return Ok(());
        };
        let size = fragment.size().map_err(|failure| failure.0)?;
        self.charge(size.saturating_mul(VISIT_STEPS_PER_BYTE))
    }

    /// Charges for reading or writing a text of `length` bytes in a language such as JSON, which
    /// makes a value for every few bytes of it.
    ///
    /// # Errors
    /// Fails if the evaluation has taken too long.
    pub fn charge_conversion(&self, length: usize) -> Result<()> {
        self.charge(length.saturating_mul(CONVERSION_STEPS_PER_BYTE))
    }

    /// Charges for everything inside a value that is about to be copied. A value that contains
    /// another value twice, repeatedly, becomes far larger when it is copied.
    ///
    /// # Errors
    /// Fails if the copy would have more values than [`Limit::ListLength`] allows, or if the
    /// evaluation has taken too long.
    pub fn count_copy(&self, value: Value<'v>) -> Result<()> {
        let mut steps = Steps::up_to(Limit::ListLength);
        visit_all(value.0, &mut steps).map_err(|failure| failure.0)?;
        self.charge(steps.taken())
    }

    /// Converts a value to a node that will be written as one string.
    ///
    /// # Errors
    /// Fails as [`node`](Self::node) does, and for a value whose text exceeds the limit on the
    /// length of a string.
    pub fn encodable_node(&self, value: Value<'v>) -> Result<Arc<Node>> {
        let sized = to_sized_node(value.0, self.heap()).map_err(|error| self.diagnose(error))?;
        size::check_string(sized.size).map_err(|failure| failure.0)?;
        self.charge_conversion(sized.size)?;
        Ok(sized.node)
    }

    /// Returns the attribute `name` of a value, if it has one.
    ///
    /// # Errors
    /// Fails if the value cannot compute the attribute.
    pub fn attribute(&self, value: Value<'v>, name: &str) -> Result<Option<Value<'v>>> {
        match value.0.get_attr(name, self.heap()) {
            Ok(found) => Ok(found.map(Value)),
            Err(error) => Err(self.diagnose(error)),
        }
    }

    /// Returns the values of a list, a tuple, or a fragment that is a sequence; `None` for any
    /// other value.
    ///
    /// # Errors
    /// Fails if the value cannot be iterated over, which would be a bug in Inlay.
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

    /// Returns the keys of a dictionary, a struct, or a fragment that is a mapping; `None` for any
    /// other value.
    ///
    /// # Errors
    /// Fails if the value cannot be iterated over, which would be a bug in Inlay.
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
    /// Fails for a key that cannot be looked up, such as a list.
    pub fn item(&self, collection: Value<'v>, key: Value<'v>) -> Result<Option<Value<'v>>> {
        // Check this first, because `at` fails for a missing key, and its error could not be
        // distinguished from others.
        let contains = collection.0.is_in(key.0);
        if !contains.map_err(|error| self.diagnose(error))? {
            return Ok(None);
        }
        match collection.0.at(key.0, self.heap()) {
            Ok(value) => Ok(Some(Value(value))),
            Err(error) => Err(self.diagnose(error)),
        }
    }

    /// Returns the result of `len(value)`: the number of bytes of a string, of items, entries or
    /// documents.
    ///
    /// # Errors
    /// Fails if the value has no length.
    pub fn length(&self, value: Value<'v>) -> Result<i64> {
        if let Some(text) = value.as_str() {
            return Ok(i64::try_from(text.len()).unwrap_or(i64::MAX));
        }
        // The crate's error gives no useful reason: the value simply has no length.
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
    /// Fails for values that are too large to be compared.
    pub fn is_equal(&self, left: Value<'v>, right: Value<'v>) -> Result<bool> {
        let mut steps = Steps::default();
        let is_equal = values_equal(left.0, right.0, &mut steps);
        self.charge(steps.taken())?;
        is_equal.map_err(|error| self.diagnose(error))
    }

    /// Returns whether `left < right`.
    ///
    /// # Errors
    /// Fails for values without an order, and for values that are too large to be compared.
    pub fn is_less(&self, left: Value<'v>, right: Value<'v>) -> Result<bool> {
        let operator = OrderOperator::Less;
        let mut steps = Steps::default();
        let is_less = is_ordered(operator, left.0, right.0, &mut steps);
        self.charge(steps.taken())?;
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
    /// Returns the full name of a native function: the name given to [`Caller::function`] or in a
    /// [`NativeModule`](crate::script::NativeModule). Returns `None` for any other value.
    pub fn native_name(self) -> Option<&'static str> {
        let function = self.0.downcast_ref::<NativeFunction>()?;
        Some(function.name())
    }
}
