//! `x[i]`, `x[i] = y` and `x[i] += y`, with ytt's messages.

use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, UnpackValue, Value};

use super::operators;
use super::slice;
use super::{collections, extension};
use crate::script::failure::Failure;
use crate::script::limits::walk::{check_hashable, visit_all};
use crate::script::limits::{memory, size, work};
use crate::script::value::{entry_value, known_key, repr, type_name};
use crate::source::suggest::did_you_mean;

/// Returns `collection[key]`. The index into a string counts bytes.
pub(super) fn item<'v>(
    collection: Value<'v>,
    key: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    if let Some(dict) = DictRef::from_value(collection) {
        // The crate would hash a large tuple without charging for the time.
        work::charged(eval, |steps| Ok(check_hashable(key, steps)?))?;
        return match entry_value(&dict, key, heap)? {
            Some(value) => Ok(value),
            None => Err(missing_key(&dict, key).into()),
        };
    }
    if let Some(text) = collection.unpack_str() {
        let index = position(collection, key, text.len())?;
        return Ok(heap.alloc(slice::part(text, index, index + 1)?));
    }
    if collection.get_type() == "range" {
        let length = size::length(collection).unwrap_or(0);
        let index = position(collection, key, length)?;
        return collection.at(heap.alloc(i64::try_from(index).unwrap_or(i64::MAX)), heap);
    }
    if let Some(list) = ListRef::from_value(collection) {
        let index = position(collection, key, list.len())?;
        return Ok(list.content()[index]);
    }
    if let Some(tuple) = TupleRef::from_value(collection) {
        let index = position(collection, key, tuple.len())?;
        return Ok(tuple.content()[index]);
    }
    // For these types, the crate's messages differ from ytt's.
    if matches!(
        type_name(collection),
        "int"
            | "float"
            | "bool"
            | "NoneType"
            | "set"
            | "elems"
            | "codepoints"
            | "function"
            | "builtin_function_or_method"
    ) {
        return Err(Failure::new(format!(
            "unhandled index operation {}[{}]",
            type_name(collection),
            type_name(key)
        ))
        .into());
    }
    // Our own values, such as fragments and structs, look up the key themselves.
    work::charged(eval, |steps| Ok(visit_all(key, steps)?))?;
    collection.at(key, heap)
}

fn missing_key(dict: &DictRef<'_>, key: Value<'_>) -> Failure {
    let names = dict.keys().filter_map(|name| name.unpack_str());
    let help = key.unpack_str().and_then(|key| did_you_mean(key, names));
    Failure::new(format!("key {} not in dict", repr(key))).help_if(help)
}

/// Returns the position of an index in a collection of `length` items. A negative index counts
/// from the end.
fn position(collection: Value<'_>, index: Value<'_>, length: usize) -> Result<usize, Failure> {
    let kind = type_name(collection);
    let Ok(Some(number)) = i64::unpack_value(index) else {
        let reason = match type_name(index) {
            "int" => format!("{} out of range", repr(index)),
            found => format!("got {found}, want int"),
        };
        return Err(Failure::new(format!("{kind} index: {reason}")));
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

/// Returns the index of an item counted from the start, for a function that accepts no negative
/// index.
pub(super) fn from_start<'v>(
    collection: Value<'v>,
    index: Value<'v>,
    heap: Heap<'v>,
) -> Result<Value<'v>, Failure> {
    let length = usize::try_from(collection.length().unwrap_or(0)).unwrap_or(0);
    let position = position(collection, index, length)?;
    Ok(heap.alloc(i64::try_from(position).unwrap_or(i64::MAX)))
}

/// Executes `collection[key] = value`.
pub(super) fn store<'v>(
    collection: Value<'v>,
    key: Value<'v>,
    value: Value<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<()> {
    if let Some(list) = ListRef::from_value(collection) {
        if key.get_type() != "int" {
            let found = type_name(key);
            return Err(Failure::new(format!("got {found}, want int")).into());
        }
        let index = position(collection, key, list.len())?;
        let index = eval.heap().alloc(i64::try_from(index).unwrap_or(i64::MAX));
        return set(collection, index, value, "assign to element of");
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
    work::charged(eval, |steps| Ok(check_hashable(key, steps)?))?;
    let key = match DictRef::from_value(collection) {
        Some(dict) => known_key(&dict, key, eval.heap())?,
        None => key,
    };
    set(collection, key, value, "insert into")?;
    if before != length() {
        memory::take(memory::ENTRY, eval)?;
    }
    Ok(())
}

/// Stores a value. `change` names the change in the error for a collection that a loop iterates
/// over or that other files share.
fn set<'v>(
    collection: Value<'v>,
    key: Value<'v>,
    value: Value<'v>,
    change: &str,
) -> starlark::Result<()> {
    let result = collection.set_at(key, value);
    result.map_err(
        |error| match collections::refused_change(&error, change, collection) {
            Some(failure) => failure.into(),
            None => error,
        },
    )
}

/// Executes `collection[key] += value`, where `old` is the previous value. A list is extended in
/// place, because other variables may refer to it.
pub(super) fn modify<'v>(
    target: (Value<'v>, Value<'v>, Value<'v>),
    operator: &str,
    value: Value<'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<()> {
    let (collection, key, old) = target;
    let is_list = ListRef::from_value(old).is_some();
    if operator == "+"
        && is_list
        && let Some(items) = ListRef::from_value(value)
    {
        operators::check_sum(old, value)?;
        memory::check(eval)?;
        extension::extend(old, items.content(), eval)?;
        return store(collection, key, old, eval);
    }
    let new = operators::operate(operator, old, value, eval)?;
    store(collection, key, new, eval)
}
