//! A value of a program, for use by other modules.

use std::fmt;
use std::sync::Arc;

use starlark::values::dict::DictRef;
use starlark::values::float::UnpackFloat;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{UnpackValue, Value as Raw, ValueLike};

use crate::script::fragments::Built;
use crate::script::value::{
    BoundFunction, Fragment, FragmentContent, fields, is_callable, repr, text, type_name,
};

/// A value of a program.
#[derive(Clone, Copy)]
pub struct Value<'v>(pub(in crate::script) Raw<'v>);

/// The arguments of a call or of an annotation.
#[derive(Debug, Default)]
pub struct Arguments<'v> {
    /// The positional arguments.
    pub positional: Vec<Value<'v>>,
    /// The named arguments, in order.
    pub named: Vec<(String, Value<'v>)>,
}

impl<'v> Value<'v> {
    /// Returns `None`.
    pub fn none() -> Value<'v> {
        Value(Raw::new_none())
    }

    /// Returns a boolean.
    pub fn boolean(value: bool) -> Value<'v> {
        Value(Raw::new_bool(value))
    }

    /// Returns whether it is `None`.
    pub fn is_none(self) -> bool {
        self.0.is_none()
    }

    /// Returns the boolean, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        self.0.unpack_bool()
    }

    /// Returns the string, if it is one.
    pub fn as_str(self) -> Option<&'v str> {
        self.0.unpack_str()
    }

    /// Returns the integer, if it is one that fits into 64 bits.
    pub fn as_integer(self) -> Option<i64> {
        i64::unpack_value(self.0).ok().flatten()
    }

    /// Returns the value of an integer or float as a float.
    pub fn as_number(self) -> Option<f64> {
        // This also unpacks integers.
        let number = UnpackFloat::unpack_value(self.0).ok().flatten()?;
        Some(number.0)
    }

    /// Returns the values of a tuple, if it is one.
    pub fn as_tuple(self) -> Option<Vec<Value<'v>>> {
        let tuple = TupleRef::from_value(self.0)?;
        Some(tuple.iter().map(Value).collect())
    }

    /// Returns the values of a list, if it is one.
    pub fn as_list(self) -> Option<Vec<Value<'v>>> {
        let list = ListRef::from_value(self.0)?;
        Some(list.iter().map(Value).collect())
    }

    /// Returns the keys and values of a dictionary, if it is one.
    pub fn as_dictionary(self) -> Option<Vec<(Value<'v>, Value<'v>)>> {
        let dict = DictRef::from_value(self.0)?;
        let entries = dict.iter().map(|(key, value)| (Value(key), Value(value)));
        Some(entries.collect())
    }

    /// Returns the names and values of a struct, if it is one.
    pub fn as_structure(self) -> Option<Vec<(&'v str, Value<'v>)>> {
        let fields = fields(self.0)?.into_iter();
        Some(fields.map(|(name, value)| (name, Value(value))).collect())
    }

    /// Returns the function and the arguments of a value created by
    /// [`Caller::bind`](super::Caller::bind).
    pub fn as_bound(self) -> Option<(Value<'v>, Vec<Value<'v>>)> {
        let bound = BoundFunction::from_value(self.0)?;
        let arguments = bound.arguments().map(Value).collect();
        Some((Value(bound.function()), arguments))
    }

    /// Returns the documents, if it is a document set.
    pub fn as_documents(self) -> Option<Arc<[Built]>> {
        match &self.0.downcast_ref::<Fragment>()?.content {
            FragmentContent::Documents(documents) => Some(Arc::clone(documents)),
            FragmentContent::Node(_) | FragmentContent::Nothing => None,
        }
    }

    /// Returns whether it is a part of a document.
    pub fn is_fragment(self) -> bool {
        self.0.downcast_ref::<Fragment>().is_some()
    }

    /// Returns whether it is the result of a function that contains nodes but did not build one.
    pub fn is_empty_fragment(self) -> bool {
        let fragment = self.0.downcast_ref::<Fragment>();
        fragment.is_some_and(|fragment| matches!(fragment.content, FragmentContent::Nothing))
    }

    /// Returns whether it can be called.
    pub fn is_function(self) -> bool {
        is_callable(self.0)
    }

    /// Returns the number of parameters of a function that a program defines; `None` for any other
    /// value.
    pub fn parameters(self) -> Option<usize> {
        Some(self.0.parameters_spec()?.len())
    }

    /// Returns the result of `type(value)`.
    pub fn type_name(self) -> &'static str {
        type_name(self.0)
    }

    /// Returns the result of `str(value)`.
    pub fn text(self) -> String {
        text(self.0)
    }

    /// Returns the result of `repr(value)`.
    pub fn repr(self) -> String {
        repr(self.0)
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.type_name())
    }
}
