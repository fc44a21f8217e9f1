//! Functions that `dialect` writes calls of.

use std::num::NonZeroI32;

use starlark::collections::SmallMap;
use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::dict::{Dict, DictRef};
use starlark::values::none::NoneType;
use starlark::values::range::Range;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, StringValue, Value};

use super::{entry, operators, slice};
use crate::script::evaluation::evaluation;
use crate::script::failure::Failure;
use crate::script::limits::walk::check_hashable;
use crate::script::limits::{memory, size, work};
use crate::script::value;
use crate::script::value::dictionary::dictionary;
use crate::script::value::type_name;

const ONE: NonZeroI32 = NonZeroI32::new(1).unwrap();

#[starlark_module]
pub(super) fn functions(builder: &mut GlobalsBuilder) {
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

    /// Returns the value of `**value`, if it is a dictionary with strings as keys.
    fn __ytt_keywords<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        memory::take_entries(value, eval)?;
        let named = dictionary(value, eval.heap())?;
        let kind = type_name(value);
        let Some(entries) = DictRef::from_value(named) else {
            return Err(
                Failure::new(format!("argument after ** must be a mapping, not {kind}")).into(),
            );
        };
        match entries.keys().find(|key| key.unpack_str().is_none()) {
            Some(key) => {
                let kind = type_name(key);
                Err(Failure::new(format!("keywords must be strings, not {kind}")).into())
            }
            None => Ok(named),
        }
    }

    /// Returns the value of `*value`, if it is not too long.
    fn __ytt_star<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        if value.iterate(eval.heap()).is_err() {
            let kind = type_name(value);
            return Err(
                Failure::new(format!("argument after * must be iterable, not {kind}")).into(),
            );
        }
        if let Some(length) = size::length(value) {
            size::check_list(length)?;
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

    /// Carries out a `load` inside of a block: returns the values of the names, of which some have
    /// another name in the program.
    fn __ytt_load<'v>(
        #[starlark(require = pos)] path: &str,
        #[starlark(args)] names: UnpackTuple<StringValue<'v>>,
        #[starlark(kwargs)] renamed: SmallMap<StringValue<'v>, StringValue<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Vec<Value<'v>>> {
        let evaluation = evaluation(eval)?;
        // The other file runs on the same stack, so the calls that led here count for its limit.
        let suspended = evaluation.session.suspend(eval.call_stack_count());
        let module = evaluation.load(path);
        evaluation.session.resume(suspended);
        let module = module?;
        let names = names.into_iter().chain(renamed.into_values());
        names
            .map(|name| {
                let value = module.get(name.as_str())?;
                Ok(eval.heap().access_owned_frozen_value(&value))
            })
            .collect()
    }

    /// Returns `collection[key]`.
    fn __ytt_item<'v>(
        #[starlark(require = pos)] collection: Value<'v>,
        #[starlark(require = pos)] key: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        entry::item(collection, key, eval)
    }

    /// Returns the first argument of [`__ytt_modify`]. It is made before the right side of `+=` is
    /// evaluated.
    fn __ytt_target<'v>(
        #[starlark(require = pos)] collection: Value<'v>,
        #[starlark(require = pos)] key: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<(Value<'v>, Value<'v>, Value<'v>)> {
        Ok((collection, key, entry::item(collection, key, eval)?))
    }

    /// Returns the right side of `+=` on a name, after a check of the sum.
    fn __ytt_addend<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        operators::addend(left, right, eval)
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
    fn __ytt_key<'v>(
        #[starlark(require = pos)] key: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        work::charged(eval, |steps| Ok(check_hashable(key, steps)?))?;
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

    /// Returns `value[start:stop:stride]`.
    fn __ytt_slice<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        #[starlark(require = pos)] start: Value<'v>,
        #[starlark(require = pos)] stop: Value<'v>,
        #[starlark(require = pos)] stride: Option<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let part = slice::slice(value, start, stop, stride, eval.heap())?;
        work::charge_value(part, eval)?;
        memory::check(eval)?;
        Ok(part)
    }
}
