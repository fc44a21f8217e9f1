//! The arguments of annotations, which outlive the evaluation that computed them.
//!
//! An annotation may contain a function, as in `#@overlay/replace via=lambda left, right: …`, and
//! an overlay calls it long after its file was evaluated. A value of a program lives on the heap of
//! its module. The arguments are therefore stored in one value of the module, its "extra value":
//!
//! ```text
//! while a file is evaluated     module.extra_value = ArgumentStore        [(positional, named), …]
//! the module is frozen          module.extra_value = FrozenArgumentStore  the same, frozen
//! afterwards                    session.arguments[number of the evaluation] owns it
//! ```
//!
//! An annotation itself contains no values, only an [`ArgumentsId`]: the number of the evaluation
//! and the index in its store. It can be read in the evaluation that created it and, after that has
//! ended, in every other evaluation of the session.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::cell::RefCell;
use std::fmt;

use allocative::Allocative;
use starlark::collections::SmallMap;
use starlark::environment::Module;
use starlark::eval::Evaluator;
use starlark::values::dict::Dict;
use starlark::values::tuple::AllocTuple;
use starlark::values::{
    AllocValue, Freeze, FreezeResult, Freezer, FrozenValue, Heap, NoSerialize, ProvidesStaticType,
    StarlarkValue, StringValue, Trace, UnpackValue, Value, ValueLike, starlark_value,
};

use super::annotation::{Annotation, ArgumentsId};
use crate::script::evaluation::evaluation;
use crate::script::failure::Failure;

/// The arguments of the annotations that an evaluation has computed so far.
#[derive(Debug, Default, ProvidesStaticType, NoSerialize, Allocative, Trace)]
pub(in crate::script) struct ArgumentStore<'v> {
    values: RefCell<Vec<Value<'v>>>,
}

/// The arguments of the annotations of an evaluation that has ended.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub(in crate::script) struct FrozenArgumentStore {
    values: Vec<FrozenValue>,
}

impl fmt::Display for ArgumentStore<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("arguments of annotations")
    }
}

impl fmt::Display for FrozenArgumentStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("arguments of annotations")
    }
}

impl<'v> AllocValue<'v> for ArgumentStore<'v> {
    fn alloc_value(self, heap: Heap<'v>) -> Value<'v> {
        heap.alloc_complex(self)
    }
}

impl Freeze for ArgumentStore<'_> {
    type Frozen = FrozenArgumentStore;

    fn freeze(self, freezer: &Freezer) -> FreezeResult<FrozenArgumentStore> {
        let mut values = Vec::new();
        for value in self.values.into_inner() {
            values.push(value.freeze(freezer)?);
        }
        Ok(FrozenArgumentStore { values })
    }
}

#[starlark_value(type = "@ytt:arguments")]
impl<'v> StarlarkValue<'v> for ArgumentStore<'v> {
    type Canonical = FrozenArgumentStore;
}

#[starlark_value(type = "@ytt:arguments")]
impl<'v> StarlarkValue<'v> for FrozenArgumentStore {
    type Canonical = FrozenArgumentStore;
}

/// Adds an empty store to `module`. Without a store, no annotation can be evaluated in it.
pub(in crate::script) fn add_store(module: &Module<'_>) {
    module.set_extra_value(module.heap().alloc(ArgumentStore::default()));
}

/// Returns whether the store of `module` contains arguments. If so, the module must outlive its
/// evaluation.
pub(in crate::script) fn has_arguments(module: &Module<'_>) -> bool {
    store_of(module).is_some_and(|store| !store.values.borrow().is_empty())
}

fn store_of<'m, 'v>(module: &'m Module<'v>) -> Option<&'v ArgumentStore<'v>>
where
    'v: 'm,
{
    module.extra_value()?.downcast_ref::<ArgumentStore<'v>>()
}

/// Adds the arguments of an annotation to the store of the evaluation.
pub(in crate::script) fn store<'v>(
    positional: &[Value<'v>],
    named: SmallMap<StringValue<'v>, Value<'v>>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<ArgumentsId> {
    let run = evaluation(eval)?.number;
    let heap = eval.heap();
    let positional = heap.alloc(AllocTuple(positional.iter().copied()));
    let mut entries = SmallMap::with_capacity(named.len());
    for (name, value) in named {
        entries.insert_hashed(name.to_value().get_hashed()?, value);
    }
    let named = heap.alloc(Dict::new(entries));
    let value = heap.alloc((positional, named));
    let Some(store) = store_of(eval.module()) else {
        return Err(Failure::new("expected a place for annotations").into());
    };
    let mut values = store.values.borrow_mut();
    values.push(value);
    Ok(ArgumentsId {
        run,
        index: values.len() - 1,
    })
}

/// Returns the positional arguments (a tuple) and the named arguments (a dictionary) of an
/// annotation.
///
/// # Errors
/// Fails for an annotation of another session, or of an evaluation that is suspended while another
/// one runs.
pub(in crate::script) fn load<'v>(
    annotation: &Annotation,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<(Value<'v>, Value<'v>)> {
    let value = find(annotation.arguments, eval)?;
    let pair = value.and_then(|value| <(Value<'v>, Value<'v>)>::unpack_value(value).ok()?);
    pair.ok_or_else(|| {
        Failure::new(format!("expected the arguments of `{}`", annotation.name)).into()
    })
}

fn find<'v>(id: ArgumentsId, eval: &Evaluator<'v, '_, '_>) -> starlark::Result<Option<Value<'v>>> {
    let evaluation = evaluation(eval)?;
    if id.run == evaluation.number {
        let store = store_of(eval.module());
        return Ok(store.and_then(|store| store.values.borrow().get(id.index).copied()));
    }
    // The arguments belong to another evaluation. Its store was frozen when it ended, and the
    // session owns it.
    let ended = evaluation.session.arguments.borrow();
    let Some(Some(owned)) = ended.get(id.run) else {
        return Ok(None);
    };
    // This also makes the heap of the evaluator keep the heap of the frozen store alive.
    let store = eval.heap().access_owned_frozen_value(owned);
    let values = store.downcast_ref::<FrozenArgumentStore>();
    Ok(values.and_then(|store| Some(store.values.get(id.index)?.to_value())))
}
