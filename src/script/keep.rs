//! Values that outlive the evaluation of their file: the arguments of annotations.
//!
//! They are kept in one value of the module that evaluated them, where the garbage collector sees them and where they
//! freeze with the module.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::cell::RefCell;
use std::fmt;

use allocative::Allocative;
use starlark::eval::Evaluator;
use starlark::values::dict::{Dict, DictRef};
use starlark::values::tuple::AllocTuple;
use starlark::values::{
    AllocValue, Freeze, FreezeResult, Freezer, FrozenValue, Heap, NoSerialize, ProvidesStaticType,
    StarlarkValue, Trace, UnpackValue, Value, ValueLike, starlark_value,
};

use super::evaluation::evaluation;
use super::failure::Failure;
use super::fragments::Annotation;
use super::fragments::ArgumentsId;

/// What one evaluation keeps.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, Trace)]
pub(super) struct Kept<'v> {
    values: RefCell<Vec<Value<'v>>>,
}

/// What an evaluation that is over keeps.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub(super) struct FrozenKept {
    values: Vec<FrozenValue>,
}

impl fmt::Display for Kept<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("kept values")
    }
}

impl fmt::Display for FrozenKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("kept values")
    }
}

impl<'v> AllocValue<'v> for Kept<'v> {
    fn alloc_value(self, heap: Heap<'v>) -> Value<'v> {
        heap.alloc_complex(self)
    }
}

impl Freeze for Kept<'_> {
    type Frozen = FrozenKept;

    fn freeze(self, freezer: &Freezer) -> FreezeResult<FrozenKept> {
        let values = self
            .values
            .into_inner()
            .into_iter()
            .map(|value| value.freeze(freezer));
        Ok(FrozenKept {
            values: values.collect::<FreezeResult<_>>()?,
        })
    }
}

#[starlark_value(type = "@ytt:kept")]
impl<'v> StarlarkValue<'v> for Kept<'v> {
    type Canonical = FrozenKept;
}

#[starlark_value(type = "@ytt:kept")]
impl<'v> StarlarkValue<'v> for FrozenKept {
    type Canonical = FrozenKept;
}

impl<'v> Kept<'v> {
    pub(super) fn new() -> Kept<'v> {
        Kept {
            values: RefCell::default(),
        }
    }

    /// Whether anything is kept.
    pub(super) fn holds(&self) -> bool {
        !self.values.borrow().is_empty()
    }
}

/// Keeps the arguments of an annotation.
pub(super) fn keep<'v>(
    positional: &[Value<'v>],
    named: &DictRef<'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<ArgumentsId> {
    let run = evaluation(eval)?.number;
    let heap = eval.heap();
    let positional = heap.alloc(AllocTuple(positional.iter().copied()));
    let named = heap.alloc(Dict::new(named.iter_hashed().collect()));
    let value = heap.alloc((positional, named));
    let kept = eval
        .module()
        .extra_value()
        .and_then(|value| value.downcast_ref::<Kept<'v>>());
    let Some(kept) = kept else {
        return Err(Failure::new("expected a place for annotations").into());
    };
    let mut values = kept.values.borrow_mut();
    values.push(value);
    Ok(ArgumentsId {
        run,
        index: values.len() - 1,
    })
}

/// The positional and the named arguments of an annotation, for the evaluation at hand.
pub(super) fn arguments<'v>(
    annotation: &Annotation,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<(Value<'v>, Value<'v>)> {
    let ArgumentsId { run, index } = annotation.arguments;
    let evaluation = evaluation(eval)?;
    let value = if run == evaluation.number {
        let kept = eval
            .module()
            .extra_value()
            .and_then(|value| value.downcast_ref::<Kept<'v>>());
        kept.and_then(|kept| kept.values.borrow().get(index).copied())
    } else {
        let frozen = evaluation.session().kept.borrow();
        let owned = frozen.get(run).and_then(Option::as_ref);
        let kept = owned.map(|owned| eval.heap().access_owned_frozen_value(owned));
        kept.and_then(|kept| {
            Some(
                kept.downcast_ref::<FrozenKept>()?
                    .values
                    .get(index)?
                    .to_value(),
            )
        })
    };
    match value.and_then(|value| <(Value<'v>, Value<'v>)>::unpack_value(value).ok().flatten()) {
        Some(pair) => Ok(pair),
        None => {
            Err(Failure::new(format!("expected the arguments of `{}`", annotation.name)).into())
        }
    }
}
