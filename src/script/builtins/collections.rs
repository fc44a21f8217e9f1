//! The methods of lists, dictionaries and sets.

use starlark::eval::Evaluator;
use starlark::values::dict::{DictMut, DictRef};
use starlark::values::list::{AllocList, ListRef};
use starlark::values::{Heap, Value};

use super::slice::check_bound;
use super::{entry, extension, sequences};
use crate::script::builtin_call::BuiltinCall;
use crate::script::failure::Failure;
use crate::script::limits::walk::{Steps, check_hashable};
use crate::script::limits::{memory, outside, size, work};
use crate::script::value::{entry_value, known_key, values_equal};

/// The memory is not checked for operations on values up to this length.
const SMALL: usize = 512;

/// Calls a method of a list, a dictionary or a set. The arguments were checked before.
pub(super) fn call_method<'v>(
    receiver: Value<'v>,
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    // Measure the entries that the call adds by the growth of the receiver, because the crate does
    // not report them.
    let before = size::length(receiver).unwrap_or_default();
    let value = match receiver.get_type() {
        "list" => list_method(receiver, call, eval)?,
        "dict" => dict_method(receiver, call, eval)?,
        _ => set_method(receiver, call, eval)?,
    };
    let grown = size::length(receiver)
        .unwrap_or_default()
        .saturating_sub(before);
    if receiver.get_type() != "list" {
        memory::take(grown * memory::ENTRY, eval)?;
        memory::take_entries(value, eval)?;
    }
    if before > SMALL || grown > SMALL {
        memory::check(eval)?;
    }
    Ok(value)
}

/// Calls the crate's implementation of the method.
fn of_crate<'v>(
    receiver: Value<'v>,
    call: &BuiltinCall<'_, 'v>,
    arguments: &[Value<'v>],
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let method = receiver.get_attr_error(call.name, eval.heap())?;
    let result = outside::call(method, arguments, &[], eval);
    result.map_err(|error| in_words_of_ytt(error, receiver, call))
}

/// Returns the error of a method of the crate in ytt's words. The crate has a single message for
/// all changes to a value that is being iterated over, and another one for all changes to a frozen
/// value.
fn in_words_of_ytt(
    error: starlark::Error,
    receiver: Value<'_>,
    call: &BuiltinCall<'_, '_>,
) -> starlark::Error {
    let change = match (receiver.get_type(), call.name) {
        ("list", "append") => "append to",
        ("list", "pop") => "pop from",
        ("list", "remove") => "remove from",
        (_, "clear") => "clear",
        ("list", "extend") => "extend",
        ("dict", "pop" | "popitem") => "delete from",
        _ => "insert into",
    };
    let Some(failure) = refused_change(&error, change, receiver) else {
        return error;
    };
    match (receiver.get_type(), call.name) {
        // This is the only message without the method's name in front.
        ("dict", "clear") => failure.into(),
        _ => call.prefixed(failure).into(),
    }
}

/// Returns the failure for a change to a list or dictionary that a loop iterates over, or that
/// other files share. Returns `None` if the crate's error has another reason.
pub(super) fn refused_change(
    error: &starlark::Error,
    change: &str,
    collection: Value<'_>,
) -> Option<Failure> {
    let collection = match collection.get_type() {
        "list" => "list",
        _ => "hash table",
    };
    let message = error.without_diagnostic().to_string();
    if message.contains("mutates an iterable") {
        let message = format!("cannot {change} {collection} during iteration");
        return Some(Failure::new(message));
    }
    let is_frozen = message == "Immutable";
    is_frozen.then(|| Failure::new(format!("cannot {change} frozen {collection}")))
}

fn list_method<'v>(
    receiver: Value<'v>,
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    match (call.name, call.positional) {
        ("pop", arguments) => pop(receiver, arguments.first().copied(), call, eval),
        ("index", [wanted, bounds @ ..]) => {
            match position(receiver, *wanted, bounds, call, eval)? {
                Some(place) => Ok(index_value(place, eval.heap())),
                None => Err(call.failure("value not in list").into()),
            }
        }
        ("remove", [wanted]) => remove(receiver, *wanted, call, eval),
        ("insert", [index, item]) => {
            let length = size::length(receiver).unwrap_or(0);
            let place = within(index.unpack_i32().unwrap_or(0), length);
            work::charge(length - place, eval)?;
            let inserted = extension::insert(receiver, place, *item, eval);
            changed(inserted, receiver, call)
        }
        ("append", [item]) => {
            let extended = extension::extend(receiver, &[*item], eval);
            changed(extended, receiver, call)
        }
        ("extend", [items]) => {
            size::check_list(size::length(*items).unwrap_or(0))?;
            let items = sequences::items_of(Some(*items), eval.heap())?;
            let extended = extension::extend(receiver, &items, eval);
            changed(extended, receiver, call)
        }
        _ => of_crate(receiver, call, call.positional, eval),
    }
}

/// Returns the result of a method that changes a collection and returns nothing.
fn changed<'v>(
    result: starlark::Result<()>,
    receiver: Value<'v>,
    call: &BuiltinCall<'_, 'v>,
) -> starlark::Result<Value<'v>> {
    result.map_err(|error| in_words_of_ytt(error, receiver, call))?;
    Ok(Value::new_none())
}

/// Removes the item at an index, by default the last one, and returns it.
fn pop<'v>(
    list: Value<'v>,
    index: Option<Value<'v>>,
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    let index = index.unwrap_or_else(|| heap.alloc(-1));
    let index = entry::from_start(list, index, heap).map_err(|failure| call.prefixed(failure))?;
    charge_moved(list, index, eval)?;
    of_crate(list, call, &[index], eval)
}

/// Removes the first item that equals `wanted`.
///
/// The item is found here, so that the comparisons are charged as work, and removed with the crate's
/// `pop`.
fn remove<'v>(
    list: Value<'v>,
    wanted: Value<'v>,
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    let Some(place) = position(list, wanted, &[], call, eval)? else {
        return Err(call.failure("element not found").into());
    };
    let place = index_value(place, heap);
    charge_moved(list, place, eval)?;
    let pop = list.get_attr_error("pop", heap)?;
    let removed = outside::call(pop, &[place], &[], eval);
    removed.map_err(|error| in_words_of_ytt(error, list, call))?;
    Ok(Value::new_none())
}

fn index_value<'v>(index: usize, heap: Heap<'v>) -> Value<'v> {
    heap.alloc(i64::try_from(index).unwrap_or(i64::MAX))
}

/// Charges for the items after a position, which are moved when an item is inserted or removed
/// there.
fn charge_moved(
    list: Value<'_>,
    place: Value<'_>,
    eval: &Evaluator<'_, '_, '_>,
) -> starlark::Result<()> {
    let place = usize::try_from(place.unpack_i32().unwrap_or(0)).unwrap_or(0);
    let length = size::length(list).unwrap_or(0);
    work::charge(length.saturating_sub(place), eval)
}

/// Returns the position of a value in a list between two bounds; `None` if it is not there.
fn position<'v>(
    list: Value<'v>,
    wanted: Value<'v>,
    bounds: &[Value<'v>],
    call: &BuiltinCall<'_, 'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<Option<usize>> {
    let items: Vec<Value<'v>> = ListRef::from_value(list)
        .map(|list| list.content().to_vec())
        .unwrap_or_default();
    let bound = |index: usize, default: usize, which: &str| {
        let given = bounds.get(index).copied();
        let bound = check_bound(given, which).map_err(|failure| call.prefixed(failure))?;
        Ok::<_, starlark::Error>(bound.map_or(default, |bound| within(bound, items.len())))
    };
    let (start, end) = (bound(0, 0, "start")?, bound(1, items.len(), "end")?);
    work::charged(eval, |steps: &mut Steps| {
        for (place, item) in items.iter().enumerate().take(end).skip(start) {
            if values_equal(wanted, *item, steps)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    })
}

/// Returns the position of a bound in a list. A negative bound counts from the end.
fn within(bound: i32, length: usize) -> usize {
    let from_start = match usize::try_from(bound) {
        Ok(bound) => bound,
        Err(_) => length.saturating_sub(usize::try_from(bound.unsigned_abs()).unwrap_or(length)),
    };
    from_start.min(length)
}

fn dict_method<'v>(
    receiver: Value<'v>,
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    if call.name == "update" {
        let entries = sequences::dict(call, eval)?;
        return changed(update(receiver, entries), receiver, call);
    }
    let [key, others @ ..] = call.positional else {
        return whole_dict_method(receiver, call, heap);
    };
    work::charged(eval, |steps| {
        Ok(check_hashable(*key, steps).map_err(|failure| call.prefixed(failure))?)
    })?;
    let (key, value) = match DictRef::from_value(receiver) {
        Some(dict) => (
            known_key(&dict, *key, heap)?,
            entry_value(&dict, *key, heap)?,
        ),
        None => (*key, None),
    };
    let default = others.first().copied();
    match call.name {
        "get" => Ok(value.or(default).unwrap_or_else(Value::new_none)),
        "pop" => match value {
            Some(value) => {
                changed(remove_key(receiver, key), receiver, call)?;
                Ok(value)
            }
            None => default.ok_or_else(|| call.failure("missing key").into()),
        },
        // `setdefault`
        _ => match value {
            Some(value) => Ok(value),
            None => {
                let default = default.unwrap_or_else(Value::new_none);
                let inserted = receiver.set_at(key, default);
                changed(inserted, receiver, call)?;
                Ok(default)
            }
        },
    }
}

/// Calls a method of a dictionary that takes no arguments.
fn whole_dict_method<'v>(
    receiver: Value<'v>,
    call: &BuiltinCall<'_, 'v>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    let entries: Vec<(Value<'v>, Value<'v>)> = match DictRef::from_value(receiver) {
        Some(dict) => dict.iter().collect(),
        None => Vec::new(),
    };
    match call.name {
        "keys" => Ok(heap.alloc(AllocList(entries.iter().map(|(key, _)| *key)))),
        "values" => Ok(heap.alloc(AllocList(entries.iter().map(|(_, value)| *value)))),
        "items" => Ok(heap.alloc(AllocList(entries))),
        "clear" => changed(clear(receiver), receiver, call),
        // `popitem`
        _ => {
            let Some((key, value)) = entries.first().copied() else {
                return Err(call.failure("empty dict").into());
            };
            changed(remove_key(receiver, key), receiver, call)?;
            Ok(heap.alloc((key, value)))
        }
    }
}

fn update<'v>(dict: Value<'v>, entries: Value<'v>) -> starlark::Result<()> {
    let entries = DictRef::from_value(entries);
    for (key, value) in entries.iter().flat_map(|entries| entries.iter()) {
        dict.set_at(key, value)?;
    }
    Ok(())
}

fn remove_key<'v>(dict: Value<'v>, key: Value<'v>) -> starlark::Result<()> {
    let key = key.get_hashed()?;
    DictMut::from_value(dict)?.aref.remove_hashed(key);
    Ok(())
}

fn clear(dict: Value<'_>) -> starlark::Result<()> {
    DictMut::from_value(dict)?.aref.clear();
    Ok(())
}

/// Calls `union`, the only method of sets.
fn set_method<'v>(
    receiver: Value<'v>,
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    let added = sequences::items_of(call.positional.first().copied(), heap)?;
    work::charged(eval, |steps| {
        for value in &added {
            check_hashable(*value, steps).map_err(|failure| call.prefixed(failure))?;
        }
        Ok(())
    })?;
    of_crate(receiver, call, &[heap.alloc(AllocList(added))], eval)
}
