//! Native functions that may make as much as their arguments are long.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;

use allocative::Allocative;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::{
    FrozenValue, Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value,
};

use super::builtins::check_walk;
use super::failure::Failure;
use super::memory::{self, LIST_LIMIT};
use super::value::dictionary;

/// A number is read from a text of this length at most.
const DIGITS: usize = 1_000;

/// A function that is called only with arguments of bounded length, and after which the memory is looked at.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub(super) struct Bounded {
    pub(super) name: String,
    pub(super) function: FrozenValue,
    pub(super) bound: Bound,
}
starlark_simple_value!(Bounded);

/// What is bounded of the arguments.
#[derive(Clone, Copy, Debug, Allocative)]
pub(super) enum Bound {
    /// The function looks itself.
    None,
    /// The items of each.
    Items,
    /// The items of each, and a struct or a fragment stands for a dictionary.
    Entries,
    /// The items of each, whose values are compared or hashed through and through.
    Walk,
    /// The items of all together, from each of which the function makes one.
    AllItems,
    /// The digits of a number.
    Digits,
}

impl Bound {
    fn check(self, arguments: &[Value<'_>]) -> Result<(), Failure> {
        let lengths = arguments
            .iter()
            .filter_map(|value| usize::try_from(value.length().ok()?).ok());
        let (length, limit) = match self {
            Bound::None => return Ok(()),
            Bound::Items | Bound::Entries | Bound::Walk => {
                (lengths.max().unwrap_or_default(), LIST_LIMIT)
            }
            Bound::AllItems => (lengths.sum(), LIST_LIMIT),
            Bound::Digits => (lengths.max().unwrap_or_default(), DIGITS),
        };
        match self {
            Bound::Digits if length > limit => Err(Failure::limit(format!(
                "expected a number of at most {limit} digits, found {length}"
            ))),
            Bound::Digits => Ok(()),
            Bound::Walk => {
                memory::check_list(length)?;
                arguments
                    .iter()
                    .try_for_each(|argument| check_walk(*argument))
            }
            _ => memory::check_list(length),
        }
    }
}

/// Values of which structs and fragments are given as dictionaries.
pub(super) fn dictionaries<'v>(
    values: Vec<Value<'v>>,
    heap: Heap<'v>,
) -> starlark::Result<Vec<Value<'v>>> {
    values
        .into_iter()
        .map(|value| dictionary(value, heap))
        .collect()
}

impl fmt::Display for Bounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<built-in function {}>", self.name)
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v> StarlarkValue<'v> for Bounded {
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let positional: Vec<Value<'v>> = args.positions(eval.heap())?.collect();
        let named = args.names_map()?;
        let named: Vec<(&str, Value<'v>)> = named
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .collect();
        self.bound.check(&positional)?;
        let positional = match self.bound {
            Bound::Entries => dictionaries(positional, eval.heap())?,
            _ => positional,
        };
        let value = eval.eval_function(self.function.to_value(), &positional, &named)?;
        memory::take_entries(value, eval)?;
        memory::check(eval)?;
        Ok(value)
    }
}
