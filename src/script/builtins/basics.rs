//! `str`, `print` and others that ytt's Starlark answers in its own way.

use std::num::NonZeroI32;

use starlark::collections::SmallMap;
use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::ValueLike;
use starlark::values::dict::Dict;
use starlark::values::none::NoneType;
use starlark::values::range::Range;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, StringValue, Value};

use crate::script::evaluation::evaluation;
use crate::script::failure::Failure;
use crate::script::value;
use crate::script::value::{Fragment, FragmentContent, Structure, from_node};

/// A range has this many numbers at most: any function may turn it into a list.
const RANGE_LIMIT: i64 = 10_000_000;

const ONE: NonZeroI32 = NonZeroI32::new(1).unwrap();

/// The dictionary that `**value` passes on.
fn keywords<'v>(value: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
    let mut pairs = SmallMap::new();
    if let Some(structure) = Structure::from_value(value) {
        for (name, value) in &structure.fields {
            let name: Value<'v> = heap.alloc(name.as_str());
            pairs.insert_hashed(name.get_hashed()?, value.to_value());
        }
    } else if let Some(Fragment { content: FragmentContent::Node(node), .. }) = value.downcast_ref::<Fragment>()
        && let Some(mapping) = node.as_mapping()
    {
        for entry in &mapping.entries {
            pairs.insert_hashed(from_node(&entry.key, heap).get_hashed()?, from_node(&entry.value, heap));
        }
    } else {
        return Ok(value);
    }
    Ok(heap.alloc(Dict::new(pairs)))
}

fn bounded_range(start: i32, stop: i32, step: i32) -> Result<Range, Failure> {
    let Some(step) = NonZeroI32::new(step) else {
        return Err(Failure::new("expected a step other than 0 for a range"));
    };
    let distance = (i64::from(stop) - i64::from(start)) / i64::from(step.get());
    if distance > RANGE_LIMIT {
        return Err(Failure::limit(format!("expected a range of at most {RANGE_LIMIT} numbers, found {distance}")));
    }
    Ok(Range::new(start, stop, step))
}

#[starlark_module]
pub(super) fn functions(builder: &mut GlobalsBuilder) {
    fn str<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<String> {
        Ok(value::text(value))
    }

    fn repr<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<String> {
        Ok(value::repr(value))
    }

    fn r#type<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<&'static str> {
        Ok(value::type_name(value))
    }

    /// The length of a string counts bytes.
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
        let texts: Vec<String> = values.items.iter().map(|value| value::text(*value)).collect();
        (evaluation(eval)?.session().print)(&texts.join(sep));
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

    /// What a `while` loops over: more turns than any limit allows.
    fn __ytt_forever() -> starlark::Result<Range> {
        Ok(Range::new(0, i32::MAX, ONE))
    }

    /// Named arguments that stand after `*args`.
    fn __ytt_named<'v>(#[starlark(kwargs)] named: SmallMap<StringValue<'v>, Value<'v>>) -> starlark::Result<Dict<'v>> {
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
        keywords(value, eval.heap())
    }
}
