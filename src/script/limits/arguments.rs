//! Limits on the arguments of functions that the crate carries out.

use allocative::Allocative;
use starlark::values::Value;

use super::size;
use super::walk::check_walk;
use crate::script::failure::Failure;

/// The longest text that a number is read from. Reading takes quadratic time.
const DIGIT_LIMIT: usize = 1_000;

/// How the arguments of a function are limited, by what the function does with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Allocative)]
pub(in crate::script) enum ArgumentLimit {
    /// It copies the items of each.
    Items,
    /// It copies the entries of each; a struct or a fragment counts as a dictionary.
    Entries,
    /// It compares or hashes the items of each, with everything inside them.
    Walk,
    /// It makes one item of each of the items of all arguments together.
    AllItems,
    /// It reads a number.
    Digits,
}

impl ArgumentLimit {
    /// Refuses arguments that are too long.
    pub(in crate::script) fn check(self, arguments: &[Value<'_>]) -> Result<(), Failure> {
        match self {
            ArgumentLimit::Items | ArgumentLimit::Entries => check_items(arguments),
            ArgumentLimit::Walk => {
                check_items(arguments)?;
                for argument in arguments {
                    check_walk(*argument)?;
                }
                Ok(())
            }
            ArgumentLimit::AllItems => {
                let lengths = arguments.iter().filter_map(|value| size::length(*value));
                size::check_list(lengths.sum())
            }
            ArgumentLimit::Digits => check_digits(longest(arguments)),
        }
    }
}

fn check_items(arguments: &[Value<'_>]) -> Result<(), Failure> {
    size::check_list(longest(arguments))
}

fn check_digits(length: usize) -> Result<(), Failure> {
    if length <= DIGIT_LIMIT {
        return Ok(());
    }
    Err(Failure::limit(format!(
        "expected a number of at most {DIGIT_LIMIT} digits, found {length}"
    )))
}

fn longest(arguments: &[Value<'_>]) -> usize {
    let lengths = arguments.iter().filter_map(|value| size::length(*value));
    lengths.max().unwrap_or_default()
}
