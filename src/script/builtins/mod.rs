//! The functions that every program has.
//!
//! They check their arguments with the messages of ytt ([`BuiltinCall`](super::builtin_call::BuiltinCall)), and count what they cost.
//! Those that the program of a template calls (`__ytt_…`) are written as functions of the crate and
//! not as [`Native`](super::Native): an operator runs for almost every expression, and the crate
//! passes a fixed number of positional arguments without an allocation.

mod basics;
mod collections;
mod comparisons;
mod entry;
mod format;
mod methods;
mod numbers;
mod operators;
mod ordering;
mod percent;
mod rewritten;
mod sequences;
mod slice;
mod strings;

use std::sync::LazyLock;

use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension};
use starlark::values::FrozenValue;

pub(super) use operators::operator_functions;

use super::builtin_call::Builtin;
use super::function::NativeFunction;

/// The functions, except `set`.
const FUNCTIONS: [(&str, Builtin); 27] = [
    ("all", sequences::all),
    ("any", sequences::any),
    ("bool", basics::bool),
    ("chr", numbers::chr),
    ("dict", sequences::dict),
    ("dir", basics::dir),
    ("enumerate", sequences::enumerate),
    ("fail", basics::fail),
    ("float", numbers::float),
    ("getattr", basics::getattr),
    ("hasattr", basics::hasattr),
    ("hash", basics::hash),
    ("int", numbers::int),
    ("len", sequences::len),
    ("list", sequences::list),
    ("max", ordering::max),
    ("min", ordering::min),
    ("ord", numbers::ord),
    ("print", basics::print),
    ("range", basics::range),
    ("repr", basics::repr),
    ("reversed", sequences::reversed),
    ("sorted", ordering::sorted),
    ("str", basics::str),
    ("tuple", sequences::tuple),
    ("type", basics::r#type),
    ("zip", sequences::zip),
];

/// The functions that take as long for a large value as for a small one.
const CONSTANT_TIME: [&str; 8] = [
    "bool", "dir", "getattr", "hasattr", "len", "ord", "range", "type",
];

/// Makes the names that every program has.
///
/// It begins with nothing and not with the crate's own environment: ytt has not all of its functions,
/// and to register them takes most of the time of a short run, since the crate parses the
/// documentation of each.
pub(super) fn globals() -> Globals {
    let mut builder = GlobalsBuilder::new();
    builder.set("None", FrozenValue::new_none());
    builder.set("True", FrozenValue::new_bool(true));
    builder.set("False", FrozenValue::new_bool(false));
    // The crate alone can make a set.
    let set = NativeFunction::of_crate("set", crate_set, sequences::set_items);
    builder.set("set", set);
    for (name, body) in FUNCTIONS {
        let is_constant = CONSTANT_TIME.contains(&name);
        builder.set(name, NativeFunction::builtin(name, body, is_constant));
    }
    builder
        .with(rewritten::functions)
        .with(methods::functions)
        .with(operators::functions)
        .with(comparisons::functions)
        .build()
}

/// Returns the crate's function `set`. It is registered when the first set is made.
fn crate_set() -> FrozenValue {
    static SETS: LazyLock<Globals> = LazyLock::new(|| {
        GlobalsBuilder::new()
            .with(|builder| LibraryExtension::SetType.add(builder))
            .build()
    });
    let set = SETS.iter().find(|(name, _)| *name == "set");
    set.map_or_else(FrozenValue::new_none, |(_, function)| function)
}
