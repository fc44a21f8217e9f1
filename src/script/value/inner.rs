//! The values that a value contains, for walks that must not be recursive.

use starlark::values::Value;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;

use super::{BoundFunction, Object, fields};

/// Returns the values directly inside `value`: items, keys and values, fields.
pub(in crate::script) fn inner_values(value: Value<'_>) -> Vec<Value<'_>> {
    if let Some(list) = ListRef::from_value(value) {
        return list.iter().collect();
    }
    if let Some(tuple) = TupleRef::from_value(value) {
        return tuple.iter().collect();
    }
    if let Some(dict) = DictRef::from_value(value) {
        return dict.iter().flat_map(|(key, value)| [key, value]).collect();
    }
    if let Some(fields) = fields(value) {
        return fields.into_iter().map(|(_, value)| value).collect();
    }
    if let Some(object) = Object::from_value(value) {
        return object.members().collect();
    }
    // The arguments of a bound function are ordinary values of the program.
    if let Some(bound) = BoundFunction::from_value(value) {
        return std::iter::once(bound.function())
            .chain(bound.arguments())
            .collect();
    }
    Vec::new()
}
