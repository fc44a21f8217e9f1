//! `str`, `print` and others that behave differently in ytt, and functions that `dialect` writes
//! calls of.

use std::num::NonZeroI32;

use starlark::collections::SmallMap;
use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::dict::Dict;
use starlark::values::none::NoneType;
use starlark::values::range::Range;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, StringValue, Value};

use super::{entry, slice};
use crate::script::evaluation::evaluation;
use crate::script::failure::Failure;
use crate::script::limits::walk::check_walk;
use crate::script::limits::{memory, size};
use crate::script::value;
use crate::script::value::dictionary::dictionary;

/// How many numbers a range may have: any function may turn it into a list.
const RANGE_LIMIT: i64 = 10_000_000;

const ONE: NonZeroI32 = NonZeroI32::new(1).unwrap();

fn bounded_range(start: i32, stop: i32, step: i32) -> Result<Range, Failure> {
    let Some(step) = NonZeroI32::new(step) else {
        return Err(Failure::new("expected a step other than 0 for a range"));
    };
    // In 64 bits: the distance of two 32-bit numbers can be larger than either.
    let distance = (i64::from(stop) - i64::from(start)) / i64::from(step.get());
    if distance > RANGE_LIMIT {
        return Err(Failure::limit(format!(
            "expected a range of at most {RANGE_LIMIT} numbers, found {distance}"
        )));
    }
    Ok(Range::new(start, stop, step))
}

#[starlark_module]
pub(super) fn functions(builder: &mut GlobalsBuilder) {
    fn str<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<String> {
        let text = value::text(value);
        size::check_string(text.len())?;
        Ok(text)
    }

    fn repr<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<String> {
        let text = value::repr(value);
        size::check_string(text.len())?;
        Ok(text)
    }

    fn r#type<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<&'static str> {
        Ok(value::type_name(value))
    }

    fn fail<'v>(#[starlark(args)] values: UnpackTuple<Value<'v>>) -> starlark::Result<NoneType> {
        let texts: Vec<String> = values
            .items
            .iter()
            .map(|value| value::text(*value))
            .collect();
        Err(Failure::new(format!("fail: {}", texts.join(" "))).into())
    }

    /// Returns the length of a value; that of a string in bytes.
    fn len<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<i32> {
        match value.unpack_str() {
            Some(text) => Ok(i32::try_from(text.len()).unwrap_or(i32::MAX)),
            None => value.length(),
        }
    }

    fn print<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        #[starlark(require = named, default = " ")] sep: &str,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let texts: Vec<String> = values
            .items
            .iter()
            .map(|value| value::text(*value))
            .collect();
        (evaluation(eval)?.session.print)(&texts.join(sep));
        Ok(NoneType)
    }

    fn range<'v>(
        #[starlark(require = pos)] first: i32,
        #[starlark(require = pos)] stop: Option<i32>,
        #[starlark(require = pos, default = 1)] step: i32,
    ) -> starlark::Result<Range> {
        Ok(match stop {
            Some(stop) => bounded_range(first, stop, step)?,
            None => bounded_range(0, first, step)?,
        })
    }

    /// Returns what a `while` loops over: more turns than any limit allows.
    fn __ytt_forever() -> starlark::Result<Range> {
        Ok(Range::new(0, i32::MAX, ONE))
    }

    /// Returns named arguments as a dictionary, for those that are written after `*args`.
    fn __ytt_named<'v>(
        #[starlark(kwargs)] named: SmallMap<StringValue<'v>, Value<'v>>,
    ) -> starlark::Result<Dict<'v>> {
        let mut pairs = SmallMap::with_capacity(named.len());
        for (name, value) in named {
            pairs.insert_hashed(name.to_value().get_hashed()?, value);
        }
        Ok(Dict::new(pairs))
    }

    fn __ytt_keywords<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        memory::take_entries(value, eval)?;
        dictionary(value, eval.heap())
    }

    /// Returns the value of `*value`, if it is not too long.
    fn __ytt_star<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        if let Ok(length) = value.length() {
            size::check_list(usize::try_from(length).unwrap_or(0))?;
            memory::check(eval)?;
        }
        Ok(value)
    }

    /// Carries out `collection[key] = value`.
    fn __ytt_store<'v>(
        #[starlark(require = pos)] collection: Value<'v>,
        #[starlark(require = pos)] key: Value<'v>,
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        entry::store(collection, key, value, eval)?;
        Ok(NoneType)
    }

    /// Returns the module `@ytt:data` with data values that the program can change.
    fn __ytt_live<'v>(
        #[starlark(require = pos)] module: Value<'v>,
        heap: Heap<'v>,
    ) -> starlark::Result<Value<'v>> {
        Ok(value::Object::live(module, heap))
    }

    /// Returns `collection[key]`.
    fn __ytt_item<'v>(
        #[starlark(require = pos)] collection: Value<'v>,
        #[starlark(require = pos)] key: Value<'v>,
        heap: Heap<'v>,
    ) -> starlark::Result<Value<'v>> {
        entry::item(collection, key, heap)
    }

    /// Returns the first argument of [`__ytt_modify`]. It is made before the right side of `+=` is
    /// evaluated.
    fn __ytt_target<'v>(
        #[starlark(require = pos)] collection: Value<'v>,
        #[starlark(require = pos)] key: Value<'v>,
        heap: Heap<'v>,
    ) -> starlark::Result<(Value<'v>, Value<'v>, Value<'v>)> {
        Ok((collection, key, entry::item(collection, key, heap)?))
    }

    /// Carries out `collection[key] += value` and its like.
    fn __ytt_modify<'v>(
        #[starlark(require = pos)] target: (Value<'v>, Value<'v>, Value<'v>),
        #[starlark(require = pos)] operator: &str,
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        entry::modify(target, operator, value, eval)?;
        Ok(NoneType)
    }

    /// Returns a value that is hashed next, if that is not too much work.
    fn __ytt_key<'v>(#[starlark(require = pos)] key: Value<'v>) -> starlark::Result<Value<'v>> {
        check_walk(key)?;
        Ok(key)
    }

    /// Counts an entry of a dictionary comprehension. Returns its value.
    fn __ytt_entry<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        memory::take(memory::ENTRY, eval)?;
        Ok(value)
    }

    fn __ytt_slice<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        #[starlark(require = pos)] start: Value<'v>,
        #[starlark(require = pos)] stop: Value<'v>,
        #[starlark(require = pos)] stride: Option<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let part = slice::slice(value, start, stop, stride, eval.heap())?;
        memory::check(eval)?;
        Ok(part)
    }
}
