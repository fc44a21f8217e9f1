//! `@ytt:struct`.

use std::sync::Arc;

use starlark::collections::SmallMap;
use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::ValueLike;
use starlark::values::dict::{Dict, DictRef};
use starlark::values::list::{AllocList, ListRef};
use starlark::values::tuple::{AllocTuple, TupleRef, UnpackTuple};
use starlark::values::{Heap, Value};

use crate::dialect::RENAMED;
use crate::script::failure::Failure;
use crate::script::library::Library;
use crate::script::program::Program;
use crate::script::value::{Bound, Fragment, Structure, article, is_callable, type_name};
use crate::yaml::NESTING_LIMIT;

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

fn structure<'v>(fields: SmallMap<String, Value<'v>>) -> Structure<'v> {
    Structure::new(fields)
}

/// Named arguments as fields.
fn fields<'v>(named: &DictRef<'v>) -> SmallMap<String, Value<'v>> {
    let name = |key: Value<'v>| {
        key.unpack_str()
            .unwrap_or_default()
            .replacen(RENAMED, "", 1)
    };
    named
        .iter()
        .map(|(key, value)| (name(key), value))
        .collect()
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// A struct with the named arguments as fields.
    fn make<'v>(#[starlark(kwargs)] named: DictRef<'v>) -> starlark::Result<Structure<'v>> {
        Ok(structure(fields(&named)))
    }

    /// A struct whose functions get `object` as their first argument.
    fn make_and_bind<'v>(
        #[starlark(require = pos)] object: Value<'v>,
        #[starlark(kwargs)] named: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Structure<'v>> {
        let heap = eval.heap();
        let bind = |value: Value<'v>| {
            if is_callable(value) {
                Bound::alloc(value, vec![object], heap)
            } else {
                value
            }
        };
        Ok(structure(
            fields(&named)
                .into_iter()
                .map(|(name, value)| (name, bind(value)))
                .collect(),
        ))
    }

    /// A function that is called with `arguments` before its own.
    fn bind<'v>(
        #[starlark(require = pos)] function: Value<'v>,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        if !is_callable(function) {
            let found = article(type_name(function));
            return Err(
                Failure::new(format!("struct.bind: expected a function, found {found}")).into(),
            );
        }
        Ok(Bound::alloc(function, arguments.items, eval.heap()))
    }

    /// Dictionaries as structs, at every depth.
    fn encode<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        encoded(value, 0, eval.heap())
    }

    /// Structs as dictionaries, at every depth.
    fn decode<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        decoded(value, 0, eval.heap())
    }
}

fn check_depth(depth: usize) -> Result<(), Failure> {
    if depth <= NESTING_LIMIT {
        return Ok(());
    }
    Err(
        Failure::limit(format!("values nest deeper than {NESTING_LIMIT} levels"))
            .help("does the value contain itself?"),
    )
}

fn encoded<'v>(value: Value<'v>, depth: usize, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
    check_depth(depth)?;
    if let Some(fragment) = value.downcast_ref::<Fragment>() {
        return fragment.as_structs(heap);
    }
    if let Some(dict) = DictRef::from_value(value) {
        let mut fields = SmallMap::new();
        for (key, value) in dict.iter() {
            let Some(name) = key.unpack_str() else {
                let found = article(type_name(key));
                return Err(Failure::new(format!(
                    "struct.encode: expected a string as a key, found {found}"
                ))
                .into());
            };
            fields.insert(name.to_owned(), encoded(value, depth + 1, heap)?);
        }
        return Ok(heap.alloc(structure(fields)));
    }
    each(value, heap, |value| encoded(value, depth + 1, heap))
}

fn decoded<'v>(value: Value<'v>, depth: usize, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
    check_depth(depth)?;
    let mut pairs = SmallMap::new();
    if let Some(structure) = Structure::from_value(value) {
        for (name, value) in &structure.fields {
            let name: Value<'v> = heap.alloc(name.as_str());
            pairs.insert_hashed(
                name.get_hashed()?,
                decoded(value.to_value(), depth + 1, heap)?,
            );
        }
        return Ok(heap.alloc(Dict::new(pairs)));
    }
    if let Some(dict) = DictRef::from_value(value) {
        for (key, value) in dict.iter() {
            pairs.insert_hashed(key.get_hashed()?, decoded(value, depth + 1, heap)?);
        }
        return Ok(heap.alloc(Dict::new(pairs)));
    }
    each(value, heap, |value| decoded(value, depth + 1, heap))
}

/// A list or tuple of changed values; anything else as it is.
fn each<'v>(
    value: Value<'v>,
    heap: Heap<'v>,
    change: impl Fn(Value<'v>) -> starlark::Result<Value<'v>>,
) -> starlark::Result<Value<'v>> {
    if let Some(list) = ListRef::from_value(value) {
        let values: Vec<Value<'v>> = list.iter().map(change).collect::<starlark::Result<_>>()?;
        return Ok(heap.alloc(AllocList(values)));
    }
    if let Some(tuple) = TupleRef::from_value(value) {
        let values: Vec<Value<'v>> = tuple.iter().map(change).collect::<starlark::Result<_>>()?;
        return Ok(heap.alloc(AllocTuple(values)));
    }
    Ok(value)
}
