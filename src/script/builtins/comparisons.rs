//! Operators that compare, for values that the crate may walk: see
//! [`walk`](crate::script::limits::walk).

use std::cmp::Ordering;

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::Value;

use crate::script::limits::walk::{check_comparison, check_search};

// Every comparison is checked before the crate makes it: the crate recurses without a limit.
fn equal<'v>(left: Value<'v>, right: Value<'v>) -> starlark::Result<bool> {
    check_comparison(left, right)?;
    left.equals(right)
}

fn order<'v>(left: Value<'v>, right: Value<'v>) -> starlark::Result<Ordering> {
    check_comparison(left, right)?;
    left.compare(right)
}

fn contains<'v>(value: Value<'v>, collection: Value<'v>) -> starlark::Result<bool> {
    check_search(value, collection)?;
    collection.is_in(value)
}

#[starlark_module]
pub(super) fn functions(builder: &mut GlobalsBuilder) {
    fn __ytt_equal<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        equal(left, right)
    }

    fn __ytt_unequal<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(!equal(left, right)?)
    }

    fn __ytt_less<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(order(left, right)?.is_lt())
    }

    fn __ytt_greater<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(order(left, right)?.is_gt())
    }

    fn __ytt_at_most<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(order(left, right)?.is_le())
    }

    fn __ytt_at_least<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(order(left, right)?.is_ge())
    }

    fn __ytt_in<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        #[starlark(require = pos)] collection: Value<'v>,
    ) -> starlark::Result<bool> {
        contains(value, collection)
    }

    fn __ytt_not_in<'v>(
        #[starlark(require = pos)] value: Value<'v>,
        #[starlark(require = pos)] collection: Value<'v>,
    ) -> starlark::Result<bool> {
        Ok(!contains(value, collection)?)
    }
}
