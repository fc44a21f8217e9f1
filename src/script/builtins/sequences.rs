//! The functions that create collections or iterate over them: `list`, `dict`, `zip`, `enumerate`,
//! …

use starlark::collections::SmallMap;
use starlark::eval::Evaluator;
use starlark::values::dict::Dict;
use starlark::values::list::AllocList;
use starlark::values::tuple::AllocTuple;
use starlark::values::{Heap, Value};

use super::numbers::one_argument;
use crate::script::builtin_call::{BuiltinCall, ParameterKind};
use crate::script::failure::Failure;
use crate::script::limits::walk::check_hashable;
use crate::script::limits::{memory, size, work};
use crate::script::value::{dictionary, type_name};

/// Returns the items of an argument for an iterable parameter.
pub(super) fn items_of<'v>(
    value: Option<Value<'v>>,
    heap: Heap<'v>,
) -> starlark::Result<Vec<Value<'v>>> {
    let Some(value) = value else {
        return Ok(Vec::new());
    };
    if let Some(length) = size::length(value) {
        size::check_list(length)?;
    }
    Ok(value.iterate(heap)?.collect())
}

/// `any(iterable)`.
pub(super) fn any<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let [values] = call.by_position(1, [ParameterKind::Iterable], eval.heap())?;
    let items = items_of(values, eval.heap())?;
    Ok(Value::new_bool(items.into_iter().any(Value::to_bool)))
}

/// `all(iterable)`.
pub(super) fn all<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let [values] = call.by_position(1, [ParameterKind::Iterable], eval.heap())?;
    let items = items_of(values, eval.heap())?;
    Ok(Value::new_bool(items.into_iter().all(Value::to_bool)))
}

/// `len(x)`: the number of bytes of a string, of items, or of entries.
pub(super) fn len<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    call.check_positions(1, &[ParameterKind::Any], eval.heap())?;
    let value = one_argument(call)?;
    if let Some(text) = value.unpack_str() {
        let length = i64::try_from(text.len()).unwrap_or(i64::MAX);
        return Ok(eval.heap().alloc(length));
    }
    match value.length() {
        Ok(length) => Ok(eval.heap().alloc(length)),
        Err(_) => {
            let kind = type_name(value);
            Err(call
                .failure(format!("value of type {kind} has no len"))
                .into())
        }
    }
}

/// `list(iterable=[])`.
pub(super) fn list<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let [values] = call.by_position(0, [ParameterKind::Iterable], eval.heap())?;
    let items = items_of(values, eval.heap())?;
    Ok(eval.heap().alloc(AllocList(items)))
}

/// `tuple(iterable=())`.
pub(super) fn tuple<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let [values] = call.by_position(0, [ParameterKind::Iterable], eval.heap())?;
    let items = items_of(values, eval.heap())?;
    Ok(eval.heap().alloc(AllocTuple(items)))
}

/// `reversed(iterable)`.
pub(super) fn reversed<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let [values] = call.by_position(1, [ParameterKind::Iterable], eval.heap())?;
    let mut items = items_of(values, eval.heap())?;
    items.reverse();
    Ok(eval.heap().alloc(AllocList(items)))
}

/// `enumerate(iterable, start=0)`.
pub(super) fn enumerate<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    let kinds = [ParameterKind::Iterable, ParameterKind::Integer];
    let [values, start] = call.by_position(1, kinds, heap)?;
    let start = i64::from(start.and_then(Value::unpack_i32).unwrap_or(0));
    let items = items_of(values, heap)?;
    let pairs = (start..).zip(items).map(|pair| heap.alloc(pair));
    Ok(heap.alloc(AllocList(pairs.collect::<Vec<_>>())))
}

/// `zip(iterable, …)`.
pub(super) fn zip<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    if !call.named.is_empty() {
        return Err(Failure::new("zip does not accept keyword arguments").into());
    }
    let mut columns = Vec::new();
    for (index, value) in call.positional.iter().enumerate() {
        if value.iterate(heap).is_err() {
            let (number, kind) = (index + 1, type_name(*value));
            return Err(call
                .failure(format!("argument #{number} is not iterable: {kind}"))
                .into());
        }
        columns.push(items_of(Some(*value), heap)?);
    }
    size::check_list(columns.iter().map(Vec::len).sum())?;
    let count = columns.iter().map(Vec::len).min().unwrap_or(0);
    let mut rows: Vec<Value<'v>> = Vec::with_capacity(count);
    for index in 0..count {
        let row: Vec<Value<'v>> = columns.iter().map(|column| column[index]).collect();
        rows.push(heap.alloc(AllocTuple(row)));
    }
    Ok(heap.alloc(AllocList(rows)))
}

/// Returns the items for `set(iterable=[])` as a list, after checking that they can be hashed.
pub(super) fn set_items<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let [values] = call.by_position(0, [ParameterKind::Iterable], eval.heap())?;
    let items = items_of(values, eval.heap())?;
    work::charged(eval, |steps| {
        for item in &items {
            check_hashable(*item, steps).map_err(|failure| call.prefixed(failure))?;
        }
        Ok(())
    })?;
    Ok(eval.heap().alloc(AllocList(items)))
}

/// `dict(entries=[], **entries)`.
pub(super) fn dict<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let entries = entries(call, eval)?;
    memory::take(entries.len() * memory::ENTRY, eval)?;
    Ok(eval.heap().alloc(entries))
}

/// Returns the entries that the arguments of `dict` and `update` describe, the named ones last.
pub(super) fn entries<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<Dict<'v>> {
    let heap = eval.heap();
    let mut entries = SmallMap::new();
    match call.positional {
        [] => {}
        [source] => add_entries(call, *source, &mut entries, eval)?,
        others => {
            let given = others.len();
            return Err(call
                .failure(format!("got {given} arguments, want at most 1"))
                .into());
        }
    }
    for (name, value) in call.named {
        entries.insert_hashed(heap.alloc(*name).get_hashed()?, *value);
    }
    Ok(Dict::new(entries))
}

/// Adds the entries of the positional argument: those of a dictionary, or the pairs of an iterable.
fn add_entries<'v>(
    call: &BuiltinCall<'_, 'v>,
    source: Value<'v>,
    entries: &mut SmallMap<Value<'v>, Value<'v>>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<()> {
    let heap = eval.heap();
    // Structs and fragments have entries too.
    let source = dictionary::dictionary(source, heap)?;
    if let Some(dict) = starlark::values::dict::DictRef::from_value(source) {
        size::check_list(dict.len())?;
        for (key, value) in dict.iter_hashed() {
            entries.insert_hashed(key, value);
        }
        return Ok(());
    }
    if source.iterate(heap).is_err() {
        let kind = type_name(source);
        return Err(call.failure(format!("got {kind}, want iterable")).into());
    }
    for (index, pair) in items_of(Some(source), heap)?.into_iter().enumerate() {
        let element = format!("dictionary update sequence element #{index}");
        let kind = type_name(pair);
        let Ok(items) = pair.iterate(heap) else {
            return Err(call
                .failure(format!("{element} is not iterable ({kind})"))
                .into());
        };
        let Some(length) = size::length(pair) else {
            return Err(call
                .failure(format!("{element} has unknown length ({kind})"))
                .into());
        };
        if length != 2 {
            return Err(call
                .failure(format!("{element} has length {length}, want 2"))
                .into());
        }
        let items: Vec<Value<'v>> = items.collect();
        let [key, value] = items.as_slice() else {
            continue;
        };
        work::charged(eval, |steps| {
            check_hashable(*key, steps).map_err(|failure| call.prefixed(failure))?;
            Ok(entries.insert_hashed(key.get_hashed()?, *value))
        })?;
    }
    Ok(())
}
