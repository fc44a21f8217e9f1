//! How many arguments a function of a module takes, said as ytt says it.

use starlark::values::Value;

use crate::script::failure::Failure;

/// The arguments of a function that takes exactly `N`.
pub(super) fn exactly<'v, const N: usize>(
    name: &str,
    given: &[Value<'v>],
) -> Result<[Value<'v>; N], Failure> {
    <[Value<'v>; N]>::try_from(given).map_err(|_| wrong_count(name, given.len(), N))
}

/// The argument of a function that takes one or none.
pub(super) fn at_most_one<'v>(
    name: &str,
    given: &[Value<'v>],
) -> Result<Option<Value<'v>>, Failure> {
    match given {
        [] => Ok(None),
        [only] => Ok(Some(*only)),
        _ => Err(wrong_count(name, given.len(), 1)),
    }
}

fn wrong_count(name: &str, given: usize, wanted: usize) -> Failure {
    Failure::new(format!("{name}: got {given} arguments, want {wanted}"))
}
