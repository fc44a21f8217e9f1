//! `x[i]`, `x[i] = y` and `x[i] += y`, with the messages of ytt.

use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, UnpackValue, Value};

use super::operators;
use super::slice;
use crate::script::failure::Failure;
use crate::script::limits::memory;
use crate::script::limits::walk::check_walk;
use crate::script::value::{repr, type_name};
use crate::source::suggest::did_you_mean;

/// Returns `collection[key]`. The index of a string counts bytes.
pub(super) fn item<'v>(
    collection: Value<'v>,
    key: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    if let Some(dict) = DictRef::from_value(collection) {
        check_walk(key)?;
        return match dict.get(key)? {
            Some(value) => Ok(value),
            None => Err(missing_key(&dict, key).into()),
        };
    }
    if let Some(text) = collection.unpack_str() {
        let index = position(collection, key, text.len())?;
        return Ok(heap.alloc(slice::part(text, index, index + 1)?));
    }
    if let Some(list) = ListRef::from_value(collection) {
        let index = position(collection, key, list.len())?;
        return Ok(list.content()[index]);
    }
    if let Some(tuple) = TupleRef::from_value(collection) {
        let index = position(collection, key, tuple.len())?;
        return Ok(tuple.content()[index]);
    }
    if matches!(
        type_name(collection),
        "int" | "float" | "bool" | "NoneType" | "set" | "function" | "builtin_function_or_method"
    ) {
        return Err(Failure::new(format!(
            "unhandled index operation {}[{}]",
            type_name(collection),
            type_name(key)
        ))
        .into());
    }
    check_walk(key)?;
    collection.at(key, heap)
}

fn missing_key(dict: &DictRef<'_>, key: Value<'_>) -> Failure {
    let names = dict.keys().filter_map(|name| name.unpack_str());
    let help = key.unpack_str().and_then(|key| did_you_mean(key, names));
    Failure::new(format!("key {} not in dict", repr(key))).help_if(help)
}

/// Returns the position that an index means in a collection of `length` items. A negative one
/// counts from the end.
fn position(collection: Value<'_>, index: Value<'_>, length: usize) -> Result<usize, Failure> {
    let kind = type_name(collection);
    let Ok(Some(number)) = i64::unpack_value(index) else {
        let found = type_name(index);
        return Err(Failure::new(format!("{kind} index: got {found}, want int")));
    };
    let count = i64::try_from(length).unwrap_or(i64::MAX);
    let from_start = if number < 0 { number + count } else { number };
    match usize::try_from(from_start) {
        Ok(position) if position < length => Ok(position),
        _ if length == 0 => Err(Failure::new(format!(
            "index {number} out of range: empty {kind}"
        ))),
        _ => Err(Failure::new(format!(
            "{kind} index {number} out of range [-{length}:{}]",
            length - 1
        ))),
    }
}

/// Returns the index of an item counted from the start, for a function that takes no negative ones.
pub(super) fn from_start<'v>(
    collection: Value<'v>,
    index: Value<'v>,
    heap: Heap<'v>,
) -> Result<Value<'v>, Failure> {
    let length = usize::try_from(collection.length().unwrap_or(0)).unwrap_or(0);
    let position = position(collection, index, length)?;
    Ok(heap.alloc(i64::try_from(position).unwrap_or(i64::MAX)))
}

/// Carries out `collection[key] = value`.
pub(super) fn store<'v>(
    collection: Value<'v>,
    key: Value<'v>,
    value: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<()> {
    check_walk(key)?;
    if let Some(list) = ListRef::from_value(collection) {
        let index = position(collection, key, list.len())?;
        let index = eval.heap().alloc(i64::try_from(index).unwrap_or(i64::MAX));
        return collection.set_at(index, value);
    }
    let length = || DictRef::from_value(collection).map(|dict| dict.len());
    let before = length();
    if before.is_none() {
        return Err(Failure::new(format!(
            "{} value does not support item assignment",
            type_name(collection)
        ))
        .into());
    }
    collection.set_at(key, value)?;
    if before != length() {
        memory::take(memory::ENTRY, eval)?;
    }
    Ok(())
}

/// Carries out `collection[key] += value`, where `old` is the value before. A list is extended in
/// place, as others may share it.
pub(super) fn modify<'v>(
    target: (Value<'v>, Value<'v>, Value<'v>),
    operator: &str,
    value: Value<'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<()> {
    let (collection, key, old) = target;
    let is_list = ListRef::from_value(old).is_some();
    if operator == "+" && is_list && ListRef::from_value(value).is_some() {
        operators::check_sum(old, value)?;
        memory::check(eval)?;
        let extend = old.get_attr_error("extend", eval.heap())?;
        eval.eval_function(extend, &[value], &[])?;
        return store(collection, key, old, eval);
    }
    let new = operators::operate(operator, old, value, eval)?;
    store(collection, key, new, eval)
}
