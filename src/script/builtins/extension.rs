//! Adds items to a list.
//!
//! Programs outside of the crate can read a list and replace its items, but not add any. The methods
//! of lists can, but at the first use of one, the crate parses the documentation of all; see
//! [`builtins`](super). So items are added by a program of one statement.

use starlark::environment::{Globals, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};
use starlark::values::list::ListRef;
use starlark::values::tuple::AllocTuple;
use starlark::values::{OwnedFrozenValue, Value};

use crate::script::evaluation::evaluation;
use crate::script::limits::outside;

const PROGRAM: &str = "def extend(list, items):\n    list += items\n";

/// Adds items to the end of a list.
///
/// # Errors
/// Fails for a list that is frozen or that a loop iterates over.
pub(super) fn extend<'v>(
    list: Value<'v>,
    items: &[Value<'v>],
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<()> {
    let session = evaluation(eval)?.session;
    let function = match session.list_extension.get() {
        Some(function) => function,
        None => {
            let compiled = compile()?;
            session.list_extension.get_or_init(|| compiled)
        }
    };
    let function = eval.heap().access_owned_frozen_value(function);
    let items = eval.heap().alloc(AllocTuple(items.iter().copied()));
    outside::call(function, &[list, items], &[], eval)?;
    Ok(())
}

/// Inserts an item at a position of a list.
///
/// # Errors
/// Fails as [`extend`] does.
pub(super) fn insert<'v>(
    list: Value<'v>,
    position: usize,
    item: Value<'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<()> {
    let after = |list: &ListRef<'v>| list.content().get(position..).map(<[_]>::to_vec);
    let after = ListRef::from_value(list)
        .and_then(after)
        .unwrap_or_default();
    extend(list, &[item], eval)?;
    for (index, item) in std::iter::once(item).chain(after).enumerate() {
        let index = i64::try_from(position + index).unwrap_or(i64::MAX);
        list.set_at(eval.heap().alloc(index), item)?;
    }
    Ok(())
}

fn compile() -> starlark::Result<OwnedFrozenValue> {
    let program = AstModule::parse("extend", PROGRAM.to_owned(), &Dialect::Standard)?;
    let module = Module::with_temp_heap(|module| {
        Evaluator::new(&module).eval_module(program, &Globals::new())?;
        Ok::<_, starlark::Error>(module.freeze()?)
    })?;
    Ok(module.get("extend")?)
}
